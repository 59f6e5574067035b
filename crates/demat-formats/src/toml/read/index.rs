//! The values of large tables by their keys.

use super::table::Id;
use crate::keyed_hash::KeyedHash;
use std::collections::HashMap;

/// Values by the hashes of their tables and keys. It makes its key for hashes at the first use, so small documents do
/// not.
#[derive(Debug, Default)]
pub(super) struct Index {
    key: Option<KeyedHash>,
    /// The first value of each hash. The hashes have a random key, so they hardly ever collide.
    first: HashMap<u64, Id, Same>,
    /// The other values.
    more: Vec<(u64, Id)>,
}

impl Index {
    pub(super) fn hash(&mut self, table: Id, key: &[u8]) -> u64 {
        let hash = *self.key.get_or_insert_with(KeyedHash::new);
        hash.number(hash.bytes(key), table as u64)
    }

    pub(super) fn insert(&mut self, hash: u64, id: Id) {
        let first = *self.first.entry(hash).or_insert(id);
        if first != id {
            self.more.push((hash, id));
        }
    }

    /// Returns the value with this hash that `is_wanted`.
    pub(super) fn find(&self, hash: u64, is_wanted: impl Fn(Id) -> bool) -> Option<Id> {
        let first = *self.first.get(&hash)?;
        if is_wanted(first) {
            return Some(first);
        }
        let others = self.more.iter().filter(|(other, _)| *other == hash);
        others.map(|(_, id)| *id).find(|id| is_wanted(*id))
    }
}

/// The hash of a hash: itself.
type Same = core::hash::BuildHasherDefault<SameHasher>;

#[derive(Debug, Default)]
pub(super) struct SameHasher(u64);

impl core::hash::Hasher for SameHasher {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |all, byte| all << 8 | u64::from(*byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Index;

    #[test]
    fn values_of_one_hash_are_told_apart() {
        let mut index = Index::default();
        for id in 1..4 {
            index.insert(7, id);
        }
        for id in 1..4 {
            assert_eq!(index.find(7, |found| found == id), Some(id));
        }
        assert_eq!(index.find(7, |found| found == 4), None);
        assert_eq!(index.find(8, |_| true), None);
        assert_ne!(index.hash(1, b"a"), index.hash(2, b"a"));
        assert_ne!(index.hash(1, b"a"), index.hash(1, b"b"));
    }
}
