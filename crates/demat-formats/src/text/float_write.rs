//! Converts binary floating point to the shortest decimal text.

use super::float_plain::append_plain;
use crate::scan::{Room, append_made};

/// Appends the shortest text that parses to `number` again and is visibly a float: `1.0`, `1e+300`, `-0.0`.
///
/// JSON has no form for non-finite numbers, so the caller must refuse or name them.
///
/// ```
/// use demat_formats::text::write_f64;
/// let mut out = Vec::new();
/// write_f64(&mut out, 0.1 + 0.2);
/// assert_eq!(out, b"0.30000000000000004");
/// ```
#[inline]
pub fn write_f64(out: &mut Vec<u8>, number: f64) {
    debug_assert!(number.is_finite());
    if !append_plain(out, number, None) {
        append_any(out, number, None);
    }
}

/// Appends the shortest text that parses to the `f32` `number` again; otherwise as [`write_f64`].
///
/// ```
/// use demat_formats::text::write_f32;
/// let mut out = Vec::new();
/// write_f32(&mut out, 0.1);
/// assert_eq!(out, b"0.1");
/// ```
#[inline]
pub fn write_f32(out: &mut Vec<u8>, number: f32) {
    debug_assert!(number.is_finite());
    append_made(out, zmij::Buffer::new(), |buffer| buffer.format_finite(number), None);
}

/// As [`write_f32`], followed by a byte.
#[inline(never)]
pub(crate) fn write_f32_then(out: &mut Vec<u8>, number: f32, behind: u8) {
    debug_assert!(number.is_finite());
    append_made(out, zmij::Buffer::new(), |buffer| buffer.format_finite(number), Some(behind));
}

/// As [`write_f64`], followed by a byte.
#[inline(always)]
pub(crate) fn write_f64_then(out: &mut impl Room, number: f64, behind: u8) {
    debug_assert!(number.is_finite());
    if !append_plain(out, number, Some(behind)) {
        out.append(|out| append_any(out, number, Some(behind)));
    }
}

#[inline(never)]
fn append_any(out: &mut Vec<u8>, number: f64, behind: Option<u8>) {
    append_made(out, zmij::Buffer::new(), |buffer| buffer.format_finite(number), behind);
}
