//! The tree that a search writes down is the one that it searched.

use crate::searching::make;
use kibitz_game::{Bound, Game, Limits, Stop, Trace, Turn, Visit};
use kibitz_games::{Breakthrough, Mnk, RandomTree};
use kibitz_search::{
    AlphaBeta, BestNode, Context, Driver, FirstGuess, NextGuess, NullMove, QualityTest, Report, Scout, Searchable,
    Selective, Variant,
};

fn search<G: Searchable>(method: &AlphaBeta, game: &G, position: &G::Position, depth: Option<u32>) -> Report<G::Move> {
    let (limits, stop) = (Limits { depth, ..Limits::default() }, Stop::new());
    let context = &mut Context { limits: &limits, stop: &stop, past: &[], progress: &mut |_| {} };
    method.search(game, position, context).unwrap()
}

fn plain() -> AlphaBeta {
    AlphaBeta { trace: 100_000, ..AlphaBeta::plain() }
}

fn recorded<M>(report: Report<M>) -> Trace<M> {
    report.trace.expect("a tree")
}

fn stat<M>(report: &Report<M>, name: &str) -> f64 {
    report.stats.iter().find(|stat| stat.0 == name).map_or(0.0, |stat| stat.1)
}

#[test]
fn tic_tac_toe_with_two_prunings_has_its_ten_nodes() {
    // the position of search-methods, 6.2, turned, so that the moves are listed in the order that it asks for
    let game: Mnk = make(&[]);
    let start = game.read("X../OO./XXO X").unwrap();
    let report = search(&plain(), &game, &start, None);
    assert_eq!((report.value, report.nodes), (0.0, 10));
    let Trace { nodes, missing } = recorded(report);
    assert_eq!((nodes.len(), missing), (10, 0));
    let parents: Vec<Option<u32>> = nodes.iter().map(|node| node.parent).collect();
    let above = [None, Some(0), Some(1), Some(2), Some(1), Some(4), Some(0), Some(6), Some(0), Some(8)];
    assert_eq!(parents, above);
    let cuts: Vec<usize> = (0..10).filter(|&number| nodes[number].end == "cut").collect();
    assert_eq!(cuts, [6, 8]);
    for cut in cuts {
        let Visit { alpha, beta, value, bound, player, .. } = nodes[cut];
        assert_eq!((alpha, beta, value, bound, player), (0.0, f64::INFINITY, -1.0, Bound::Upper, Some(1)));
        assert_eq!(nodes[cut].pruned.len(), 1);
    }
    assert!(nodes.iter().all(|node| !node.null_window && !node.again));
    let ends: Vec<&str> = nodes.iter().map(|node| node.end).collect();
    assert_eq!(ends, ["", "", "", "over", "", "over", "cut", "over", "cut", "over"]);
}

/// Fail-soft alpha-beta with its own notes: parent, move, window, value and what was pruned, for the first player.
type Note = (Option<usize>, Option<u8>, f64, f64, f64, Vec<u8>);

fn reference(
    tree: &RandomTree,
    position: &<RandomTree as Game>::Position,
    above: Option<(usize, u8)>,
    (mut alpha, mut beta): (f64, f64),
    notes: &mut Vec<Note>,
) -> f64 {
    let number = notes.len();
    notes.push((above.map(|above| above.0), above.map(|above| above.1), alpha, beta, 0.0, Vec::new()));
    let Turn::Player(player) = tree.turn(position) else {
        notes[number].4 = f64::from(tree.score(position, 0));
        return notes[number].4;
    };
    let mut moves = Vec::new();
    tree.moves(position, &mut moves);
    let mut best = if player == 0 { f64::NEG_INFINITY } else { f64::INFINITY };
    for (i, &mv) in moves.iter().enumerate() {
        let mut child = *position;
        tree.play(&mut child, mv);
        let value = reference(tree, &child, Some((number, mv)), (alpha, beta), notes);
        if player == 0 {
            best = best.max(value);
            alpha = alpha.max(best);
        } else {
            best = best.min(value);
            beta = beta.min(best);
        }
        if alpha >= beta {
            notes[number].5 = moves[i + 1..].to_vec();
            break;
        }
    }
    notes[number].4 = best;
    best
}

#[test]
fn random_trees_have_the_nodes_of_a_second_alpha_beta() {
    for (seed, (width, depth)) in (0..200).zip([(2, 4), (3, 4), (2, 6), (4, 3)].into_iter().cycle()) {
        let tree: RandomTree = make(&[("width", width), ("depth", depth), ("seed", seed)]);
        let mut notes = Vec::new();
        reference(&tree, &tree.start(), None, (f64::NEG_INFINITY, f64::INFINITY), &mut notes);
        let nodes = recorded(search(&plain(), &tree, &tree.start(), None)).nodes;
        let found: Vec<Note> = nodes
            .into_iter()
            .map(|node| {
                (node.parent.map(|parent| parent as usize), node.mv, node.alpha, node.beta, node.value, node.pruned)
            })
            .collect();
        assert_eq!(found, notes, "tree {seed}");
    }
}

fn best_node() -> Driver {
    Driver::BestNode(BestNode {
        variant: Variant::Candidate,
        next_guess: NextGuess::Previous,
        first_guess: FirstGuess::Previous,
        offset: 0.0,
        quality: 1.0,
        quality_test: QualityTest::EveryChild,
    })
}

#[test]
fn every_method_writes_down_as_many_nodes_as_it_counts() {
    let methods = [
        plain(),
        AlphaBeta { scout: Scout::Pvs, ..plain() },
        AlphaBeta { scout: Scout::NegaScout { wide: true }, ..plain() },
        AlphaBeta { driver: Driver::Sss, tt_exact: true, ..plain() },
        AlphaBeta { driver: Driver::NegaCStar, ..plain() },
        AlphaBeta { driver: Driver::Mtd(FirstGuess::Previous), tt_mb: 1, ..plain() },
    ];
    let mut again = 0;
    for seed in 0..60 {
        let tree: RandomTree = make(&[("width", 3), ("depth", 5), ("seed", seed)]);
        for method in &methods {
            let report = search(method, &tree, &tree.start(), None);
            let (nodes, researches, passes) = (report.nodes, stat(&report, "researches"), stat(&report, "passes"));
            let value = report.value;
            let trace = recorded(report);
            assert_eq!((trace.nodes.len() as u64, trace.missing), (nodes, 0), "{method:?}");
            assert_eq!(trace.nodes.iter().filter(|node| node.again).count() as f64, researches, "{method:?}");
            assert_eq!(trace.nodes.iter().filter(|node| node.parent.is_none()).count() as f64, passes, "{method:?}");
            let last = trace.nodes.iter().rfind(|node| node.parent.is_none()).unwrap();
            // the last of several null windows may leave only a bound, which is the value
            assert_eq!(last.value, value, "{method:?}");
            again += trace.nodes.iter().filter(|node| node.again && !node.null_window).count();
        }
        let report = search(&AlphaBeta { driver: best_node(), ..plain() }, &tree, &tree.start(), None);
        let nodes = report.nodes;
        assert_eq!(recorded(report).nodes.len() as u64, nodes);
    }
    assert!(again > 50, "{again}");
}

#[test]
fn a_record_changes_nothing_and_stops_at_its_limit() {
    let game: Breakthrough = make(&[("rows", 6), ("cols", 5)]);
    let off = search(&AlphaBeta::default(), &game, &game.start(), Some(5));
    assert!(off.trace.is_none());
    let on = search(&AlphaBeta { trace: 50, ..AlphaBeta::default() }, &game, &game.start(), Some(5));
    assert_eq!((off.value, off.nodes, off.pv, off.stats), (on.value, on.nodes, on.pv.clone(), on.stats.clone()));
    let before = on.history[3].nodes;
    let trace = recorded(on);
    assert_eq!(trace.nodes.len(), 50);
    // only the last iteration is there
    assert_eq!(trace.missing + 50, off.nodes - before);
}

#[test]
fn tables_and_null_moves_are_named() {
    let game: Breakthrough = make(&[("rows", 6), ("cols", 5)]);
    let ends = |method: AlphaBeta| {
        let trace = recorded(search(&AlphaBeta { trace: 1_000_000, ..method }, &game, &game.start(), Some(5)));
        let mut ends: Vec<&str> = trace.nodes.iter().map(|node| node.end).collect();
        ends.sort_unstable();
        ends.dedup();
        (ends, trace)
    };
    let (words, _) = ends(AlphaBeta::default());
    assert!(words.contains(&"table") && words.contains(&"cut") && words.contains(&"horizon"), "{words:?}");
    if <Breakthrough as kibitz_game::AnyTurn>::PASSES {
        let selective =
            Selective { null_move: Some(NullMove { reduction: 2, adaptive: false }), ..Selective::default() };
        let (words, trace) = ends(AlphaBeta { selective, scout: Scout::Pvs, ..AlphaBeta::default() });
        assert!(words.contains(&"null-move"), "{words:?}");
        assert!(trace.nodes.iter().any(|node| node.parent.is_some() && node.mv.is_none()));
    }
}
