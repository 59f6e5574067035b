use crate::proto::layout::Form;
use crate::proto::tag::WireType;

/// The kind of the next values.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Run {
    /// Fields of a message.
    #[default]
    Fields,
    /// Packed numbers, up to the end of their bytes.
    Packed,
    /// List items with a tag each. `first`: whether the tag of the first one was read and its value was not.
    Tagged { number: u32, wire: WireType, form: Form, first: bool },
    /// A stream of length-prefixed messages.
    Stream,
    /// No values.
    Empty,
}

/// The state of the enclosing container, to continue with after the inner one.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Outer<'a> {
    pub(super) rest: &'a [u8],
    pub(super) seen: u64,
    pub(super) run: Run,
}
