use crate::proto::layout::Form;
use std::collections::HashSet;

/// A container that the source has entered.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) kind: Within,
    /// Its end, or the end of the current piece of it.
    pub(super) end: usize,
    /// The offset to continue at after it.
    pub(super) after: usize,
    /// The first 64 fields of the record that were read, one bit per index.
    pub(super) seen: u64,
    /// State that few messages need.
    pub(super) rare: Option<Box<Rare>>,
}

/// The kind of a container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Within {
    /// A stream of length-prefixed messages.
    Stream,
    /// A message.
    Message {
        /// Whether the message was searched for fields with several occurrences.
        looked: bool,
        /// The index of the next field to read as zero if it is absent.
        zero: u32,
    },
    /// A repeated field.
    List(Run),
    /// A map: a field that occurs once per entry.
    Map(Run, Entry),
    /// A message that represents a union: its one field is the variant.
    Choice,
    /// A message whose only field is a list or map.
    Wrapped,
    /// A list or map whose field is absent.
    #[default]
    Empty,
}

/// The occurrences of a repeated field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) number: u32,
    pub(super) form: Form,
    /// Whether the source is at a value whose tag it has read.
    pub(super) tagged: bool,
    /// Whether it is in a packed run.
    pub(super) packed: bool,
    /// Whether the field occurs again after other fields.
    pub(super) scattered: bool,
}

/// An entry of a map: a message with a key and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: Form,
    /// The begin and end of the entry.
    pub(super) start: usize,
    pub(super) end: usize,
    /// The offset of the value, or [`NO_VALUE`].
    pub(super) value: usize,
    /// Whether the value is a message in several pieces.
    pub(super) many: bool,
}

/// The entry has no value.
pub(super) const NO_VALUE: usize = usize::MAX;

/// State that few messages need.
#[derive(Debug, Default)]
pub(super) struct Rare {
    /// The pieces of a message that is in several ones, including the first; and the index of the current one.
    pub(super) pieces: Vec<(usize, usize)>,
    pub(super) piece: u32,
    /// The numbers of fields with scattered occurrences.
    pub(super) again: HashSet<u32>,
    /// The numbers of those that were read, with the offset where reading began.
    pub(super) done: Vec<(u32, usize)>,
    /// Of each oneof that needed a search: one of its fields, and the offset from which the winning member counts.
    pub(super) settled: Vec<(usize, usize)>,
    /// Of a list or map with scattered occurrences: the offset and the piece where the record continues.
    pub(super) back: Option<(usize, u32)>,
    /// Fields from the 65th on that were read, by index.
    pub(super) seen: HashSet<usize>,
}

impl Frame {
    pub(super) fn new(kind: Within, end: usize, after: usize) -> Self {
        Self { kind, end, after, seen: 0, rare: None }
    }

    pub(super) fn message(end: usize, after: usize) -> Self {
        Self::new(Within::Message { looked: false, zero: 0 }, end, after)
    }

    #[inline]
    pub(super) fn see(&mut self, index: usize) {
        if index < 64 {
            self.seen |= 1 << index;
        } else {
            self.rare.get_or_insert_default().seen.insert(index);
        }
    }

    #[inline]
    pub(super) fn has_seen(&self, index: usize) -> bool {
        if index < 64 {
            self.seen >> index & 1 == 1
        } else {
            self.rare.as_ref().is_some_and(|rare| rare.seen.contains(&index))
        }
    }
}
