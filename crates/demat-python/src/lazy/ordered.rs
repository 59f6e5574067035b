//! Scans no further than needed, if the caller guarantees that fields are in the order of their numbers.
//!
//! Without that guarantee, a field is only known after the whole message was scanned: the last occurrence of a single
//! value counts, and lists and messages may continue anywhere. With it, a larger number means that the field has ended.
//! The scan offset is kept, so that each part is scanned once.

use super::class::LazyField;
use super::field;
use super::layout::{INDEXED, View};
use demat_formats::proto::raw;

/// Locates a field and those before it; false if the bytes are malformed.
#[inline(never)]
pub(super) fn index(view: View<'_>, field: &LazyField, bytes: &[u8]) -> bool {
    if field.until == u32::MAX {
        // The value also depends on later fields.
        return field::index(view, bytes);
    }
    let (class, places) = (view.class, view.places());
    let (mut at, mut before) = (*view.seen() as usize, 0);
    while at < bytes.len() {
        let Some(part) = raw::read(bytes, at) else { return false };
        if part.number < before {
            // The fields are not in order.
            return field::index(view, bytes);
        }
        if part.number > field.until {
            *view.seen() = at as u32;
            return true;
        }
        before = part.number;
        at = field::noted(class, places, bytes, part);
    }
    if class.grouped {
        return field::index(view, bytes);
    }
    view.state().flags |= INDEXED;
    true
}
