//! Stratego (Jacques Johan Mogendorff, 1942): two armies whose ranks the opponent does not see.

mod belief;
mod board;
mod evaluation;
mod moves;
mod notation;
mod picture;
mod position;
mod rank;
mod repetition;
mod setups;

use std::sync::LazyLock;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Configure, Game, Order, Parameter, Params, Playout, Puzzle, Range, Ranked,
    Repetition, Score, Turn,
};

use crate::noise::Noise;
use board::{NONE, SQUARES};
use evaluation::UNIT;
use moves::{Move, squares_of};
pub use position::Position;
use position::{Stage, piece, rank_of};
use rank::{Battle, RANKS, Rank, UNKNOWN, battle};
use setups::Setup;

const RULES: &str = "\
White and Black have 40 pieces each, hidden from the opponent, on the four rows nearest to them: White on rows 1 to 4, Black on \
rows 7 to 10. Two lakes, c5 d5 c6 d6 and g5 h5 g6 h6, cannot be entered.

| piece | sign | letter | number | value |
|---|---|---|---|---|
| Marshal | 1 | M | 1 | 400 |
| General | 2 | G | 1 | 300 |
| Colonel | 3 | C | 2 | 175 |
| Major | 4 | J | 3 | 140 |
| Captain | 5 | P | 4 | 100 |
| Lieutenant | 6 | L | 4 | 50 |
| Sergeant | 7 | R | 4 | 20 |
| Miner | 8 | N | 5 | 10 to 200 |
| Scout | 9 | T | 8 | 10 |
| Spy | S | S | 1 | 100, or 10 |
| Bomb | B | B | 6 | 75 |
| Flag | F | F | 1 | |

White moves first and the players take turns; nobody may pass. A piece moves one square along a row or a column to an empty square, or attacks an enemy piece there. \
A Scout moves any number of empty squares in a line and may attack the first enemy piece in it. Bombs and Flags never move. \
When a piece attacks, both are shown. A Flag is captured by anything. A Bomb is captured by a Miner and removes any other attacker, and stays. \
A Spy that attacks the Marshal captures it. Pieces of equal rank are both removed; otherwise the lower rank is, where the Marshal is the highest and the \
Spy the lowest. The winner of a battle ends on the square of the piece that was attacked.

Who captures the **Flag** wins. A player whose turn it is and who has no legal move has lost; if neither player has one, it is a draw. \
So is a game of `quiet` moves without a capture, which is no rule of the source; 0 lets games go on.

**Repetition** is that of the International Stratego Federation. *Two-Squares Rule*: a piece may not move more than `two_squares` times in succession between \
the same two squares, whatever the opponent does, attacking or not; a Scout counts for all squares that it slides over. *More-Squares Rule* \
(`more_squares`): a player who chases continuously may not make a chasing move that leads to a position which there has been \
during the chase, except straight back to where the piece came from in the turn before. A chase is continuous while each move goes next to an enemy \
piece that has just moved away from the threat of the move before, or did so earlier in the chase. Chases of more than 24 moves are remembered for 24 moves.

**Set-ups** are `white` and `black`: a name of the library, seen from the side of its owner, or `free`, when the player places the pieces one by one, from \
the own left corner to the right and the back row first.

**Knowledge**: a player knows the own pieces, those that were shown in a battle, which pieces have moved, and that a piece which has moved more than one \
square is a Scout. A search knows no more. It begins with the position as the player to move knows it, in which the ranks of unseen pieces are \
unknown. There an unknown piece makes moves of one square as long as there are unknown ranks that move, never those of a Scout, and when one \
attacks or is attacked its rank is a matter of chance. With `chance=published` the probability is the share of a rank among the unknown \
pieces, without Bombs and Flag for a piece that has moved. With `chance=exact` it takes into account that the other pieces which have moved are neither Bomb \
nor Flag. Ranks that are impossible are left out in both. Inside a search the rules of repetition hold for what was under way at its beginning.

**Positions** are rows from the top with the letters of the pieces, upper case for White and lower case for Black, `.` and `X` for a lake, and the side to \
move. Then come words for what the board does not show: `places` while pieces are placed, `moved=` pieces that have moved and stand at home, \
`seen=` those that the opponent has seen, `quiet=` moves since the last capture, `trail=` and `chase=` what the rules of repetition remember. In a player's **view** \
unknown pieces are `U`; `belief=` says whose view it is and the ranks of the unknown pieces, `base=` the evaluation where a search begins and \
`battle=` an attack whose outcome is open. **Moves** are `b4-b5` and `b4xb5`; the outcomes of a battle, and the pieces that are placed, are the signs of the table.

**Evaluation**: the values of the table, three tenths more for a piece that the opponent has not seen. A Spy counts 10 when the opponent has no Marshal, and a Miner \
500 times the opponent's Bombs divided by six times the own Miners, at least 10 and at most 200. A piece that has left the own four rows gets 10 points for each square by which it \
is nearer than six to the opponent's Flag, counted in rows and columns; where the Flag is unknown, the mean over the pieces that it can be. The player to move gets the gain in \
these values of the best capture of a neighbour, on average if it is unknown, and loses the second best of the opponent's, since one threat can be met. \
In a search half a point is taken from the searching player for each move without a capture, and all values are differences to the position where it begins. A win \
counts 1,000. `noise` adds a number between −`noise` and `noise`, drawn by lot, by `seed`, for each position.

The rules, the values and the game's use as a test bed are from M. Schadd, *Selective Search in Games of Different Complexity* (2011), chapter 5, \
whose Figure 5.7 is the position at the start; it leaves the formulas for Miners, squares and captures open.";

/// The rules of Stratego.
#[derive(Clone, Debug)]
pub struct Stratego {
    setups: [Option<Setup>; 2],
    exact: bool,
    two_squares: u8,
    more_squares: bool,
    /// A draw after so many moves without a capture; 0 for none.
    quiet: u16,
    noise: Noise,
    /// Whether everybody sees all pieces, as in a guess that is searched as it stands.
    open: bool,
}

impl Game for Stratego {
    type Position = Position;
    type Move = Move;

    fn players(&self) -> usize {
        2
    }

    fn start(&self) -> Position {
        let mut position = Position::empty();
        for (player, setup) in self.setups.iter().enumerate() {
            for (square, rank) in setup.iter().flat_map(|setup| setups::places(player, setup)) {
                position.put(square, piece(player, rank, 0));
            }
        }
        self.next_to_place(&mut position);
        position
    }

    #[inline(always)]
    fn turn(&self, position: &Position) -> Turn {
        match position.stage {
            Stage::Won(_) | Stage::Drawn => Turn::Over,
            _ if position.battle[0] != NONE => Turn::Chance,
            _ => Turn::Player(position.turn),
        }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let player = usize::from(position.turn);
        match position.stage {
            Stage::Won(_) | Stage::Drawn => {}
            Stage::Placing if position.hides(player) => out.push(Move::from(UNKNOWN)),
            Stage::Placing => {
                let left = position.unplaced(player);
                out.extend((0..RANKS).filter(|&rank| left[rank] > 0).map(|rank| rank as Move));
            }
            Stage::Playing if position.battle[0] != NONE => {
                out.extend(Self::outcomes(position).map(Move::from));
            }
            Stage::Playing => {
                self.visit(position, player, |[from, to]| {
                    out.push(Move::from(from) | Move::from(to) << 8);
                    false
                });
            }
        }
    }

    fn play(&self, position: &mut Position, mv: Move) {
        if position.stage == Stage::Placing {
            self.place(position, mv as Rank);
        } else if position.battle[0] != NONE {
            self.reveal(position, mv as Rank);
        } else {
            self.step(position, squares_of(mv));
        }
    }

    fn score(&self, position: &Position, player: usize) -> Score {
        match position.stage {
            Stage::Won(winner) if usize::from(winner) == player => UNIT,
            Stage::Won(_) => -UNIT,
            _ => 0,
        }
    }

    fn range(&self, _: usize) -> Range {
        Range { low: -UNIT, high: UNIT }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        position.key()
    }

    fn write(&self, position: &Position) -> String {
        Self::write_position(position)
    }

    fn read(&self, text: &str) -> Result<Position, BadText> {
        self.read_position(text)
    }

    fn write_move(&self, position: &Position, mv: Move) -> String {
        Self::written_move(position, mv)
    }
}

impl Order for Stratego {
    const HINTED: bool = true;

    fn indices(&self) -> usize {
        SQUARES * SQUARES + RANKS + 1
    }

    #[inline]
    fn index(&self, position: &Position, mv: Move) -> usize {
        if position.stage == Stage::Placing || position.battle[0] != NONE {
            return SQUARES * SQUARES + usize::from(mv);
        }
        let [from, to] = squares_of(mv);
        usize::from(from) * SQUARES + usize::from(to)
    }

    /// Captures that win first, then those of unknown pieces, then other moves, then captures that lose.
    #[inline]
    fn hint(&self, position: &Position, mv: Move) -> i32 {
        if position.stage == Stage::Placing || position.battle[0] != NONE {
            return 0;
        }
        let [attacker, defender] = squares_of(mv).map(|square| position.cells[usize::from(square)]);
        let (attacker, unknown) = (rank_of(attacker), rank_of(attacker) == UNKNOWN || rank_of(defender) == UNKNOWN);
        match defender {
            0 => 0,
            _ if unknown => 2,
            defender => match battle(attacker, rank_of(defender)) {
                Battle::Win => 6,
                Battle::Both => 1,
                Battle::Lose => -6,
            },
        }
    }
}

impl Playout for Stratego {}
impl Repetition for Stratego {}
impl Ranked for Stratego {}
impl Puzzle for Stratego {}
impl AnyTurn for Stratego {}

static WHITE: LazyLock<Vec<&'static str>> = LazyLock::new(|| setups::names("schadd-white"));
static BLACK: LazyLock<Vec<&'static str>> = LazyLock::new(|| setups::names("schadd-black"));

impl Configure for Stratego {
    const SUMMARY: &'static str = "two armies whose ranks the opponent does not see: capture the Flag";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        let mut parameters = vec![
            Parameter::word("white", &WHITE, "the set-up of White, or free to place the pieces"),
            Parameter::word("black", &BLACK, "the set-up of Black, or free to place the pieces"),
            Parameter::word("chance", &["published", "exact"], "what is known about unknown pieces: see the rules"),
            Parameter::integer(
                "two_squares",
                3,
                (0, 5),
                "how often a piece may move between two squares; 0 for any number",
            ),
            Parameter::flag("more_squares", true, "whether a chase may not repeat a position"),
            Parameter::integer("quiet", 200, (0, 10_000), "moves without a capture that are a draw; 0 for none"),
        ];
        parameters.extend(Noise::parameters());
        parameters
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        Ok(Self {
            open: false,
            setups: ["white", "black"].map(|name| setups::setup(params.word(name))),
            exact: params.word("chance") == "exact",
            two_squares: params.integer("two_squares") as u8,
            more_squares: params.flag("more_squares"),
            quiet: params.integer("quiet") as u16,
            noise: Noise::configure(params),
        })
    }
}

#[cfg(test)]
mod tests;
