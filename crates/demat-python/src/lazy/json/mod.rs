//! Views over JSON: the parts that differ from views over messages.
//!
//! The first access to a field scans the whole object: it finds the keys and skips the values, and detects malformed
//! JSON. Each value is decoded in place, by the decoder's engine.

mod field;
mod index;
mod value;
mod walk;

pub(super) use field::get;
pub(super) use index::{end_of, index, is_within};
use value::{base_of, span_of, view_within};
pub(super) use value::{decoded, fresh, moved, moved_from, options_of, value_at};
pub(super) use walk::{Walk, trimmed};
