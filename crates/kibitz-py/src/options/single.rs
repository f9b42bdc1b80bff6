//! The options of the searches of one player.

use kibitz_search::{
    AStar, BeamSearch, IdaStar, IncrementalTranspositions, Layers, NestedMonteCarlo, NestedRollout, Plan,
    PlayoutStrategy, SimulatedAnnealing, SpMcts, TableSize, TimeControl, Untried, Winner,
};
use pyo3::prelude::*;

use super::Options;

/// A search of one player with its parameters.
pub enum Single {
    SpMcts(SpMcts),
    NestedMonteCarlo(NestedMonteCarlo),
    NestedRollout(NestedRollout),
    SimulatedAnnealing(SimulatedAnnealing),
    Beam(BeamSearch),
    AStar(AStar),
    IdaStar(IdaStar),
    IncrementalTranspositions(IncrementalTranspositions),
}

impl Single {
    /// The name of its class.
    pub fn title(&self) -> &'static str {
        match self {
            Self::SpMcts(_) => "SpMcts",
            Self::NestedMonteCarlo(_) => "NestedMonteCarlo",
            Self::NestedRollout(_) => "NestedRollout",
            Self::SimulatedAnnealing(_) => "SimulatedAnnealing",
            Self::Beam(_) => "BeamSearch",
            Self::AStar(_) => "AStar",
            Self::IdaStar(_) => "IdaStar",
            Self::IncrementalTranspositions(_) => "IncrementalTranspositions",
        }
    }

    /// How many threads it asks for.
    pub fn threads(&self) -> usize {
        match self {
            Self::SpMcts(method) => method.threads,
            Self::NestedMonteCarlo(method) => method.threads,
            Self::NestedRollout(method) => method.threads,
            Self::SimulatedAnnealing(method) => method.threads,
            Self::Beam(method) => method.threads,
            Self::AStar(_) | Self::IdaStar(_) => 1,
            Self::IncrementalTranspositions(method) => method.threads,
        }
    }
}

const WINNERS: [(&str, Winner); 4] =
    [("best-line", Winner::BestLine), ("top", Winner::Top), ("max", Winner::Mean), ("robust", Winner::Robust)];

const UNTRIED: [(&str, Untried); 2] = [("random", Untried::Random), ("preferred", Untried::Preferred)];

const PLANS: [(&str, Plan); 2] = [("leaf", Plan::Leaf), ("root", Plan::Root)];

const LAYERS: [(&str, Layers); 2] = [("moves", Layers::Moves), ("progress", Layers::Progress)];

/// The member of the family of that name, if there is one.
pub fn family(name: &str, get: &Options<'_, '_>) -> PyResult<Option<Single>> {
    Ok(Some(match name {
        "spmcts" => Single::SpMcts(sp_mcts(get)?),
        "nestedmontecarlo" => Single::NestedMonteCarlo(NestedMonteCarlo {
            level: get.get("level")?,
            memorise: get.get("memorise")?,
            strategy: strategy(get)?,
            epsilon: get.get("epsilon")?,
            restarts: get.get("restarts")?,
            seed: get.get("seed")?,
            threads: get.get("threads")?,
        }),
        "nestedrollout" => Single::NestedRollout(NestedRollout {
            level: get.get("level")?,
            iterations: get.get("iterations")?,
            alpha: get.get("alpha")?,
            playouts: get.get("playouts")?,
            bias: get.get("bias")?,
            repetitions: get.get("repetitions")?,
            strategy: strategy(get)?,
            restarts: get.get("restarts")?,
            seed: get.get("seed")?,
            threads: get.get("threads")?,
        }),
        "simulatedannealing" => Single::SimulatedAnnealing(SimulatedAnnealing {
            changes: get.get("changes")?,
            hot: get.get("hot")?,
            cold: get.get("cold")?,
            insert: get.get("insert")?,
            leave_out: get.get("leave_out")?,
            strategy: strategy(get)?,
            epsilon: get.get("epsilon")?,
            restarts: get.get("restarts")?,
            seed: get.get("seed")?,
            threads: get.get("threads")?,
        }),
        "beamsearch" => Single::Beam(BeamSearch {
            width: get.get("width")?,
            first_width: get.get("first_width")?,
            potential: get.get("potential")?,
            layers: get.word("layers", &LAYERS)?,
            per_parent: get.get("per_parent")?,
            noise: get.get("noise")?,
            refine: get.get("refine")?,
            memory_mb: get.get("memory_mb")?,
            seed: get.get("seed")?,
            threads: get.get("threads")?,
        }),
        "astar" => Single::AStar(AStar { memory_mb: get.get("memory_mb")? }),
        "idastar" => Single::IdaStar(IdaStar { tt_mb: get.get("tt_mb")? }),
        "incrementaltranspositions" => Single::IncrementalTranspositions(IncrementalTranspositions {
            sets: get.get("sets")?,
            table: if get.is_text("table")? {
                get.word("table", &[("exact", TableSize::Exact)])?
            } else {
                get.get::<Option<usize>>("table")?.map_or(TableSize::None, TableSize::Entries)
            },
            stop_at_best: get.get("stop_at_best")?,
            memory_mb: get.get("memory_mb")?,
            threads: get.get("threads")?,
        }),
        _ => return Ok(None),
    }))
}

fn strategy(get: &Options<'_, '_>) -> PyResult<PlayoutStrategy> {
    let name: Option<String> = get.get("playout")?;
    Ok(match name {
        None => PlayoutStrategy::Default,
        Some(name) if name == "random" => PlayoutStrategy::Random,
        Some(name) => PlayoutStrategy::Named(name),
    })
}

fn sp_mcts(get: &Options<'_, '_>) -> PyResult<SpMcts> {
    let length = get.get("game_length")?;
    Ok(SpMcts {
        c: get.get("c")?,
        d: get.get("d")?,
        deviation: get.get("deviation")?,
        w: get.get("w")?,
        threshold: get.get("threshold")?,
        strategy: strategy(get)?,
        epsilon: get.get("epsilon")?,
        result_scale: get.get("result_scale")?,
        untried: get.word("untried", &UNTRIED)?,
        plan: get.word("plan", &PLANS)?,
        control: get.word("control", &[("game", TimeControl::Game), ("move", TimeControl::Move(length))])?,
        winner: get.word("final_move", &WINNERS)?,
        keep_tree: get.get("keep_tree")?,
        tree_nodes: get.get("tree_nodes")?,
        restarts: get.get("restarts")?,
        memory_mb: get.get("memory_mb")?,
        seed: get.get("seed")?,
        threads: get.get("threads")?,
    })
}
