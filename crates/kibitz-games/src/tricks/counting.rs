//! Plain searches of whole hands for the tests: sizes of trees, maxⁿ, and the hands to try them on.

use std::collections::HashMap;

use kibitz_game::{Chance, Configure, Game, Params, Random, Score, Turn, Value, uniform_playout};

use super::{Position, Tricks, Variant};

/// The game with these parameters; whole numbers, flags and words are told apart by their looks.
pub(crate) fn game<V: Variant>(given: &[(&str, &str)]) -> Tricks<V> {
    let value = |text: &str| {
        let number = text.parse().map(Value::Integer);
        number.or_else(|_| text.parse().map(Value::Flag)).unwrap_or(Value::Word(text.to_owned()))
    };
    let given = given.iter().map(|&(name, text)| (name.to_owned(), value(text)));
    let params = Params::complete(&Tricks::<V>::parameters(), given).unwrap();
    Tricks::configure(&params).unwrap()
}

pub(crate) fn moves<V: Variant>(game: &Tricks<V>, position: &Position) -> Vec<u8> {
    let mut moves = Vec::new();
    if game.turn(position) != Turn::Over {
        game.moves(position, &mut moves);
    }
    moves
}

pub(crate) fn after<V: Variant>(game: &Tricks<V>, position: &Position, mv: u8) -> Position {
    let mut child = *position;
    game.play(&mut child, mv);
    child
}

/// What is left and who leads: the size of a tree between two tricks depends on nothing else.
type Between = ([u64; 4], u8);

/// The nodes of the tree below a position, this one included.
pub(crate) fn nodes<V: Variant>(game: &Tricks<V>, position: &Position, known: &mut HashMap<Between, u64>) -> u64 {
    let between = position.on_table() == 0;
    let key = (position.hands, position.leader);
    if let Some(&nodes) = known.get(&key).filter(|_| between) {
        return nodes;
    }
    let below = moves(game, position).into_iter().map(|mv| nodes(game, &after(game, position, mv), known));
    let total = 1 + below.sum::<u64>();
    if between {
        known.insert(key, total);
    }
    total
}

/// maxⁿ to the end; ties go to the first move.
pub(crate) fn max_n<V: Variant>(game: &Tricks<V>, position: &Position) -> Vec<Score> {
    let Turn::Player(mover) = game.turn(position) else {
        return (0..game.players())
            .map(|player| game.result(f64::from(game.score(position, player))) as Score)
            .collect();
    };
    let values = moves(game, position).into_iter().map(|mv| max_n(game, &after(game, position, mv)));
    let better = |best: Vec<Score>, value: Vec<Score>| {
        if value[usize::from(mover)] > best[usize::from(mover)] { value } else { best }
    };
    values.reduce(better).unwrap()
}

/// A deal by lot.
pub(crate) fn dealt<V: Variant>(game: &Tricks<V>, seed: u64) -> Position {
    let (mut position, mut random) = (game.start(), Random::new(seed));
    while game.turn(&position) == Turn::Chance {
        let card = game.sample(&position, &mut random, &mut Vec::new());
        game.play(&mut position, card);
    }
    position
}

/// A position in the middle of a hand.
pub(crate) fn reached<V: Variant>(game: &Tricks<V>, seed: u64, plies: u32) -> Position {
    let mut position = dealt(game, seed);
    uniform_playout(game, &mut position, &mut Random::new(!seed), &mut Vec::new(), plies);
    position
}

/// The mean and the standard error of the sizes of trees of so many deals.
pub(crate) fn mean_size<V: Variant>(game: &Tricks<V>, deals: u64) -> (f64, f64) {
    let sizes: Vec<f64> = (0..deals).map(|seed| nodes(game, &dealt(game, seed), &mut HashMap::new()) as f64).collect();
    let mean = sizes.iter().sum::<f64>() / deals as f64;
    let squares: f64 = sizes.iter().map(|size| (size - mean).powi(2)).sum();
    (mean, (squares / (deals as f64 - 1.0) / deals as f64).sqrt())
}
