//! Values of Lua on their way to or from a format: a list of plain parts.
//!
//! The interpreter reports errors by jumping over the frames of its callers. A source or a sink owns memory, which such
//! a jump would leak. So no frame of Rust stands between the two: one phase moves values between the interpreter and a
//! tape, with nothing to drop, and another moves them between the tape and the format, without the interpreter.

mod sink;
mod source;

pub(crate) use sink::TapeSink;
pub(crate) use source::{TapeSource, not_utf8, same_text, whole};

/// A part of a value. A list or a map is followed by its children and an [`End`](Self::End).
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Part {
    /// A null.
    Null,
    /// A boolean.
    Bool(bool),
    /// An integer.
    Int(i64),
    /// An integer beyond those.
    Large(u64),
    /// A float.
    Float(f64),
    /// Bytes of the tape.
    Text { at: usize, len: usize },
    /// Bytes of the text that is decoded.
    Input { at: usize, len: usize },
    /// The index of the item that follows, where a shape may take the list for a map.
    Index(i64),
    /// A list of so many items. `end` is where it ends, once it has.
    List { len: usize, end: usize },
    /// A map of so many entries: keys and values in turn.
    Map { len: usize, end: usize },
    /// The end of a list or map.
    End,
}

/// A value in parts. Its memory is kept for the next one.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    /// The parts.
    pub(crate) parts: Vec<Part>,
    /// The bytes of texts.
    pub(crate) bytes: Vec<u8>,
}

impl Tape {
    /// Removes the value.
    pub(crate) fn clear(&mut self) {
        self.parts.clear();
        self.bytes.clear();
    }

    /// Adds text.
    #[inline]
    pub(crate) fn text(&mut self, text: &[u8]) {
        self.parts.push(Part::Text { at: self.bytes.len(), len: text.len() });
        self.bytes.extend_from_slice(text);
    }

    /// Returns where the value at an index ends.
    pub(crate) fn behind(&self, at: usize) -> usize {
        match self.parts.get(at) {
            Some(Part::List { end, .. } | Part::Map { end, .. }) => end + 1,
            _ => at + 1,
        }
    }

    /// Gives back memory beyond the number of bytes, which is to be kept.
    pub(crate) fn shrink(&mut self, keep: usize) {
        if self.parts.capacity() * size_of::<Part>() > keep {
            self.parts = Vec::new();
        }
        if self.bytes.capacity() > keep {
            self.bytes = Vec::new();
        }
    }
}
