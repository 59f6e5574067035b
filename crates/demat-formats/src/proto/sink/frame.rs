use super::slot::Slot;
use crate::proto::layout::Form;

/// An open container.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Frame {
    /// A stream of length-prefixed messages.
    Stream,
    /// The outermost message.
    Whole,
    /// A message, or another length-prefixed value.
    Length(Length),
    /// A group: a record between two tags. The slot has the first one.
    Group(Slot),
    /// A list whose items have a tag each: the slot of an item.
    List(Slot),
    /// A packed list, and the offset of its tag.
    Packed(Length, Form, usize),
    /// A map: the slot of an entry, the forms of key and value, and the length of the open entry, if there is one.
    Map(Slot, Form, Form, Option<Length>),
    /// A list of `google.protobuf.Value`: the lengths of the value and of the list.
    AnyList(Length, Length),
    /// A map of `google.protobuf.Value`: the lengths of the value, of the map, and of the open entry if there is one.
    AnyMap(Length, Length, Option<Length>),
    /// A variant of a union, which adds no bytes of its own.
    #[default]
    Bare,
}

/// A length that is not yet known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    /// The offset of the byte that is reserved for it.
    pub(super) at: usize,
    /// The number of wide lengths before it.
    pub(super) wide: usize,
}
