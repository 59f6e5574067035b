//! Where a run of digits ends.

use super::class::{Class, mask16};
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

/// How many of 16 bytes are ASCII digits before the first that is not.
///
/// ```
/// use demat_formats::scan::digit_count;
/// assert_eq!(digit_count(b"2025-11-30 12:00"), 4);
/// assert_eq!(digit_count(b"1234567890123456"), 16);
/// ```
#[inline(always)]
pub fn digit_count(block: &[u8; 16]) -> usize {
    (mask16(NotDigit, block) | 1 << 16).trailing_zeros() as usize
}
