//! Keys of positions.

/// The i-th output of the generator `SplitMix64`: a bijection of the 64-bit numbers that looks random.
///
/// ```
/// // the leaves of the random tree with seed 0
/// let leaves: Vec<u64> = (0..8).map(|i| kibitz_game::splitmix64(i) % 81).collect();
/// assert_eq!(leaves, [7, 27, 64, 61, 22, 39, 23, 8]);
/// ```
#[inline(always)]
pub const fn splitmix64(i: u64) -> u64 {
    scramble(i.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// The bijection behind [`splitmix64`], without its first multiplication.
#[inline(always)]
pub(crate) const fn scramble(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A key of two words; for a fixed `a` it is a bijection of `b`. For positions that are a handful of bitboards this is
/// cheaper than keeping a Zobrist key up to date.
#[inline(always)]
pub const fn mix(a: u64, b: u64) -> u64 {
    scramble(splitmix64(a) ^ b)
}

/// A key of a text.
pub fn key_of_text(text: &str) -> u64 {
    text.as_bytes().chunks(8).fold(text.len() as u64, |key, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        mix(key, u64::from_le_bytes(word))
    })
}

/// One random word for each square and kind of piece (Zobrist 1970): the key of a board is the exclusive or of the words of
/// what stands on it, so a move changes it by a few operations.
#[derive(Clone, Copy, Debug)]
pub struct Zobrist {
    salt: u64,
}

impl Zobrist {
    /// The words of a game; different salts give unrelated words.
    pub const fn new(salt: u64) -> Self {
        Self { salt: splitmix64(salt) }
    }

    /// The word for a piece of kind `piece` on `square`.
    #[inline(always)]
    pub const fn word(&self, piece: usize, square: usize) -> u64 {
        splitmix64(self.salt ^ ((piece as u64) << 32 | square as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn words_of_pieces_and_squares_are_all_different() {
        let zobrist = Zobrist::new(3);
        let words: HashSet<u64> = (0..12).flat_map(|p| (0..256).map(move |s| zobrist.word(p, s))).collect();
        assert_eq!(words.len(), 12 * 256);
    }

    #[test]
    fn mix_tells_neighbouring_words_apart() {
        let keys: HashSet<u64> = (0..300u64).flat_map(|a| (0..300u64).map(move |b| mix(a, b))).collect();
        assert_eq!(keys.len(), 90_000);
    }
}
