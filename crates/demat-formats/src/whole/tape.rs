//! A document as a flat list of values.

use demat_core::scalar::{Date, DateTime, Offset, Time};
use demat_core::{Error, Result};
use std::sync::atomic::{AtomicU64, Ordering};

/// The values of a document. A list or a map is followed by its children, a key by its value.
#[derive(Debug)]
pub(crate) struct Tape {
    /// The values.
    pub(crate) nodes: Vec<Node>,
    /// Bytes, and text that is not part of the input.
    own: Vec<u8>,
    /// An identity that is unique in this process.
    id: u64,
}

/// A value, a key or the end of a container.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    /// The kind of the node, and its value.
    pub(crate) content: Content,
    /// The offset of its begin in the input.
    pub(crate) begin: u32,
    /// The offset of its end in the input.
    pub(crate) end: u32,
    /// The number of its nodes, including itself and its end. For an end: the number of nodes before it in the
    /// container.
    pub(crate) len: u32,
}

/// The content of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Content {
    /// A null.
    Null,
    /// A bool.
    Bool(bool),
    /// An int, as the format writes it.
    Int(Slice),
    /// A float, as the format writes it.
    Float(Slice),
    /// Text.
    Text(Slice),
    /// A key of a format whose keys are text.
    Key(Slice),
    /// Bytes.
    Bytes(Slice),
    /// A date.
    Date(Date),
    /// A time of day.
    Time(Time),
    /// A date and time without an offset.
    DateTime(DateTime),
    /// A date and time with an offset.
    Instant(DateTime, Offset),
    /// A list.
    List,
    /// A map.
    Map,
    /// The outermost value in a format with streams of documents. It has this number of documents.
    Documents(u32),
    /// An entry of a map that readers skip.
    Hidden,
    /// The end of a container.
    End,
}

/// Text or bytes, in the input or in the tape's own memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slice {
    at: u32,
    len: u32,
    own: bool,
}

impl Slice {
    /// Returns the length in bytes.
    pub(crate) fn len(self) -> u32 {
        self.len
    }

    /// Returns the bytes, if they are part of the input.
    pub(super) fn of_input(self, input: &[u8]) -> Option<&[u8]> {
        let at = self.at as usize;
        if self.own { None } else { input.get(at..at + self.len as usize) }
    }
}

/// Converts an offset to the type that the tape stores.
pub(crate) fn small(at: usize) -> Result<u32> {
    u32::try_from(at).map_err(|_| Error::limit("the length of a document that is read whole", "4294967295 bytes"))
}

impl Tape {
    /// An empty tape.
    pub(crate) fn new() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Self { nodes: Vec::new(), own: Vec::new(), id: LAST.fetch_add(1, Ordering::Relaxed) + 1 }
    }

    /// Returns the identity of the tape, which is never 0.
    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Appends a scalar or a key, with its range in the input. Returns its index.
    pub(crate) fn push(&mut self, content: Content, begin: usize, end: usize) -> Result<usize> {
        let at = self.nodes.len();
        small(at)?;
        self.nodes.push(Node { content, begin: small(begin)?, end: small(end)?, len: 1 });
        Ok(at)
    }

    /// Ends the container at this index.
    pub(crate) fn close(&mut self, index: usize, end: usize) -> Result<()> {
        let last = self.push(Content::End, end, end)?;
        let before = small(last - index)?;
        self.nodes[last].len = before;
        if let Some(node) = self.nodes.get_mut(index) {
            node.len = before + 1;
            node.end = small(end)?.max(node.begin);
        }
        Ok(())
    }

    /// Stores text: as a range if it is part of the input, and as a copy otherwise.
    pub(crate) fn slice(&mut self, text: &str, input: &str) -> Result<Slice> {
        if let Some(at) = text.as_ptr().addr().checked_sub(input.as_ptr().addr())
            && input.get(at..at + text.len()).is_some_and(|same| same.as_ptr() == text.as_ptr())
        {
            return Ok(Slice { at: small(at)?, len: small(text.len())?, own: false });
        }
        self.keep(text.as_bytes())
    }

    /// Returns the slice of the input from `begin` to `end`.
    pub(crate) fn of_input(begin: usize, end: usize) -> Result<Slice> {
        Ok(Slice { at: small(begin)?, len: small(end - begin)?, own: false })
    }

    /// Stores a copy of bytes.
    pub(crate) fn keep(&mut self, bytes: &[u8]) -> Result<Slice> {
        let slice = Slice { at: small(self.own.len())?, len: small(bytes.len())?, own: true };
        self.own.extend_from_slice(bytes);
        Ok(slice)
    }

    /// Appends a copy of `len` nodes.
    pub(crate) fn repeat(&mut self, at: usize, len: usize) -> Result<()> {
        small(self.nodes.len() + len)?;
        if at + len <= self.nodes.len() {
            self.nodes.extend_from_within(at..at + len);
        }
        Ok(())
    }

    /// Returns the text of a slice, if it is part of the input.
    #[allow(clippy::unused_self)] // it reads as its sibling
    pub(crate) fn of<'i>(&self, slice: Slice, input: &'i str) -> Option<&'i str> {
        let at = slice.at as usize;
        if slice.own { None } else { input.get(at..at + slice.len as usize) }
    }

    /// Returns the bytes of a slice.
    pub(crate) fn bytes<'t>(&'t self, slice: Slice, input: &'t [u8]) -> &'t [u8] {
        let at = slice.at as usize;
        let from = if slice.own { &self.own } else { input };
        from.get(at..at + slice.len as usize).unwrap_or_default()
    }

    /// Returns the text of a slice. A slice never cuts a character.
    pub(crate) fn text<'t>(&'t self, slice: Slice, input: &'t [u8]) -> &'t str {
        core::str::from_utf8(self.bytes(slice, input)).unwrap_or_default()
    }
}
