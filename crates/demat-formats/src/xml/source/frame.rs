//! The containers that the source has entered, and the state between windows.

use super::super::layout::RecordLayout;
use super::super::scope::Scope;
use super::super::tape::Tape;
use core::ops::{Deref, DerefMut};
use std::sync::Arc;

/// An element whose children are read one by one, without an index of the whole.
#[derive(Debug, Clone)]
pub(super) struct Open {
    pub(super) name: Box<[u8]>,
    /// The number of namespaces in scope before it.
    pub(super) outside: usize,
    pub(super) kind: OpenKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OpenKind {
    /// The items of a list: only elements.
    Items,
    /// The elements on the path to the records, with any text between them.
    Way,
    /// An element without an end tag.
    Empty,
    /// The document, whose one item is the root, by its offset in the document.
    Document(u64),
}

/// An entered container within an indexed element.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    /// The element, or the first of a list, or the attribute.
    pub(super) node: u32,
    /// The next node, or one of the codes below.
    pub(super) next: u32,
    /// The field of the record around, or [`NONE`].
    pub(super) field: u32,
    /// Of a record, the mapping of its fields.
    pub(super) layout: Option<Arc<RecordLayout>>,
    /// Of a record, the fields that were read.
    pub(super) seen: Seen,
    /// Of a record, the fields that were read as a list, each with its first element.
    pub(super) gathered: Vec<(u32, u32)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FrameKind {
    Record,
    Map,
    /// Elements of one name, in any place of the element around.
    Repeated,
    /// The children of an element.
    Children,
    /// Texts and elements.
    Mixed,
    /// Elements with their names.
    Choice,
    /// Words of an attribute or of text.
    Words,
    /// Nothing.
    Empty,
}

/// No field, or no node.
pub(super) const NONE: u32 = u32::MAX;
/// The name of the element comes next.
pub(super) const AT_NAME: u32 = u32::MAX - 1;
/// The text of the element comes next.
pub(super) const AT_TEXT: u32 = u32::MAX - 2;
/// From this code on, the absent field of that index comes next.
pub(super) const AT_ABSENT: u32 = 0xF000_0000;

impl Frame {
    pub(super) fn new(kind: FrameKind, node: u32, next: u32) -> Self {
        Self { kind, node, next, field: NONE, layout: None, seen: Seen::default(), gathered: Vec::new() }
    }
}

/// The fields of a record that were read.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    /// A bit for each of the first 64 fields.
    first: u64,
    /// The same for 64 fields each, from field 64 on.
    more: Vec<u64>,
}

impl Seen {
    pub(super) fn has(&self, field: usize) -> bool {
        let word = if field < 64 { self.first } else { self.more.get(field / 64 - 1).copied().unwrap_or_default() };
        word >> (field % 64) & 1 == 1
    }

    pub(super) fn insert(&mut self, field: usize) {
        let word = match (field / 64).checked_sub(1) {
            None => &mut self.first,
            Some(index) => {
                if self.more.len() <= index {
                    self.more.resize(index + 1, 0);
                }
                &mut self.more[index]
            }
        };
        *word |= 1 << (field % 64);
    }
}

/// The state between windows.
#[derive(Debug, Default)]
pub(in super::super) struct State {
    pub(super) opens: Vec<Open>,
    pub(super) scope: Scope,
    pub(super) tape: Tape,
    /// The offset of the indexed element in the document.
    pub(super) unit: Option<u64>,
    pub(super) frames: Vec<Frame>,
}

/// The state: owned by the source, or by the format, which continues with it in the next window.
#[derive(Debug)]
pub(super) enum Held<'a> {
    Own(Box<State>),
    Shared(&'a mut State),
}

impl Deref for Held<'_> {
    type Target = State;

    fn deref(&self) -> &State {
        match self {
            Self::Own(state) => state,
            Self::Shared(state) => state,
        }
    }
}

impl DerefMut for Held<'_> {
    fn deref_mut(&mut self) -> &mut State {
        match self {
            Self::Own(state) => state,
            Self::Shared(state) => state,
        }
    }
}
