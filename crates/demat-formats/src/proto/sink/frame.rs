use super::slot::Slot;
use crate::proto::layout::Form;

/// Something that was begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Frame {
    /// Messages one behind the other.
    Stream,
    /// The message that is all there is.
    Whole,
    /// A message behind its length, or anything else that has one.
    Length(Length),
    /// A record between two tags, the first of which is the slot's.
    Group(Slot),
    /// A list whose items each have a tag: the slot of an item.
    List(Slot),
    /// A list whose items stand in one run, and where its tag begins.
    Packed(Length, Form, usize),
    /// A map: the slot of an entry, the forms of key and value, and the length of the open entry, if there is one.
    Map(Slot, Form, Form, Option<Length>),
    /// A list whose items say themselves what they are: the lengths of the value and of the list.
    AnyList(Length, Length),
    /// A map whose values do: the lengths of the value, the map, and an entry that is open.
    AnyMap(Length, Length, Option<Length>),
    /// A variant of a union, which has nothing around it.
    #[default]
    Bare,
}

/// A length that is not known yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Length {
    /// Where the byte for it is.
    pub(super) at: usize,
    /// How many lengths that turned out wide there were before it.
    pub(super) wide: usize,
}
