use crate::proto::layout::Form;
use crate::proto::tag::WireType;

/// What the values are that come next, where they are those of a list.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Run {
    /// Fields of a message.
    #[default]
    Fields,
    /// A run of numbers, up to the end of its bytes.
    Packed,
    /// Values with a tag each, of which the first was read, or not.
    Tagged { number: u32, wire: WireType, form: Form, first: bool },
    /// Messages one behind the other, each behind its length.
    Stream,
    /// None.
    Empty,
}

/// What goes on behind what the source stands in.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outer<'a> {
    pub(super) rest: &'a [u8],
    pub(super) seen: u64,
    pub(super) run: Run,
}
