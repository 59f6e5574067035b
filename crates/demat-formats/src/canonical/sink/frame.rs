use crate::canonical::mapping::{Known, ROOT};

/// Something that was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Frame {
    /// Messages one after the other.
    Stream,
    /// A message that is an object of its fields, and its place among those that were compiled.
    Plain(u32),
    /// A message that stands for its only field, and whether that was told.
    Transparent { place: u32, told: bool },
    /// A message whose fields make one text.
    Gathered(u32),
    /// The list of such a message.
    Paths,
    /// A list, its slot, whether its bracket is written, and whether it is also where it is empty.
    List { slot: u32, begun: bool, kept: bool },
    /// A map, likewise.
    Map { slot: u32, begun: bool, kept: bool },
    /// A list or map whose values say themselves what they are.
    Untyped,
    /// A variant, which has nothing around it.
    Bare,
}

/// What is to be written in front of the value that is told next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Lead {
    #[default]
    None,
    /// What stands between items.
    Item,
    /// The key of a slot.
    Key(u32),
    /// The key of an entry, which was kept.
    Entry,
}

/// What becomes of what is told, if it is not written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// It is a part of a text.
    Part(Known, usize),
    /// It came under a number that nobody knows.
    Unknown,
}

/// All that a rollback takes back.
#[derive(Debug)]
pub(super) struct Cursor {
    pub(super) frames: Vec<Frame>,
    /// Of what is told next.
    pub(super) slot: u32,
    /// Whether it is left out where it is zero.
    pub(super) implicit: bool,
    pub(super) lead: Lead,
    pub(super) special: Option<Special>,
    /// Whether the key that is told next is kept, as its entry may be left out.
    pub(super) late_key: bool,
    /// That key, or the text that is gathered.
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

    /// Into the memory that is there: this is done for each record of many.
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
