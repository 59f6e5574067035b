use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// What is known of the parts of an input while they are read.
///
/// The starts of all parts but the first are guesses. A part is right if it begins exactly where one that is right ended,
/// and the first one is right. A part that begins within another is not read on, once that other one is known to be
/// right. Before that, nobody can tell which of the two is.
#[derive(Debug)]
pub(super) struct Chain {
    links: Mutex<Vec<Link>>,
    /// Whether to stop reading each part. Nothing else depends on it, so it needs no order in memory.
    dropped: Vec<AtomicBool>,
}

#[derive(Debug, Clone, Copy)]
struct Link {
    /// Whether the part is known to be right.
    right: bool,
    /// The first part whose start the reader of this one has not passed.
    next: usize,
    /// Whether the part is read, up to exactly the start of `next`.
    ended: bool,
}

impl Chain {
    /// Returns the chain of so many parts.
    pub(super) fn new(parts: usize) -> Self {
        let links = (0..parts).map(|part| Link { right: part == 0, next: part + 1, ended: false }).collect();
        Self { links: Mutex::new(links), dropped: (0..parts).map(|_| AtomicBool::new(false)).collect() }
    }

    /// Returns whether the part is not worth reading on: one that is right contains its start, or all after it.
    pub(super) fn is_dropped(&self, part: usize) -> bool {
        self.dropped[part].load(Ordering::Relaxed)
    }

    /// Notes that the reader of a part has passed the starts of the parts before `next`.
    pub(super) fn passes(&self, part: usize, next: usize) {
        self.note(part, next, false);
    }

    /// Notes that a part ended exactly where `next` begins; the number of parts stands for the end of the input.
    pub(super) fn ends(&self, part: usize, next: usize) {
        self.note(part, next, true);
    }

    /// Notes that no later part matters if this one is right: it failed, or its input has ended.
    pub(super) fn is_last(&self, part: usize) {
        self.note(part, self.dropped.len(), true);
    }

    fn note(&self, part: usize, next: usize, ended: bool) {
        // What holds the lock can't panic; and if it did, the links would still be what was noted.
        let mut links = self.links.lock().unwrap_or_else(PoisonError::into_inner);
        let link = &mut links[part];
        (link.next, link.ended) = (next, ended);
        let mut at = part;
        while let Some(link) = links.get(at).copied().filter(|link| link.right) {
            for dropped in &self.dropped[at + 1..link.next] {
                dropped.store(true, Ordering::Relaxed);
            }
            if !link.ended {
                return;
            }
            at = link.next;
            if let Some(next) = links.get_mut(at) {
                next.right = true;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Chain;

    fn dropped(chain: &Chain) -> Vec<bool> {
        (0..chain.dropped.len()).map(|part| chain.is_dropped(part)).collect()
    }

    #[test]
    fn only_a_part_that_is_right_drops_others() {
        let chain = Chain::new(4);
        // The second part may begin anywhere, and so may all that it passes.
        chain.passes(1, 3);
        chain.is_last(1);
        assert_eq!(dropped(&chain), [false; 4]);
        // The first one passes it, and ends where the third begins.
        chain.passes(0, 2);
        assert_eq!(dropped(&chain), [false, true, false, false]);
        chain.ends(0, 2);
        assert_eq!(dropped(&chain), [false, true, false, false]);
        chain.passes(2, 4);
        assert_eq!(dropped(&chain), [false, true, false, true]);
    }

    #[test]
    fn what_was_read_before_counts_once_it_is_right() {
        let chain = Chain::new(5);
        chain.ends(2, 4);
        chain.ends(1, 2);
        chain.is_last(4);
        assert_eq!(dropped(&chain), [false; 5]);
        chain.ends(0, 1);
        assert_eq!(dropped(&chain), [false, false, false, true, false]);
    }

    #[test]
    fn a_failure_drops_what_follows_if_it_is_right() {
        let chain = Chain::new(3);
        chain.is_last(0);
        assert_eq!(dropped(&chain), [false, true, true]);
    }
}
