//! The document as a flat list of parts with their text.

use core::ops::Range;

/// A key, a scalar, or the start or the end of a container.
#[derive(Debug, Clone, Copy)]
pub(super) enum Part {
    /// A key and the range of its text.
    Key(usize, usize),
    /// A scalar and the range of its text.
    Scalar(usize, usize),
    /// A list, with the index after its end, and whether it is an array of tables.
    List(usize, bool),
    /// A map, with the index after its end.
    Map(usize),
    /// The end of a list or a map.
    End,
}

impl Part {
    /// A key with this text.
    pub(super) fn key(text: Range<usize>) -> Self {
        Self::Key(text.start, text.end)
    }

    /// A scalar with this text.
    pub(super) fn scalar(text: Range<usize>) -> Self {
        Self::Scalar(text.start, text.end)
    }
}

/// The parts of a document.
#[derive(Debug, Default)]
pub(super) struct Parts {
    parts: Vec<Part>,
    text: Vec<u8>,
}

/// The numbers of parts and of bytes of text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Len {
    parts: usize,
    text: usize,
}

impl Parts {
    pub(super) fn len(&self) -> Len {
        Len { parts: self.parts.len(), text: self.text.len() }
    }

    /// Removes all parts after a length. A container that ended after it is open again.
    pub(super) fn truncate(&mut self, len: Len) {
        self.parts.truncate(len.parts);
        self.text.truncate(len.text);
    }

    pub(super) fn get(&self, at: usize) -> Option<Part> {
        self.parts.get(at).copied()
    }

    /// Adds a key or a scalar with the text that `write` writes.
    pub(super) fn add(&mut self, part: fn(Range<usize>) -> Part, write: impl FnOnce(&mut Vec<u8>)) {
        let from = self.text.len();
        write(&mut self.text);
        self.parts.push(part(from..self.text.len()));
    }

    /// Begins a container. Returns its index.
    pub(super) fn open(&mut self, is_list: bool) -> usize {
        if self.parts.is_empty() {
            // A small document needs no more.
            self.parts.reserve(64);
            self.text.reserve(512);
        }
        self.parts.push(if is_list { Part::List(0, false) } else { Part::Map(0) });
        self.parts.len() - 1
    }

    /// Ends a container.
    pub(super) fn close(&mut self, at: usize, is_tables: bool) {
        self.parts.push(Part::End);
        let behind = self.parts.len();
        match self.parts.get_mut(at) {
            Some(Part::List(end, tables)) => (*end, *tables) = (behind, is_tables),
            Some(Part::Map(end)) => *end = behind,
            _ => {}
        }
    }

    /// Removes the last key.
    pub(super) fn take_back_key(&mut self) {
        if let Some(Part::Key(from, _)) = self.parts.pop() {
            self.text.truncate(from);
        }
    }

    /// Returns the text of a key or a scalar.
    pub(super) fn text(&self, from: usize, to: usize) -> &[u8] {
        self.text.get(from..to).unwrap_or_default()
    }

    /// Returns the index after the value at `at`.
    pub(super) fn behind(&self, at: usize) -> usize {
        match self.get(at) {
            Some(Part::List(end, _) | Part::Map(end)) => end,
            _ => at + 1,
        }
    }
}
