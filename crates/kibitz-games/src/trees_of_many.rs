//! Trees of games of many players by their definitions, without pruning: what tests hold published and computed values
//! against.

use kibitz_game::{AnyTurn, Evaluate, Game, Score, Turn};

fn moves<G: Game>(game: &G, position: &G::Position) -> Vec<G::Move> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
}

fn child<G: Game>(game: &G, position: &G::Position, mv: G::Move) -> G::Position {
    let mut child = position.clone();
    game.play(&mut child, mv);
    child
}

/// The value for `root` where all others play against `root` together, and the number of leaves.
pub(crate) fn paranoid<G: Evaluate>(game: &G, position: &G::Position, root: usize, depth: u32) -> (Score, u64) {
    let Turn::Player(turn) = game.turn(position) else { return (game.score(position, root), 1) };
    if depth == 0 {
        return (game.evaluate(position, root), 1);
    }
    let sign = if usize::from(turn) == root { 1 } else { -1 };
    let results = moves(game, position).into_iter().map(|mv| {
        let (value, leaves) = paranoid(game, &child(game, position, mv), root, depth - 1);
        (sign * value, leaves)
    });
    let (value, leaves) = results.fold((Score::MIN, 0), |best, each| (best.0.max(each.0), best.1 + each.1));
    (sign * value, leaves)
}

/// The value for `root` where after each of its moves one of the others moves, and the number of leaves.
pub(crate) fn best_reply<G: Evaluate + AnyTurn>(
    game: &G,
    position: &G::Position,
    root: usize,
    depth: u32,
) -> (Score, u64) {
    best_reply_of(game, position, root, depth, true)
}

fn best_reply_of<G: Evaluate + AnyTurn>(
    game: &G,
    position: &G::Position,
    root: usize,
    depth: u32,
    own: bool,
) -> (Score, u64) {
    if game.turn(position) == Turn::Over {
        return (game.score(position, root), 1);
    }
    if depth == 0 {
        return (game.evaluate(position, root), 1);
    }
    let sign = if own { 1 } else { -1 };
    let (mut best, mut leaves) = (Score::MIN, 0);
    for player in (0..game.players()).filter(|&player| (player == root) == own) {
        let mut given = position.clone();
        if !game.give_turn(&mut given, player) {
            continue;
        }
        assert_eq!(game.turn(&given), Turn::Player(player as u8));
        for mv in moves(game, &given) {
            let (value, more) = best_reply_of(game, &child(game, &given, mv), root, depth - 1, !own);
            best = best.max(sign * value);
            leaves += more;
        }
    }
    (sign * best, leaves)
}
