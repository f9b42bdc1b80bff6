//! How far the solution of a group on disk has come: what an interrupted build goes on from.

use std::io::Write;
use std::path::Path;

use super::list::Mark;
use crate::database::DatabaseError;
use crate::database::format::checksum;
use crate::database::writer::replace;

/// A point from which the work goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// What is solved: another group, or other options, have another number.
    pub task: u64,
    /// Positions that the table has.
    pub filled: u64,
    /// Files of seeds that were written with them.
    pub runs: u64,
    /// Whether the seeds are one file.
    pub merged: bool,
    /// The layer that is being made.
    pub layer: u64,
    /// Whether the seeds of the layer have been taken.
    pub seeded: bool,
    /// Where the seeds of the next layer begin.
    pub seeds: Mark,
    /// How far the layer before has been expanded.
    pub frontier: Mark,
    /// Where the list of this layer ends.
    pub decided: Mark,
    /// Whether nothing is left to do.
    pub done: bool,
}

impl State {
    fn numbers(&self) -> [u64; 13] {
        let Self { task, filled, runs, merged, layer, seeded, seeds, frontier, decided, done } = *self;
        let marks = [seeds.offset, seeds.last, frontier.offset, frontier.last, decided.offset, decided.last];
        let [a, b, c, d, e, f] = marks;
        [task, filled, runs, u64::from(merged), layer, u64::from(seeded), a, b, c, d, e, f, u64::from(done)]
    }

    fn of_numbers(numbers: &[u64]) -> Option<Self> {
        let &[task, filled, runs, merged, layer, seeded, a, b, c, d, e, f, done] = numbers else { return None };
        let mark = |offset, last| Mark { offset, last };
        Some(Self {
            task,
            filled,
            runs,
            merged: merged == 1,
            layer,
            seeded: seeded == 1,
            seeds: mark(a, b),
            frontier: mark(c, d),
            decided: mark(e, f),
            done: done == 1,
        })
    }
}

/// What is written down: the state, and while the journal is applied to the table the one that comes after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Saved {
    pub now: State,
    pub then: Option<State>,
}

impl Saved {
    /// Writes the state down.
    pub fn save(&self, path: &Path) -> Result<(), DatabaseError> {
        let numbers = self.now.numbers().into_iter().chain(self.then.iter().flat_map(State::numbers));
        let text = numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(" ");
        let sum = checksum(text.as_bytes());
        replace(path, |file| write!(file, "{text}\n{sum}\n"))
    }

    /// The state that was written down for this task; none if there is none, or it is of another task or damaged.
    pub fn load(path: &Path, task: u64) -> Option<Self> {
        let text = std::fs::read_to_string(path).ok()?;
        let (numbers, sum) = text.split_once('\n')?;
        if sum.trim().parse() != Ok(checksum(numbers.as_bytes())) {
            return None;
        }
        let numbers: Vec<u64> = numbers.split_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
        let mut states = numbers.chunks(State::default().numbers().len()).map(State::of_numbers);
        let now = states.next()??;
        let then = match states.next() {
            Some(then) => Some(then?),
            None => None,
        };
        (now.task == task).then_some(Self { now, then })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_comes_back_unless_it_is_damaged_or_of_another_task() {
        let path = std::env::temp_dir().join(format!("kibitz-state-{}", std::process::id()));
        let now = State {
            task: 5,
            filled: 10,
            layer: 3,
            seeded: true,
            frontier: Mark { offset: 8, last: 9 },
            ..State::default()
        };
        for saved in [Saved { now, then: None }, Saved { now, then: Some(State { layer: 4, ..now }) }] {
            saved.save(&path).unwrap();
            assert_eq!(Saved::load(&path, 5), Some(saved));
            assert_eq!(Saved::load(&path, 6), None);
            let text = std::fs::read_to_string(&path).unwrap();
            std::fs::write(&path, text.replacen('3', "4", 1)).unwrap();
            assert_eq!(Saved::load(&path, 5), None);
        }
        std::fs::remove_file(&path).unwrap();
    }
}
