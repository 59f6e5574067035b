//! Hashes of short texts, fast and keyed at random, so that no input can be made of texts with equal hashes.

use core::hash::{BuildHasher, Hasher};
use std::hash::RandomState;

/// A key of hashes, and the maker of their hashers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeyedHash(u64);

impl KeyedHash {
    /// Returns a random key.
    pub(crate) fn new() -> Self {
        Self(RandomState::new().hash_one(0_u8))
    }

    /// Returns the hash of a number, and of what kind it is.
    #[inline]
    pub(crate) fn number(self, kind: u64, number: u64) -> u64 {
        fold(self.0 ^ number, FACTOR ^ kind)
    }

    /// Returns the hash of bytes.
    #[inline]
    pub(crate) fn bytes(self, bytes: &[u8]) -> u64 {
        let (words, rest) = bytes.as_chunks::<8>();
        let mut state = fold(self.0 ^ bytes.len() as u64, FACTOR);
        for word in words {
            state = fold(state ^ u64::from_le_bytes(*word), self.0 | 1);
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        fold(state ^ u64::from_le_bytes(last), self.0 | 1)
    }
}

/// An odd number with about as many ones as zeros.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// Multiplies, and combines both halves of the product.
#[inline]
fn fold(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    (product >> 64) as u64 ^ product as u64
}

impl BuildHasher for KeyedHash {
    type Hasher = Hashed;

    #[inline]
    fn build_hasher(&self) -> Hashed {
        Hashed { key: *self, state: 0 }
    }
}

/// The hasher of one value.
#[derive(Debug)]
pub(crate) struct Hashed {
    key: KeyedHash,
    state: u64,
}

impl Hasher for Hashed {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.state = self.key.number(self.state, self.key.bytes(bytes));
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.state = self.key.number(self.state, number as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.state
    }
}

#[cfg(test)]
mod tests {
    use super::KeyedHash;
    use std::collections::HashSet;
    use std::hash::BuildHasher;

    #[test]
    fn other_texts_have_other_hashes_and_other_keys_too() {
        let (one, other) = (KeyedHash::new(), KeyedHash::new());
        let texts: Vec<String> = (0..5000).map(|at| "x".repeat(at % 23) + &at.to_string()).collect();
        let hashes: HashSet<u64> = texts.iter().map(|text| one.bytes(text.as_bytes())).collect();
        assert_eq!(hashes.len(), texts.len());
        assert!(texts.iter().filter(|text| one.bytes(text.as_bytes()) == other.bytes(text.as_bytes())).count() < 3);
        let found: HashSet<u64> = texts.iter().map(|text| one.hash_one(text.as_bytes())).collect();
        assert_eq!(found.len(), texts.len());
    }

    #[test]
    fn bits_of_indices_are_spread() {
        let key = KeyedHash::new();
        let low: HashSet<u64> = (0..256_u64).map(|number| key.number(1, number) & 0xffff).collect();
        assert!(low.len() > 200, "{}", low.len());
    }
}
