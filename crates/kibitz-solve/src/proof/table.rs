//! The table of a depth-first proof-number search: 16 bytes a position.

use std::sync::atomic::{AtomicU64, Ordering};

/// Numbers of a table have 28 bits; the greatest is infinity.
pub(crate) const INFINITE: u32 = (1 << 28) - 1;

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The proof number. Of a position that is disproven one more than its [`Entry::extra`].
    proof: u32,
    /// The disproof number. Of a position that is proven one more than its [`Entry::extra`].
    disproof: u32,
    /// Whether something is known that holds on some path only.
    pub(crate) on_some_path: bool,
}

impl Entry {
    pub(crate) fn open(proof: u32, disproof: u32) -> Self {
        let finite = |number: u32| number.clamp(1, INFINITE - 1);
        Self { proof: finite(proof), disproof: finite(disproof), on_some_path: false }
    }

    /// The same, and whether something is known that holds on some path only.
    pub(crate) fn with_paths(self, on_some_path: bool) -> Self {
        Self { on_some_path, ..self }
    }

    /// A solved position, with a number: the height of the proof, or the place on the path that it depends on.
    pub(crate) fn solved(value: bool, extra: u32) -> Self {
        let extra = extra.min(INFINITE - 1) + 1;
        let (proof, disproof) = if value { (0, extra) } else { (extra, 0) };
        Self { proof, disproof, on_some_path: false }
    }

    /// The answer, if there is one, with the number beside it.
    pub(crate) fn value(self) -> Option<(bool, u32)> {
        if self.proof == 0 {
            Some((true, self.disproof - 1))
        } else if self.disproof == 0 {
            Some((false, self.proof - 1))
        } else {
            None
        }
    }

    /// The numbers of a position that is not solved.
    pub(crate) fn numbers(self) -> (u32, u32) {
        (self.proof, self.disproof)
    }
}

/// The logarithm of the work has six bits.
const WORK: u64 = 63 << 56;
const ON_SOME_PATH: u64 = 1 << 62;

fn encode(entry: Entry, work: u32) -> u64 {
    u64::from(entry.proof)
        | u64::from(entry.disproof) << 28
        | u64::from(work.min(63)) << 56
        | if entry.on_some_path { ON_SOME_PATH } else { 0 }
}

fn decode(data: u64) -> Entry {
    Entry {
        proof: data as u32 & INFINITE,
        disproof: (data >> 28) as u32 & INFINITE,
        on_some_path: data & ON_SOME_PATH != 0,
    }
}

/// Four entries share an index, and a line of the cache.
const WAYS: usize = 4;

/// An entry is the exclusive or of its key and its data, and the data, so that one torn between two threads matches no key.
type Bucket = [[AtomicU64; 2]; WAYS];

/// Buckets on a page of memory.
const PAGE: usize = 4096 / size_of::<Bucket>();

/// A table of fixed size that many threads share without locks. The entry that cost least work gives way.
///
/// Memory that nobody has written to is given by the system page by page. Where a page is read first, it is a common one full of zeros, and the first
/// write has to take it away from all threads again, which took a third of the time of two threads. So every page is written to before it is read.
pub(crate) struct Table {
    buckets: Box<[Bucket]>,
    /// One bit a page: whether it was written to.
    touched: Box<[AtomicU64]>,
}

impl Table {
    /// A table of so many bytes; none if the machine cannot give them. Pages that are not used cost nothing.
    pub(crate) fn new(bytes: usize) -> Option<Self> {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        let touched = buckets.div_ceil(64 * PAGE);
        Some(Self {
            buckets: bytemuck::allocation::try_zeroed_slice_box(buckets).ok()?,
            touched: bytemuck::allocation::try_zeroed_slice_box(touched).ok()?,
        })
    }

    #[inline(always)]
    fn bucket(&self, key: u64) -> &Bucket {
        let index = ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize;
        let page = index / PAGE;
        if self.touched[page / 64].load(Ordering::Relaxed) >> (page % 64) & 1 == 0 {
            self.touch(page);
        }
        &self.buckets[index]
    }

    #[cold]
    fn touch(&self, page: usize) {
        // a write that changes nothing, and that a compiler does not make a read
        let _ = self.buckets[page * PAGE][0][0].compare_exchange(0, 0, Ordering::Relaxed, Ordering::Relaxed);
        self.touched[page / 64].fetch_or(1 << (page % 64), Ordering::Relaxed);
    }

    /// What is known of the position with this key.
    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (data != 0 && check.load(Ordering::Relaxed) ^ data == key).then(|| decode(data))
        })
    }

    /// Remembers an entry that took so many nodes to find.
    #[inline(always)]
    pub(crate) fn put(&self, key: u64, entry: Entry, nodes: u64) {
        self.put_data(key, encode(entry, 64 - nodes.leading_zeros()));
    }

    #[inline(always)]
    fn put_data(&self, key: u64, new: u64) {
        let bucket = self.bucket(key);
        let (mut least, mut place) = (u64::MAX, &bucket[0]);
        for slot in bucket {
            let data = slot[1].load(Ordering::Relaxed);
            if data != 0 && slot[0].load(Ordering::Relaxed) ^ data == key {
                place = slot;
                break;
            }
            let work = if data == 0 { 0 } else { 1 + (data & WORK) };
            if work < least {
                (least, place) = (work, slot);
            }
        }
        place[0].store(key ^ new, Ordering::Relaxed);
        place[1].store(new, Ordering::Relaxed);
    }

    /// Every entry as two words, for a file.
    pub(crate) fn entries(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        self.buckets.iter().flatten().filter_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            (data != 0).then(|| [check.load(Ordering::Relaxed) ^ data, data])
        })
    }

    /// Puts back what [`Table::entries`] gave.
    pub(crate) fn restore(&self, [key, data]: [u64; 2]) {
        // a word that is no entry must not pass for one
        let entry = decode(data);
        if entry.proof | entry.disproof != 0 {
            self.put_data(key, data);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_comes_back_as_it_was() {
        let table = Table::new(1 << 12).unwrap();
        let entries =
            [Entry::open(3, 17), Entry::open(INFINITE - 1, 1), Entry::solved(true, 0), Entry::solved(false, 9)];
        for (key, entry) in entries.into_iter().enumerate() {
            let key = kibitz_game::splitmix64(key as u64);
            table.put(key, entry, 1);
            assert_eq!(table.get(key), Some(entry));
        }
        assert_eq!(table.get(12345), None);
        assert_eq!(Entry::solved(false, 9).value(), Some((false, 9)));
        let copy = Table::new(1 << 12).unwrap();
        table.entries().for_each(|entry| copy.restore(entry));
        assert_eq!(copy.entries().count(), table.entries().count());
    }

    #[test]
    fn the_least_work_gives_way() {
        let table = Table::new(1).unwrap();
        for (key, work) in [(1, 100), (2, 5), (3, 1000), (4, 50)] {
            table.put(key, Entry::open(1, 1), work);
        }
        table.put(5, Entry::open(2, 2), 1);
        assert_eq!(table.get(2), None);
        assert!([1, 3, 4, 5].into_iter().all(|key| table.get(key).is_some()));
    }
}
