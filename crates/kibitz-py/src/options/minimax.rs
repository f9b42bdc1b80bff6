//! The options of the minimax family.

use kibitz_game::Replacement;
use kibitz_search::{
    AlphaBeta, BestNode, Check, Driver, FirstGuess, FutilityMargin, History, Increment, LateMoves, MultiCut, NextGuess,
    NullMove, Ordering, QualityTest, RankCut, Scout, Selective, Singular, UniformTree, Variant,
};
use pyo3::prelude::*;

use super::Options;

pub const REPLACEMENTS: [(&str, Replacement); 4] = [
    ("two-deep", Replacement::TwoDeep),
    ("always", Replacement::Always),
    ("depth-preferred", Replacement::DepthPreferred),
    ("two-big", Replacement::TwoBig),
];

const HISTORIES: [(&str, History); 3] =
    [("plain", History::Plain), ("relative", History::Relative), ("butterfly", History::Butterfly)];

const INCREMENTS: [(&str, Increment); 6] = [
    ("zero", Increment::Zero),
    ("one", Increment::One),
    ("depth", Increment::Depth),
    ("square", Increment::Square),
    ("cube", Increment::Cube),
    ("power", Increment::Power),
];

const VARIANTS: [(&str, Variant); 3] =
    [("candidate", Variant::Candidate), ("raise", Variant::Raise), ("plain", Variant::Plain)];

const QUALITY_TESTS: [(&str, QualityTest); 2] =
    [("every-child", QualityTest::EveryChild), ("passed", QualityTest::Passed)];

/// The member of the family of that name, if there is one.
pub fn family(name: &str, get: &Options<'_, '_>) -> PyResult<Option<AlphaBeta>> {
    let aspiration = || -> PyResult<Driver> {
        let width: f64 = get.get("aspiration")?;
        Ok(if width > 0.0 { Driver::Aspiration(width) } else { Driver::Full })
    };
    let (title, driver, scout) = match name {
        "alphabeta" => ("AlphaBeta", aspiration()?, Scout::Never),
        "pvs" => ("Pvs", aspiration()?, Scout::Pvs),
        "negascout" => {
            let printed = get.get("as_printed")?;
            let scout = if printed { Scout::AsPrinted } else { Scout::NegaScout { wide: get.get("wide")? } };
            ("NegaScout", aspiration()?, scout)
        }
        "negacstar" => ("NegaCStar", Driver::NegaCStar, Scout::Never),
        "sss" => ("Sss", Driver::Sss, Scout::Never),
        "dual" => ("Dual", Driver::Dual, Scout::Never),
        "mtd" => ("Mtd", Driver::Mtd(first_guess(get)?), Scout::Never),
        "probcut" => ("ProbCut", Driver::Full, Scout::Never),
        "multiprobcut" => ("MultiProbCut", Driver::Full, Scout::Never),
        "bestnode" => ("BestNode", Driver::BestNode(best_node(get)?), Scout::Never),
        _ => return Ok(None),
    };
    Ok(Some(AlphaBeta {
        name: title,
        driver,
        scout,
        fail_hard: get.word("fail", &[("soft", false), ("hard", true)])?,
        resolution: get.get("resolution")?,
        deepening: get.get("deepening")?,
        step: get.get("step")?,
        tt_mb: get.get("tt_mb")?,
        tt_exact: get.get("tt_exact")?,
        tt_leaves: get.get("tt_leaves")?,
        replacement: get.word("replacement", &REPLACEMENTS)?,
        same_depth: get.get("same_depth")?,
        etc: get.get("etc")?,
        etc_depth: get.get("etc_depth")?,
        ordering: ordering(get)?,
        selective: selective(get)?,
        seed: get.get("seed")?,
        trace: get.get("trace")?,
        threads: get.get("threads")?,
        database: get.database()?,
    }))
}

fn first_guess(get: &Options<'_, '_>) -> PyResult<FirstGuess> {
    Ok(if get.is_text("first_guess")? {
        get.word("first_guess", &[("previous", FirstGuess::Previous)])?
    } else {
        FirstGuess::At(get.get("first_guess")?)
    })
}

fn best_node(get: &Options<'_, '_>) -> PyResult<BestNode> {
    let next_guess = match get.get::<String>("next_guess")?.as_str() {
        "linear" => NextGuess::Linear,
        "analytic" => NextGuess::Analytic(UniformTree {
            width: get.get("tree_width")?,
            depth: get.get("tree_depth")?,
            values: get.get("tree_values")?,
        }),
        "statistical" => NextGuess::Statistical(get.get("samples")?),
        _ => get.word("next_guess", &[("previous", ())]).map(|()| NextGuess::Previous)?,
    };
    Ok(BestNode {
        variant: get.word("variant", &VARIANTS)?,
        next_guess,
        first_guess: first_guess(get)?,
        offset: get.get("offset")?,
        quality: get.get("quality")?,
        quality_test: get.word("quality_test", &QUALITY_TESTS)?,
    })
}

fn ordering(get: &Options<'_, '_>) -> PyResult<Ordering> {
    let history = if get.is_text("history")? {
        get.word("history", &HISTORIES)?
    } else if get.get("history")? {
        History::Plain
    } else {
        History::None
    };
    Ok(Ordering {
        hash_move: get.get("hash_move")?,
        killers: get.get("killers")?,
        countermoves: get.get("countermoves")?,
        hints: get.get("hints")?,
        history,
        gain: get.word("history_gain", &INCREMENTS)?,
        tried: get.word("history_tried", &INCREMENTS)?,
        shared: get.get("history_shared")?,
        ageing: get.get("history_ageing")?,
        credit_fail_low: get.get("credit_fail_low")?,
        credit_table: get.get("credit_table")?,
    })
}

fn selective(get: &Options<'_, '_>) -> PyResult<Selective> {
    let switched = |name: &str| -> PyResult<Option<u32>> { Ok(Some(get.get(name)?).filter(|&count: &u32| count > 0)) };
    let margin = |name: &str, depth: &str| -> PyResult<Option<FutilityMargin>> {
        let margin: Option<f64> = get.get(name)?;
        let depth = get.get(depth)?;
        Ok(margin.map(|margin| FutilityMargin { margin, depth }))
    };
    let null = (switched("null_move")?, get.get("null_adaptive")?);
    let threshold: f64 = get.get("rank_cut")?;
    let late = (get.get("late_move_depth")?, get.get("late_move_reduction")?);
    let multi = (get.get("multi_cut_cuts")?, get.get("multi_cut_reduction")?, get.get("multi_cut_everywhere")?);
    let singular_margin = get.get("singular_margin")?;
    let rank_reduction = get.get("rank_cut_reduction")?;
    let checks: Vec<Vec<f64>> = get.get("checks")?;
    Ok(Selective {
        null_move: null.0.map(|reduction| NullMove { reduction, adaptive: null.1 }),
        multi_cut: switched("multi_cut")?.map(|moves| MultiCut {
            moves,
            cuts: multi.0,
            reduction: multi.1,
            everywhere: multi.2,
        }),
        late_moves: switched("late_moves")?.map(|after| LateMoves { after, depth: late.0, reduction: late.1 }),
        futility: margin("futility", "futility_depth")?,
        razoring: margin("razoring", "razoring_depth")?,
        rank_cut: (threshold > 0.0).then_some(RankCut { threshold, reduction: rank_reduction }),
        // the Python class has checked that each has six numbers or eight
        checks: checks.iter().filter_map(|row| check(row)).collect(),
        singular: switched("singular")?.map(|depth| Singular { depth, margin: singular_margin }),
        quiescence: switched("quiescence")?,
    })
}

/// The check of a row of numbers; the last two, which may be left out, are the stage.
pub fn check(row: &[f64]) -> Option<Check> {
    let (&[height, depth, threshold, slope, offset, deviation], stage) = row.split_first_chunk()?;
    let stage = match *stage {
        [] => Check::ANY_STAGE,
        // an infinite end is the greatest number
        [first, last] => (first as u32, last as u32),
        _ => return None,
    };
    Some(Check { height: height as u32, depth: depth as u32, threshold, slope, offset, deviation, stage })
}
