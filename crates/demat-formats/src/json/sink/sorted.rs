//! Sorts the keys of each container when it ends.

/// The entries of the open containers, and their positions in the output.
///
/// When a container ends, its entries are sorted by moving their bytes. Output that is committed within an open record
/// or map stays in memory until that ends; lists have no entries and hold nothing back.
///
/// A commit costs time for the output since the last one, not for all that is open. Each open container records how
/// much of it was committed, and each one that ended since then records its bytes before sorting.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    open: Vec<Open>,
    /// The number of open containers at the last commit.
    committed: usize,
    /// The index of the first container with entries since the last commit.
    touched: usize,
    /// Containers that were open at the last commit and have ended since; the outermost is last.
    ended: Vec<Ended>,
    /// The total number of entries in open containers.
    entries: usize,
    scratch: Vec<u8>,
}

#[derive(Debug, Default)]
struct Open {
    entries: Vec<Entry>,
    /// The number of entries at the last commit.
    committed: usize,
}

#[derive(Debug)]
struct Entry {
    key: String,
    start: usize,
}

#[derive(Debug)]
struct Ended {
    open: Open,
    /// The bytes of its committed entries, before sorting.
    bytes: Vec<u8>,
}

impl Sorter {
    pub(super) fn open(&mut self) {
        self.open.push(Open::default());
    }

    /// Begins an entry at `start`, which is its comma if it has one.
    pub(super) fn entry(&mut self, start: usize) {
        self.touched = self.touched.min(self.open.len().saturating_sub(1));
        if let Some(open) = self.open.last_mut() {
            open.entries.push(Entry { key: String::new(), start });
            self.entries += 1;
        }
    }

    /// Sets the key of the current entry, if the key is text.
    pub(super) fn key(&mut self, key: &str) {
        if let Some(entry) = self.open.last_mut().and_then(|open| open.entries.last_mut()) {
            entry.key.push_str(key);
        }
    }

    /// Sets the key of the current entry from the output. If the key is not text, its characters between the quotes
    /// have no escapes and are the key.
    pub(super) fn key_is_told(&mut self, buffer: &[u8]) {
        if let Some(entry) = self.open.last_mut().and_then(|open| open.entries.last_mut()).filter(|e| e.key.is_empty())
            && let Some(inner) = buffer.strip_suffix(b"\"")
            && let Some(quote) = memchr::memrchr(b'"', &inner[entry.start..])
        {
            let text = &inner[entry.start + quote + 1..];
            entry.key.push_str(core::str::from_utf8(text).unwrap_or_default());
        }
    }

    /// Ends the innermost container: sorts its entries. The first `committed` bytes of the output can no longer be
    /// rolled back.
    pub(super) fn close(&mut self, buffer: &mut Vec<u8>, committed: usize) {
        let Some(open) = self.open.pop() else { return };
        self.entries -= open.entries.len();
        let was_open = self.open.len() < self.committed - self.ended.len();
        let mut bytes = Vec::new();
        if !open.entries.is_sorted_by(|a, b| a.key <= b.key) {
            let begin = open.entries[0].start;
            if was_open && begin < committed {
                bytes.extend_from_slice(&buffer[begin..committed]);
            }
            self.sort(&open.entries, buffer);
        }
        if was_open {
            self.ended.push(Ended { open, bytes });
        }
    }

    fn sort(&mut self, entries: &[Entry], buffer: &mut Vec<u8>) {
        let begin = entries[0].start;
        let mut order: Vec<(usize, &Entry)> = entries.iter().enumerate().collect();
        order.sort_by(|a, b| a.1.key.cmp(&b.1.key));
        self.scratch.clear();
        for (place, (index, entry)) in order.iter().enumerate() {
            let end = entries.get(index + 1).map_or(buffer.len(), |next| next.start);
            // The first entry has no comma before it; the others have one.
            let own = &buffer[entry.start + usize::from(*index > 0)..end];
            if place > 0 {
                self.scratch.push(b',');
            }
            self.scratch.extend_from_slice(own);
        }
        buffer.truncate(begin);
        buffer.extend_from_slice(&self.scratch);
    }

    /// Commits. Returns whether no part of the output can still move.
    pub(super) fn commit(&mut self) -> bool {
        self.ended.clear();
        let touched = self.touched.min(self.committed);
        for open in self.open.iter_mut().skip(touched) {
            open.committed = open.entries.len();
        }
        self.committed = self.open.len();
        self.touched = self.committed;
        self.entries == 0
    }

    /// Rolls back what was not committed. The caller truncated the output before.
    pub(super) fn rollback(&mut self, buffer: &mut [u8]) {
        self.open.truncate(self.committed - self.ended.len());
        // The outermost container was sorted last, so it is restored first.
        while let Some(Ended { open, bytes }) = self.ended.pop() {
            if let Some(first) = open.entries.first().filter(|_| !bytes.is_empty()) {
                buffer[first.start..first.start + bytes.len()].copy_from_slice(&bytes);
            }
            self.open.push(open);
        }
        let touched = self.touched.min(self.committed);
        for open in self.open.iter_mut().skip(touched) {
            open.entries.truncate(open.committed);
        }
        self.touched = self.committed;
        self.entries = self.open.iter().map(|open| open.entries.len()).sum();
    }
}
