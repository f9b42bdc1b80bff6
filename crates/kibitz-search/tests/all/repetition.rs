//! Repeated positions in the minimax family.

use crate::searching::{exact, search, stat};
use kibitz_game::{
    AnyTurn, BadText, Chance, Evaluate, Game, Hidden, Limits, Order, Playout, Puzzle, Range, Ranked, Repetition, Score,
    Stop, Turn,
};
use kibitz_search::{AlphaBeta, Context, Minimax};

/// A walk on a ring of cells: the first player wins by reaching the cell with the prize, which the second, who may step
/// too, keeps away from for ever. Both can shuttle back and forth, and the third occurrence of a position is a draw.
struct Shuttle;

impl Game for Shuttle {
    type Position = (u8, u8, u8);
    type Move = u8;
    fn players(&self) -> usize {
        2
    }
    fn start(&self) -> (u8, u8, u8) {
        (0, 3, 0)
    }
    fn turn(&self, &(hunter, hunted, turn): &(u8, u8, u8)) -> Turn {
        if hunter == hunted { Turn::Over } else { Turn::Player(turn) }
    }
    fn moves(&self, _: &(u8, u8, u8), out: &mut Vec<u8>) {
        out.extend([1, 5]);
    }
    fn play(&self, position: &mut (u8, u8, u8), mv: u8) {
        if position.2 == 0 {
            position.0 = (position.0 + mv) % 6;
        } else {
            position.1 = (position.1 + mv) % 6;
        }
        position.2 ^= 1;
    }
    fn score(&self, _: &(u8, u8, u8), player: usize) -> Score {
        if player == 0 { 10 } else { -10 }
    }
    fn range(&self, _: usize) -> Range {
        Range { low: -10, high: 10 }
    }
    fn key(&self, &(hunter, hunted, turn): &(u8, u8, u8)) -> u64 {
        kibitz_game::splitmix64(u64::from(hunter) << 16 | u64::from(hunted) << 8 | u64::from(turn))
    }
    fn write(&self, position: &(u8, u8, u8)) -> String {
        format!("{position:?}")
    }
    fn read(&self, _: &str) -> Result<(u8, u8, u8), BadText> {
        Err(BadText::new("not needed"))
    }
    fn write_move(&self, _: &(u8, u8, u8), mv: u8) -> String {
        mv.to_string()
    }
}

impl Evaluate for Shuttle {
    /// The hunter always believes to be winning, so that only repetition can tell the draw.
    fn evaluate(&self, _: &(u8, u8, u8), player: usize) -> Score {
        if player == 0 { 5 } else { -5 }
    }
}
impl Order for Shuttle {}
impl Chance for Shuttle {}
impl Hidden for Shuttle {}
impl AnyTurn for Shuttle {}
impl Playout for Shuttle {}
impl Ranked for Shuttle {}
impl Puzzle for Shuttle {}

impl Repetition for Shuttle {
    const REPEATS: bool = true;
    fn repeated(&self, _: &(u8, u8, u8), times: u32, _: usize) -> Option<Score> {
        (times >= 3).then_some(0)
    }
}

#[test]
fn whoever_can_repeat_has_a_draw() {
    // at distance three with the hunter to move the hunted can always run away or shuttle, and no line is quiet for ever
    for method in exact() {
        for tt_exact in [false, true] {
            let method = AlphaBeta { tt_exact, ..method.clone() };
            let report = search(&method, &Shuttle, &Shuttle.start(), 14);
            assert_eq!(report.value, 0.0, "{method:?}");
            assert!(!report.proven, "a first repetition is only assumed to be the last");
            assert!(stat(&report, "repetitions") > 0.0);
        }
        // two plies ahead nothing has been repeated
        assert_eq!(search(&method, &Shuttle, &Shuttle.start(), 2).value, 5.0);
    }
}

#[test]
fn positions_of_the_game_before_the_root_count() {
    let start = Shuttle.start();
    let child = |mv| {
        let mut child = start;
        Shuttle.play(&mut child, mv);
        Shuttle.key(&child)
    };
    // both children of the root have occurred twice: whatever is played is a draw by the third time
    let past = [child(1), child(5), child(1), child(5)];
    let stop = Stop::new();
    for (past, value) in [(&past[..], 0.0), (&past[..3], 5.0), (&[], 5.0)] {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        let context = &mut Context { limits: &limits, stop: &stop, past, progress: &mut |_| {} };
        let report = AlphaBeta::plain().search(&Shuttle, &start, context).unwrap();
        assert_eq!(report.value, value);
        let context = &mut Context { limits: &limits, stop: &stop, past, progress: &mut |_| {} };
        assert_eq!(Minimax::default().search(&Shuttle, &start, context).unwrap().value, value);
    }
}
