//! Unpacked blocks, shared by threads without locks.
//!
//! A slot holds the words of one block under a tag: the number of the block and a count of changes, odd while somebody writes. Whoever reads looks at
//! the tag before and after, and what was changed in between is read again from the file. All words are atomic, so that a torn read is a
//! wrong value that is thrown away and never undefined.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering, fence};

use super::format::BLOCK;

/// Words of 64 bits in a block.
pub const WORDS: usize = BLOCK / 8;

const NOWHERE: u32 = u32::MAX;

/// A cache of unpacked blocks. One that is not full takes only the memory that it uses.
pub struct Cache {
    /// The slot that each block was put into last.
    slot_of: Box<[AtomicU32]>,
    tags: Box<[AtomicU64]>,
    /// Whether a slot was read since the hand of the clock passed it.
    used: Box<[AtomicBool]>,
    words: Box<[AtomicU64]>,
    hand: AtomicUsize,
}

/// The number of a block in a tag; 0 is nobody's.
fn owner(tag: u64) -> u64 {
    tag >> 32
}

fn zeroed<T: bytemuck::Zeroable>(count: usize) -> Box<[T]> {
    bytemuck::zeroed_slice_box(count)
}

impl Cache {
    /// A cache of so many bytes for so many blocks.
    pub fn new(bytes: usize, blocks: usize) -> Self {
        let slots = (bytes / BLOCK).clamp(1, blocks.max(1));
        let slot_of: Box<[AtomicU32]> = zeroed(blocks);
        slot_of.iter().for_each(|slot| slot.store(NOWHERE, Ordering::Relaxed));
        Self {
            slot_of,
            tags: zeroed(slots),
            used: zeroed(slots),
            words: zeroed(slots * WORDS),
            hand: AtomicUsize::new(0),
        }
    }

    /// A word of a block, if the block is here.
    #[inline(always)]
    pub fn word(&self, block: usize, word: usize) -> Option<u64> {
        let slot = self.slot_of[block].load(Ordering::Relaxed);
        if slot == NOWHERE {
            return None;
        }
        let slot = slot as usize;
        let tag = self.tags[slot].load(Ordering::Acquire);
        if owner(tag) != block as u64 + 1 || tag & 1 == 1 {
            return None;
        }
        let found = self.words[slot * WORDS + word].load(Ordering::Relaxed);
        // the word was read before the tag is read again
        fence(Ordering::Acquire);
        if self.tags[slot].load(Ordering::Relaxed) != tag {
            return None;
        }
        if !self.used[slot].load(Ordering::Relaxed) {
            self.used[slot].store(true, Ordering::Relaxed);
        }
        Some(found)
    }

    /// Puts a block in the place of one that was not read for a while. Does nothing while others write everywhere.
    pub fn put(&self, block: usize, bytes: &[u8]) {
        for _ in 0..2 * self.tags.len() {
            let slot = self.hand.fetch_add(1, Ordering::Relaxed) % self.tags.len();
            if self.used[slot].swap(false, Ordering::Relaxed) {
                continue;
            }
            let old = self.tags[slot].load(Ordering::Relaxed);
            // the count of changes has 32 bits: it comes back to the same only after two thousand million writes during one read
            let writing = ((block as u64 + 1) << 32) | u64::from((old as u32).wrapping_add(1) | 1);
            if old & 1 == 1
                || self.tags[slot].compare_exchange(old, writing, Ordering::Acquire, Ordering::Relaxed).is_err()
            {
                continue;
            }
            // who reads one of the words below sees the tag above, too
            fence(Ordering::Release);
            let words = &self.words[slot * WORDS..(slot + 1) * WORDS];
            for (word, bytes) in words.iter().zip(bytes.chunks(8)) {
                let mut full = [0; 8];
                full[..bytes.len()].copy_from_slice(bytes);
                word.store(u64::from_le_bytes(full), Ordering::Relaxed);
            }
            let written = (writing & !u64::from(u32::MAX)) | u64::from((writing as u32).wrapping_add(1));
            self.tags[slot].store(written, Ordering::Release);
            self.slot_of[block].store(slot as u32, Ordering::Relaxed);
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kibitz_game::Random;

    /// The word that block and place have in these tests.
    fn truth(block: usize, word: usize) -> u64 {
        kibitz_game::mix(block as u64, word as u64)
    }

    fn bytes(block: usize) -> Vec<u8> {
        (0..WORDS).flat_map(|word| truth(block, word).to_le_bytes()).collect()
    }

    #[test]
    fn a_block_is_found_until_others_take_its_place() {
        let cache = Cache::new(4 * BLOCK, 100);
        assert_eq!(cache.word(7, 3), None);
        cache.put(7, &bytes(7));
        assert_eq!(cache.word(7, 3), Some(truth(7, 3)));
        for block in 20..40 {
            cache.put(block, &bytes(block));
        }
        assert_eq!(cache.word(7, 3), None);
        assert_eq!(cache.word(39, WORDS - 1), Some(truth(39, WORDS - 1)));
    }

    #[test]
    fn a_block_that_is_read_stays_longer_than_one_that_is_not() {
        let cache = Cache::new(4 * BLOCK, 100);
        cache.put(7, &bytes(7));
        for block in 20..40 {
            assert_eq!(cache.word(7, 0), Some(truth(7, 0)), "before block {block}");
            cache.put(block, &bytes(block));
        }
    }

    #[test]
    fn threads_never_read_a_word_of_another_block() {
        let cache = Cache::new(3 * BLOCK, 12);
        std::thread::scope(|scope| {
            for seed in 0..4 {
                let cache = &cache;
                scope.spawn(move || {
                    let mut random = Random::new(seed);
                    let mut found = 0u32;
                    for _ in 0..20_000 {
                        let (block, word) = (random.below(12), random.below(WORDS));
                        match cache.word(block, word) {
                            Some(read) => {
                                assert_eq!(read, truth(block, word));
                                found += 1;
                            }
                            None => cache.put(block, &bytes(block)),
                        }
                    }
                    assert!(found > 0, "the cache was of some use");
                });
            }
        });
    }
}
