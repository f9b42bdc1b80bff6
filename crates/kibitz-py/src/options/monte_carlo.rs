//! The options of the Monte-Carlo family.

use kibitz_search::{
    BackUp, Bias, FinalMove, LastGoodReply, Opponents, Parallel, Playing, Policy, ProofNumbers, ProofRule, Rave,
    Scaling, Selection, Uct, Verdict, Widening,
};
use pyo3::prelude::*;

use super::Options;

const FINAL_MOVES: [(&str, FinalMove); 4] = [
    ("max", FinalMove::Max),
    ("robust", FinalMove::Robust),
    ("secure", FinalMove::Secure),
    ("robust-max", FinalMove::RobustMax),
];

const SELECTIONS: [(&str, Selection); 2] = [("ucb1", Selection::Ucb1), ("ucb1-tuned", Selection::Ucb1Tuned)];

const PARALLELS: [(&str, Parallel); 3] = [("root", Parallel::Root), ("tree", Parallel::Tree), ("leaf", Parallel::Leaf)];

const POLICIES: [(&str, Policy); 4] = [
    ("uniform", Policy::Uniform),
    ("evaluation", Policy::Evaluation),
    ("mast", Policy::Mast),
    ("gibbs", Policy::Gibbs),
];

const OPPONENTS: [(&str, Opponents); 3] =
    [("maxn", Opponents::MaxN), ("paranoid", Opponents::Paranoid), ("best-reply", Opponents::BestReply)];

const VERDICTS: [(&str, Verdict); 2] = [("winner", Verdict::Winner), ("evaluation", Verdict::Evaluation)];

const PROOF_RULES: [(&str, ProofRule); 3] =
    [("rank", ProofRule::Rank), ("sum", ProofRule::Sum), ("max", ProofRule::Max)];

const REPLIES: [LastGoodReply; 3] = [LastGoodReply::Off, LastGoodReply::One, LastGoodReply::Two];

/// The member of the family of that name, if there is one.
pub fn family(name: &str, get: &Options<'_, '_>) -> PyResult<Option<Uct>> {
    let common = || -> PyResult<Uct> {
        Ok(Uct {
            c: get.get("c")?,
            scaling: Scaling { scale: get.get("heuristic_scale")?, squash: get.get("squash")? },
            solver: get.get("solver")?,
            final_move: get.word("final_move", &FINAL_MOVES)?,
            memory_mb: get.get("memory_mb")?,
            seed: get.get("seed")?,
            threads: get.get("threads")?,
            parallel: get.word("parallel", &PARALLELS)?,
            trace: get.get("trace")?,
            database: get.database()?,
            ..Uct::default()
        })
    };
    Ok(match name {
        // results lie between 0 and 1 and H between −1 and 1: half of H stands beside them as in the thesis
        "huct" => Some(Uct { bias: Bias { weight: 0.5, damped: get.get("damped")? }, ..common()? }),
        "uct" => Some(Uct {
            selection: get.word("selection", &SELECTIONS)?,
            first_play_urgency: get.get("first_play_urgency")?,
            expansion_threshold: get.get("expansion_threshold")?,
            playing: playing(get)?,
            bias: Bias { weight: get.get("progressive_bias")?, damped: true },
            widening: widening(get)?,
            rave: rave(get)?,
            implicit_minimax: get.get("implicit_minimax")?,
            opponents: get.word("opponents", &OPPONENTS)?,
            opponent_move_abstraction: get.get("opponent_move_abstraction")?,
            back_up: back_up(get)?,
            score_bounds: get.get("score_bounds")?,
            proof_numbers: match get.get("proof_numbers")? {
                Some(weight) => Some(ProofNumbers { weight, rule: get.word("proof_rule", &PROOF_RULES)? }),
                None => None,
            },
            ..common()?
        }),
        _ => None,
    })
}

fn playing(get: &Options<'_, '_>) -> PyResult<Playing> {
    let replies: usize = get.get("last_good_reply")?;
    Ok(Playing {
        policy: get.word("playout", &POLICIES)?,
        epsilon: get.get("epsilon")?,
        temperature: get.get("temperature")?,
        replies: REPLIES[replies.min(REPLIES.len() - 1)],
        forgetting: get.get("forgetting")?,
        horizon: get.get("horizon")?,
        bound: get.get("playout_bound")?,
        verdict: get.word("verdict", &VERDICTS)?,
    })
}

fn widening(get: &Options<'_, '_>) -> PyResult<Option<Widening>> {
    let Some(initial) = get.get("widening")? else { return Ok(None) };
    Ok(Some(Widening { initial, visits: get.get("widening_visits")?, growth: get.get("widening_growth")? }))
}

fn rave(get: &Options<'_, '_>) -> PyResult<Option<Rave>> {
    let bias: Option<f64> = get.get("rave_bias")?;
    Ok(bias.map(Rave::MinimumError).or(get.get::<Option<f64>>("rave")?.map(Rave::Equivalence)))
}

fn back_up(get: &Options<'_, '_>) -> PyResult<BackUp> {
    let weight = get.get("mean_weight")?;
    get.word(
        "back_up",
        &[
            ("average", BackUp::Average),
            ("max", BackUp::Max),
            ("mix", BackUp::Mix(weight)),
            ("informed-average", BackUp::InformedAverage),
        ],
    )
}
