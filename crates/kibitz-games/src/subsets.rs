//! Numbers for the subsets of a small set: the colexicographic rank, which orders subsets of one size as their bits order
//! numbers.

/// `BINOMIALS[n][k]` is the number of ways to choose `k` of `n`.
const BINOMIALS: [[u32; 5]; 17] = {
    let mut table = [[0; 5]; 17];
    let mut n = 0;
    while n < 17 {
        table[n][0] = 1;
        let mut k = 1;
        while k < 5 {
            if n > 0 {
                table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
            }
            k += 1;
        }
        n += 1;
    }
    table
};

/// The number of subsets of `size` (at most 4) of `n` (at most 16).
pub(crate) const fn subsets(n: u32, size: u32) -> u32 {
    BINOMIALS[n as usize][size as usize]
}

/// The number of subsets of the same size that come before this one, which has at most four members.
#[inline(always)]
pub(crate) fn rank(set: u16) -> u32 {
    let (mut left, mut rank, mut member) = (set, 0, 1);
    while left != 0 {
        rank += BINOMIALS[left.trailing_zeros() as usize & 15][member.min(4)];
        left &= left - 1;
        member += 1;
    }
    rank
}

/// The subset of `size` members with this rank.
pub(crate) fn unrank(rank: u32, size: u32) -> u16 {
    let (mut rank, mut set) = (rank, 0);
    for size in (1..=size as usize).rev() {
        let member = (0..16).rev().find(|&member| BINOMIALS[member][size] <= rank).unwrap_or(0);
        rank -= BINOMIALS[member][size];
        set |= 1 << member;
    }
    set
}

/// The members of a set by their places among the members of another that it is part of.
#[inline(always)]
pub(crate) fn packed(set: u16, among: u16) -> u16 {
    let (mut left, mut place, mut packed) = (among, 0, 0);
    while left != 0 {
        let member = left & left.wrapping_neg();
        packed |= u16::from(set & member != 0) << place;
        left ^= member;
        place += 1;
    }
    packed
}

/// The set that [`packed`] has packed.
#[inline(always)]
pub(crate) fn unpacked(packed: u16, among: u16) -> u16 {
    let (mut left, mut place, mut set) = (among, 0, 0);
    while left != 0 {
        let member = left & left.wrapping_neg();
        if packed >> place & 1 != 0 {
            set |= member;
        }
        left ^= member;
        place += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_count_the_subsets_in_the_order_of_their_bits() {
        for size in 1..=4 {
            let sets = (0..=u16::MAX).filter(|set| set.count_ones() == size);
            let mut count = 0;
            for (expected, set) in sets.enumerate() {
                assert_eq!((rank(set), unrank(rank(set), size)), (expected as u32, set));
                count += 1;
            }
            assert_eq!(count, subsets(16, size));
        }
    }

    #[test]
    fn sets_are_packed_and_unpacked() {
        assert_eq!(packed(0b1010_0000, 0b1111_0001), 0b1_0100);
        for set in [0, 0b1000, 0b1111_0001, 0b0101_0000] {
            assert_eq!(unpacked(packed(set, 0b1111_1001), 0b1111_1001), set & 0b1111_1001);
        }
    }
}
