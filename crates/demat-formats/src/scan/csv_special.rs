//! Finds the next special byte of CSV.

use super::class::Class;
use super::find::find;
use super::vector::Vector;

/// The delimiter, the quote, a newline or a carriage return.
#[derive(Clone, Copy)]
pub(super) struct CsvSpecial {
    pub(super) delimiter: u8,
    pub(super) quote: u8,
}

impl Class for CsvSpecial {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // SAFETY: the caller guarantees that the machine has these vectors.
        unsafe {
            let marks = bytes.eq(V::splat(self.delimiter)).or(bytes.eq(V::splat(self.quote)));
            let line = bytes.eq(V::splat(b'\n')).or(bytes.eq(V::splat(b'\r')));
            marks.or(line)
        }
    }
}

/// Returns the position of the first byte at or after `from` that is the delimiter, the quote, a newline or a carriage
/// return: where a cell ends, or why it must be quoted.
///
/// ```
/// use demat_formats::scan::csv_special;
/// assert_eq!(csv_special(b"id,title\n", 0, b',', b'"'), 2);
/// assert_eq!(csv_special(b"id,title\n", 3, b',', b'"'), 8);
/// ```
#[inline]
pub fn csv_special(bytes: &[u8], from: usize, delimiter: u8, quote: u8) -> usize {
    find(CsvSpecial { delimiter, quote }, bytes, from)
}
