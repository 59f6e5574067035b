//! Checks that text is UTF-8.

use super::damaged;
use super::indices::{Span, offsets};
use arrow_array::OffsetSizeTrait;
use arrow_buffer::{Buffer, NullBuffer};
use demat_core::{Error, Result};
use simdutf8::basic::from_utf8;

/// Checks texts that are one behind the other, as a whole where possible. The bytes of nulls may be anything.
///
/// # Errors
/// If an offset is wrong, or a text is not UTF-8.
pub(super) fn all<O: OffsetSizeTrait>(ends: &[O], bytes: &[u8], nulls: Option<&NullBuffer>) -> Result<()> {
    let Span { start, len } = offsets(ends, bytes.len())?;
    let own = &bytes[start..start + len];
    if from_utf8(own).is_ok() && (own.is_ascii() || ends.iter().all(|end| is_border(own, end.as_usize() - start))) {
        return Ok(());
    }
    let rows = ends.windows(2).enumerate();
    for (row, pair) in rows.filter(|(row, _)| is_valid(nulls, *row)) {
        if from_utf8(&bytes[pair[0].as_usize()..pair[1].as_usize()]).is_err() {
            return Err(no_text(row));
        }
    }
    Ok(())
}

/// Whether a character begins at an offset of UTF-8, or the bytes end.
fn is_border(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)
}

fn is_valid(nulls: Option<&NullBuffer>, row: usize) -> bool {
    nulls.is_none_or(|nulls| nulls.is_valid(row))
}

#[cold]
fn no_text(row: usize) -> Error {
    damaged("UTF-8 in an Arrow column of text", format!("other bytes at value {row}"))
}

/// The longest value that is inside of its view.
const INLINE: usize = 12;
/// The highest bits of the bytes of an inline value, at their place in the view.
const HIGH: u128 = 0x8080_8080_8080_8080_8080_8080_0000_0000;

/// Checks the views of values, and for text, that these are UTF-8. Those of nulls may be anything.
///
/// # Errors
/// If a view leaves its buffer, or a text is not UTF-8.
pub(super) fn views(views: &[u128], buffers: &[Buffer], nulls: Option<&NullBuffer>, text: bool) -> Result<()> {
    for (row, view) in views.iter().enumerate() {
        #[allow(clippy::cast_possible_truncation, reason = "these are the parts of a view")]
        let (len, buffer, offset) = (*view as u32 as usize, (*view >> 64) as u32 as usize, (*view >> 96) as usize);
        let wrong = if len <= INLINE {
            text && view & HIGH != 0 && from_utf8(&view.to_le_bytes()[4..4 + len]).is_err()
        } else {
            let bytes = buffers.get(buffer).and_then(|buffer| buffer.get(offset..offset.checked_add(len)?));
            let Some(bytes) = bytes else {
                if is_valid(nulls, row) {
                    return Err(damaged("views within an Arrow column's data", format!("one beyond at value {row}")));
                }
                continue;
            };
            text && from_utf8(bytes).is_err()
        };
        if wrong && is_valid(nulls, row) {
            return Err(no_text(row));
        }
    }
    Ok(())
}
