//! Backgammon, for money and without matches; the doubling cube is an option.

mod bear_off;
mod board;
mod evaluation;
mod features;
mod linear;
mod network;
mod notation;
mod picture;
mod plays;
mod position_id;
mod rules_text;
pub mod training;
mod weights;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params,
    Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

use board::{BAR, OFF, Side, seen_from_the_other_side};
use evaluation::Evaluation;
pub use plays::Play;

/// The rules of backgammon.
#[derive(Clone, Debug)]
pub struct Backgammon {
    evaluation: Evaluation,
    /// Whether gammons and backgammons count more than one point.
    gammons: bool,
    /// The greatest number on the cube, as a power of two; 0 is no cube.
    cube: u8,
    jacoby: bool,
    beavers: bool,
}

/// What is about to happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// Both sides throw one die each.
    Opening,
    /// The player rolls or doubles.
    Decision,
    /// The dice of the player fall.
    Roll,
    /// The player moves; the higher die first.
    Play(u8, u8),
    /// The player has been doubled.
    Doubled,
    /// The player has been beavered.
    Beavered,
    /// The player has dropped.
    Dropped,
}

/// Who has the cube.
const NOBODY: u8 = 2;

/// The checkers of both sides, whose turn it is, the dice and the cube.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    sides: [Side; 2],
    turn: u8,
    phase: Phase,
    /// The number on the cube, as a power of two.
    cube: u8,
    owner: u8,
}

impl Position {
    /// The side that has borne off all checkers.
    #[inline(always)]
    fn home(&self) -> Option<usize> {
        if self.sides[0].done() {
            Some(0)
        } else if self.sides[1].done() {
            Some(1)
        } else {
            None
        }
    }
}

/// A play, an outcome of the dice or a decision about the cube, as the position says.
pub type Move = u32;
const ROLL: Move = 0;
const DOUBLE: Move = 1;
const TAKE: Move = 0;
const DROP: Move = 1;
const BEAVER: Move = 2;

/// How many units of score make a point.
const UNIT: Score = 100_000;

const fn outcome(first: u8, second: u8) -> Move {
    (first as Move) << 3 | second as Move
}

/// The dice of an outcome.
const fn dice(outcome: Move) -> (u8, u8) {
    ((outcome >> 3 & 7) as u8, (outcome & 7) as u8)
}

/// The 21 rolls of two dice, the higher die first, and how many of the 36 falls each has.
const ROLLS: [(Move, u8); 21] = {
    let mut rolls = [(0, 0); 21];
    let (mut i, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            rolls[i] = (outcome(high, low), 1 + (low < high) as u8);
            i += 1;
            low += 1;
        }
        high += 1;
    }
    rolls
};

/// The 30 ways in which the dice of A and B differ.
const OPENINGS: [Move; 30] = {
    let mut openings = [0; 30];
    let (mut i, mut first) = (0, 1);
    while first <= 6 {
        let mut second = 1;
        while second <= 6 {
            if first != second {
                openings[i] = outcome(first, second);
                i += 1;
            }
            second += 1;
        }
        first += 1;
    }
    openings
};

impl Backgammon {
    /// The turn of a player begins.
    #[inline(always)]
    fn begin(&self, position: &mut Position, player: u8) {
        position.turn = player;
        let may_double = self.cube > position.cube && (position.owner == NOBODY || position.owner == player);
        position.phase = if may_double && position.home().is_none() { Phase::Decision } else { Phase::Roll };
    }

    /// What a side that bears off its last checker wins, without the cube: 1, 2 or 3 points.
    fn points(&self, position: &Position, winner: usize) -> Score {
        let loser = position.sides[1 - winner];
        let cube_in_the_middle = self.cube > 0 && position.owner == NOBODY;
        if !self.gammons || self.jacoby && cube_in_the_middle || loser.count(OFF) > 0 {
            1
        } else {
            // the winner's home board is the loser's 19-point and all beyond
            2 + Score::from(loser.rearmost() > 18)
        }
    }

    fn decide(position: &mut Position, mv: Move) {
        let player = position.turn;
        match position.phase {
            Phase::Decision if mv == ROLL => position.phase = Phase::Roll,
            Phase::Decision => {
                position.phase = Phase::Doubled;
                position.turn = 1 - player;
            }
            Phase::Doubled | Phase::Beavered if mv == DROP => position.phase = Phase::Dropped,
            Phase::Doubled if mv == TAKE => {
                position.cube += 1;
                position.owner = player;
                position.turn = 1 - player;
                position.phase = Phase::Roll;
            }
            // who beavers has taken, and the cube is turned once more
            Phase::Doubled => {
                position.cube += 1;
                position.owner = player;
                position.turn = 1 - player;
                position.phase = Phase::Beavered;
            }
            Phase::Beavered => {
                position.cube += 1;
                position.phase = Phase::Roll;
            }
            _ => {}
        }
    }
}

impl Game for Backgammon {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position { sides: [Side::START; 2], turn: 0, phase: Phase::Opening, cube: 0, owner: NOBODY }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        match position.phase {
            Phase::Roll if position.home().is_some() => Turn::Over,
            Phase::Roll | Phase::Opening => Turn::Chance,
            Phase::Dropped => Turn::Over,
            _ => Turn::Player(position.turn),
        }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        match position.phase {
            Phase::Play(high, low) => {
                let (own, other) = both(position);
                plays::plays(own, other, (high, low), |play, _, _| out.push(play));
            }
            Phase::Roll => out.extend(ROLLS.iter().map(|roll| roll.0)),
            Phase::Opening => out.extend(OPENINGS),
            Phase::Decision => out.extend([ROLL, DOUBLE]),
            Phase::Doubled if self.beavers && position.cube + 2 <= self.cube => out.extend([TAKE, DROP, BEAVER]),
            Phase::Doubled | Phase::Beavered => out.extend([TAKE, DROP]),
            Phase::Dropped => {}
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        match position.phase {
            Phase::Play(..) => {
                let (own, other) = both(position);
                let (own, other) = plays::played(own, other, mv);
                self.ended(position, own, other);
            }
            Phase::Roll => {
                let (high, low) = dice(mv);
                position.phase = Phase::Play(high, low);
            }
            Phase::Opening => {
                let (first, second) = dice(mv);
                position.turn = u8::from(first < second);
                position.phase = Phase::Play(first.max(second), first.min(second));
            }
            _ => Self::decide(position, mv),
        }
    }

    fn successors(&self, position: &Position, out: &mut Vec<Position>, buffer: &mut Vec<Move>) {
        if let Phase::Play(high, low) = position.phase {
            let (own, other) = both(position);
            plays::plays(own, other, (high, low), |_, own, other| {
                let mut next = *position;
                self.ended(&mut next, own, other);
                out.push(next);
            });
            return;
        }
        buffer.clear();
        self.moves(position, buffer);
        out.extend(buffer.iter().map(|&mv| {
            let mut next = *position;
            self.play(&mut next, mv);
            next
        }));
    }

    fn score(&self, position: &Position, player: usize) -> Score {
        let turn = usize::from(position.turn);
        let (winner, points) = match position.home() {
            Some(winner) => (winner, self.points(position, winner)),
            None => (1 - turn, 1),
        };
        let score = (UNIT * points) << position.cube;
        if player == winner { score } else { -score }
    }

    fn range(&self, _: usize) -> Range {
        let most = (if self.gammons { 3 * UNIT } else { UNIT }) << self.cube;
        Range { low: -most, high: most }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let [a, b] = position.sides.map(|side| side.0);
        let phase = match position.phase {
            Phase::Opening => 1,
            Phase::Decision => 2,
            Phase::Roll => 3,
            Phase::Doubled => 4,
            Phase::Beavered => 5,
            Phase::Dropped => 6,
            Phase::Play(high, low) => 64 | u64::from(high) << 3 | u64::from(low),
        };
        let state = phase << 24 | u64::from(position.cube) << 16 | u64::from(position.owner) << 8;
        // 40 bits of each side's upper words are free
        let upper = (a >> 64) as u64 ^ ((b >> 64) as u64).rotate_left(24);
        mix(mix(a as u64, b as u64), mix(upper, state | u64::from(position.turn)))
    }

    fn write(&self, position: &Position) -> String {
        notation::write(position)
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        notation::read(self, text)
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        notation::write_move(position, mv)
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, BadText> {
        notation::read_move(self, position, text)
    }
}

/// The identifiers of GNU Backgammon for a position: that of the checkers and that of the dice and the cube, with Jacoby's
/// rule or without.
pub fn identifiers(position: &Position, jacoby: bool) -> String {
    position_id::write(position, jacoby)
}

/// The probabilities that the player about to throw wins, wins a gammon, wins a backgammon, loses a gammon and loses a backgammon,
/// by the networks and the databases; none before the opening and after the end.
pub fn cubeless_outcome(position: &Position) -> Option<[f32; 5]> {
    if position.home().is_some() || matches!(position.phase, Phase::Opening | Phase::Dropped) {
        return None;
    }
    let player = usize::from(position_id::on_roll(position));
    Some(evaluation::LEARNED.by_network(position.sides[player], position.sides[1 - player]))
}

/// The checkers of the player whose turn it is, and those of the other.
#[inline(always)]
fn both(position: &Position) -> (Side, Side) {
    let player = usize::from(position.turn & 1);
    (position.sides[player], position.sides[1 - player])
}

impl Backgammon {
    /// The player to move has played.
    #[inline(always)]
    fn ended(&self, position: &mut Position, own: Side, other: Side) {
        let player = position.turn & 1;
        position.sides[usize::from(player)] = own;
        position.sides[usize::from(1 - player)] = other;
        self.begin(position, 1 - player);
    }
}

impl Evaluate for Backgammon {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        evaluation::evaluate(self, position, player)
    }
}

impl Order for Backgammon {
    fn indices(&self) -> usize {
        32 * 32
    }

    /// The sources of the first two steps.
    fn index(&self, position: &Position, mv: Move) -> usize {
        if matches!(position.phase, Phase::Play(..)) { (mv & 31 | (mv >> 8 & 31) << 5) as usize } else { 0 }
    }

    const HINTED: bool = true;

    /// What Hauk, Buro and Schaeffer order by: checkers sent to the bar, points made, and blots left where they can be hit.
    /// The weights 5, 2 and −1.5 are ours; theirs are not published.
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        if !matches!(position.phase, Phase::Play(..)) {
            return 0;
        }
        let (own, other) = both(position);
        let (after, other_after) = plays::played(own, other, mv);
        let hits = (other_after.count(BAR) - other.count(BAR)) as i32;
        let made = (after.held() & !own.held()).count_ones() as i32;
        // an enemy checker hits what is before it, which in its own numbering is below
        let rearmost = other_after.rearmost();
        let behind = (2 << rearmost) - 1;
        let blots = after.occupied() & !after.held() & !(1 << BAR);
        let exposed = (seen_from_the_other_side(blots) & behind).count_ones() as i32;
        ((10 * hits + 4 * made - 3 * exposed) / 2).clamp(-7, 7)
    }
}

impl Chance for Backgammon {
    const CHANCE: bool = true;
    const ALWAYS_CHANCE: bool = true;

    #[inline]
    fn probability(&self, position: &Position, outcome: Move) -> f64 {
        if position.phase == Phase::Opening {
            return 1.0 / 30.0;
        }
        let (high, low) = dice(outcome);
        f64::from(1 + u8::from(high != low)) / 36.0
    }

    #[inline]
    fn outcomes(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        if position.phase == Phase::Opening {
            out.extend(OPENINGS.iter().map(|&opening| (opening, 1.0 / 30.0)));
        } else {
            out.extend(ROLLS.iter().map(|&(roll, falls)| (roll, f64::from(falls) / 36.0)));
        }
    }

    #[inline]
    fn sample(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        if position.phase == Phase::Opening {
            return OPENINGS[random.below(30)];
        }
        roll(random)
    }
}

/// A roll of two dice, the higher first.
#[inline(always)]
fn roll(random: &mut Random) -> Move {
    let fall = random.below(36) as u8;
    let (first, second) = (1 + fall / 6, 1 + fall % 6);
    outcome(first.max(second), first.min(second))
}

impl Hidden for Backgammon {}
impl Repetition for Backgammon {}
impl Ranked for Backgammon {}
impl Puzzle for Backgammon {}
impl AnyTurn for Backgammon {}
impl Playout for Backgammon {}

impl Draw for Backgammon {
    fn board(&self, position: &Position) -> String {
        picture::board(self, position)
    }

    fn svg(&self, position: &Position) -> String {
        picture::svg(self, position)
    }

    fn cells(&self, position: &Position) -> Vec<Cell> {
        picture::cells(position)
    }

    fn clicks(&self, position: &Position, mv: Move, _: &[Cell]) -> Vec<Vec<String>> {
        picture::clicks(position, mv)
    }
}

impl Configure for Backgammon {
    const SUMMARY: &'static str = "race fifteen checkers home by the throw of two dice, and hit what stands alone";
    const RULES: &'static str = rules_text::RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::word("evaluation", &["network", "linear", "pips"], "what positions are valued by"),
            Parameter::flag("gammons", true, "whether gammons and backgammons count two and three points"),
            Parameter::integer("cube", 1, (1, 64), "the greatest number on the cube; 1 for no cube"),
            Parameter::flag("jacoby", false, "whether gammons count only after the cube was turned, if there is one"),
            Parameter::flag("beavers", false, "whether who is doubled may turn the cube once more and keep it"),
            Parameter::integer(
                "noise",
                0,
                (0, 1000),
                "standard deviation of noise on the estimated probability to win, in thousandths",
            ),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let cube = params.integer("cube") as u32;
        if !cube.is_power_of_two() {
            return Err(BadParameter(format!("cube={cube}: the cube has 2, 4, 8, 16, 32 and 64; write 1 for no cube")));
        }
        Ok(Self {
            evaluation: Evaluation::new(params.word("evaluation"), params.integer("noise") as u32),
            gammons: params.flag("gammons"),
            cube: cube.ilog2() as u8,
            jacoby: params.flag("jacoby"),
            beavers: params.flag("beavers"),
        })
    }
}

#[cfg(test)]
mod tests;
