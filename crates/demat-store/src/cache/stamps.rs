//! Change counters by reference.

use core::hash::{BuildHasher, Hasher as _};
use core::sync::atomic::{AtomicU64, Ordering};
use demat_core::Result;
use std::hash::RandomState;

/// Counts changes in a fixed number of counters, by a hash of the reference. A change may count for other references as
/// well, but none is missed.
///
/// A cached value is affected by changes below its reference, and by changes of a whole value above it. So each change
/// increments *within* for every reference on its path, and *whole* for its own. The stamp of a reference is the sum of
/// the counters that affect it. Counters only grow, so equal sums mean equal counters.
#[derive(Debug)]
pub(super) struct Stamps {
    within: Box<[AtomicU64]>,
    whole: Box<[AtomicU64]>,
    hashes: RandomState,
}

/// The number of counters of each kind.
const COUNTERS: usize = 1024;

impl Stamps {
    pub(super) fn new() -> Self {
        let counters = || (0..COUNTERS).map(|_| AtomicU64::new(0)).collect();
        Self { within: counters(), whole: counters(), hashes: RandomState::new() }
    }

    /// Returns the counters of the references on the path to this one, from the root on.
    fn way<'s>(&'s self, at: &'s [String]) -> impl Iterator<Item = usize> + 's {
        let mut hasher = self.hashes.build_hasher();
        let slot = |hash: u64| (hash % COUNTERS as u64) as usize;
        let root = slot(hasher.finish());
        let below = at.iter().map(move |name| {
            hasher.write_usize(name.len());
            hasher.write(name.as_bytes());
            slot(hasher.finish())
        });
        core::iter::once(root).chain(below)
    }

    /// Returns the stamp of a reference. It changes with each change that affects the reference.
    pub(super) fn of(&self, at: &[String]) -> u64 {
        let mut sum = 0;
        for (index, slot) in self.way(at).enumerate() {
            let counters = if index == at.len() { &self.within } else { &self.whole };
            sum += counters[slot].load(Ordering::SeqCst);
        }
        sum
    }

    /// Counts a change.
    pub(super) fn changed(&self, at: &[String]) {
        for (index, slot) in self.way(at).enumerate() {
            self.within[slot].fetch_add(1, Ordering::SeqCst);
            if index == at.len() {
                self.whole[slot].fetch_add(1, Ordering::SeqCst);
            }
        }
    }

    /// Performs a change and counts it, whether it succeeds or not.
    pub(super) fn during<T>(&self, at: &[String], act: impl FnOnce() -> Result<T>) -> Result<T> {
        let done = act();
        self.changed(at);
        done
    }
}

#[cfg(test)]
mod tests {
    use super::Stamps;
    use crate::Reference;

    #[test]
    fn what_matters_to_a_reference_is_what_is_within_and_what_is_around() {
        let at = |text: &str| text.parse::<Reference>().unwrap();
        let stamps = Stamps::new();
        for (changed, seen, matters) in [
            ("/a/b", "/a/b", true),
            ("/a/b", "/a", true),
            ("/a/b", "/", true),
            ("/a/b", "/a/b/c/d", true),
            ("/", "/a/b", true),
            ("/a", "/a/b/c", true),
            ("/a/b", "/a/c", false),
            ("/a/b", "/b", false),
            ("/ab", "/a/b", false),
        ] {
            let before = stamps.of(&at(seen));
            stamps.changed(&at(changed));
            // Two references may share a counter, so a stamp may change more often than necessary.
            let other = stamps.of(&at(seen)) != before;
            assert!(other || !matters, "{changed} {seen}");
            if other && !matters {
                assert!(stamps.way(&at(changed)).any(|one| stamps.way(&at(seen)).any(|own| own == one)));
            }
        }
    }
}
