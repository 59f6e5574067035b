//! Finds the end of a JSON string, or the next escape in it.

use super::class::Class;
use super::find::find;
use super::vector::Vector;

/// A quote, a backslash, or a control character.
#[derive(Clone, Copy)]
pub(super) struct StringEnd;

impl Class for StringEnd {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // SAFETY: the caller guarantees that the machine has these vectors.
        unsafe {
            let marks = bytes.eq(V::splat(b'"')).or(bytes.eq(V::splat(b'\\')));
            marks.or(bytes.at_most(V::splat(0x1f)))
        }
    }
}

/// Returns the position of the first byte at or after `from` that is `"`, `\`, or below 0x20.
///
/// For a reader this is the end of a run, for a writer the next byte to escape: in JSON they are the same.
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
