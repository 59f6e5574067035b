use crate::proto::layout::Form;
use std::collections::HashSet;

/// Something that the source has stepped into.
#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) kind: Within,
    /// Where it ends, or the piece of it that is being read.
    pub(super) end: usize,
    /// Where the source goes on behind it.
    pub(super) after: usize,
    /// The first 64 fields of the record that came, by index.
    pub(super) seen: u64,
    /// What only few messages need.
    pub(super) rare: Option<Box<Rare>>,
}

/// What it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Within {
    /// Messages one behind the other, each behind its length.
    Stream,
    /// A message.
    Message {
        /// Whether it was looked at whether fields come in several places.
        looked: bool,
        /// The next field of the record that is zero if it has not come.
        zero: u32,
    },
    /// A field that comes several times.
    List(Run),
    /// A field that comes once for each entry.
    Map(Run, Entry),
    /// A message whose one field is the variant of a union.
    Choice,
    /// A message whose one field is a list or map.
    Wrapped,
    /// A list or map that did not come.
    #[default]
    Empty,
}

/// The places of a field that comes several times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) number: u32,
    pub(super) form: Form,
    /// Whether the source stands at a value whose tag it has read.
    pub(super) tagged: bool,
    /// Whether it stands in a packed run.
    pub(super) packed: bool,
    /// Whether the field comes again behind others.
    pub(super) scattered: bool,
}

/// An entry of a map: a message of a key and a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) key: Form,
    /// Where it begins and ends.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Where the value stands, or [`NO_VALUE`].
    pub(super) value: usize,
}

/// The entry has none.
pub(super) const NO_VALUE: usize = usize::MAX;

/// What only few messages need.
#[derive(Debug, Default)]
pub(super) struct Rare {
    /// The pieces of a message that came in several, the first of them included, and which one is being read.
    pub(super) pieces: Vec<(usize, usize)>,
    pub(super) piece: u32,
    /// Fields that come in several places.
    pub(super) again: HashSet<u32>,
    /// Those of them that were read, with the place where that began.
    pub(super) done: Vec<(u32, usize)>,
    /// Of oneofs of which a message comes again: a field of each, and where the last run of the member begins that counts.
    pub(super) settled: Vec<(usize, usize)>,
    /// Of a list or map, where the record goes on, and in which of its pieces, where that is not behind the last of them.
    pub(super) back: Option<(usize, u32)>,
    /// Fields from the 65th on that came, by index.
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
