//! Where a JSON string ends, or holds what must be or must not have been escaped.

use super::class::Class;
use super::find::find;
use super::vector::Vector;

/// A quote, a backslash, or a control character.
#[derive(Clone, Copy)]
pub(super) struct StringEnd;

impl Class for StringEnd {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // SAFETY: the caller says that the machine has these vectors.
        unsafe {
            let marks = bytes.eq(V::splat(b'"')).or(bytes.eq(V::splat(b'\\')));
            marks.or(bytes.at_most(V::splat(0x1f)))
        }
    }
}

/// The first byte at or after `from` that is `"`, `\`, or below 0x20.
///
/// To a reader that is the end of a run, to a writer the next byte to escape: JSON has made them the same.
///
/// ```
/// use demat_formats::scan::json_string_end;
/// assert_eq!(json_string_end("\"käse\"".as_bytes(), 1), 6);
/// assert_eq!(json_string_end(b"no end", 0), 6);
/// ```
#[inline]
pub fn json_string_end(bytes: &[u8], from: usize) -> usize {
    find(StringEnd, bytes, from)
}
