//! How positions were reached: the moves behind each other, so that a position need not carry its line.

/// No parent: the position where the search began.
pub(super) const ORIGIN: u32 = u32::MAX;

/// Steps by number; a parent has a smaller number than its child.
pub(super) struct Lineage<M> {
    steps: Vec<(u32, M)>,
}

impl<M: Copy> Lineage<M> {
    pub(super) fn new() -> Self {
        Self { steps: Vec::new() }
    }

    pub(super) fn clear(&mut self) {
        self.steps.clear();
    }

    pub(super) fn bytes(&self) -> usize {
        self.steps.capacity() * size_of::<(u32, M)>()
    }

    /// The position behind a move of another one.
    pub(super) fn add(&mut self, parent: u32, mv: M) -> u32 {
        self.steps.push((parent, mv));
        self.steps.len() as u32 - 1
    }

    /// Writes the line to a position.
    pub(super) fn line(&self, mut step: u32, line: &mut Vec<M>) {
        line.clear();
        while step != ORIGIN {
            let (parent, mv) = self.steps[step as usize];
            line.push(mv);
            step = parent;
        }
        line.reverse();
    }

    /// Forgets all steps that lead to none of the positions `living`, whose numbers change.
    pub(super) fn forget<'a>(&mut self, living: impl Iterator<Item = &'a mut u32>) {
        let living: Vec<&mut u32> = living.collect();
        let mut kept = vec![false; self.steps.len()];
        for step in living.iter().filter(|step| ***step != ORIGIN) {
            kept[**step as usize] = true;
        }
        for step in (0..self.steps.len()).rev() {
            let parent = self.steps[step].0;
            if kept[step] && parent != ORIGIN {
                kept[parent as usize] = true;
            }
        }
        let mut numbers = vec![ORIGIN; self.steps.len()];
        let mut next = 0;
        for step in 0..self.steps.len() {
            if kept[step] {
                let (parent, mv) = self.steps[step];
                let parent = if parent == ORIGIN { ORIGIN } else { numbers[parent as usize] };
                numbers[step] = next as u32;
                self.steps[next] = (parent, mv);
                next += 1;
            }
        }
        self.steps.truncate(next);
        for step in living.into_iter().filter(|step| **step != ORIGIN) {
            *step = numbers[*step as usize];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lives_keeps_its_line() {
        let mut lineage = Lineage::new();
        let first = lineage.add(ORIGIN, 'a');
        let other = lineage.add(ORIGIN, 'x');
        let second = lineage.add(first, 'b');
        lineage.add(other, 'y');
        let third = lineage.add(second, 'c');
        let (mut living, mut origin) = ([second, third], ORIGIN);
        lineage.forget(living.iter_mut().chain([&mut origin]));
        assert_eq!(lineage.steps.len(), 3);
        let mut line = Vec::new();
        lineage.line(living[1], &mut line);
        assert_eq!((line.iter().collect::<String>().as_str(), origin), ("abc", ORIGIN));
        lineage.line(living[0], &mut line);
        assert_eq!(line, ['a', 'b']);
    }
}
