//! The cards on the table.

use kibitz_game::Zobrist;

/// The cells of four rows of thirteen cards and the column on their left.
pub(super) const CELLS: usize = 56;

/// A card is its suit and, in four bits, its rank; no card is 0, and 15 is no rank.
pub(super) const GAP: u8 = 0;
/// What is on the left of the first column in the common variant.
pub(super) const EDGE: u8 = 15;
pub(super) const ACE: u8 = 1;

const WORDS: Zobrist = Zobrist::new(0x4761_7073);

/// Which cards there are, and where the aces go.
#[derive(Clone, Debug)]
pub(super) struct Deck {
    /// The highest rank.
    pub(super) ranks: u8,
    /// Whether the aces are gone.
    pub(super) common: bool,
}

/// Where the cards are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Rows from the top; the first column has the aces, or is no part of the table.
    pub(super) cells: [u8; CELLS],
    /// The cell of each card.
    places: [u8; 64],
    /// The cells without a card, ascending.
    pub(super) gaps: [u8; 4],
    /// The moves made, if they are counted.
    pub(super) plies: u16,
    key: u64,
}

impl Layout {
    /// The layout of cells, four of which are gaps.
    pub(super) fn new(cells: [u8; CELLS], plies: u16) -> Self {
        let mut layout = Self { cells, places: [0; 64], gaps: [0; 4], plies, key: 0 };
        let mut gaps = 0;
        for (cell, &card) in (0..).zip(&cells) {
            match card {
                GAP if gaps < 4 => {
                    layout.gaps[gaps] = cell;
                    gaps += 1;
                }
                GAP | EDGE => {}
                _ => {
                    layout.places[usize::from(card)] = cell;
                    layout.key ^= WORDS.word(card.into(), cell.into());
                }
            }
        }
        layout
    }

    #[inline(always)]
    pub(super) fn place(&self, card: u8) -> u8 {
        self.places[usize::from(card & 63)]
    }

    #[inline(always)]
    pub(super) fn key(&self) -> u64 {
        self.key ^ u64::from(self.plies)
    }

    /// Puts a card into a gap.
    #[inline(always)]
    pub(super) fn put(&mut self, card: u8, to: u8) {
        let from = self.place(card);
        self.cells[usize::from(from)] = GAP;
        self.cells[usize::from(to)] = card;
        self.places[usize::from(card & 63)] = to;
        self.key ^= WORDS.word(card.into(), from.into()) ^ WORDS.word(card.into(), to.into());
        for gap in &mut self.gaps {
            if *gap == to {
                *gap = from;
            }
        }
        self.gaps.sort_unstable();
    }
}

impl Deck {
    /// The cells of a row, the one on the left of the first included.
    pub(super) fn columns(&self) -> usize {
        usize::from(self.ranks) + 1
    }

    /// How many cards can be in their place.
    pub(super) fn cards(&self) -> i32 {
        4 * (i32::from(self.ranks) - 1)
    }

    /// What is in the column on the left of a row.
    pub(super) fn left(&self, row: usize) -> u8 {
        if self.common { EDGE } else { (row as u8) << 4 | ACE }
    }

    /// The layout of the cards of all rows, gaps as they are; cells beyond the table are not gaps.
    pub(super) fn lay_out(&self, cards: &[u8], plies: u16) -> Layout {
        let mut cells = [EDGE; CELLS];
        for (row, cards) in cards.chunks(usize::from(self.ranks)).enumerate() {
            let first = row * self.columns();
            cells[first] = self.left(row);
            cells[first + 1..=first + cards.len()].copy_from_slice(cards);
        }
        Layout::new(cells, plies)
    }

    /// The cards shuffled by a linear congruential generator, with gaps for aces.
    pub(super) fn deal(&self, seed: u64) -> Layout {
        let mut cards: Vec<u8> = (0..4).flat_map(|suit| (ACE..=self.ranks).map(move |rank| suit << 4 | rank)).collect();
        let mut x = seed;
        for i in (1..cards.len()).rev() {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            cards.swap(i, (x >> 33) as usize % (i + 1));
        }
        let taken: Vec<u8> = cards.into_iter().map(|card| if card & 15 == ACE { GAP } else { card }).collect();
        self.lay_out(&taken, 0)
    }

    /// How many cards of a row are in their place.
    pub(super) fn row_in_place(&self, layout: &Layout, row: usize) -> usize {
        let first = row * self.columns();
        let cards = &layout.cells[first + 1..first + self.columns()];
        let suit = if self.common { cards[0] & !15 } else { (row as u8) << 4 };
        cards.iter().zip(ACE + 1..).take_while(|&(&card, rank)| card == suit | rank).count()
    }

    pub(super) fn in_place(&self, layout: &Layout) -> i32 {
        (0..4).map(|row| self.row_in_place(layout, row) as i32).sum()
    }
}
