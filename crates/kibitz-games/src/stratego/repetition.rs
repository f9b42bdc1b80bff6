//! The two rules of the International Stratego Federation against endless moving, and the few moves that they have to remember.
//!
//! *Two-Squares Rule*: a piece may not move more than three times in succession between the same two squares. A Scout
//! is taken to be on all squares that it slides over, so that the rule counts how often in succession a piece crosses the border
//! between the same two squares.
//!
//! *More-Squares Rule*: a player who chases continuously may not make a chasing move that leads to a position which there has been during
//! the chase, except straight back to the square that the piece came from in the turn before. To *threaten* is to move a
//! piece next to one of the opponent; to *evade* is to move a piece away at once after it has been threatened; a chase is continuous as long as each
//! move threatens a piece that has evaded during the chase and each reply evades. All of this is in plain sight, so neither rule tells anything about
//! hidden pieces.

use super::board::{AROUND, NONE, SIDE, Set, bit};

/// From and to.
pub(super) type Step = [u8; 2];

/// The most moves that a [`Trail`] can hold.
pub(super) const LONGEST_TRAIL: usize = 5;

/// The last moves of a player, as far as they go to and fro between the same two squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(super) struct Trail {
    steps: [Step; LONGEST_TRAIL],
    count: u8,
}

/// The least and the greatest square of a move.
fn span([from, to]: Step) -> (u8, u8) {
    (from.min(to), from.max(to))
}

/// Whether a move runs back over the line of the move before it.
fn returns([from, to]: Step, next: Step) -> bool {
    let row = |square: u8| square / SIDE as u8;
    let across = row(from) == row(to);
    to == next[0] && (row(next[0]) == row(next[1])) == across && (from < to) != (next[0] < next[1])
}

/// Whether all of these moves, which lie on one line, cross a border between two squares.
fn cross_one_border(steps: impl Iterator<Item = Step>) -> bool {
    let common = steps.map(span).fold((0, NONE), |all, one| (all.0.max(one.0), all.1.min(one.1)));
    common.0 < common.1
}

impl Trail {
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.count)]
    }

    /// Whether a move would be one too many, when `most` are allowed; 0 for any number.
    #[inline(always)]
    pub fn forbids(&self, step: Step, most: u8) -> bool {
        most > 0
            && self.count == most
            && returns(self.steps[usize::from(most) - 1], step)
            && cross_one_border(self.steps().iter().copied().chain([step]))
    }

    /// Remembers a move; one that begins a new trail only where `begin` says so.
    pub fn extend(&mut self, step: Step, most: u8, begin: bool) {
        let count = usize::from(self.count);
        if count > 0 && returns(self.steps[count - 1], step) {
            // the longest end of the trail that crosses the same border, and room for the move
            let kept = (1..=count.min(usize::from(most) - 1))
                .rev()
                .find(|&kept| cross_one_border(self.steps[count - kept..count].iter().copied().chain([step])));
            if let Some(kept) = kept {
                let mut steps = [[0; 2]; LONGEST_TRAIL];
                steps[..kept].copy_from_slice(&self.steps[count - kept..count]);
                steps[kept] = step;
                *self = Self { steps, count: kept as u8 + 1 };
                return;
            }
        }
        *self = Self::default();
        if begin && most > 0 {
            self.steps[0] = step;
            self.count = 1;
        }
    }

    /// Forgets the trail of a piece that has gone from a square.
    pub fn removed(&mut self, square: u8) {
        if self.steps().last().is_some_and(|step| step[1] == square) {
            *self = Self::default();
        }
    }
}

/// The most moves that a [`Chase`] can hold, enough to go once around both lakes.
pub(super) const LONGEST_CHASE: usize = 48;

/// The moves of both players since the beginning of the chases that are under way, the last one last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chase {
    steps: [Step; LONGEST_CHASE],
    count: u8,
    /// Where the chase of each player begins, or [`NONE`].
    begins: [u8; 2],
}

impl Default for Chase {
    fn default() -> Self {
        Self { steps: [[0; 2]; LONGEST_CHASE], count: 0, begins: [NONE; 2] }
    }
}

impl Chase {
    pub fn steps(&self) -> &[Step] {
        &self.steps[..usize::from(self.count)]
    }

    pub fn begins(&self) -> [u8; 2] {
        self.begins
    }

    /// A chase with these moves; none if no game comes to it. The last move is the one of the player who is not to move.
    pub fn new(steps: &[Step], begins: [u8; 2], turn: u8) -> Option<Self> {
        let mut chase = Self { begins, ..Self::default() };
        chase.steps.get_mut(..steps.len())?.copy_from_slice(steps);
        chase.count = steps.len() as u8;
        let live = |player: usize| begins[player] != NONE;
        let own = |player: usize| {
            let mover = if (steps.len() - 1 - usize::from(begins[player])).is_multiple_of(2) { 1 - turn } else { turn };
            player == usize::from(mover)
        };
        let valid = |player: usize| !live(player) || usize::from(begins[player]) < steps.len() && own(player);
        let first = begins[0].min(begins[1]);
        (first == 0 && valid(0) && valid(1)).then_some(chase)
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The squares of the opponent's pieces that have evaded during the chase of `player`, whose turn it is.
    fn evaders(&self, player: usize) -> Set {
        let begins = usize::from(self.begins[player]);
        // the opponent's moves are the second, the fourth and so on
        self.steps().iter().skip(begins + 1).step_by(2).fold(0, |set, &[from, to]| set & !bit(from) | bit(to))
    }

    /// Whether a move of `player`, whose turn it is, to an empty square would go on with a chase and repeat a position.
    pub fn forbids(&self, player: usize, [from, to]: Step) -> bool {
        if self.begins[player] == NONE {
            return false;
        }
        let begins = usize::from(self.begins[player]);
        let steps = self.steps();
        let before = steps.len().checked_sub(2).map(|i| steps[i]);
        if AROUND[usize::from(to)] & self.evaders(player) == 0 || before == Some([to, from]) {
            return false;
        }
        // pieces that stand elsewhere than they stood then: where they are after the move, and where they were
        let mut displaced = [[0; 2]; LONGEST_CHASE + 1];
        displaced[0] = [to, from];
        let mut count = 1;
        for (i, &[from, to]) in steps.iter().enumerate().skip(begins + 1).rev() {
            if let Some(piece) = displaced[..count].iter_mut().find(|piece| piece[1] == to) {
                piece[1] = from;
            } else {
                displaced[count] = [to, from];
                count += 1;
            }
            // before this reply of the opponent: a position after a move of the player
            let reply = (steps.len() - 1 - i).is_multiple_of(2);
            if reply && displaced[..count].iter().all(|[now, then]| now == then) {
                return true;
            }
        }
        false
    }

    /// Remembers a move of `player` to an empty square; `opponents` are the squares of the other pieces.
    pub fn extend(&mut self, player: usize, step: Step, opponents: Set) {
        let [from, to] = step;
        let other = 1 - player;
        if self.begins[other] != NONE {
            let last = self.steps().last().map_or(NONE, |step| step[1]);
            if last == NONE || AROUND[usize::from(last)] & bit(from) == 0 {
                self.begins[other] = NONE;
            }
        }
        let around = AROUND[usize::from(to)];
        if self.begins[player] != NONE && around & self.evaders(player) == 0 {
            self.begins[player] = NONE;
        }
        if usize::from(self.count) == LONGEST_CHASE {
            self.forget(2);
        }
        if self.begins[player] == NONE && around & opponents != 0 {
            self.begins[player] = self.count;
        }
        self.steps[usize::from(self.count)] = step;
        self.count += 1;
        let first = self.begins[0].min(self.begins[1]);
        if first == NONE {
            *self = Self::default();
        } else {
            self.forget(first);
        }
    }

    /// Drops the oldest moves. A chase that began with them begins with the first move of its player that is left.
    fn forget(&mut self, dropped: u8) {
        let count = usize::from(self.count);
        self.steps.copy_within(usize::from(dropped)..count, 0);
        self.count -= dropped;
        self.steps[usize::from(self.count)..count].fill([0; 2]);
        for begins in &mut self.begins {
            if *begins != NONE {
                *begins = if *begins >= dropped { *begins - dropped } else { (dropped - *begins) % 2 };
            }
        }
    }
}
