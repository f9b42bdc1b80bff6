//! The options of the searches of games of chance.

use kibitz_game::{Limits, MAX_DEPTH};
use kibitz_search::{
    ChanceMethod, ChanceProbCut, EstimateWindow, Filter, History, MoveFilter, Noise, Ordering, Schedule, StarMinimax,
};
use pyo3::prelude::*;

use super::Options;
use super::minimax::{REPLACEMENTS, check};

/// A search of games of chance.
pub enum OfChance {
    Star(StarMinimax),
    MoveFilter(MoveFilter),
}

impl OfChance {
    /// The name of its Python class.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Star(method) => method.name,
            Self::MoveFilter(_) => "MoveFilter",
        }
    }

    /// The greatest ply that it can reach.
    pub fn deepest(&self, limits: &Limits) -> u32 {
        match self {
            Self::Star(method) => method.deepest(limits),
            Self::MoveFilter(_) => limits.depth.unwrap_or(MAX_DEPTH),
        }
    }
}

const SCHEDULES: [(&str, Schedule); 2] = [("cyclic", Schedule::Cyclic), ("sequential", Schedule::Sequential)];

const WINDOWS: [(&str, EstimateWindow); 3] = [
    ("intersection", EstimateWindow::Intersection),
    ("star1", EstimateWindow::Star1),
    ("wider", EstimateWindow::Wider),
];

/// The search of that name, if it is one of these.
pub fn family(name: &str, get: &Options<'_, '_>) -> PyResult<Option<OfChance>> {
    let probing =
        |schedule| -> PyResult<ChanceMethod> { Ok(ChanceMethod::Star2 { probes: get.get("probes")?, schedule }) };
    let (name, method) = match name {
        "expectimax" => ("Expectimax", ChanceMethod::Expectimax),
        "star1" => ("Star1", ChanceMethod::Star1),
        "star2" => ("Star2", probing(Schedule::Cyclic)?),
        "star25" => ("Star25", probing(get.word("schedule", &SCHEDULES)?)?),
        "chanceprobcut" => ("ChanceProbCut", probing(Schedule::Cyclic)?),
        "movefilter" => return move_filter(get).map(|method| Some(OfChance::MoveFilter(method))),
        _ => return Ok(None),
    };
    let chance_plies = get.get("chance_plies")?;
    Ok(Some(OfChance::Star(StarMinimax {
        name,
        method,
        prob_cut: if name == "ChanceProbCut" { prob_cut(get)? } else { ChanceProbCut::default() },
        chance_plies,
        deepening: get.get("deepening")?,
        step: get.get::<Option<u32>>("step")?.unwrap_or(1 + u32::from(chance_plies)),
        tt_mb: get.get("tt_mb")?,
        tt_exact: get.get("tt_exact")?,
        replacement: get.word("replacement", &REPLACEMENTS)?,
        same_depth: get.get("same_depth")?,
        star_etc: get.get("star_etc")?,
        etc_depth: get.get("etc_depth")?,
        ordering: Ordering {
            hash_move: get.get("hash_move")?,
            killers: get.get("killers")?,
            hints: get.get("hints")?,
            history: if get.get("history")? { History::Plain } else { History::None },
            ageing: get.get("history_ageing")?,
            ..Ordering::default()
        },
        samples: get.get("samples")?,
        noise: noise(get)?,
        seed: get.get("seed")?,
        only: get.get("only")?,
        trace: get.get("trace")?,
    })))
}

fn noise(get: &Options<'_, '_>) -> PyResult<Noise> {
    Ok(Noise { deviation: get.get("noise")?, seed: get.get("noise_seed")? })
}

fn prob_cut(get: &Options<'_, '_>) -> PyResult<ChanceProbCut> {
    let checks: Vec<Vec<f64>> = get.get("checks")?;
    // the Python class has checked that each has six numbers or eight
    let checks = checks.iter().filter_map(|row| check(row)).collect();
    Ok(ChanceProbCut { checks, safe: get.get("safe")?, window: get.word("window", &WINDOWS)? })
}

fn move_filter(get: &Options<'_, '_>) -> PyResult<MoveFilter> {
    let rows: Vec<Vec<f64>> = get.get("filters")?;
    // the Python class has checked the rows; a negative number to keep leaves a stage out
    let filter = |row: &Vec<f64>| match row[..] {
        [keep, extra, within] if keep >= 0.0 => Some(Filter { keep: keep as u32, extra: extra as u32, within }),
        _ => None,
    };
    Ok(MoveFilter {
        filters: rows.iter().map(filter).collect(),
        replies: get.get("replies")?,
        noise: noise(get)?,
        seed: get.get("seed")?,
    })
}
