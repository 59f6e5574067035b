//! Sorting the keys of containers when they end.

/// The entries of the open containers, and where they stand in the output.
///
/// When a container ends, its entries are put in order by moving their bytes. What was committed in an open container
/// of entries stays in memory until then; lists add no entries and do not hold anything.
#[derive(Debug, Default)]
pub(super) struct Sorter {
    open: Vec<Open>,
    /// A copy at the last commit, for a rollback.
    committed: Vec<Open>,
    scratch: Vec<u8>,
}

#[derive(Debug, Default, Clone)]
struct Open {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone)]
struct Entry {
    key: String,
    start: usize,
}

impl Sorter {
    pub(super) fn open(&mut self, _: usize) {
        self.open.push(Open::default());
    }

    /// An entry begins here, with its comma if it has one.
    pub(super) fn entry(&mut self, start: usize) {
        if let Some(open) = self.open.last_mut() {
            open.entries.push(Entry { key: String::new(), start });
        }
    }

    /// The key of the entry that began.
    pub(super) fn key(&mut self, key: &str) {
        if let Some(entry) = self.open.last_mut().and_then(|open| open.entries.last_mut()) {
            entry.key.push_str(key);
        }
    }

    /// The innermost container ends here: puts its entries in order.
    pub(super) fn close(&mut self, buffer: &mut Vec<u8>) {
        let Some(Open { entries }) = self.open.pop() else { return };
        if entries.is_sorted_by(|a, b| a.key <= b.key) {
            return;
        }
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
        self.committed.clone_from(&self.open);
        self.open.iter().all(|open| open.entries.is_empty())
    }

    pub(super) fn rollback(&mut self) {
        self.open.clone_from(&self.committed);
    }
}
