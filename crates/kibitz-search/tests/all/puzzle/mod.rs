//! A puzzle for the tests of the searches of one player: pick all numbers, in an order that pays.

use kibitz_game::{
    AnyTurn, BadText, Chance, Evaluate, Game, Hidden, Limits, Order, Playout, Puzzle, Range, Ranked, Repetition, Score,
    Stop, Turn,
};
use kibitz_search::{Context, NotSupported, Report, Searchable};

/// Of `count` numbers one of the `choice` lowest that are left is picked each time, until none is left. What a pick is worth depends on the
/// pick before it, so that the same numbers may be left with more or fewer points.
#[derive(Clone, Debug)]
pub struct Pick {
    pub count: u32,
    pub choice: u32,
    /// Added to every final score.
    pub shift: Score,
}

impl Pick {
    pub fn new(count: u32, choice: u32) -> Self {
        Self { count, choice, shift: 0 }
    }

    /// What is gained by picking one number after another.
    fn worth(last: u8, next: u8) -> Score {
        let (last, next) = (Score::from(last), Score::from(next));
        (last * 31 + next * 17 + last * next) % 23
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Picked {
    pub left: u32,
    pub last: u8,
    pub gained: Score,
}

impl Game for Pick {
    type Position = Picked;
    type Move = u8;

    fn players(&self) -> usize {
        1
    }
    fn start(&self) -> Picked {
        Picked { left: (1 << self.count) - 1, last: 0, gained: 0 }
    }
    fn turn(&self, position: &Picked) -> Turn {
        if position.left == 0 { Turn::Over } else { Turn::Player(0) }
    }
    fn moves(&self, position: &Picked, out: &mut Vec<u8>) {
        out.extend((0..self.count as u8).filter(|i| position.left >> i & 1 == 1).take(self.choice as usize));
    }
    fn play(&self, position: &mut Picked, mv: u8) {
        let gained = position.gained + Self::worth(position.last, mv);
        *position = Picked { left: position.left & !(1 << mv), last: mv, gained };
    }
    fn score(&self, position: &Picked, _: usize) -> Score {
        position.gained + self.shift
    }
    fn range(&self, _: usize) -> Range {
        Range { low: self.shift, high: self.shift + 22 * self.count as Score }
    }
    fn key(&self, position: &Picked) -> u64 {
        kibitz_game::mix(self.remainder(position), position.gained as u64)
    }
    fn write(&self, position: &Picked) -> String {
        format!("{position:?}")
    }
    fn read(&self, _: &str) -> Result<Picked, BadText> {
        Err(BadText::new("not needed here"))
    }
    fn write_move(&self, _: &Picked, mv: u8) -> String {
        mv.to_string()
    }
}

impl Evaluate for Pick {
    fn evaluate(&self, position: &Picked, _: usize) -> Score {
        position.gained + self.shift + 11 * position.left.count_ones() as Score
    }
    fn bounds(&self, position: &Picked, _: usize) -> Range {
        let low = position.gained + self.shift;
        Range { low, high: low + 22 * position.left.count_ones() as Score }
    }
    fn progress(&self, position: &Picked) -> Option<u32> {
        Some(self.count - position.left.count_ones())
    }
}

impl Ranked for Pick {}
impl Puzzle for Pick {
    const SOLITAIRE: bool = true;
    const BIASED: bool = true;

    fn code(&self, position: &Picked, mv: u8) -> u64 {
        u64::from(position.last) << 8 | u64::from(mv)
    }
    fn bias(&self, position: &Picked, mv: u8) -> f64 {
        f64::from(Self::worth(position.last, mv)) / 10.0
    }
    fn gained(&self, position: &Picked) -> Score {
        position.gained
    }
    fn remainder(&self, position: &Picked) -> u64 {
        u64::from(position.left) << 8 | u64::from(position.last)
    }
}

impl Order for Pick {}
impl Chance for Pick {}
impl Hidden for Pick {}
impl Repetition for Pick {}
impl AnyTurn for Pick {}

impl Playout for Pick {
    fn strategies(&self) -> &'static [&'static str] {
        &["lowest"]
    }
    /// The two lowest.
    fn preferred(&self, _: usize, _: u32, position: &Picked, out: &mut Vec<u8>) {
        self.moves(position, out);
        out.truncate(2);
    }
}

/// The best final score, by trying everything.
pub fn optimum<G: Searchable>(game: &G, position: &G::Position) -> Score {
    if game.turn(position) == Turn::Over {
        return game.score(position, 0);
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let after = |mv| {
        let mut child = position.clone();
        game.play(&mut child, mv);
        optimum(game, &child)
    };
    moves.into_iter().map(after).max().unwrap()
}

/// The score of a line, which must be a whole game.
pub fn replay<G: Searchable>(game: &G, start: &G::Position, line: &[G::Move]) -> Score {
    let mut position = start.clone();
    for &mv in line {
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        assert!(game.turn(&position) != Turn::Over && moves.contains(&mv));
        game.play(&mut position, mv);
    }
    assert!(game.turn(&position) == Turn::Over, "the line ends before the game");
    game.score(&position, 0)
}

pub fn limits(nodes: Option<u64>, simulations: Option<u64>) -> Limits {
    Limits { nodes, simulations, ..Limits::default() }
}

/// Runs a search, whose report must have a line that is worth its value, and steps that never get worse.
pub fn run<G: Searchable>(
    game: &G,
    limits: &Limits,
    search: impl FnOnce(&G, &G::Position, &mut Context<'_, G::Move>) -> Result<Report<G::Move>, NotSupported>,
) -> Report<G::Move> {
    let stop = Stop::new();
    let mut told = Vec::new();
    let mut tell = |step: &kibitz_game::Iteration<G::Move>| told.push(step.value);
    let context = &mut Context { limits, stop: &stop, past: &[], progress: &mut tell };
    let report = search(game, &game.start(), context).unwrap();
    assert!(told.is_sorted(), "{told:?}");
    assert_eq!(told, report.history.iter().map(|step| step.value).collect::<Vec<_>>());
    if let Some(&last) = told.last() {
        assert_eq!(last, report.value);
        assert_eq!(game.result(f64::from(replay(game, &game.start(), &report.pv))), report.value);
        assert!(report.best == report.pv.first().copied() && report.depth as usize == report.pv.len());
    }
    report
}

pub fn stat<M>(report: &Report<M>, name: &str) -> f64 {
    report.stats.iter().find(|stat| stat.0 == name).unwrap_or_else(|| panic!("no {name} in {:?}", report.stats)).1
}
