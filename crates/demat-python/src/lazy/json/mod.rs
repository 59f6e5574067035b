//! Views over JSON: what differs from those over messages.
//!
//! The first field that is asked for takes the source through the object, which finds the keys and passes over the values, so
//! what is not well-formed is found then; each value is decoded by the decoder's own engine where it stands.

mod field;
mod index;
mod value;
mod walk;

pub(super) use field::get;
pub(super) use index::{end_of, index, is_within};
use value::{base_of, span_of, view_within};
pub(super) use value::{decoded, fresh, moved, moved_from, options_of, value_at};
pub(super) use walk::{Walk, trimmed};
