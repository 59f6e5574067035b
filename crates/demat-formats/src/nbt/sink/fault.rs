//! Errors for values that NBT can't express.

use super::super::Tag;
use demat_core::{Error, ErrorKind};

#[cold]
pub(super) fn no_int(expected: &'static str, value: &impl ToString) -> Error {
    Error::mismatch(ErrorKind::Encode, expected, value.to_string())
}

#[cold]
pub(super) fn too_long(kind: &str, most: usize) -> Error {
    Error::new(ErrorKind::Encode, format!("{kind} is longer than NBT can say: {most}"))
}

#[cold]
pub(super) fn no_null() -> Error {
    let message = "NBT has no null: only a field of a record can be left out";
    Error::new(ErrorKind::Encode, message)
}

#[cold]
pub(super) fn no_key(kind: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a scalar as a key", kind)
}

/// The items of a list have one tag.
#[cold]
pub(super) fn mixed(expected: Tag, found: Tag) -> Error {
    let expected = format!("{} as the other items of the list, which all have one tag", expected.name());
    Error::mismatch(ErrorKind::Encode, expected, found.name())
}

#[cold]
pub(super) fn no_item(array: Tag, found: Tag) -> Error {
    let expected = format!("{} as an item of the {}", array.item().unwrap_or(Tag::End).name(), array.name());
    Error::mismatch(ErrorKind::Encode, expected, found.name())
}

/// A reader recognises a sequence by its compounds.
#[cold]
pub(super) fn no_compound(tag: Tag) -> Error {
    Error::mismatch(ErrorKind::Encode, "a record, as every item of a sequence", tag.name())
}

/// With the root `entry`, the outermost record must have exactly one entry.
#[cold]
pub(super) fn no_entry(found: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "a record of one entry, which names the outermost value", found)
}

/// The count was already passed to the drain, and differs.
#[cold]
pub(super) fn wrong_count(announced: u32, count: u64) -> Error {
    Error::new(ErrorKind::Encode, format!("{announced} items were announced and written so, but {count} came"))
}
