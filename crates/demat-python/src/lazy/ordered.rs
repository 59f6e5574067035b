//! Looking no further than needed, where somebody has promised that fields stand in the order of their numbers.
//!
//! Without the promise nothing can be said of a field before the message's end was seen: of a single value the last one counts,
//! and lists and messages may go on anywhere. With it a bigger number says that the field is over. How far the message was
//! looked at is kept, so that each part of it is looked at once.

use super::class::LazyField;
use super::field;
use super::layout::{INDEXED, View};
use demat_formats::proto::raw;

/// Looks for a field and those before it; false where the bytes are no message.
#[inline(never)]
pub(super) fn index(view: View<'_>, field: &LazyField, bytes: &[u8]) -> bool {
    if field.until == u32::MAX {
        // It takes others to say what it is.
        return field::index(view, bytes);
    }
    let (class, places) = (view.class, view.places());
    let (mut at, mut before) = (*view.seen() as usize, 0);
    while at < bytes.len() {
        let Some(part) = raw::read(bytes, at) else { return false };
        if part.number < before {
            // The promise was not kept.
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
