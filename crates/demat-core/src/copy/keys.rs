use std::collections::HashSet;
use std::hash::{BuildHasher, BuildHasherDefault, Hasher, RandomState};

/// The keys of all open maps, to detect repeated ones; and the current keys, for error paths.
///
/// Only hashes are kept: a false positive (one in 2^64 per pair) costs a second pass and changes nothing. The hash has
/// a random seed per copy, so that nobody can prepare colliding keys.
#[derive(Debug)]
pub(super) struct Keys {
    seed: u64,
    /// The hashes of the keys of all open maps, outermost first.
    hashes: Vec<u64>,
    /// The current keys of all open maps, outermost first.
    names: String,
    /// For maps with more than [`FEW`] keys: the start of their hashes, and the hashes as a set.
    large: Vec<(usize, HashSet<u64, BuildHasherDefault<Hashed>>)>,
}

/// A hasher that passes a hash through.
#[derive(Debug, Default)]
struct Hashed(u64);

impl Hasher for Hashed {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0 << 8 | u64::from(*byte);
        }
    }
    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

/// The start of the keys and the name of an open map.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct KeyMark {
    hashes: usize,
    pub(super) names: usize,
}

/// Above this number of keys, a set is faster than a linear search.
const FEW: usize = 64;

impl Default for Keys {
    fn default() -> Self {
        let seed = RandomState::new().hash_one(0u8);
        Self { seed, hashes: Vec::new(), names: String::new(), large: Vec::new() }
    }
}

impl Keys {
    /// Returns a mark of the current position: for a new map, or for [`restore`](Self::restore).
    pub(super) fn here(&self) -> KeyMark {
        KeyMark { hashes: self.hashes.len(), names: self.names.len() }
    }

    /// Removes all maps that began at this mark or later.
    pub(super) fn leave(&mut self, at: KeyMark) {
        self.large.truncate(self.large.partition_point(|large| large.0 < at.hashes));
        self.hashes.truncate(at.hashes);
        // The innermost name may have been replaced since then, so that a character spans this point. The rest of it is
        // meaningless; the next key replaces it.
        let mut end = at.names.min(self.names.len());
        while !self.names.is_char_boundary(end) {
            end -= 1;
        }
        self.names.truncate(end);
    }

    /// Removes all keys since this mark, also those of maps that began earlier.
    pub(super) fn restore(&mut self, at: KeyMark) {
        let late = self.hashes.get(at.hashes..).unwrap_or(&[]);
        for (start, set) in &mut self.large {
            if *start < at.hashes {
                for hash in late {
                    set.remove(hash);
                }
            }
        }
        self.leave(at);
        // With so few keys left, they are compared one by one again, and the set would miss keys that are added that
        // way.
        let left = self.hashes.len();
        self.large.retain(|large| left - large.0 > FEW);
    }

    /// Adds the next key of the innermost map, which began at this mark. Returns `false` if the key repeats.
    #[inline]
    pub(super) fn insert(&mut self, at: KeyMark, key: &str) -> bool {
        self.insert_seeded(at, key, self.seed)
    }

    /// As [`insert`](Self::insert), for a key that is no text. One that reads the same as a text is another key.
    #[inline(never)]
    pub(super) fn insert_other(&mut self, at: KeyMark, key: &str) -> bool {
        self.insert_seeded(at, key, !self.seed)
    }

    #[inline(always)]
    fn insert_seeded(&mut self, at: KeyMark, key: &str, seed: u64) -> bool {
        self.names.truncate(at.names);
        self.names.push_str(key);
        let hash = hash(seed, key.as_bytes());
        let own = &self.hashes[at.hashes..];
        if own.len() <= FEW {
            if own.contains(&hash) {
                return false;
            }
            self.hashes.push(hash);
            return true;
        }
        self.insert_large(at, hash)
    }

    #[inline(never)]
    fn insert_large(&mut self, at: KeyMark, hash: u64) -> bool {
        if self.large.last().is_none_or(|large| large.0 != at.hashes) {
            self.large.push((at.hashes, self.hashes[at.hashes..].iter().copied().collect()));
        }
        let news = self.large.last_mut().is_some_and(|large| large.1.insert(hash));
        if news {
            self.hashes.push(hash);
        }
        news
    }

    /// Clears the current key of a map: it has no text.
    pub(super) fn unnamed(&mut self, at: KeyMark) {
        self.names.truncate(at.names);
    }

    /// Returns the current key of the map that began at this mark. `end` is where the key of the next inner map begins.
    pub(super) fn name(&self, at: KeyMark, end: usize) -> &str {
        self.names.get(at.names..end).unwrap_or("")
    }

    /// Returns the end of the innermost name.
    pub(super) fn names_end(&self) -> usize {
        self.names.len()
    }
}

/// Multiply-and-fold over words, as in the wyhash family: a few cycles for short keys.
#[inline]
fn hash(seed: u64, bytes: &[u8]) -> u64 {
    const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
    let fold = |a: u64, b: u64| {
        let wide = u128::from(a) * u128::from(b);
        (wide as u64) ^ ((wide >> 64) as u64)
    };
    let mut state = seed;
    let (words, rest) = bytes.as_chunks::<8>();
    for word in words {
        state = fold(state ^ u64::from_le_bytes(*word), MIX ^ seed);
    }
    let tail = rest.iter().rev().fold(0u64, |tail, byte| tail << 8 | u64::from(*byte));
    // The length goes in last. Mixed in first, it could be cancelled out by the first word, whatever the seed.
    fold(fold(state ^ tail, MIX ^ seed) ^ bytes.len() as u64, seed | 1)
}

#[cfg(test)]
mod tests {
    use super::{FEW, Keys};

    #[test]
    fn no_two_keys_collide_whatever_the_seed() {
        // When the length was mixed in with the first word, the first word of one key could cancel it out.
        const MIX: u64 = 0x9E37_79B9_7F4A_7C15;
        for (short, long) in (8..15u64).flat_map(|short| (short + 1..16).map(move |long| (short, long))) {
            let word = u64::from_le_bytes(*b"password");
            let mut one = word.to_le_bytes().to_vec();
            one.resize(short as usize, 0);
            let mut two = (word ^ short.wrapping_mul(MIX) ^ long.wrapping_mul(MIX)).to_le_bytes().to_vec();
            two.resize(long as usize, 0);
            for seed in [0, 1, 0x1234_5678_9ABC_DEF0, 0xFEDC_BA98_7654_3210] {
                assert_ne!(super::hash(seed, &one), super::hash(seed, &two), "{short} {long} {seed:x}");
            }
        }
    }

    #[test]
    fn a_set_is_given_up_with_the_keys_that_made_it_needed() {
        let mut keys = Keys::default();
        let at = keys.here();
        for i in 0..FEW - 4 {
            assert!(keys.insert(at, &i.to_string()));
        }
        let here = keys.here();
        for _ in 0..2 {
            for i in FEW - 4..FEW + 6 {
                assert!(keys.insert(at, &i.to_string()));
            }
            for i in 0..FEW + 6 {
                assert!(!keys.insert(at, &i.to_string()), "{i}");
            }
            keys.restore(here);
        }
    }

    #[test]
    fn a_name_that_was_replaced_by_a_longer_one_is_cut_at_a_character() {
        let mut keys = Keys::default();
        let at = keys.here();
        keys.insert(at, "a");
        let here = keys.here();
        keys.insert(at, "😀");
        keys.restore(here);
        assert!(keys.insert(at, "ä"));
        assert_eq!(keys.name(at, keys.names_end()), "ä");
    }

    #[test]
    fn repeats_are_noticed_in_small_and_large_maps_and_forgotten_on_restore() {
        for count in [1usize, 20, FEW - 1, FEW, FEW + 1, FEW + 2, 1000] {
            let mut keys = Keys::default();
            let at = keys.here();
            for i in 0..count {
                assert!(keys.insert(at, &i.to_string()), "{i} of {count}");
            }
            assert!(!keys.insert(at, "0"));
            let here = keys.here();
            for i in count..count + 50 {
                assert!(keys.insert(at, &i.to_string()));
            }
            keys.restore(here);
            for i in count..count + 50 {
                assert!(keys.insert(at, &i.to_string()), "forgotten key {i} of {count}");
            }
            assert!(!keys.insert(at, "0"));
            keys.leave(at);
            assert!(keys.insert(at, "0"));
        }
    }
}
