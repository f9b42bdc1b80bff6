//! What a search has found, as Python sees it.

use std::time::Duration;

use kibitz_game::{Iteration, Trace};
use kibitz_search::{Playouts, Report, Style};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};

use crate::bridge::Bridge;

/// The moves of a line as Python objects; a line that does not fit the rules is cut where it stops to.
pub fn line<G: Bridge>(py: Python<'_>, game: &G, position: &G::Position, line: &[G::Move]) -> PyResult<Vec<Py<PyAny>>> {
    let mut position = position.clone();
    let mut out = Vec::with_capacity(line.len());
    for &mv in line {
        out.push(game.move_object(py, &position, mv)?);
        game.play(&mut position, mv);
    }
    Ok(out)
}

fn seconds(time: Duration) -> f64 {
    time.as_secs_f64()
}

/// A completed step of a search.
pub fn iteration<'py, G: Bridge>(
    py: Python<'py>,
    game: &G,
    position: &G::Position,
    step: &Iteration<G::Move>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("depth", step.depth)?;
    dict.set_item("value", step.value)?;
    dict.set_item("nodes", step.nodes)?;
    dict.set_item("seconds", seconds(step.time))?;
    dict.set_item("pv", line(py, game, position, &step.pv)?)?;
    Ok(dict)
}

/// The tree of a search: a list of nodes, and how many are missing.
pub fn tree_dict<'py, G: Bridge>(
    py: Python<'py>,
    game: &G,
    root: &G::Position,
    trace: &Trace<G::Move>,
) -> PyResult<Bound<'py, PyDict>> {
    let mut positions: Vec<G::Position> = Vec::with_capacity(trace.nodes.len());
    let nodes = PyList::empty(py);
    for visit in &trace.nodes {
        let above = visit.parent.map(|parent| positions[parent as usize].clone());
        let mut position = above.clone().unwrap_or_else(|| root.clone());
        match (above, visit.mv) {
            (Some(_), Some(mv)) => game.play(&mut position, mv),
            (Some(_), None) => {
                game.pass(&mut position);
            }
            (None, _) => (),
        }
        let dict = PyDict::new(py);
        dict.set_item("parent", visit.parent)?;
        let before = visit.parent.map_or(root, |parent| &positions[parent as usize]);
        dict.set_item("move", visit.mv.map(|mv| game.move_object(py, before, mv)).transpose()?)?;
        dict.set_item("player", visit.player)?;
        dict.set_item("chance", visit.chance)?;
        dict.set_item("probability", visit.probability)?;
        dict.set_item("depth", visit.depth)?;
        dict.set_item("alpha", visit.alpha)?;
        dict.set_item("beta", visit.beta)?;
        dict.set_item("null_window", visit.null_window)?;
        dict.set_item("again", visit.again)?;
        dict.set_item("value", visit.value)?;
        dict.set_item("bound", visit.bound.name())?;
        dict.set_item("end", visit.end)?;
        let pruned: Vec<Py<PyAny>> =
            visit.pruned.iter().map(|&mv| game.move_object(py, &position, mv)).collect::<PyResult<_>>()?;
        dict.set_item("pruned", PyTuple::new(py, pruned)?)?;
        dict.set_item("visits", visit.visits)?;
        // nothing that cannot be proven has a number
        let number = |number: u32| if number == u32::MAX { f64::INFINITY } else { f64::from(number) };
        dict.set_item("proof", visit.numbers.map(|(proof, _)| number(proof)))?;
        dict.set_item("disproof", visit.numbers.map(|(_, disproof)| number(disproof)))?;
        nodes.append(dict)?;
        positions.push(position);
    }
    let dict = PyDict::new(py);
    dict.set_item("nodes", nodes)?;
    dict.set_item("missing", trace.missing)?;
    Ok(dict)
}

/// The report of a search.
pub fn report_dict<'py, G: Bridge>(
    py: Python<'py>,
    game: &G,
    position: &G::Position,
    report: &Report<G::Move>,
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let best = report.best.map(|mv| game.move_object(py, position, mv)).transpose()?;
    dict.set_item("best", best)?;
    dict.set_item("value", report.value)?;
    dict.set_item("bound", report.bound.name())?;
    dict.set_item("values", PyTuple::new(py, &report.values)?)?;
    dict.set_item("proven", report.proven)?;
    dict.set_item("pv", line(py, game, position, &report.pv)?)?;
    dict.set_item("nodes", report.nodes)?;
    dict.set_item("depth", report.depth)?;
    dict.set_item("seconds", seconds(report.time))?;
    let history = PyList::empty(py);
    for step in &report.history {
        history.append(iteration(py, game, position, step)?)?;
    }
    dict.set_item("history", history)?;
    let children = PyList::empty(py);
    for child in &report.children {
        children.append((game.move_object(py, position, child.mv)?, child.visits, child.value, child.error))?;
    }
    dict.set_item("children", children)?;
    let stats = PyDict::new(py);
    for &(name, value) in &report.stats {
        if value.fract() == 0.0 && value.abs() < 9e15 {
            stats.set_item(name, value as i64)?;
        } else {
            stats.set_item(name, value)?;
        }
    }
    dict.set_item("stats", stats)?;
    dict.set_item("depths", PyTuple::new(py, &report.depths)?)?;
    if let Some(trace) = &report.trace {
        dict.set_item("tree", tree_dict(py, game, position, trace)?)?;
    }
    game.fault().raise()?;
    Ok(dict)
}

/// What playouts came to.
pub fn playouts_dict<'py>(py: Python<'py>, out: &Playouts, style: Style) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("count", out.count)?;
    let n = out.count.max(1) as f64;
    dict.set_item("mean", PyTuple::new(py, out.sum.iter().map(|sum| sum / n))?)?;
    let deviation = |(sum, squares): (&f64, &f64)| (squares / n - (sum / n).powi(2)).max(0.0).sqrt();
    dict.set_item("deviation", PyTuple::new(py, out.sum.iter().zip(&out.squares).map(deviation))?)?;
    dict.set_item("plies", out.plies as f64 / n)?;
    dict.set_item("best", PyTuple::new(py, &out.best)?)?;
    let branching = style.branching.then(|| out.legal as f64 / out.plies.max(1) as f64);
    dict.set_item("branching", branching)?;
    dict.set_item("cut", out.cut)?;
    dict.set_item("seconds", out.time.as_secs_f64())?;
    Ok(dict)
}
