//! Perft: the number of lines of play of a given length, the proof of a move generator.

use kibitz_game::{Budget, Game, Limits, Stop, Turn};
use rayon::prelude::*;

/// How many parts of the work make sure that each thread has some to the end.
const PARTS: usize = 64;

/// The number of sequences of exactly `depth` moves from a position; outcomes of chance count as moves, and a finished
/// game has no moves. `None` when stopped. More than one thread share the work of the first plies.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32, threads: usize, stop: &Stop) -> Option<u64> {
    let count = |position: &G::Position, depth: u32| {
        let limits = Limits::default();
        let mut budget = Budget::new(&limits, stop);
        lines(game, position, depth, &mut Vec::new(), &mut budget)
    };
    if threads <= 1 || depth < 3 {
        return count(position, depth);
    }
    // one ply makes parts enough where there are many moves, and two could be millions of positions
    let (mut parts, mut left) = (children(game, position), depth - 1);
    if parts.len() < PARTS * threads {
        parts = parts.iter().flat_map(|part| children(game, part)).collect();
        left -= 1;
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
    pool.install(|| parts.par_iter().map(|part| count(part, left)).sum())
}

fn children<G: Game>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut moves = Vec::new();
    if game.turn(position) != Turn::Over {
        game.moves(position, &mut moves);
    }
    let after = |mv| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        child
    };
    moves.into_iter().map(after).collect()
}

fn lines<G: Game>(
    game: &G,
    position: &G::Position,
    depth: u32,
    moves: &mut Vec<G::Move>,
    budget: &mut Budget<'_>,
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    if budget.spend() {
        return None;
    }
    if game.turn(position) == Turn::Over {
        return Some(0);
    }
    let first = moves.len();
    game.moves(position, moves);
    let mut total = (moves.len() - first) as u64;
    if depth > 1 {
        total = 0;
        for i in first..moves.len() {
            let mut child = position.clone();
            game.play(&mut child, moves[i]);
            total += lines(game, &child, depth - 1, moves, budget)?;
        }
    }
    moves.truncate(first);
    Some(total)
}
