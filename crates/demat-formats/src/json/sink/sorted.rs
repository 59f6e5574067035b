//! Sorting the keys of containers when they end.

/// The entries of the open containers, and where they stand in the output.
///
/// When a container ends, its entries are put in order by moving their bytes. What was committed in an open container
/// of entries stays in memory until then; lists add no entries and do not hold anything.
///
/// A commit costs what was told since the last one, and not what is open: of each open container it is known how much of
/// it was committed, and of those that ended since, what they were before that.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    open: Vec<Open>,
    /// How many were open at the last commit.
    committed: usize,
    /// Those from here on have, or had, entries that were not committed.
    touched: usize,
    /// Those that were open at the last commit and have ended since, the outermost last.
    ended: Vec<Ended>,
    /// Entries of all open containers.
    entries: usize,
    scratch: Vec<u8>,
}

#[derive(Debug, Default)]
struct Open {
    entries: Vec<Entry>,
    /// How many of these were there at the last commit.
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
    /// The bytes of its committed entries, as they stood.
    bytes: Vec<u8>,
}

impl Sorter {
    pub(super) fn open(&mut self) {
        self.open.push(Open::default());
    }

    /// An entry begins here, with its comma if it has one.
    pub(super) fn entry(&mut self, start: usize) {
        self.touched = self.touched.min(self.open.len().saturating_sub(1));
        if let Some(open) = self.open.last_mut() {
            open.entries.push(Entry { key: String::new(), start });
            self.entries += 1;
        }
    }

    /// The key of the entry that began, if it is text.
    pub(super) fn key(&mut self, key: &str) {
        if let Some(entry) = self.open.last_mut().and_then(|open| open.entries.last_mut()) {
            entry.key.push_str(key);
        }
    }

    /// The key stands in the output. If it is no text, what stands there between quotes has no escapes and is the key.
    pub(super) fn key_is_told(&mut self, buffer: &[u8]) {
        if let Some(entry) = self.open.last_mut().and_then(|open| open.entries.last_mut()).filter(|e| e.key.is_empty())
            && let Some(inner) = buffer.strip_suffix(b"\"")
            && let Some(quote) = memchr::memrchr(b'"', &inner[entry.start..])
        {
            let text = &inner[entry.start + quote + 1..];
            entry.key.push_str(core::str::from_utf8(text).unwrap_or_default());
        }
    }

    /// The innermost container ends here: puts its entries in order. `committed` bytes can't be taken back any more.
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
            // The first has no comma in front of it; the others have.
            let own = &buffer[entry.start + usize::from(*index > 0)..end];
            if place > 0 {
                self.scratch.push(b',');
            }
            self.scratch.extend_from_slice(own);
        }
        buffer.truncate(begin);
        buffer.extend_from_slice(&self.scratch);
    }

    /// Whether nothing in the output can move any more.
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

    /// Takes back what was not committed; the output was cut already.
    pub(super) fn rollback(&mut self, buffer: &mut [u8]) {
        self.open.truncate(self.committed - self.ended.len());
        // The outermost was sorted last, so it goes back first.
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
