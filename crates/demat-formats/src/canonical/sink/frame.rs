use crate::canonical::mapping::{Known, ROOT};

/// An open container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// A list of messages.
    Stream,
    /// A message that is an object of its fields, and its index in the mapping.
    Plain(u32),
    /// A message that is written as its only field, and whether the field was written.
    Transparent { place: u32, told: bool },
    /// A message whose fields form one text.
    Gathered(u32),
    /// A list in such a message.
    Paths,
    /// A list: its slot, whether its bracket is written, and whether it is written even if empty.
    List { slot: u32, begun: bool, kept: bool },
    /// A map, likewise.
    Map { slot: u32, begun: bool, kept: bool },
    /// A list or map without a shape.
    Untyped,
    /// A variant, which has no container in JSON.
    Bare,
}

/// The output before the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Lead {
    #[default]
    None,
    /// The separator of items.
    Item,
    /// The key of a slot.
    Key(u32),
    /// The key of an entry, from `text`.
    Entry,
}

/// A destination other than the output for the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// A part of a text.
    Part(Known, usize),
    /// Dropped: the field number is unknown.
    Unknown,
}

/// The position in the message. A rollback restores it.
#[derive(Debug)]
pub(super) struct Cursor {
    pub(super) frames: Vec<Frame>,
    /// The slot of the next value.
    pub(super) slot: u32,
    /// Whether a zero value is left out.
    pub(super) implicit: bool,
    pub(super) lead: Lead,
    pub(super) special: Option<Special>,
    /// Whether to keep the next key in `text`, since its entry may be left out.
    pub(super) late_key: bool,
    /// The kept key, or the text being formed.
    pub(super) text: String,
    pub(super) bytes: Vec<u8>,
    /// Seconds and nanoseconds.
    pub(super) parts: [i64; 2],
}

impl Clone for Cursor {
    fn clone(&self) -> Self {
        let mut own = Self::default();
        own.clone_from(self);
        own
    }

    /// Reuses the allocations: this runs for each record.
    #[inline]
    fn clone_from(&mut self, from: &Self) {
        let Self { frames, slot, implicit, lead, special, late_key, text, bytes, parts } = self;
        frames.clone_from(&from.frames);
        text.clone_from(&from.text);
        bytes.clone_from(&from.bytes);
        (*slot, *implicit, *lead, *special) = (from.slot, from.implicit, from.lead, from.special);
        (*late_key, *parts) = (from.late_key, from.parts);
    }
}

impl Default for Cursor {
    fn default() -> Self {
        Self {
            frames: Vec::new(),
            slot: ROOT,
            implicit: false,
            lead: Lead::None,
            special: None,
            late_key: false,
            text: String::new(),
            bytes: Vec::new(),
            parts: [0; 2],
        }
    }
}
