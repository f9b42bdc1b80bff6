//! Null moves where passing is never better than moving: the value is that of the whole search, with fewer nodes.

use crate::searching::search;
use kibitz_game::{
    AnyTurn, BadText, Chance, Evaluate, Game, Hidden, Order, Playout, Puzzle, Range, Ranked, Repetition, Score, Turn,
};
use kibitz_games::RandomTree;
use kibitz_search::{AlphaBeta, Driver, FirstGuess, NullMove, Scout, Selective};

/// Both players gather: a move adds 1 to 5, or gives 1 to the opponent. Who passes gathers nothing, so that in every
/// position the best move is better than a pass, to any depth.
struct Harvest;

const LONGEST: u8 = 40;

impl Game for Harvest {
    /// What was gathered by each, and the plies played.
    type Position = ([u8; 2], u8);
    type Move = u8;
    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> ([u8; 2], u8) {
        ([0, 0], 0)
    }
    fn turn(&self, &(_, plies): &([u8; 2], u8)) -> Turn {
        if plies == LONGEST { Turn::Over } else { Turn::Player(plies % 2) }
    }
    fn moves(&self, &(gathered, plies): &([u8; 2], u8), out: &mut Vec<u8>) {
        // the best move is not always the first
        let first = (gathered[0] / 3 + gathered[1] + plies) % 6;
        out.extend((0..6).map(|i| (first + i) % 6));
    }
    fn play(&self, (gathered, plies): &mut ([u8; 2], u8), mv: u8) {
        let me = usize::from(*plies % 2);
        if mv == 0 {
            gathered[1 - me] += 1;
        } else {
            gathered[me] += mv;
        }
        *plies += 1;
    }
    fn score(&self, &(gathered, _): &([u8; 2], u8), player: usize) -> Score {
        Score::from(gathered[player]) - Score::from(gathered[1 - player])
    }
    fn range(&self, _: usize) -> Range {
        Range { low: -255, high: 255 }
    }
    fn key(&self, &(gathered, plies): &([u8; 2], u8)) -> u64 {
        kibitz_game::splitmix64(u64::from(gathered[0]) << 16 | u64::from(gathered[1]) << 8 | u64::from(plies))
    }
    fn write(&self, position: &([u8; 2], u8)) -> String {
        format!("{position:?}")
    }
    fn read(&self, _: &str) -> Result<([u8; 2], u8), BadText> {
        Err(BadText::new("not needed"))
    }
    fn write_move(&self, _: &([u8; 2], u8), mv: u8) -> String {
        mv.to_string()
    }
}

impl Evaluate for Harvest {
    const INFORMED: bool = true;
    fn evaluate(&self, position: &([u8; 2], u8), player: usize) -> Score {
        self.score(position, player)
    }
}
impl Order for Harvest {}
impl Chance for Harvest {}
impl Hidden for Harvest {}
impl Repetition for Harvest {}
impl Ranked for Harvest {}
impl Puzzle for Harvest {}
impl Playout for Harvest {}
impl AnyTurn for Harvest {
    const PASSES: bool = true;
    fn pass(&self, (_, plies): &mut ([u8; 2], u8)) -> bool {
        let fits = *plies + 1 < LONGEST;
        *plies += u8::from(fits);
        fits
    }
}

#[test]
fn null_moves_change_no_value_where_passing_is_never_better() {
    let drivers =
        [(Driver::Full, Scout::Pvs), (Driver::Full, Scout::Never), (Driver::Mtd(FirstGuess::At(0.0)), Scout::Never)];
    for (driver, scout) in drivers {
        let plain = AlphaBeta { driver, scout, same_depth: true, ..AlphaBeta::default() };
        for depth in 1..=9 {
            let exact = search(&plain, &Harvest, &Harvest.start(), depth);
            assert_eq!(exact.value, if depth % 2 == 1 { 5.0 } else { 0.0 });
            for null in [(1, false), (2, false), (3, false), (2, true)] {
                let null_move = Some(NullMove { reduction: null.0, adaptive: null.1 });
                let selective = Selective { null_move, ..Selective::default() };
                let found = search(&AlphaBeta { selective, ..plain.clone() }, &Harvest, &Harvest.start(), depth);
                assert_eq!((found.value, found.best), (exact.value, exact.best), "{null:?} to depth {depth}");
                let cuts = found.stats.iter().any(|stat| stat.0 == "null_move_cuts");
                // there is no node that fails high with two plies left before depth 4
                assert!(cuts || depth < 4 || scout == Scout::Never, "{null:?} never cut to depth {depth}");
            }
        }
    }
}

#[test]
fn where_the_game_knows_no_pass_null_moves_change_nothing() {
    let game: RandomTree = crate::searching::make(&[("width", 5), ("depth", 6), ("range", 80), ("seed", 3)]);
    let run = |null_move| {
        let selective = Selective { null_move, ..Selective::default() };
        let method = AlphaBeta { scout: Scout::Pvs, selective, ..AlphaBeta::default() };
        let report = search(&method, &game, &game.start(), 6);
        (report.value, report.best, report.nodes)
    };
    assert_eq!(run(Some(NullMove { reduction: 2, adaptive: false })), run(None));
}
