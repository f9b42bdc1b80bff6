//! The options of the searches of games of many players.

use kibitz_game::Limits;
use kibitz_search::{
    AlphaBeta, Coalition, History, MaxN, MpMix, MultiCut, Noise, NullMove, Ordering, ProbMaxN, Prudence, Pruning,
    Reduction, Selective, SoftMaxN, Ties, Types, Utility,
};
use pyo3::prelude::*;

use super::Options;
use super::minimax::REPLACEMENTS;

/// A search of games of many players.
pub enum OfMany {
    Coalition(Box<Coalition>),
    MaxN(MaxN),
    SoftMaxN(SoftMaxN),
    ProbMaxN(ProbMaxN),
    MpMix(Box<MpMix>),
}

impl OfMany {
    /// The name of its Python class.
    pub fn title(&self) -> &'static str {
        match self {
            Self::Coalition(method) => method.search.name,
            Self::MaxN(_) => "MaxN",
            Self::SoftMaxN(_) => "SoftMaxN",
            Self::ProbMaxN(_) => "ProbMaxN",
            Self::MpMix(_) => "MpMix",
        }
    }

    /// The greatest ply that it can reach.
    pub fn deepest(&self, limits: &Limits) -> u32 {
        match self {
            Self::Coalition(method) => method.deepest(limits),
            Self::MaxN(method) => method.deepest(limits),
            Self::SoftMaxN(method) => method.deepest(limits),
            Self::ProbMaxN(method) => method.deepest(limits),
            Self::MpMix(method) => method.deepest(limits),
        }
    }
}

const PRUNINGS: [(&str, Pruning); 5] = [
    ("none", Pruning::None),
    ("shallow", Pruning::Shallow),
    ("last-branch", Pruning::LastBranch),
    ("speculative", Pruning::Speculative),
    ("approximate-deep", Pruning::ApproximateDeep),
];

const TIES: [(&str, Ties); 3] = [("leftmost", Ties::Leftmost), ("worst", Ties::WorstForRoot), ("total", Ties::Total)];

const UTILITIES: [(&str, Utility); 2] = [("difference", Utility::Difference), ("own", Utility::Own)];

const PRUDENCES: [(&str, Prudence); 2] = [("worst", Prudence::Worst), ("average", Prudence::Average)];

/// The search of that name, if it is one of these.
pub fn family(name: &str, get: &Options<'_, '_>) -> PyResult<Option<OfMany>> {
    Ok(Some(match name {
        "paranoid" => coalition("Paranoid", Reduction::Paranoid, get)?,
        "bestreply" => coalition("BestReply", Reduction::BestReply, get)?,
        "bestreplyplus" => coalition("BestReplyPlus", Reduction::BestReplyPlus, get)?,
        "rootonly" => coalition("RootOnly", Reduction::RootOnly, get)?,
        "maxn" => OfMany::MaxN(max_n(get)?),
        "softmaxn" => OfMany::SoftMaxN(SoftMaxN {
            margin: get.get("margin")?,
            prudence: get.word("prudence", &PRUDENCES)?,
            most: get.get("most")?,
            deepening: get.get("deepening")?,
            noise: noise(get)?,
            seed: get.get("seed")?,
        }),
        "probmaxn" => OfMany::ProbMaxN(ProbMaxN {
            types: Types { own: get.get("own")?, lead: get.get("lead")?, hostile: get.get("hostile")? },
            root_type: get.word("root", &[("own", 0), ("lead", 1)])?,
            deepening: get.get("deepening")?,
            noise: noise(get)?,
            seed: get.get("seed")?,
        }),
        "mpmix" => {
            let max_n = max_n(get)?;
            let search = AlphaBeta {
                name: "MpMix",
                tt_mb: max_n.tt_mb,
                same_depth: max_n.same_depth,
                etc: false,
                ordering: max_n.ordering.clone(),
                seed: max_n.seed,
                ..AlphaBeta::default()
            };
            let paranoid = Coalition {
                reduction: Reduction::Paranoid,
                noise: max_n.noise,
                utility: get.word("utility", &UTILITIES)?,
                search,
            };
            OfMany::MpMix(Box::new(MpMix { defend: get.get("defend")?, attack: get.get("attack")?, max_n, paranoid }))
        }
        _ => return Ok(None),
    }))
}

/// The seed of a search draws its noise, too, so that a match draws it anew for each search.
fn noise(get: &Options<'_, '_>) -> PyResult<Noise> {
    Ok(Noise { deviation: get.get("noise")?, seed: get.get::<Option<u64>>("seed")?.unwrap_or(0) })
}

fn ordering(get: &Options<'_, '_>) -> PyResult<Ordering> {
    Ok(Ordering {
        hash_move: get.get("hash_move")?,
        killers: get.get("killers")?,
        hints: get.get("hints")?,
        history: if get.get("history")? { History::Plain } else { History::None },
        ageing: get.get("history_ageing")?,
        ..Ordering::default()
    })
}

fn max_n(get: &Options<'_, '_>) -> PyResult<MaxN> {
    Ok(MaxN {
        pruning: get.word("pruning", &PRUNINGS)?,
        ties: get.word("ties", &TIES)?,
        branch_and_bound: get.get("branch_and_bound")?,
        deepening: get.get("deepening")?,
        step: get.get("step")?,
        tt_mb: get.get("tt_mb")?,
        same_depth: get.get("same_depth")?,
        ordering: ordering(get)?,
        best_first: get.get("best_first")?,
        noise: noise(get)?,
        seed: get.get("seed")?,
        target: None,
    })
}

fn coalition(name: &'static str, reduction: Reduction, get: &Options<'_, '_>) -> PyResult<OfMany> {
    let switched = |name: &str| -> PyResult<Option<u32>> { Ok(Some(get.get(name)?).filter(|&count: &u32| count > 0)) };
    let (cuts, reduce) = (get.get("multi_cut_cuts")?, get.get("multi_cut_reduction")?);
    let multi_cut = switched("multi_cut")?.map(|moves| MultiCut { moves, cuts, reduction: reduce, everywhere: false });
    let search = AlphaBeta {
        name,
        deepening: get.get("deepening")?,
        step: get.get("step")?,
        tt_mb: get.get("tt_mb")?,
        tt_exact: get.get("tt_exact")?,
        replacement: get.word("replacement", &REPLACEMENTS)?,
        same_depth: get.get("same_depth")?,
        etc: get.get("etc")?,
        etc_depth: get.get("etc_depth")?,
        ordering: ordering(get)?,
        selective: Selective {
            null_move: switched("null_move")?.map(|reduction| NullMove { reduction, adaptive: false }),
            multi_cut,
            ..Selective::default()
        },
        seed: get.get("seed")?,
        ..AlphaBeta::default()
    };
    Ok(OfMany::Coalition(Box::new(Coalition {
        reduction,
        utility: get.word("utility", &UTILITIES)?,
        noise: noise(get)?,
        search,
    })))
}
