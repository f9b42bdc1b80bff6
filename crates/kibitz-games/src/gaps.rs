//! Gaps, a solitaire with all cards face up.

mod layout;
mod notation;
mod picture;
#[cfg(test)]
mod tests;

use kibitz_game::{
    AnyTurn, BadParameter, BadText, Cell, Chance, Configure, Draw, Evaluate, Game, Hidden, Order, Parameter, Params,
    Playout, Puzzle, Range, Ranked, Repetition, Score, Turn,
};

use layout::{ACE, CELLS, Deck, EDGE, GAP, Layout};

const RULES: &str = "\
A solitaire, also known as Montana or Superpuzz. The cards of four suits, from the ace to the king (`ranks` of them: with 4 \
the four is the highest), are shuffled and laid out face up in four rows. The four aces are taken out, which leaves four gaps. In a move a gap is filled with the \
card that follows its left neighbour, of the same suit and one rank higher; the place where the card came from becomes a gap. Nothing can be put to the right of a gap or of \
a highest card.

- `basic`: the aces are laid into a new column on the left, spades, hearts, diamonds and clubs from the top. So each gap has one \
move at most. A two can move once, to its ace; every other card moves only after the card below it has, so that no position comes back and a game of thirteen \
ranks has at most 312 moves.
- `common`: the aces are gone. A gap in the first column may be filled with any two, also with one that lies in the first column; so positions can come back, and the game ends after `plies` moves. \
With `plies=0` it may go on for ever.

The goal is that every row has one suit in order, from the left without a gap. The result is the number of cards in their place, counted from the left end of each row \
up to the first that is wrong: all 48 with thirteen ranks. The game is over when no gap can be filled.

**Deals** depend on `seed`: the cards in the order of suits and ranks are shuffled from the last to the second with the 64-bit linear congruential generator of D. Knuth (6364136223846793005 x + 1442695040888963407, \
the bits from 33 on). **Positions** are the rows from the top, separated by `/`: cards as `2S` or `TH`, gaps as `--`; in the common \
variant the number of moves made follows. **Moves** are the card and where it goes, `5H-c2`: columns are letters from the left, rows are numbers from the top.

B. Helmstetter and T. Cazenave, *Incremental Transpositions*, Computers and Games 2004, and *Searching with Analysis of Dependencies in a Solitaire Card Game*, Advances in Computer Games 2003. The evaluation \
is the number of cards in place, and a little for each move that is possible.";

/// The rules of Gaps.
#[derive(Clone, Debug)]
pub struct Gaps {
    deck: Deck,
    start: Layout,
    /// After how many moves the game ends; 0 for never.
    plies: u16,
}

const UNIT: Score = 100;
/// What a possible move is worth; all of them together are worth less than a card.
const MOBILITY: Score = 5;

/// The card and the cell that it goes to.
type Move = u16;

#[inline(always)]
fn card(mv: Move) -> u8 {
    (mv >> 6) as u8
}

#[inline(always)]
fn to(mv: Move) -> u8 {
    (mv & 63) as u8
}

impl Gaps {
    /// Calls `each` with every move, gaps row by row from the left.
    #[inline(always)]
    fn each_move(&self, position: &Layout, mut each: impl FnMut(Move)) {
        for &gap in &position.gaps {
            let mut fill = |card: u8| each(u16::from(card) << 6 | u16::from(gap));
            match position.cells[usize::from(gap) - 1] {
                GAP => {}
                EDGE => (0..4).for_each(|suit| fill(suit << 4 | (ACE + 1))),
                left if left & 15 == self.deck.ranks => {}
                left => fill(left + 1),
            }
        }
    }

    fn mobility(&self, position: &Layout) -> Score {
        let mut moves = 0;
        self.each_move(position, |_| moves += 1);
        moves
    }
}

impl Game for Gaps {
    type Position = Layout;
    type Move = Move;

    fn players(&self) -> usize {
        1
    }

    fn start(&self) -> Layout {
        self.start
    }

    #[inline]
    fn turn(&self, position: &Layout) -> Turn {
        let ended = self.plies > 0 && position.plies >= self.plies;
        if ended || self.mobility(position) == 0 { Turn::Over } else { Turn::Player(0) }
    }

    #[inline]
    fn moves(&self, position: &Layout, out: &mut Vec<Move>) {
        self.each_move(position, |mv| out.push(mv));
    }

    #[inline]
    fn play(&self, position: &mut Layout, mv: Move) {
        position.put(card(mv), to(mv));
        position.plies += u16::from(self.plies > 0);
    }

    fn score(&self, position: &Layout, _: usize) -> Score {
        UNIT * self.deck.in_place(position)
    }

    fn range(&self, _: usize) -> Range {
        Range { low: 0, high: UNIT * self.deck.cards() }
    }

    fn unit(&self) -> Score {
        UNIT
    }

    #[inline(always)]
    fn key(&self, position: &Layout) -> u64 {
        position.key()
    }

    fn write(&self, position: &Layout) -> String {
        notation::write(&self.deck, position, self.plies > 0)
    }

    fn read(&self, text: &str) -> Result<Layout, BadText> {
        notation::read(&self.deck, text, self.plies)
    }

    fn write_move(&self, _: &Layout, mv: Move) -> String {
        format!("{}-{}", notation::card_name(card(mv)), notation::cell_name(&self.deck, to(mv)))
    }
}

impl Evaluate for Gaps {
    const INFORMED: bool = true;

    fn evaluate(&self, position: &Layout, _: usize) -> Score {
        UNIT * self.deck.in_place(position) + MOBILITY * self.mobility(position)
    }

    fn bounds(&self, position: &Layout, player: usize) -> Range {
        Range { low: self.gained(position), ..self.range(player) }
    }
}

impl Order for Gaps {
    fn indices(&self) -> usize {
        64 * CELLS
    }

    #[inline(always)]
    fn index(&self, _: &Layout, mv: Move) -> usize {
        usize::from(card(mv)) * CELLS + usize::from(to(mv))
    }
}

impl Chance for Gaps {}
impl Hidden for Gaps {}
impl Repetition for Gaps {}
impl AnyTurn for Gaps {}
impl Playout for Gaps {}

impl Ranked for Gaps {}
impl Puzzle for Gaps {
    const SOLITAIRE: bool = true;

    fn codes(&self) -> usize {
        self.indices()
    }

    #[inline(always)]
    fn code(&self, position: &Layout, mv: Move) -> u64 {
        self.index(position, mv) as u64
    }

    /// In the basic variant a card in its place never moves again: it alone follows its left neighbour. In the common one a two can leave the first column.
    fn gained(&self, position: &Layout) -> Score {
        if self.deck.common { 0 } else { UNIT * self.deck.in_place(position) }
    }

    fn commutes(&self) -> bool {
        true
    }

    /// Neither moves the card that the other is put next to. The same two in two places, or two of them in one place, can
    /// only be in the common variant.
    #[inline(always)]
    fn commute(&self, position: &Layout, first: Move, second: Move) -> bool {
        let left = |mv: Move| position.cells[usize::from(to(mv)) - 1];
        card(first) != card(second)
            && to(first) != to(second)
            && left(first) != card(second)
            && left(second) != card(first)
    }

    fn cycles(&self) -> bool {
        self.deck.common && self.plies == 0
    }
}

impl Draw for Gaps {
    fn board(&self, position: &Layout) -> String {
        picture::board(self, position)
    }

    fn svg(&self, position: &Layout) -> String {
        picture::svg(self, position, None)
    }

    fn cells(&self, position: &Layout) -> Vec<Cell> {
        picture::cells(self, position)
    }

    fn svg_of_move(&self, position: &Layout, mv: Move) -> Option<String> {
        Some(picture::svg(self, position, Some((position.place(card(mv)), to(mv)))))
    }
}

impl Configure for Gaps {
    const SUMMARY: &'static str = "put four suits in order by filling gaps: a solitaire with all cards face up";
    const RULES: &'static str = RULES;

    fn parameters() -> Vec<Parameter> {
        vec![
            Parameter::word("variant", &["basic", "common"], "aces on the left, or any two into the first column"),
            Parameter::integer("ranks", 13, (2, 13), "cards of a suit, the ace included"),
            Parameter::integer("seed", 1, (0, i64::MAX), "the deal"),
            Parameter::integer("plies", 1000, (0, 10_000), "after how many moves the common variant ends; 0 for never"),
        ]
    }

    fn configure(params: &Params) -> Result<Self, BadParameter> {
        let common = params.word("variant") == "common";
        let deck = Deck { ranks: params.integer("ranks") as u8, common };
        let plies = if common { params.integer("plies") as u16 } else { 0 };
        Ok(Self { start: deck.deal(params.integer("seed") as u64), deck, plies })
    }
}
