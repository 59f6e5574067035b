//! Views over encodings with keys, JSON and MessagePack: the parts that differ from views over messages.
//!
//! The first access to a field scans the whole object: it finds the keys and skips the values, and detects malformed
//! bytes. Each value is decoded in place, by the decoder's engine.

mod field;
mod index;
mod source;
mod value;
mod walk;

pub(super) use field::get;
pub(super) use index::{end_of, index, is_within};
pub(super) use source::{First, with_source};
pub(super) use value::{base_before, decoded, fresh, is_in_parts, moved_from, options_of, part_of, value_at};
use value::{counted, moved, span_of, view_within};
pub(super) use walk::{Walk, trimmed};
