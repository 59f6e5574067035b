//! The open containers of the sink, and the target of the next value.

use super::super::layout::RecordLayout;
use super::super::scope::Scope;
use std::sync::Arc;

/// An open container.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    /// Its element's name.
    pub(super) name: Box<str>,
    pub(super) space: Option<Box<str>>,
    pub(super) tag: Tag,
    /// Attributes that were written after content.
    pub(super) late: Vec<u8>,
    /// Whether it has text.
    pub(super) text: bool,
    /// Whether it has elements.
    pub(super) elements: bool,
    /// The number of namespaces in scope before it.
    pub(super) outside: usize,
    /// Of a record, the mapping of its fields.
    pub(super) layout: Option<Arc<RecordLayout>>,
    /// Of a list, the name of each item.
    pub(super) item: Option<Box<str>>,
    /// Of a list, the number of items.
    pub(super) count: usize,
    /// Of a list of repeated elements, the marks that it needs.
    pub(super) marks: Marks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    /// An element with attributes, elements and text: a record or map.
    Parts,
    /// An element with items.
    Items,
    /// Items without an element around them.
    Repeated,
    /// The texts and elements of the element around.
    Mixed,
    /// The elements of the element around.
    Choice,
    /// Words of an attribute or of text.
    Words,
}

/// The progress of a start tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// There is none.
    None,
    /// Not begun: a value may set the name.
    Pending,
    /// Attributes can follow.
    Open,
    /// Ended, but still in the buffer: attributes can be inserted at this offset.
    Closed(usize),
    /// Ended, and no longer in the buffer.
    Gone,
}

/// Marks of a list of repeated elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marks {
    /// An empty list is marked, since no element would be read as something else.
    pub(super) empty: bool,
    /// The first item is marked, since one item would be read as a value.
    pub(super) first: bool,
}

impl Frame {
    pub(super) fn new(kind: FrameKind, name: Box<str>, tag: Tag, outside: usize) -> Self {
        Self {
            kind,
            name,
            space: None,
            tag,
            late: Vec::new(),
            text: false,
            elements: false,
            outside,
            layout: None,
            item: None,
            count: 0,
            marks: Marks::default(),
        }
    }

    /// Whether it has an element of its own.
    pub(super) fn is_element(&self) -> bool {
        matches!(self.kind, FrameKind::Parts | FrameKind::Items)
    }
}

/// The target of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Slot {
    /// It is the document.
    #[default]
    Root,
    /// It is an item of the innermost list.
    Item,
    /// It is a field of the innermost record.
    Field(usize),
    /// It is the value of a map's key.
    Entry,
    /// It is a key.
    Key,
    /// Nowhere.
    Nothing,
}

/// The state that a rollback restores, apart from the bytes.
#[derive(Debug, Clone, Default)]
pub(super) struct State {
    pub(super) frames: Vec<Frame>,
    pub(super) slot: Slot,
    /// The last key of a map.
    pub(super) key: String,
    /// The words of a list in an attribute or in text.
    pub(super) words: String,
    pub(super) scope: Scope,
}
