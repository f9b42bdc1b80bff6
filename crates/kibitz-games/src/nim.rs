//! Nim (Charles L. Bouton, 1901), normal and misère.

use kibitz_game::text::{Svg, colour};
use kibitz_game::{
    AnyTurn, BadParameter, BadText, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params,
    Playout, Puzzle, Random, Range, Ranked, Repetition, Score, Turn, mix,
};

const RULES: &str = "\
There are piles of stones. Player A moves first and the players take turns. A move takes any number of stones, at \
least one, from one pile. Whoever takes the last stone wins; with `misere=true` that player loses. There are no \
draws.

**Positions** are the piles and the side to move: `3-4-5 A`. **Moves** name the pile, counted from 1, and the number \
of stones: `2:3` takes three stones from the second pile.

**Solution**: write the piles as binary numbers and add them without carrying. The player to move wins if and only if \
the sum is not zero; in misère play the same holds while a pile has more than one stone, and when none has, the \
player to move wins if and only if the number of piles left is even. C. L. Bouton, *Nim, a game with a complete \
mathematical theory*, Annals of Mathematics 3 (1901).";

/// The rules of Nim.
#[derive(Clone, Debug)]
pub struct Nim {
    /// The piles at the start.
    piles: [u16; MOST_PILES],
    count: usize,
    misere: bool,
}

/// A position: the piles, empty beyond those of the game, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    piles: [u16; MOST_PILES],
    turn: u8,
}

const MOST_PILES: usize = 16;
const MOST_STONES: i64 = 1000;
/// Beyond this many stones a picture shows only how many there are.
const DRAWN: u16 = 40;
/// An SVG picture has room for this many stones of a pile.
const ROOM: u16 = 15;

/// A move: the number of stones in the low ten bits, the pile above them.
type Move = u16;

fn parts(mv: Move) -> (usize, u16) {
    (usize::from(mv >> 10), mv & 1023)
}

impl Nim {
    fn piles<'a>(&self, position: &'a Position) -> &'a [u16] {
        &position.piles[..self.count]
    }
}

impl Game for Nim {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        Position { piles: self.piles, turn: 0 }
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        if self.piles(position).iter().all(|&stones| stones == 0) { Turn::Over } else { Turn::Player(position.turn) }
    }

    #[inline]
    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        for (pile, &stones) in self.piles(position).iter().enumerate() {
            out.extend((1..=stones).map(|taken| (pile as Move) << 10 | taken));
        }
    }

    #[inline(always)]
    fn play(&self, position: &mut Position, mv: Move) {
        let (pile, taken) = parts(mv);
        position.piles[pile] -= taken;
        position.turn ^= 1;
    }

    #[inline(always)]
    fn score(&self, position: &Position, player: usize) -> Score {
        // the side that would be to move has not taken the last stone
        if (player == usize::from(position.turn)) == self.misere { 1 } else { -1 }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -1, high: 1 }
    }

    #[inline(always)]
    fn key(&self, position: &Position) -> u64 {
        let words = self.piles(position).chunks(4);
        words.fold(u64::from(position.turn), |key, piles| {
            mix(key, piles.iter().fold(0, |word, &stones| word << 16 | u64::from(stones)))
        })
    }

    fn write(&self, position: &Position) -> String {
        let piles: Vec<String> = self.piles(position).iter().map(u16::to_string).collect();
        format!("{} {}", piles.join("-"), if position.turn == 0 { 'A' } else { 'B' })
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        let (piles, side) =
            text.trim().split_once(' ').ok_or_else(|| BadText::new("the side to move, A or B, is missing"))?;
        let turn = match side.trim() {
            "A" => 0,
            "B" => 1,
            other => return Err(BadText::new(format!("the side to move is A or B, not {other:?}"))),
        };
        let texts: Vec<&str> = piles.split('-').collect();
        if texts.len() != self.count {
            return Err(BadText::new(format!("there are {} piles, expected {}", texts.len(), self.count)));
        }
        let mut position = Position { piles: [0; MOST_PILES], turn };
        for (i, text) in texts.into_iter().enumerate() {
            let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let stones = text.parse::<u16>().ok().filter(|_| plain);
            position.piles[i] = stones.filter(|&stones| stones <= self.piles[i]).ok_or_else(|| {
                BadText::new(format!("pile {} has 0 to {} stones in this game, not {text:?}", i + 1, self.piles[i]))
            })?;
        }
        Ok(position)
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        let (pile, taken) = parts(mv);
        format!("{}:{taken}", pile + 1)
    }
}

impl Evaluate for Nim {
    /// The stones taken.
    #[inline]
    fn progress(&self, position: &Position) -> Option<u32> {
        let stones = |piles: &[u16]| piles.iter().map(|&stones| u32::from(stones)).sum::<u32>();
        Some(stones(&self.piles).saturating_sub(stones(&position.piles)))
    }
}

impl Chance for Nim {}
impl Repetition for Nim {}
impl Ranked for Nim {}
impl Puzzle for Nim {}

impl AnyTurn for Nim {
    const PASSES: bool = true;

    #[inline(always)]
    fn pass(&self, position: &mut Position) -> bool {
        position.turn ^= 1;
        true
    }
}

impl Hidden for Nim {}

impl Order for Nim {
    fn indices(&self) -> usize {
        self.count << 10
    }

    #[inline(always)]
    fn index(&self, _: &Position, mv: Move) -> usize {
        mv.into()
    }
}

impl Playout for Nim {
    /// Every stone stands for the move that takes it and those above it.
    #[inline(always)]
    fn random_move(&self, position: &Position, random: &mut Random, _: &mut Vec<Move>) -> Move {
        let piles = self.piles(position);
        let total = piles.iter().map(|&stones| usize::from(stones)).sum();
        let mut n = random.below(total) as u16;
        let mut pile = 0;
        while n >= piles[pile] {
            n -= piles[pile];
            pile += 1;
        }
        (pile as Move) << 10 | (n + 1)
    }
}

/// The middle of a stone.
fn place(pile: usize, stone: i32) -> (i32, i32) {
    (46 + 24 * stone, 28 + 30 * pile as i32)
}

impl Draw for Nim {
    fn board(&self, position: &Position) -> String {
        let line = |(i, &stones): (usize, &u16)| {
            let more = if stones > DRAWN { "…" } else { "" };
            let picture = format!("{:>2}: {stones:>4}  {}{more}", i + 1, "o".repeat(stones.min(DRAWN).into()));
            picture.trim_end().to_owned()
        };
        self.piles(position).iter().enumerate().map(line).collect::<Vec<String>>().join("\n")
    }

    fn svg(&self, position: &Position) -> String {
        let room = |stones: u16| i32::from(stones.min(ROOM));
        let widest = self.piles.iter().map(|&stones| room(stones)).max().unwrap_or(0);
        let (width, height) = (24 * widest.max(5) + 84, 30 * self.count as i32 + 44);
        let mut svg = Svg::new(width, height);
        let stones = |left: bool| {
            self.piles(position).iter().zip(self.piles).enumerate().flat_map(move |(pile, (&stones, full))| {
                // the last places are for an ellipsis when the stones do not fit
                let shown = if stones > ROOM { room(ROOM) - 2 } else { room(stones) };
                let taken = if stones > ROOM { 0..0 } else { shown..room(full) };
                (if left { 0..shown } else { taken }).map(move |stone| place(pile, stone))
            })
        };
        svg.group(&format!("fill=\"none\" stroke=\"{}\" stroke-dasharray=\"2 3\"", colour::DARK), |svg| {
            stones(false).for_each(|at| svg.circle(at, 9, ""));
        });
        svg.group(&format!("fill=\"{}\" stroke=\"{}\" stroke-width=\"1.5\"", colour::DARK, colour::LINE), |svg| {
            stones(true).for_each(|at| svg.circle(at, 10, ""));
        });
        svg.group(&format!("fill=\"{}\"", colour::INK), |svg| {
            for (pile, &stones) in self.piles(position).iter().enumerate() {
                let (x, y) = place(pile, 0);
                svg.text((x - 30, y + 5), &(pile + 1).to_string(), "");
                svg.text((width - 26, y + 5), &stones.to_string(), "font-size=\"15\" font-weight=\"bold\"");
                if stones > ROOM {
                    svg.text((x + 24 * i32::from(ROOM - 2), y + 5), "…", "font-size=\"20\"");
                }
            }
        });
        if let Turn::Player(player) = self.turn(position) {
            let player = usize::from(player);
            svg.text(
                (width - 58, height - 9),
                ["A to move", "B to move"][player],
                &format!("fill=\"{}\"", colour::INK),
            );
            svg.circle((width - 14, height - 14), 7, &format!("fill=\"{}\"", colour::PLAYERS[player]));
        }
        svg.finish()
    }

    /// Stones, each with the move that takes it and those to the right of it.
    fn cells(&self, position: &Position) -> Vec<Cell> {
        let stones = |(pile, &stones): (usize, &u16)| {
            let shown = if stones > ROOM { ROOM - 2 } else { stones };
            let cell = move |stone: u16| {
                Cell::around(format!("{}:{}", pile + 1, stones - stone), place(pile, stone.into()), 12)
            };
            (0..shown).map(cell)
        };
        self.piles(position).iter().enumerate().flat_map(stones).collect()
    }
}

impl Configure for Nim {
    const SUMMARY: &'static str = "take stones from one of several piles; the last stone decides";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::list("piles", &[3, 4, 5], (0, MOST_STONES), MOST_PILES, "stones in each pile at the start"),
            Parameter::flag("misere", false, "whether the player who takes the last stone loses"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let given = params.list("piles");
        let mut piles = [0; MOST_PILES];
        for (pile, &stones) in piles.iter_mut().zip(given) {
            *pile = stones as u16;
        }
        Ok(Self { piles, count: given.len(), misere: params.flag("misere") })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Value;
    use std::collections::{HashMap, HashSet};

    fn nim(piles: &[i64], misere: bool) -> Nim {
        let given = [("piles".to_owned(), Value::List(piles.to_vec())), ("misere".to_owned(), Value::Flag(misere))];
        Nim::configure(&Params::complete(&Nim::parameters(), given).unwrap()).unwrap()
    }

    /// Whether the player to move wins, by minimax; `known` remembers what has been found.
    fn wins(nim: &Nim, position: &Position, known: &mut HashMap<String, bool>) -> bool {
        if nim.turn(position) == Turn::Over {
            return nim.score(position, position.turn.into()) > 0;
        }
        let text = nim.write(position);
        if let Some(&answer) = known.get(&text) {
            return answer;
        }
        let mut moves = Vec::new();
        nim.moves(position, &mut moves);
        let answer = moves.into_iter().any(|mv| {
            let mut child = *position;
            nim.play(&mut child, mv);
            !wins(nim, &child, known)
        });
        known.insert(text, answer);
        answer
    }

    #[test]
    fn the_player_to_move_wins_as_boutons_theory_says() {
        for misere in [false, true] {
            let nim = nim(&[3, 4, 5, 6], misere);
            let mut known = HashMap::new();
            for number in 0..4 * 5 * 6 * 7u16 {
                let piles = [number % 4, number / 4 % 5, number / 20 % 6, number / 120];
                let mut position = nim.start();
                position.piles[..4].copy_from_slice(&piles);
                let sum = piles.iter().fold(0, |sum, stones| sum ^ stones);
                // with single stones only, the parity of their number decides, and misère play turns it round
                let turned = misere && piles.iter().all(|&stones| stones < 2);
                let expected = (sum != 0) != turned;
                assert_eq!(wins(&nim, &position, &mut known), expected, "{piles:?} {misere}");
            }
        }
    }

    #[test]
    fn whoever_takes_the_last_stone_wins_or_in_misere_play_loses() {
        for (misere, score) in [(false, 1), (true, -1)] {
            let nim = nim(&[2, 0], misere);
            let mut position = nim.start();
            let both = nim.read_move(&position, "1:2").unwrap();
            nim.play(&mut position, both);
            assert_eq!(nim.turn(&position), Turn::Over);
            assert_eq!([nim.score(&position, 0), nim.score(&position, 1)], [score, -score]);
        }
    }

    #[test]
    fn random_moves_are_legal_and_uniform() {
        let nim = nim(&[3, 0, 1, 2], false);
        let (mut random, mut counts) = (Random::new(1), HashMap::new());
        for _ in 0..6000 {
            *counts.entry(nim.random_move(&nim.start(), &mut random, &mut Vec::new())).or_insert(0) += 1;
        }
        let mut moves = Vec::new();
        nim.moves(&nim.start(), &mut moves);
        assert_eq!(moves.iter().copied().collect::<HashSet<Move>>(), counts.keys().copied().collect());
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn the_largest_game_has_room_for_all_its_moves() {
        let nim = nim(&[1000; 16], false);
        let mut moves = Vec::new();
        nim.moves(&nim.start(), &mut moves);
        let texts: HashSet<String> = moves.iter().map(|&mv| nim.write_move(&nim.start(), mv)).collect();
        assert_eq!(texts.len(), 16_000);
        assert!(texts.contains("16:1000"));
        assert!(moves.iter().all(|&mv| nim.index(&nim.start(), mv) < nim.indices()));
    }

    #[test]
    fn texts_that_are_no_positions_are_rejected() {
        let nim = nim(&[3, 4, 5], false);
        assert_eq!(nim.read("3-4-5 A"), Ok(nim.start()));
        for bad in ["", "3-4-5", "3-4 A", "3-4-5-6 A", "4-4-5 A", "3-4-5 C", "-3-4 A", "+3-4-5 A", "a-4-5 A", "3--4 A"]
        {
            assert!(nim.read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_picture_shows_the_stones() {
        let nim = nim(&[3, 0, 41], false);
        let picture = nim.board(&nim.start());
        assert_eq!(picture.lines().collect::<Vec<_>>()[..2], [" 1:    3  ooo", " 2:    0"]);
        assert!(picture.ends_with("o…"));
    }

    #[test]
    fn the_svg_picture_stays_small_and_says_whose_turn_it_is() {
        let nim = nim(&[3, 1000], false);
        let picture = nim.svg(&nim.read("2-1000 B").unwrap());
        // two and thirteen stones, the place of the one that was taken, and the mark of the player
        assert_eq!(picture.matches("<circle").count(), 2 + 13 + 1 + 1);
        assert!(picture.contains(">1000</text>") && picture.contains(">B to move</text>"));
        assert!(!nim.svg(&nim.read("0-0 A").unwrap()).contains("to move"));
    }
}
