/// The set of fields that were present in a record.
#[derive(Debug, Default)]
pub(super) struct Seen {
    few: u64,
    /// The bits of fields after the first 64; empty for most records.
    more: Vec<u64>,
}

impl Seen {
    /// Adds a field; returns whether it was in the set before.
    #[inline(always)]
    pub(super) fn insert(&mut self, index: usize) -> bool {
        if index < 64 {
            let before = self.few >> index & 1 == 1;
            self.few |= 1 << index;
            return before;
        }
        self.insert_more(index - 64)
    }

    #[inline(never)]
    fn insert_more(&mut self, index: usize) -> bool {
        let (word, bit) = (index / 64, index % 64);
        if self.more.len() <= word {
            self.more.resize(word + 1, 0);
        }
        let before = self.more[word] >> bit & 1 == 1;
        self.more[word] |= 1 << bit;
        before
    }

    /// Returns whether a field is in the set.
    #[inline]
    pub(super) fn has(&self, index: usize) -> bool {
        if index < 64 {
            return self.few >> index & 1 == 1;
        }
        let index = index - 64;
        self.more.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }
}
