//! The positions that a search has entered.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};

use super::TableSize;
use crate::NotSupported;

/// Keys are random already.
#[derive(Default)]
pub(super) struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0 << 8 | u64::from(byte);
        }
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

pub(super) type Keys = HashSet<u64, BuildHasherDefault<AsItIs>>;

/// What a key takes in a hash set, which is half empty after it has grown.
pub(super) const KEY_BYTES: usize = 20;

/// The table of a search.
pub(super) enum Met {
    None,
    /// One key an entry; 0 is none.
    Entries(Vec<u64>),
    Exact(Keys),
}

impl Met {
    pub(super) fn new(table: TableSize, memory_mb: usize) -> Result<Self, NotSupported> {
        Ok(match table {
            TableSize::None => Self::None,
            TableSize::Exact => Self::Exact(Keys::default()),
            TableSize::Entries(entries) => {
                let megabytes = entries.div_ceil((1 << 20) / size_of::<u64>());
                if megabytes > memory_mb {
                    return Err(NotSupported(format!(
                        "a table of {entries} entries takes {megabytes} MB and memory_mb allows {memory_mb}: raise memory_mb or lower table"
                    )));
                }
                let mut keys = Vec::new();
                let room = keys.try_reserve_exact(entries);
                room.map_err(|_| {
                    NotSupported(format!("this machine cannot give a table of {megabytes} MB: lower table"))
                })?;
                keys.resize(entries, 0);
                Self::Entries(keys)
            }
        })
    }

    pub(super) fn is_some(&self) -> bool {
        !matches!(self, Self::None)
    }

    /// Whether the key is there; it is afterwards.
    #[inline]
    pub(super) fn meet(&mut self, key: u64) -> bool {
        match self {
            Self::None => false,
            Self::Entries(keys) => {
                let key = key.max(1);
                // the high bits choose the entry, whatever the number of entries
                let at = ((u128::from(key) * keys.len() as u128) >> 64) as usize;
                std::mem::replace(&mut keys[at], key) == key
            }
            Self::Exact(keys) => !keys.insert(key),
        }
    }

    /// Whether it takes more memory the more it keeps.
    #[inline(always)]
    pub(super) fn grows(&self) -> bool {
        matches!(self, Self::Exact(_))
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Entries(keys) => keys.len() * size_of::<u64>(),
            Self::Exact(keys) => keys.len() * KEY_BYTES,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_keeps_the_newest_key() {
        let mut one = Met::new(TableSize::Entries(1), 1).unwrap();
        assert!(!one.meet(5) && one.meet(5) && !one.meet(6) && !one.meet(5));
        assert!(!one.meet(0) && one.meet(0));
    }

    #[test]
    fn an_exact_table_forgets_nothing() {
        let mut exact = Met::new(TableSize::Exact, 1).unwrap();
        assert!((0..1000).all(|key| !exact.meet(key)) && (0..1000).all(|key| exact.meet(key)));
    }

    #[test]
    fn a_table_beyond_the_memory_is_refused() {
        assert!(Met::new(TableSize::Entries(1 << 18), 1).is_err() && Met::new(TableSize::Entries(1 << 17), 1).is_ok());
    }
}
