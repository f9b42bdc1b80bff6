//! The pip race: backgammon without contact, reduced to the pips that are left.

use std::sync::LazyLock;

use kibitz_game::text::{Svg, colour};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params, Playout,
    Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix, normal,
};

const RULES: &str = "\
Two players, A and B, race. Each has a number of pips to go. The players take turns to roll two dice; the pips rolled \
are taken off, and doublets count four times: 3-1 is 4 pips and 3-3 is 12. Who has no pips left first wins. \
Nothing is wasted and nothing is decided: this is the end of a game of backgammon without contact, reduced to its pip \
counts, and the simplest test bed for methods against luck.

With `steady` above 0 a player may instead take that many pips off for sure, which is worse than a roll on \
average when it is below 49/6, and yet right when it is enough. This is no part of backgammon; it gives the players a \
choice whose value is known.

**Positions** are the pips of A and B and the player to move, `100-92 B`, with `rolls` while the dice fall: \
`100-92 B rolls`. A player without pips has won: `0-17 B`. **Moves** are `roll` and, with `steady`, `step`; the 21 outcomes of a roll are \
written with the higher die first: `31`, `44`.

**Values**: the player to roll wins with probability 0.5763 at 100 to 100, 0.7417 at 100 to 110, \
0.5986 at 60 to 60 and 0.6425 at 30 to 30. B. Sheppard, *Efficient Control of Selective Simulations*, Computers and Games 2004, uses races to explain compensation for luck. \
The evaluation takes the lead, half a roll for the player to move added, to be normally distributed.";

/// The rules of the pip race.
#[derive(Clone, Debug)]
pub struct PipRace {
    pips: [u16; 2],
    steady: u16,
    /// One over the standard deviation of the lead at the end, by the pips of both together.
    precision: Vec<f64>,
}

/// The pips left, the player to move, and whether the dice are falling.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pips: [u16; 2],
    turn: u8,
    rolling: bool,
}

const MOST_PIPS: i64 = 1000;
const UNIT: Score = 10_000;
const OUTCOMES: usize = 21;

/// 0 to roll, 1 to step; as an outcome the number of the roll.
type Move = u8;
const ROLL: Move = 0;
const STEP: Move = 1;

/// The higher and the lower die of every outcome.
const DICE: [(u8, u8); OUTCOMES] = {
    let mut dice = [(1, 1); OUTCOMES];
    let (mut i, mut high) = (0, 1);
    while high <= 6 {
        let mut low = 1;
        while low <= high {
            dice[i] = (high, low);
            i += 1;
            low += 1;
        }
        high += 1;
    }
    dice
};

/// The outcome of each of the 36 ways in which two dice fall.
const FALLS: [Move; 36] = {
    let mut falls = [0; 36];
    let mut i = 0;
    while i < 36 {
        let (a, b) = (i / 6, i % 6);
        let (high, low) = if a > b { (a, b) } else { (b, a) };
        falls[i] = (high * (high + 1) / 2 + low) as Move;
        i += 1;
    }
    falls
};

const fn pips(outcome: Move) -> u16 {
    let (high, low) = DICE[outcome as usize];
    if high == low { 4 * high as u16 } else { (high + low) as u16 }
}

/// The mean and the variance of the pips of a roll.
const MEAN: f64 = 49.0 / 6.0;
const VARIANCE: f64 = 665.0 / 36.0;

/// 2Φ(z) − 1 for z = 0, 1/STEPS, 2/STEPS, …, as a score.
const STEPS: f64 = 128.0;
static LEADS: LazyLock<Vec<f64>> = LazyLock::new(|| {
    (0..=(7.0 * STEPS) as u32)
        .map(|i| (2.0 * normal::probability(f64::from(i) / STEPS) - 1.0) * f64::from(UNIT))
        .collect()
});

impl PipRace {
    fn new(pips: [u16; 2], steady: u16) -> Self {
        let deviation = |pips: u32| (f64::from(pips.max(1)) / MEAN * VARIANCE).sqrt();
        let most = u32::from(pips[0]) + u32::from(pips[1]);
        Self { pips, steady, precision: (0..=most).map(|pips| 1.0 / deviation(pips)).collect() }
    }
}

impl Position {
    fn winner(self) -> Option<usize> {
        self.pips.iter().position(|&pips| pips == 0)
    }
}

impl Game for PipRace {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position { pips: self.pips, turn: 0, rolling: false }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if position.pips[0] == 0 || position.pips[1] == 0 {
            Turn::Over
        } else if position.rolling {
            Turn::Chance
        } else {
            Turn::Player(position.turn)
        }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        match self.turn(position) {
            Turn::Chance => out.extend(0..OUTCOMES as Move),
            Turn::Player(_) if self.steady > 0 => out.extend([ROLL, STEP]),
            Turn::Player(_) => out.push(ROLL),
            Turn::Over => {}
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        if !position.rolling && mv == ROLL {
            position.rolling = true;
            return;
        }
        let taken = if position.rolling { pips(mv) } else { self.steady };
        let left = &mut position.pips[usize::from(position.turn & 1)];
        *left = left.saturating_sub(taken);
        position.turn ^= 1;
        position.rolling = false;
    }

    #[inline(always)]
    fn score(&self, position: &Position, player: usize) -> Score {
        if position.pips[player] == 0 { UNIT } else { -UNIT }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -UNIT, high: UNIT }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let [first, second] = position.pips.map(u64::from);
        mix(first << 16 | second, u64::from(position.turn) << 1 | u64::from(position.rolling))
    }

    fn write(&self, position: &Position) -> String {
        let side = if position.turn == 0 { 'A' } else { 'B' };
        let rolls = if position.rolling { " rolls" } else { "" };
        format!("{}-{} {side}{rolls}", position.pips[0], position.pips[1])
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let mut words = text.split_whitespace();
        let both = words.next().unwrap_or("");
        let (first, second) = both
            .split_once('-')
            .ok_or_else(|| BadText::new(format!("the pips of A and B are written as in 100-92, not {both:?}")))?;
        let mut position = self.start();
        for (player, text) in [first, second].into_iter().enumerate() {
            let most = self.pips[player];
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let pips = text.parse::<u16>().ok().filter(|&pips| plain && pips <= most);
            position.pips[player] = pips.ok_or_else(|| {
                let side = ['A', 'B'][player];
                BadText::new(format!("{side} has 0 to {most} pips in this game, not {text:?}"))
            })?;
        }
        position.turn = match words.next() {
            Some("A") => 0,
            Some("B") => 1,
            Some(other) => return Err(BadText::new(format!("the player to move is A or B, not {other:?}"))),
            None => return Err(BadText::new("the player to move, A or B, is missing")),
        };
        position.rolling = match words.next() {
            None => false,
            Some("rolls") => true,
            Some(other) => return Err(BadText::new(format!("after the player comes nothing or rolls, not {other:?}"))),
        };
        if words.next().is_some() {
            return Err(BadText::new("there is something after rolls"));
        }
        if let Some(winner) = position.winner() {
            if position.pips[1 - winner] == 0 {
                return Err(BadText::new("only one player can have no pips left"));
            }
            if usize::from(position.turn) == winner || position.rolling {
                return Err(BadText::new("who has no pips left has just moved: write the other player, without rolls"));
            }
        }
        Ok(position)
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        if position.rolling {
            let (high, low) = DICE[usize::from(mv)];
            return format!("{high}{low}");
        }
        ["roll", "step"][usize::from(mv)].to_owned()
    }
}

impl Evaluate for PipRace {
    const INFORMED: bool = true;

    #[inline]
    fn evaluate(&self, position: &Position, player: usize) -> Score {
        let [first, second] = position.pips;
        let half = if position.turn == 0 { MEAN / 2.0 } else { -MEAN / 2.0 };
        let lead = f64::from(i32::from(second) - i32::from(first)) + half;
        let z = lead.abs() * self.precision[usize::from(first) + usize::from(second)] * STEPS;
        let table = &*LEADS;
        let at = (z as usize).min(table.len() - 2);
        let share = (z - at as f64).min(1.0);
        let value = (table[at] + share * (table[at + 1] - table[at])) as Score;
        let value = value.min(UNIT - 1);
        if (lead > 0.0) == (player == 0) { value } else { -value }
    }
}

impl Order for PipRace {
    fn indices(&self) -> usize {
        OUTCOMES
    }

    fn index(&self, _: &Position, mv: Move) -> usize {
        mv.into()
    }
}

impl Hidden for PipRace {}
impl Repetition for PipRace {}
impl Ranked for PipRace {}
impl Puzzle for PipRace {}
impl AnyTurn for PipRace {}

impl Chance for PipRace {
    const CHANCE: bool = true;
    const ALWAYS_CHANCE: bool = true;

    #[inline]
    fn probability(&self, _: &Position, outcome: Move) -> f64 {
        let (high, low) = DICE[usize::from(outcome)];
        f64::from(1 + u8::from(high != low)) / 36.0
    }

    fn outcomes(&self, position: &Position, out: &mut Vec<(Move, f64)>) {
        out.extend((0..OUTCOMES as Move).map(|outcome| (outcome, self.probability(position, outcome))));
    }

    #[inline(always)]
    fn sample(&self, _: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        FALLS[random.below(36)]
    }
}

impl Playout for PipRace {
    #[inline(always)]
    fn random_move(&self, _: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        if self.steady > 0 { random.below(2) as Move } else { ROLL }
    }
}

/// The track of a picture in pixels, or in characters.
const TRACK: i32 = 320;
const WIDTH: u32 = 40;

impl Draw for PipRace {
    fn board(&self, position: &Position) -> String {
        let line = |player: usize| {
            let (left, all) = (u32::from(position.pips[player]), u32::from(self.pips[player]));
            let done = ((all - left) * WIDTH / all) as usize;
            let track = format!("{}>{}", "=".repeat(done), ".".repeat(WIDTH as usize - done));
            format!("{} {left:>4}  {track}", ['A', 'B'][player])
        };
        let state = match self.turn(position) {
            Turn::Over => format!("{} has won", ['B', 'A'][usize::from(position.pips[0] == 0)]),
            Turn::Chance => format!("the dice of {} fall", ['A', 'B'][usize::from(position.turn)]),
            Turn::Player(player) => format!("{} to move", ['A', 'B'][usize::from(player)]),
        };
        format!("{}\n{}\n{state}", line(0), line(1))
    }

    fn svg(&self, position: &Position) -> String {
        let mut svg = Svg::new(TRACK + 120, 150);
        let ink = format!("fill=\"{}\"", colour::INK);
        let winner = position.winner();
        for (player, y) in [34, 84].into_iter().enumerate() {
            let (left, all) = (i32::from(position.pips[player]), i32::from(self.pips[player]));
            let runner = 44 + TRACK * (all - left) / all;
            let own = colour::PLAYERS[player];
            svg.text((20, y + 6), ["A", "B"][player], &format!("font-size=\"16\" font-weight=\"bold\" {ink}"));
            svg.rect((44, y - 5), (TRACK, 10), &format!("rx=\"5\" fill=\"{}\"", colour::LIGHT));
            svg.rect((44, y - 5), (runner - 44, 10), &format!("rx=\"5\" fill=\"{}\"", colour::DARK));
            let edge = if winner == Some(player) { (colour::MARK, 4) } else { ("#fff", 2) };
            svg.circle((runner, y), 13, &format!("fill=\"{own}\" stroke=\"{}\" stroke-width=\"{}\"", edge.0, edge.1));
            svg.text((TRACK + 88, y + 6), &left.to_string(), &format!("font-size=\"16\" font-weight=\"bold\" {ink}"));
        }
        svg.path(&format!("M{} 14v90", 44 + TRACK), &format!("stroke=\"{}\" stroke-width=\"2\"", colour::LINE));
        let (words, mover) = match self.turn(position) {
            Turn::Over => (["A has won", "B has won"][winner.unwrap_or(0)], winner),
            Turn::Chance => ("the dice fall", Some(usize::from(position.turn))),
            Turn::Player(player) => (["A to move", "B to move"][usize::from(player)], Some(usize::from(player))),
        };
        svg.text((TRACK / 2 + 44, 132), words, &ink);
        if let Some(mover) = mover {
            svg.circle((TRACK / 2 - 16, 128), 7, &format!("fill=\"{}\"", colour::PLAYERS[mover]));
        }
        svg.finish()
    }
}

impl Configure for PipRace {
    const SUMMARY: &'static str = "two players roll dice until one has no pips left: backgammon's race, and pure luck";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::integer("first", 100, (1, MOST_PIPS), "pips of A, who moves first"),
            Parameter::integer("second", 100, (1, MOST_PIPS), "pips of B"),
            Parameter::integer(
                "steady",
                0,
                (0, 24),
                "pips that a player may take off instead of rolling; 0 for no choice",
            ),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let [first, second, steady] = ["first", "second", "steady"].map(|name| params.integer(name) as u16);
        Ok(Self::new([first, second], steady))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The probability that the player to move wins, by the number of pips of that player and of the other; with a
    /// choice the best one is taken.
    fn table(most: usize, steady: usize) -> Vec<Vec<f64>> {
        let mut wins = vec![vec![0.0; most + 1]; most + 1];
        for sum in 2..=2 * most {
            for own in sum.saturating_sub(most).max(1)..=most.min(sum - 1) {
                let other = sum - own;
                let after = |taken: usize| if taken >= own { 1.0 } else { 1.0 - wins[other][own - taken] };
                let roll = (0..36).map(|fall| {
                    let (a, b) = (fall / 6 + 1, fall % 6 + 1);
                    after(if a == b { 4 * a } else { a + b })
                });
                let roll = roll.sum::<f64>() / 36.0;
                wins[own][other] = if steady > 0 { roll.max(after(steady)) } else { roll };
            }
        }
        wins
    }

    fn position(text: &str) -> Position {
        PipRace::new([100, 110], 0).read(text).unwrap()
    }

    #[test]
    fn a_roll_has_the_mean_and_the_variance_of_the_literature() {
        let game = PipRace::new([100, 100], 0);
        let sum = |of: &dyn Fn(f64) -> f64| {
            (0..OUTCOMES as Move)
                .map(|roll| game.probability(&game.start(), roll) * of(f64::from(pips(roll))))
                .sum::<f64>()
        };
        assert!((sum(&|_| 1.0) - 1.0).abs() < 1e-15);
        assert!((sum(&|pips| pips) - MEAN).abs() < 1e-12);
        assert!((sum(&|pips| (pips - MEAN).powi(2)) - VARIANCE).abs() < 1e-12);
        assert!((VARIANCE - 18.472).abs() < 1e-3);
    }

    #[test]
    fn the_player_to_roll_wins_as_often_as_published() {
        let wins = table(110, 0);
        // simulated in the source, with an error of 0.002
        for (own, other, published) in [(100, 100, 0.577), (100, 110, 0.742), (60, 60, 0.598), (30, 30, 0.642)] {
            assert!((wins[own][other] - published).abs() < 0.002, "{own} {other}: {}", wins[own][other]);
        }
    }

    #[test]
    fn the_evaluation_is_close_to_the_value_and_the_same_for_both_players() {
        let (game, wins) = (PipRace::new([110, 110], 0), table(110, 0));
        for own in 1..=110 {
            for other in 1..=110 {
                for (turn, rolling) in [(0, false), (1, false), (0, true)] {
                    let pips = if turn == 0 { [own, other] } else { [other, own] };
                    let position = Position { pips, turn, rolling };
                    let value = game.evaluate(&position, turn.into());
                    assert_eq!(value, -game.evaluate(&position, 1 - usize::from(turn)));
                    assert!(value.abs() < UNIT);
                    let exact = 2.0 * wins[usize::from(own)][usize::from(other)] - 1.0;
                    let error = (f64::from(value) / f64::from(UNIT) - exact).abs();
                    // in the last rolls what is wasted counts, which no normal distribution knows
                    assert!(error < 0.05 || own.min(other) < 20, "{own} {other}: {value} {exact}");
                }
            }
        }
    }

    #[test]
    fn dice_fall_as_often_as_their_probability_says() {
        let game = PipRace::new([100, 100], 0);
        let mut counts = [0; OUTCOMES];
        for fall in FALLS {
            counts[usize::from(fall)] += 1;
        }
        for (outcome, count) in counts.into_iter().enumerate() {
            let probability = game.probability(&game.start(), outcome as Move);
            assert!((probability - f64::from(count) / 36.0).abs() < 1e-15);
        }
    }

    #[test]
    fn doublets_count_four_times_and_nothing_is_wasted() {
        let game = PipRace::new([100, 110], 0);
        let after = |text: &str, outcome: &str| {
            let mut position = position(text);
            let mv = game.read_move(&position, outcome).unwrap();
            game.play(&mut position, mv);
            game.write(&position)
        };
        assert_eq!(after("100-92 B", "roll"), "100-92 B rolls");
        assert_eq!(after("100-92 B rolls", "44"), "100-76 A");
        assert_eq!(after("100-92 B rolls", "31"), "100-88 A");
        assert_eq!(after("5-92 A rolls", "66"), "0-92 B");
        assert_eq!(game.score(&position("0-92 B"), 0), UNIT);
    }

    #[test]
    fn a_step_is_right_when_it_is_enough() {
        let game = PipRace::new([30, 30], 6);
        let mut listed = Vec::new();
        game.moves(&game.start(), &mut listed);
        assert_eq!(listed, [ROLL, STEP]);
        let mut position = game.read("6-3 A").unwrap();
        game.play(&mut position, STEP);
        assert_eq!((game.turn(&position), game.score(&position, 0)), (Turn::Over, UNIT));
        let (plain, choice) = (table(30, 0), table(30, 6));
        assert!(plain[6][3] < 0.8 && choice[6][3] == 1.0);
        assert!((plain[30][30] - choice[30][30]).abs() < 0.1);
    }

    #[test]
    fn texts_that_are_no_positions_are_rejected() {
        let game = PipRace::new([100, 110], 0);
        assert_eq!(game.read("100-110 A"), Ok(game.start()));
        for bad in [
            "",
            "100",
            "100-110",
            "101-110 A",
            "100-111 A",
            "100-110 C",
            "100-110 A roll",
            "100-110 A rolls x",
            "0-0 A",
        ] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
        for bad in ["0-5 A", "5-0 B", "0-5 B rolls", "-1-5 A", "+1-5 A"] {
            assert!(game.read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn pictures_show_the_tracks() {
        let game = PipRace::new([100, 110], 0);
        let text = game.board(&position("50-110 B"));
        assert_eq!(
            text,
            format!("A   50  {}>{}\nB  110  >{}\nB to move", "=".repeat(20), ".".repeat(20), ".".repeat(40))
        );
        assert!(game.board(&position("0-92 B")).ends_with("A has won"));
        assert!(game.board(&position("9-92 B rolls")).ends_with("the dice of B fall"));
        assert!(game.svg(&position("9-0 A")).contains(">B has won</text>"));
    }
}
