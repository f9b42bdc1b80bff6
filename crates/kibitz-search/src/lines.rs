//! Principal variations while a recursion runs: one row a ply, each reused.

/// `rows[ply]` is the best line found so far from the node at that ply on.
pub(crate) struct Lines<M>(Vec<Vec<M>>);

impl<M: Copy> Lines<M> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    /// Forgets the line of a node that is entered.
    #[inline(always)]
    pub(crate) fn clear(&mut self, ply: usize) {
        while self.0.len() <= ply + 1 {
            self.0.push(Vec::new());
        }
        self.0[ply].clear();
        self.0[ply + 1].clear();
    }

    /// Makes the line of a node this move and what was expected after it.
    #[inline(always)]
    pub(crate) fn raise(&mut self, ply: usize, mv: M) {
        let (above, below) = self.0.split_at_mut(ply + 1);
        let line = &mut above[ply];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&below[0]);
    }

    /// Forgets what was expected below a child that is a leaf.
    #[inline(always)]
    pub(crate) fn leaf(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    pub(crate) fn root(&self) -> &[M] {
        self.0.first().map_or(&[], Vec::as_slice)
    }
}
