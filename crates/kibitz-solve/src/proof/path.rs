//! The positions on the way to a node, by their keys.

/// The keys of the positions from the root of the search to the current one, oldest first.
///
/// Every new position is looked for among them, and hardly ever found: a small array of counts by the low bits of the keys says so without a look at
/// the path.
#[derive(Clone)]
pub(crate) struct Path {
    keys: Vec<u64>,
    counts: [u16; 256],
}

impl Path {
    pub(crate) fn new() -> Self {
        Self { keys: Vec::new(), counts: [0; 256] }
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64) {
        self.keys.push(key);
        self.counts[key as usize & 255] += 1;
    }

    #[inline(always)]
    pub(crate) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.counts[key as usize & 255] -= 1;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// A key of the whole path.
    pub(crate) fn fold(&self) -> u64 {
        self.keys.iter().fold(0, |way, &key| kibitz_game::mix(way, key))
    }

    /// Where on the path the position with this key lies.
    #[inline(always)]
    pub(crate) fn find(&self, key: u64) -> Option<usize> {
        if self.counts[key as usize & 255] == 0 { None } else { self.keys.iter().position(|&other| other == key) }
    }
}
