//! Finds where a JSON string stops being plain ASCII.

use super::class::{Class, mask16, mask32};
use super::find::find;
use super::vector::Vector;

/// A quote, a backslash, a control character, or a byte of a character beyond ASCII.
#[derive(Clone, Copy)]
pub(super) struct NotPlain;

impl Class for NotPlain {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // As signed numbers, the control characters and all bytes from 0x80 on are those below 0x20: one comparison.
        // SAFETY: the caller guarantees that the machine has these vectors.
        unsafe {
            let marks = bytes.eq(V::splat(b'"')).or(bytes.eq(V::splat(b'\\')));
            marks.or(bytes.less_signed(V::splat(0x20)))
        }
    }
}

/// Returns the position of the first byte at or after `from` that is `"`, `\`, below 0x20, or from 0x80 on: the end of
/// what can be copied unchanged, also to an ASCII document.
///
/// ```
/// use demat_formats::scan::json_plain;
/// let json = br#"{"title": "milk"}"#;
/// assert_eq!(json_plain(json, 2), 7);
/// assert_eq!(json_plain(json, 11), 15);
/// assert_eq!(json_plain(b"no end", 0), 6);
/// ```
#[inline]
pub fn json_plain(bytes: &[u8], from: usize) -> usize {
    find(NotPlain, bytes, from)
}

/// Returns the text up to [`json_plain`]'s end, and that end.
///
/// The search has checked that all of it is ASCII, so it needs no UTF-8 validation.
///
/// ```
/// use demat_formats::scan::json_plain_text;
/// assert_eq!(json_plain_text(br#""milk", 1"#, 1), ("milk", 5));
/// ```
#[inline]
pub fn json_plain_text(bytes: &[u8], from: usize) -> (&str, usize) {
    let from = from.min(bytes.len());
    let end = find(NotPlain, bytes, from);
    // SAFETY: `find` returns a position from `from` to the input's length. No byte before it is in the class, which
    // contains all bytes from 0x80 on, so these are ASCII, which is UTF-8.
    let text = unsafe { std::str::from_utf8_unchecked(bytes.get_unchecked(from..end)) };
    (text, end)
}

/// Returns the number of bytes before the first that is in the class; 16 if none is.
#[inline(always)]
pub(super) fn json_plain_run(block: &[u8; 16]) -> usize {
    (mask16(NotPlain, block) | 1 << 16).trailing_zeros() as usize
}

/// Returns the text up to a quote within the next 32 bytes, if it is plain. Returns `None` for other text, or if fewer
/// than 32 bytes are left.
///
/// All of it is inline. Most strings are like that: names, words, dates.
///
/// ```
/// use demat_formats::scan::json_short_text;
/// let json = br#"["milk", "a\nb", "and what more there is"]"#;
/// assert_eq!(json_short_text(json, 2), Some("milk"));
/// assert_eq!(json_short_text(json, 10), None);
/// ```
#[inline(always)]
pub fn json_short_text(bytes: &[u8], from: usize) -> Option<&str> {
    let rest = bytes.get(from..)?;
    let block = rest.first_chunk::<32>()?;
    let len = mask32(NotPlain, block).trailing_zeros() as usize;
    // Without a stop, the count is 64.
    if block.get(len) != Some(&b'"') {
        return None;
    }
    // SAFETY: the block is part of `rest` and `len` is below its length. No byte before `len` is in the class, which
    // contains all bytes from 0x80 on, so these are ASCII, which is UTF-8.
    Some(unsafe { std::str::from_utf8_unchecked(rest.get_unchecked(..len)) })
}
