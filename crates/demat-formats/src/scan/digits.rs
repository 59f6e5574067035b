//! Where a run of digits ends.

use super::class::Class;
use super::find::find;
use super::vector::Vector;

/// Anything but the ASCII digits.
#[derive(Clone, Copy)]
pub(super) struct NotDigit;

impl Class for NotDigit {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // SAFETY: the caller says that the machine has these vectors.
        unsafe { bytes.less_signed(V::splat(b'0')).or(V::splat(b'9').less_signed(bytes)) }
    }
}

/// The first byte at or after `from` that is not an ASCII digit.
///
/// ```
/// use demat_formats::scan::digits_end;
/// assert_eq!(digits_end(b"-2025-11", 1), 5);
/// assert_eq!(digits_end(b"x", 0), 0);
/// ```
#[inline]
pub fn digits_end(bytes: &[u8], from: usize) -> usize {
    find(NotDigit, bytes, from)
}
