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
    order: Vec<usize>,
    /// Memory of containers that have ended.
    spare: Vec<Vec<Entry>>,
}

/// How much memory of containers is kept.
const SPARE: usize = 16;

#[derive(Debug, Default)]
struct Open {
    entries: Vec<Entry>,
    /// The number of entries at the last commit.
    committed: usize,
}

#[derive(Debug)]
struct Entry {
    key: Key,
    start: usize,
}

/// The text of a key.
#[derive(Debug)]
enum Key {
    /// It stands in the output, from here to here.
    Written(usize, usize),
    /// It has escapes in the output.
    Escaped(Box<str>),
}

impl Entry {
    fn key<'k>(&'k self, buffer: &'k [u8]) -> &'k [u8] {
        match &self.key {
            Key::Written(start, end) => &buffer[*start..*end],
            Key::Escaped(text) => text.as_bytes(),
        }
    }
}

#[derive(Debug)]
struct Ended {
    open: Open,
    /// The bytes of its committed entries, before sorting.
    bytes: Vec<u8>,
}

impl Sorter {
    pub(super) fn open(&mut self) {
        self.open.push(Open { entries: self.spare.pop().unwrap_or_default(), committed: 0 });
    }

    /// Begins an entry at `start`, which is its comma if it has one.
    pub(super) fn entry(&mut self, start: usize) {
        self.touched = self.touched.min(self.open.len().saturating_sub(1));
        if let Some(open) = self.open.last_mut() {
            open.entries.push(Entry { key: Key::Written(start, start), start });
            self.entries += 1;
        }
    }

    /// Sets the key of the current entry, which was written behind `start`, in quotes.
    pub(super) fn key(&mut self, key: &str, start: usize, end: usize) {
        if let Some(entry) = self.open.last_mut().and_then(|open| open.entries.last_mut()) {
            entry.key =
                if end - start == key.len() + 2 { Key::Written(start + 1, end - 1) } else { Key::Escaped(key.into()) };
        }
    }

    /// Sets the key of the current entry from the output. If the key is not text, its characters between the quotes
    /// have no escapes and are the key.
    pub(super) fn key_is_told(&mut self, buffer: &[u8]) {
        if let Some(entry) = self.open.last_mut().and_then(|open| open.entries.last_mut())
            && matches!(entry.key, Key::Written(start, end) if start == end)
            && let Some(inner) = buffer.strip_suffix(b"\"")
            && let Some(quote) = memchr::memrchr(b'"', &inner[entry.start..])
        {
            entry.key = Key::Written(entry.start + quote + 1, inner.len());
        }
    }

    /// Ends the innermost container: sorts its entries. The first `committed` bytes of the output can no longer be
    /// rolled back.
    pub(super) fn close(&mut self, buffer: &mut Vec<u8>, committed: usize) {
        let Some(mut open) = self.open.pop() else { return };
        self.entries -= open.entries.len();
        let was_open = self.open.len() < self.committed - self.ended.len();
        let mut bytes = Vec::new();
        if !open.entries.is_sorted_by(|a, b| a.key(buffer) <= b.key(buffer)) {
            let begin = open.entries[0].start;
            if was_open && begin < committed {
                bytes.extend_from_slice(&buffer[begin..committed]);
            }
            self.sort(&open.entries, buffer);
        }
        if was_open {
            self.ended.push(Ended { open, bytes });
        } else if self.spare.len() < SPARE {
            open.entries.clear();
            self.spare.push(open.entries);
        }
    }

    fn sort(&mut self, entries: &[Entry], buffer: &mut Vec<u8>) {
        let begin = entries[0].start;
        self.order.clear();
        self.order.extend(0..entries.len());
        self.order.sort_by(|a, b| entries[*a].key(buffer).cmp(entries[*b].key(buffer)));
        self.scratch.clear();
        for (place, index) in self.order.iter().enumerate() {
            let end = entries.get(index + 1).map_or(buffer.len(), |next| next.start);
            // The first entry has no comma before it; the others have one.
            let own = &buffer[entries[*index].start + usize::from(*index > 0)..end];
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
