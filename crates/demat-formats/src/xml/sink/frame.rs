//! What the sink is in, and where the next value goes.

use super::super::layout::RecordLayout;
use super::super::scope::Scope;
use std::sync::Arc;

/// Something that has begun and not ended.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    /// Its element's name.
    pub(super) name: Box<str>,
    pub(super) space: Option<Box<str>>,
    pub(super) tag: Tag,
    /// Attributes that came behind content.
    pub(super) late: Vec<u8>,
    /// Whether text was written into it.
    pub(super) text: bool,
    /// Whether elements were written into it.
    pub(super) elements: bool,
    /// How many namespaces were in scope before it.
    pub(super) outside: usize,
    /// Of a record, where its fields stand.
    pub(super) layout: Option<Arc<RecordLayout>>,
    /// Of a list, the name of each item.
    pub(super) item: Option<Box<str>>,
    /// Of a list, how many items came.
    pub(super) count: usize,
    /// Of a list that repeats an element, what an empty one is written as.
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

/// How far a start tag was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tag {
    /// There is none.
    None,
    /// It has not begun: the name may come as a value.
    Pending,
    /// Attributes can follow.
    Open,
    /// It has ended; here in the buffer, attributes can be put in.
    Closed(usize),
    /// It has ended and left the buffer.
    Gone,
}

/// What is said of a list that repeats an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Marks {
    /// An empty one is written, since nothing would be read as something else.
    pub(super) empty: bool,
    /// Its first item says that it is one, since one item would be read as a value.
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

/// Where the next value goes.
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

/// All that a rollback goes back to, apart from the bytes.
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
