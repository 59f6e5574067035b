//! A document as one flat list of values, in which all values of a field stand together.

use demat_core::{Error, Result};
use std::sync::atomic::{AtomicU32, Ordering};

/// The values of a document: a message is followed by its fields and its end, a field's name by the field's values.
#[derive(Debug)]
pub(super) struct Tape {
    pub(super) nodes: Vec<Node>,
    /// Strings and names that do not stand in the input as they are.
    pub(super) own: Vec<u8>,
    /// Distinguishes this tape from others of the process; never 0.
    pub(super) id: u32,
}

/// A value, a name, or the end of a message or of a field's values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) content: Content,
    /// Begin and end in the input.
    pub(super) begin: u32,
    pub(super) end: u32,
    /// The number of its nodes: itself, its children, and its end. Of an end: the number of nodes back to the begin.
    pub(super) len: u32,
}

/// The content of a node.
#[derive(Debug, Clone, Copy)]
pub(super) enum Content {
    /// A message. Its [`Key`](Self::Key)s and an [`End`](Self::End) follow.
    Message,
    /// The name of a field. [`Values`](Self::Values) follow. No name stands twice in a message.
    Key(Slice),
    /// The values of a field. They follow, and then an [`EndValues`](Self::EndValues).
    Values {
        /// The number of values.
        count: u32,
        /// Whether some stood in `[…]`.
        list: bool,
    },
    /// A number without its sign.
    Number {
        /// The digits, with prefix and suffix.
        text: Slice,
        /// Whether a minus stands before it.
        negative: bool,
    },
    /// An identifier.
    Word {
        /// The identifier.
        text: Slice,
        /// Whether a minus stands before it.
        negative: bool,
    },
    /// A string, unescaped.
    Text(Slice),
    /// The end of a message.
    End,
    /// The end of a field's values.
    EndValues,
}

/// Bytes of the input, or of the tape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Slice {
    pub(super) at: u32,
    pub(super) len: u32,
    pub(super) own: bool,
}

impl Tape {
    pub(super) fn new(nodes: Vec<Node>, own: Vec<u8>) -> Self {
        static LAST: AtomicU32 = AtomicU32::new(0);
        Self { nodes, own, id: (LAST.fetch_add(1, Ordering::Relaxed) % (u32::MAX - 1)) + 1 }
    }

    /// Returns the bytes of a slice.
    pub(super) fn bytes<'t>(&'t self, slice: Slice, input: &'t [u8]) -> &'t [u8] {
        slice.of(input, &self.own)
    }

    /// Returns the text of a name or a number, which are ASCII.
    pub(super) fn ascii<'t>(&'t self, slice: Slice, input: &'t [u8]) -> &'t str {
        core::str::from_utf8(self.bytes(slice, input)).unwrap_or_default()
    }
}

impl Slice {
    /// Returns the bytes, which are part of the input or of the tape's own.
    pub(super) fn of<'t>(self, input: &'t [u8], own: &'t [u8]) -> &'t [u8] {
        let (at, from) = (self.at as usize, if self.own { own } else { input });
        from.get(at..at + self.len as usize).unwrap_or_default()
    }
}

/// Converts an offset to the form that the tape keeps.
///
/// # Errors
/// If the document is too long.
pub(super) fn small(at: usize) -> Result<u32> {
    // The largest number means "none" in the parser.
    u32::try_from(at)
        .ok()
        .filter(|at| *at < u32::MAX)
        .ok_or_else(|| Error::limit("the length of a document that is read whole", "4294967294 bytes"))
}
