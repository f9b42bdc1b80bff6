//! Transposition tables.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use memmap2::MmapMut;
use rustc_hash::FxHashMap;

use crate::Score;

/// What a table remembers of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value to this depth is at least this; `Score::MIN` when unknown.
    pub lower: Score,
    /// The value to this depth is at most this; `Score::MAX` when unknown.
    pub upper: Score,
    /// The remaining depth that was searched.
    pub depth: u16,
    /// Whether every line behind the bounds came to the end of the game, so that they hold at any greater depth.
    pub ended: bool,
    /// The best move or the move that cut, packed.
    pub mv: Option<u64>,
    /// The size of the subtree that was searched.
    pub nodes: u32,
}

/// A transposition table.
pub trait Memory {
    /// What is known of the position with this key.
    fn probe(&self, key: u64) -> Option<Entry>;
    /// Remembers an entry, perhaps at the cost of another.
    fn store(&self, key: u64, entry: Entry);
    /// Announces that the position will be probed soon.
    fn prefetch(&self, key: u64) {
        let _ = key;
    }
}

/// Which entry stays when a sized table is full (Breuker, Uiterwijk and van den Herik 1994).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Replacement {
    /// Two slots: the deeper result keeps the first, everything else passes through the second.
    #[default]
    TwoDeep,
    /// One slot: the newest result stays.
    Always,
    /// One slot: the deeper result stays, the newer one when equal.
    DepthPreferred,
    /// Two slots: the result of the larger subtree keeps the first, everything else passes through the second.
    TwoBig,
}

/// An entry in four words. The first is the exclusive or of the key with the others, so an entry that two threads
/// wrote at once does not match any key that was meant (Hyatt and Mann 2002).
#[derive(Clone, Copy)]
struct Slot<'a>(&'a [AtomicU64; 4]);

const OCCUPIED: u64 = 1 << 16;
const HAS_MOVE: u64 = 1 << 17;
const ENDED: u64 = 1 << 18;

impl Slot<'_> {
    #[inline(always)]
    fn read(self) -> (u64, [u64; 3]) {
        let [check, words @ ..] = self.0;
        let words = words.each_ref().map(|word| word.load(Ordering::Relaxed));
        (check.load(Ordering::Relaxed) ^ words[0] ^ words[1] ^ words[2], words)
    }

    /// What it holds, and leaves it empty.
    fn take(self) -> (u64, [u64; 3]) {
        let held = self.read();
        self.0.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        held
    }

    #[inline(always)]
    fn write(self, key: u64, words: [u64; 3]) {
        self.0[0].store(key ^ words[0] ^ words[1] ^ words[2], Ordering::Relaxed);
        for (slot, word) in self.0[1..].iter().zip(words) {
            slot.store(word, Ordering::Relaxed);
        }
    }
}

#[inline(always)]
fn encode(entry: &Entry) -> [u64; 3] {
    [
        u64::from(entry.lower as u32) | u64::from(entry.upper as u32) << 32,
        entry.mv.unwrap_or(0),
        u64::from(entry.depth)
            | OCCUPIED
            | if entry.mv.is_some() { HAS_MOVE } else { 0 }
            | if entry.ended { ENDED } else { 0 }
            | u64::from(entry.nodes) << 32,
    ]
}

#[inline(always)]
fn decode([bounds, mv, work]: [u64; 3]) -> Entry {
    Entry {
        lower: bounds as u32 as Score,
        upper: (bounds >> 32) as u32 as Score,
        depth: work as u16,
        ended: work & ENDED != 0,
        mv: (work & HAS_MOVE != 0).then_some(mv),
        nodes: (work >> 32) as u32,
    }
}

/// The two slots that share an index are one cache line.
type Bucket = [[AtomicU64; 4]; 2];

/// A table of fixed size that many threads share without locks.
pub struct SizedTable {
    memory: MmapMut,
    /// The buckets in use, a part of the memory.
    buckets: usize,
    replacement: Replacement,
}

impl SizedTable {
    /// A table that fits into so many megabytes (of 2^20 bytes); `None` when the machine cannot give them.
    pub fn new(megabytes: usize, replacement: Replacement) -> Option<Self> {
        Self::beginning_with(megabytes, megabytes, replacement)
    }

    /// A table that uses `used` megabytes to begin with and can grow to `megabytes`.
    pub fn beginning_with(used: usize, megabytes: usize, replacement: Replacement) -> Option<Self> {
        let buckets = |megabytes: usize| Some((megabytes.checked_mul(1 << 20)? / size_of::<Bucket>()).max(1));
        Self::with_buckets(buckets(used.min(megabytes))?, buckets(megabytes)?, replacement)
    }

    fn with_buckets(used: usize, most: usize, replacement: Replacement) -> Option<Self> {
        // zeroed pages come from the system untouched, so a large table costs nothing until it is used
        let memory = MmapMut::map_anon(most * size_of::<Bucket>()).ok()?;
        Some(Self { memory, buckets: used, replacement })
    }

    /// The number of entries that fit into the part in use.
    pub fn capacity(&self) -> usize {
        self.buckets * 2
    }

    /// Grows to about so many entries, where memory allows and it is worth while, and keeps what it holds.
    pub fn grow(&mut self, entries: usize) {
        let most = self.memory.len() / size_of::<Bucket>();
        let factor = (entries / 2).min(most) / self.buckets;
        if factor < 2 {
            return;
        }
        // Large pages make the first use of each cheaper and find it sooner, but the system may need a tenth of a second
        // to find some: only a search that has needed so much memory already can bear that.
        #[cfg(target_os = "linux")]
        if self.buckets * factor * size_of::<Bucket>() >= 32 << 20 {
            let _ = self.memory.advise(memmap2::Advice::HugePage);
        }
        // The high bits of the key choose the bucket, so the entries of bucket i move to the buckets from factor * i on;
        // from the last to the first, none of them is in use yet.
        let old = self.buckets;
        self.buckets *= factor;
        for index in (0..old).rev() {
            for held in self.bucket(index).map(Slot::take).into_iter().rev() {
                if held.1[2] & OCCUPIED != 0 {
                    self.store(held.0, decode(held.1));
                }
            }
        }
    }

    #[inline(always)]
    fn slots(&self, key: u64) -> [Slot<'_>; 2] {
        // the high bits choose the bucket, whatever their number: no power of two is needed
        self.bucket(((u128::from(key) * self.buckets as u128) >> 64) as usize)
    }

    #[inline(always)]
    fn bucket(&self, index: usize) -> [Slot<'_>; 2] {
        debug_assert!(index < self.buckets);
        // SAFETY: a mapping begins at a page, so every bucket is aligned, and it is at least `buckets` buckets long, of which
        // `index` is one: it counts them, or is the high half of the product of a 64-bit number with `buckets`. Any bits
        // are an `AtomicU64`. The memory is changed through these atomics alone, and is given back only with `self`.
        #[allow(unsafe_code, clippy::cast_ptr_alignment)]
        let bucket: &Bucket = unsafe { &*self.memory.as_ptr().cast::<Bucket>().add(index) };
        [Slot(&bucket[0]), Slot(&bucket[1])]
    }
}

impl Memory for SizedTable {
    #[inline(always)]
    fn probe(&self, key: u64) -> Option<Entry> {
        for slot in self.slots(key) {
            let (found, words) = slot.read();
            if found == key && words[2] & OCCUPIED != 0 {
                return Some(decode(words));
            }
        }
        None
    }

    #[inline(always)]
    fn store(&self, key: u64, entry: Entry) {
        let [first, second] = self.slots(key);
        let words = encode(&entry);
        let (key1, words1) = first.read();
        let (key2, words2) = second.read();
        let free1 = words1[2] & OCCUPIED == 0;
        match self.replacement {
            Replacement::TwoDeep | Replacement::TwoBig => {
                let keeps = if self.replacement == Replacement::TwoDeep {
                    entry.depth >= words1[2] as u16
                } else {
                    u64::from(entry.nodes) >= words1[2] >> 32
                };
                if free1 || key1 == key {
                    first.write(key, words);
                } else if key2 == key && words2[2] & OCCUPIED != 0 {
                    second.write(key, words);
                } else if keeps {
                    second.write(key1, words1);
                    first.write(key, words);
                } else {
                    second.write(key, words);
                }
            }
            // the schemes with one slot divide the bucket by the lowest bit of the key
            Replacement::Always => (if key & 1 == 0 { first } else { second }).write(key, words),
            Replacement::DepthPreferred => {
                let (slot, held, words_held) =
                    if key & 1 == 0 { (first, key1, words1) } else { (second, key2, words2) };
                if held == key || entry.depth >= words_held[2] as u16 {
                    slot.write(key, words);
                }
            }
        }
    }

    #[inline(always)]
    fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            // SAFETY: a prefetch reads nothing and may point anywhere; SSE is part of every x86-64.
            #[allow(unsafe_code)]
            unsafe {
                _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(self.slots(key)[0].0).cast());
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }
}

/// A table without bound that never forgets, for experiments and count tests.
#[derive(Default)]
pub struct ExactTable(Mutex<FxHashMap<u64, Entry>>);

impl ExactTable {
    /// An empty table.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of positions remembered.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether nothing is remembered.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, FxHashMap<u64, Entry>> {
        // nothing in here panics half-way, so a poisoned lock still guards a sound map
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Memory for ExactTable {
    // not a part of a search that has another table
    #[inline(never)]
    fn probe(&self, key: u64) -> Option<Entry> {
        self.lock().get(&key).copied()
    }

    #[inline(never)]
    fn store(&self, key: u64, entry: Entry) {
        self.lock().insert(key, entry);
    }
}

/// The table of a search: none, a sized one or the exact one. A search is compiled once for all three.
#[derive(Default)]
pub enum Table {
    /// Remembers nothing.
    #[default]
    None,
    /// Bounded and lock-free.
    Sized(SizedTable),
    /// Unbounded and exact.
    Exact(ExactTable),
}

impl Table {
    /// Whether anything is ever remembered.
    #[inline(always)]
    pub fn is_some(&self) -> bool {
        !matches!(self, Self::None)
    }
}

impl Memory for Table {
    #[inline(always)]
    fn probe(&self, key: u64) -> Option<Entry> {
        match self {
            Self::None => None,
            Self::Sized(table) => table.probe(key),
            Self::Exact(table) => table.probe(key),
        }
    }

    #[inline(always)]
    fn store(&self, key: u64, entry: Entry) {
        match self {
            Self::None => {}
            Self::Sized(table) => table.store(key, entry),
            Self::Exact(table) => table.store(key, entry),
        }
    }

    #[inline(always)]
    fn prefetch(&self, key: u64) {
        if let Self::Sized(table) = self {
            table.prefetch(key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::splitmix64;
    use proptest::prelude::*;

    fn entry(depth: u16, nodes: u32) -> Entry {
        Entry { lower: -5, upper: 7, depth, ended: false, mv: Some(42), nodes }
    }

    /// A table of one bucket, so that all keys meet.
    fn tiny(replacement: Replacement) -> SizedTable {
        SizedTable::with_buckets(1, 1, replacement).unwrap()
    }

    fn depths(table: &SizedTable, keys: &[u64]) -> Vec<Option<u16>> {
        keys.iter().map(|&key| table.probe(key).map(|entry| entry.depth)).collect()
    }

    #[test]
    fn two_deep_keeps_the_deepest_and_the_newest() {
        let table = tiny(Replacement::TwoDeep);
        for (key, depth) in [(2, 5), (4, 3), (6, 4)] {
            table.store(key, entry(depth, 1));
        }
        assert_eq!(depths(&table, &[2, 4, 6]), [Some(5), None, Some(4)]);
        table.store(8, entry(5, 1));
        assert_eq!(depths(&table, &[2, 6, 8]), [Some(5), None, Some(5)], "an equal depth moves the older one down");
    }

    #[test]
    fn two_big_keeps_the_larger_subtree() {
        let table = tiny(Replacement::TwoBig);
        for (key, nodes) in [(2, 500), (4, 30), (6, 40)] {
            table.store(key, entry(1, nodes));
        }
        assert_eq!(depths(&table, &[2, 4, 6]), [Some(1), None, Some(1)]);
    }

    #[test]
    fn always_replaces_and_depth_preferred_keeps_the_deeper() {
        let always = tiny(Replacement::Always);
        always.store(2, entry(5, 1));
        always.store(4, entry(3, 1));
        assert_eq!(depths(&always, &[2, 4]), [None, Some(3)]);
        let deep = tiny(Replacement::DepthPreferred);
        deep.store(2, entry(5, 1));
        deep.store(4, entry(3, 1));
        assert_eq!(depths(&deep, &[2, 4]), [Some(5), None]);
        deep.store(2, entry(1, 1));
        assert_eq!(depths(&deep, &[2]), [Some(1)], "a new result for the same position always replaces");
    }

    #[test]
    fn key_zero_is_absent_from_an_empty_table() {
        assert_eq!(tiny(Replacement::TwoDeep).probe(0), None);
    }

    #[test]
    fn a_table_keeps_what_it_holds_when_it_grows() {
        let mut table = SizedTable::with_buckets(64, 2048, Replacement::TwoDeep).unwrap();
        (0..90).for_each(|i| table.store(splitmix64(i), entry(i as u16, 1)));
        let found: Vec<Option<Entry>> = (0..90).map(|i| table.probe(splitmix64(i))).collect();
        for (entries, capacity) in [(200, 128), (512, 512), (1 << 30, 4096), (1 << 40, 4096)] {
            table.grow(entries);
            assert_eq!(table.capacity(), capacity);
            assert_eq!((0..90).map(|i| table.probe(splitmix64(i))).collect::<Vec<_>>(), found);
        }
    }

    #[test]
    fn a_large_table_is_made_in_no_time() {
        let begin = std::time::Instant::now();
        let table = SizedTable::new(1024, Replacement::TwoDeep).unwrap();
        assert!(begin.elapsed().as_millis() < 200 && table.capacity() > 30_000_000);
    }

    #[test]
    fn a_table_too_large_for_any_machine_is_refused() {
        assert!(SizedTable::new(usize::MAX >> 21, Replacement::TwoDeep).is_none());
    }

    #[test]
    fn threads_never_read_an_entry_that_nobody_wrote() {
        let table = SizedTable::with_buckets(2, 2, Replacement::TwoDeep).unwrap();
        // every word of an entry is a function of its key, so a mixture of two entries would show
        let made = |key: u64| Entry {
            lower: splitmix64(key) as Score,
            upper: splitmix64(!key) as Score,
            depth: key as u16 & 7,
            ended: key & 8 != 0,
            mv: Some(splitmix64(key ^ 0x63)),
            nodes: splitmix64(key ^ 0x7) as u32,
        };
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let table = &table;
                scope.spawn(move || {
                    for i in 0..200_000u64 {
                        let key = splitmix64((i * 7 + thread) % 64);
                        if let Some(found) = table.probe(key) {
                            assert_eq!(found, made(key));
                        }
                        table.store(key, made(key));
                    }
                });
            }
        });
    }

    proptest! {
        #[test]
        fn what_is_stored_is_found(key: u64, lower: i32, upper: i32, depth: u16, ended: bool, mv: Option<u64>, nodes: u32) {
            let stored = Entry { lower, upper, depth, ended, mv, nodes };
            for scheme in [Replacement::TwoDeep, Replacement::Always, Replacement::DepthPreferred, Replacement::TwoBig] {
                let table = SizedTable::new(1, scheme).unwrap();
                table.store(key, stored);
                prop_assert_eq!(table.probe(key), Some(stored));
            }
            let exact = ExactTable::new();
            exact.store(key, stored);
            prop_assert_eq!(exact.probe(key), Some(stored));
        }
    }
}
