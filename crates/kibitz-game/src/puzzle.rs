//! What a game of one player may offer to the searches for its best score.

use crate::{Evaluate, Pack, Playout, Random, Score, Turn, mix};

/// Knowledge for searches of one player, where the best line counts and not the value of a move.
///
/// The bound of A\* and IDA\* is [`Evaluate::bounds`]; playouts other than uniform ones are strategies of
/// [`crate::Playout`].
pub trait Puzzle: Evaluate + Playout {
    /// Whether the game can be one of a single player. Searches of one player are compiled for such games alone.
    const SOLITAIRE: bool = false;

    /// How many codes of moves there are, if they are the whole numbers below it; 0 when a code may be any number. Small
    /// numbers are looked up in an array, others in a hash table.
    fn codes(&self) -> usize {
        0
    }

    /// What a playout policy knows a move by (C. Rosin 2011): moves that have the same code share their weight, in whatever
    /// position they are played.
    #[inline]
    fn code(&self, position: &Self::Position, mv: Self::Move) -> u64 {
        let player = match self.turn(position) {
            Turn::Player(player) => u64::from(player),
            Turn::Chance | Turn::Over => u64::from(u8::MAX),
        };
        mix(player, mv.pack())
    }

    /// Appends the moves that a playout strategy with this plan chooses from, or all moves where no strategy has that number, and
    /// the code of each; where it is asked for, the bias of each too.
    #[inline]
    fn coded_moves(
        &self,
        strategy: usize,
        plan: u32,
        position: &Self::Position,
        moves: &mut Vec<Self::Move>,
        codes: &mut Vec<u64>,
        biases: Option<&mut Vec<f64>>,
    ) {
        let begin = moves.len();
        if strategy < self.strategies().len() {
            self.preferred(strategy, plan, position, moves);
        } else {
            self.moves(position, moves);
        }
        codes.extend(moves[begin..].iter().map(|&mv| self.code(position, mv)));
        if let Some(biases) = biases {
            biases.extend(moves[begin..].iter().map(|&mv| self.bias(position, mv)));
        }
    }

    /// Whether [`Puzzle::bias`] says anything.
    const BIASED: bool = false;

    /// What is added to the weight of a move before anything has been learned (T. Cazenave's generalized NRPA, 2020).
    #[inline]
    fn bias(&self, position: &Self::Position, mv: Self::Move) -> f64 {
        let _ = (position, mv);
        0.0
    }

    /// The points made so far, which are part of the final score.
    #[inline]
    fn gained(&self, position: &Self::Position) -> Score {
        let _ = position;
        0
    }

    /// A key of everything that the rest of the game depends on: of two positions with the same one, the moves are the
    /// same and the final scores differ by what was [`Puzzle::gained`]. Only the better of them is worth keeping.
    #[inline]
    fn remainder(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// The names of the potentials, by which a beam search orders positions; the first is the default. Where there are none, it is the
    /// evaluation.
    fn potentials(&self) -> &'static [&'static str] {
        &[]
    }

    /// A guess at the final score of a position that is not over, by the potential of that number. It may be any number:
    /// only positions after equally many moves are compared.
    #[inline]
    fn potential(&self, position: &Self::Position, which: usize) -> f64 {
        let _ = which;
        f64::from(self.evaluate(position, 0))
    }

    /// How many words a line takes to know its moves by [`Puzzle::name`]; 0 where a move itself is name enough.
    fn marks(&self) -> usize {
        0
    }

    /// Begins to keep the marks, at the position where lines begin.
    fn mark(&self, position: &Self::Position, marks: &mut [u64]) {
        let _ = (position, marks);
    }

    /// A name by which a legal move is found again in a line that is not quite the same, such as a block that it removes. A move may have
    /// several; one of them is drawn.
    #[inline]
    fn name(&self, position: &Self::Position, marks: &[u64], mv: Self::Move, random: &mut Random) -> u64 {
        let _ = (position, marks, random);
        mv.pack()
    }

    /// Makes the move that has this name now, and returns it; none, and nothing is changed, if there is none. `buffer` is scratch space.
    #[inline]
    fn play_named(
        &self,
        position: &mut Self::Position,
        marks: &mut [u64],
        name: u64,
        buffer: &mut Vec<Self::Move>,
    ) -> Option<Self::Move> {
        if !matches!(self.turn(position), Turn::Player(_)) {
            return None;
        }
        buffer.clear();
        self.moves(position, buffer);
        let mv = buffer.iter().copied().find(|mv| mv.pack() == name)?;
        self.play_marked(position, marks, mv);
        Some(mv)
    }

    /// Makes a legal move and keeps the marks.
    #[inline]
    fn play_marked(&self, position: &mut Self::Position, marks: &mut [u64], mv: Self::Move) {
        let _ = marks;
        self.play(position, mv);
    }

    /// What a finished game counts while a line is being improved: its score, but where a rare success makes many points, most of them for
    /// coming near.
    #[inline]
    fn near(&self, position: &Self::Position) -> Score {
        self.score(position, 0)
    }

    /// By how many points lines that differ in a move or two typically differ, once they are good.
    fn grain(&self) -> f64 {
        1.0
    }

    /// Whether the game knows which moves commute, so that [`Puzzle::commute`] says anything.
    fn commutes(&self) -> bool {
        false
    }

    /// Whether two different legal moves can be made in both orders and lead to the same position. To say no is always
    /// right, but leaves a search without a table to find out again what it knew.
    #[inline]
    fn commute(&self, position: &Self::Position, first: Self::Move, second: Self::Move) -> bool {
        let _ = (position, first, second);
        false
    }

    /// Whether a position may come back in a line of moves. To say yes is always right.
    fn cycles(&self) -> bool {
        true
    }
}
