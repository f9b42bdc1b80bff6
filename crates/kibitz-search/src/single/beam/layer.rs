//! One layer: the positions that wait there, the best of them.

use kibitz_game::Score;
use rustc_hash::FxHashMap;

/// A position that waits for its layer.
pub(super) struct Waiting<P, M> {
    /// The potential.
    pub(super) rank: f64,
    pub(super) remainder: u64,
    pub(super) gained: Score,
    /// The step of the lineage that it comes from.
    pub(super) parent: u32,
    pub(super) mv: M,
    pub(super) position: P,
}

/// The positions of a layer, each remainder once.
pub(super) struct Layer<P, M> {
    pub(super) waiting: Vec<Waiting<P, M>>,
    places: FxHashMap<u64, u32>,
    /// What is no better than this has no chance any more.
    pub(super) cutoff: f64,
    order: Vec<u32>,
}

impl<P, M> Default for Layer<P, M> {
    fn default() -> Self {
        Self { waiting: Vec::new(), places: FxHashMap::default(), cutoff: f64::NEG_INFINITY, order: Vec::new() }
    }
}

impl<P, M: Copy> Layer<P, M> {
    /// Adds a position, unless the same one has been reached with as many points. True if it was one more.
    pub(super) fn add(&mut self, one: Waiting<P, M>) -> bool {
        if one.rank <= self.cutoff {
            return false;
        }
        match self.places.entry(one.remainder) {
            std::collections::hash_map::Entry::Occupied(place) => {
                let known = &mut self.waiting[*place.get() as usize];
                if one.gained > known.gained {
                    *known = one;
                }
                false
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(self.waiting.len() as u32);
                self.waiting.push(one);
                true
            }
        }
    }

    /// Keeps the best `width`, in the order in which they came. True if others were dropped.
    pub(super) fn prune(&mut self, width: usize) -> bool {
        if self.waiting.len() <= width {
            return false;
        }
        self.order.clear();
        self.order.extend(0..self.waiting.len() as u32);
        let rank = |place: &u32| (self.waiting[*place as usize].rank, u32::MAX - place);
        self.order.select_nth_unstable_by(width - 1, |a, b| {
            let ((a, earlier), (b, later)) = (rank(a), rank(b));
            b.total_cmp(&a).then(later.cmp(&earlier))
        });
        self.cutoff = self.waiting[self.order[width - 1] as usize].rank;
        let kept = &mut self.order[..width];
        kept.sort_unstable();
        // what is kept moves to the front
        for (to, &from) in kept.iter().enumerate() {
            self.waiting.swap(to, from as usize);
        }
        self.waiting.truncate(width);
        self.places.clear();
        self.places.extend(self.waiting.iter().enumerate().map(|(place, one)| (one.remainder, place as u32)));
        true
    }

    /// Keeps at most so many children of each parent, the best ones. True if others were dropped.
    pub(super) fn spread(&mut self, per_parent: u32) -> bool {
        self.waiting.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        let mut children: FxHashMap<u32, u32> = FxHashMap::default();
        let before = self.waiting.len();
        self.waiting.retain(|one| {
            let count = children.entry(one.parent).or_default();
            *count += 1;
            *count <= per_parent
        });
        self.places.clear();
        self.waiting.len() < before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waiting(rank: f64, remainder: u64, gained: Score, parent: u32) -> Waiting<(), u8> {
        Waiting { rank, remainder, gained, parent, mv: 0, position: () }
    }

    fn ranks(layer: &Layer<(), u8>) -> Vec<f64> {
        layer.waiting.iter().map(|one| one.rank).collect()
    }

    #[test]
    fn a_remainder_is_kept_once_with_the_most_points() {
        let mut layer = Layer::default();
        assert!(layer.add(waiting(5.0, 1, 10, 0)));
        assert!(!layer.add(waiting(4.0, 1, 9, 1)));
        assert!(!layer.add(waiting(6.0, 1, 11, 2)));
        assert_eq!((layer.waiting.len(), layer.waiting[0].parent), (1, 2));
    }

    #[test]
    fn pruning_keeps_the_best() {
        let mut layer = Layer::default();
        for i in 0..20u64 {
            layer.add(waiting((i * 7 % 20) as f64, i, 0, 0));
        }
        assert!(layer.prune(5));
        let mut kept = ranks(&layer);
        kept.sort_by(f64::total_cmp);
        assert_eq!((kept, layer.cutoff), (vec![15.0, 16.0, 17.0, 18.0, 19.0], 15.0));
        assert!(!layer.add(waiting(15.0, 77, 0, 0)) && layer.add(waiting(15.5, 78, 0, 0)));
        assert!(!layer.add(waiting(99.0, 78, -1, 0)), "it is still known which ones are there");
    }

    #[test]
    fn a_parent_has_few_children() {
        let mut layer = Layer::default();
        for (rank, parent) in [(9.0, 1), (8.0, 1), (7.0, 1), (6.0, 2)] {
            layer.add(waiting(rank, rank as u64, 0, parent));
        }
        assert!(layer.spread(2));
        assert_eq!(ranks(&layer), [9.0, 8.0, 6.0]);
    }
}
