//! The rules of kibitz as a game of the crate `minimax`: both sides of the comparison run the same code below the search.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use kibitz_game::{Configure, Evaluate, Game as _, Params, Turn};
use kibitz_games::ConnectFour;
use minimax::{Evaluation, Winner};

/// A position of Connect Four.
pub type Position = <ConnectFour as kibitz_game::Game>::Position;

/// Connect Four on six rows and seven columns.
pub fn connect_four() -> &'static ConnectFour {
    static RULES: OnceLock<ConnectFour> = OnceLock::new();
    RULES.get_or_init(|| {
        let params = Params::complete(&ConnectFour::<u64>::parameters(), []).expect("the defaults are complete");
        ConnectFour::configure(&params).expect("the defaults are legal")
    })
}

/// Positions reached by a [`Rules`] that counts.
pub static REACHED: AtomicU64 = AtomicU64::new(0);

/// The rules. The crate does not tell the nodes of every strategy, so `Rules<true>` counts them in runs that are not timed.
pub struct Rules<const COUNTED: bool>;

/// A position with its rules at hand; `minimax` calls functions without a receiver.
#[derive(Clone, Copy)]
pub struct State {
    rules: &'static ConnectFour,
    position: Position,
}

impl State {
    pub fn new(position: Position) -> Self {
        Self { rules: connect_four(), position }
    }

    #[inline(always)]
    fn to_move(&self) -> usize {
        match self.rules.turn(&self.position) {
            Turn::Player(player) => usize::from(player),
            Turn::Chance | Turn::Over => 0,
        }
    }
}

impl<const COUNTED: bool> minimax::Game for Rules<COUNTED> {
    type S = State;
    type M = u8;

    #[inline(always)]
    fn generate_moves(state: &State, moves: &mut Vec<u8>) -> Option<Winner> {
        state.rules.moves(&state.position, moves);
        if moves.is_empty() { Self::get_winner(state) } else { None }
    }

    #[inline(always)]
    fn apply(state: &mut State, mv: u8) -> Option<State> {
        if COUNTED {
            REACHED.fetch_add(1, Ordering::Relaxed);
        }
        let mut next = *state;
        next.rules.play(&mut next.position, mv);
        Some(next)
    }

    #[inline(always)]
    fn get_winner(state: &State) -> Option<Winner> {
        if state.rules.turn(&state.position) != Turn::Over {
            return None;
        }
        // a line is always the work of the player who just moved, so its score is not zero for either
        Some(if state.rules.score(&state.position, 0) == 0 { Winner::Draw } else { Winner::PlayerJustMoved })
    }

    #[inline(always)]
    fn zobrist_hash(state: &State) -> u64 {
        state.rules.key(&state.position)
    }

    fn table_index(mv: u8) -> u16 {
        u16::from(mv)
    }

    fn max_table_index() -> u16 {
        u16::from(u8::MAX)
    }
}

/// The evaluation of kibitz.
#[derive(Clone)]
pub struct Value<const COUNTED: bool>;

impl<const COUNTED: bool> minimax::Evaluator for Value<COUNTED> {
    type G = Rules<COUNTED>;

    #[inline(always)]
    fn evaluate(&self, state: &State) -> Evaluation {
        // between -9,999 and 9,999
        state.rules.evaluate(&state.position, state.to_move()) as Evaluation
    }
}
