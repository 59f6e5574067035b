//! Finds the end of a run of digits.

use super::class::{Class, mask16};
use super::find::find;
use super::vector::Vector;

/// Anything but the ASCII digits.
#[derive(Clone, Copy)]
pub(super) struct NotDigit;

impl Class for NotDigit {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // SAFETY: the caller guarantees that the machine has these vectors.
        unsafe { bytes.less_signed(V::splat(b'0')).or(V::splat(b'9').less_signed(bytes)) }
    }
}

/// Returns the position of the first byte at or after `from` that is not an ASCII digit.
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

/// Returns the number of ASCII digits at the start of 16 bytes.
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

/// As [`digit_count`], and also returns the value of the digits padded with zeros behind them to sixteen, as two
/// numbers of eight digits: a fraction in units of 10<sup>-16</sup>. The digits are converted in place and need no
/// shift by their number.
///
/// ```
/// use demat_formats::scan::fraction_digits;
/// assert_eq!(fraction_digits(b"25, 0.125, 1e10]"), (2, [25_000_000, 0]));
/// assert_eq!(fraction_digits(b"1234567890123456"), (16, [12_345_678, 90_123_456]));
/// ```
#[inline(always)]
pub fn fraction_digits(block: &[u8; 16]) -> (usize, [u64; 2]) {
    let count = digit_count(block);
    (count, eights(block, count))
}

/// From index `16 - count` on, a byte of ones for each digit that counts, and zeros for the others.
#[cfg(target_arch = "x86_64")]
static KEEP: [u8; 32] = {
    let mut keep = [0; 32];
    let mut at = 0;
    while at < 16 {
        keep[at] = 0xff;
        at += 1;
    }
    keep
};

/// Returns the values of two times eight digits. Digits from `count` on count as zeros.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn eights(block: &[u8; 16], count: usize) -> [u64; 2] {
    #[allow(clippy::wildcard_imports, reason = "every name of it says where it is from")]
    use std::arch::x86_64::*;
    debug_assert!(count <= 16);
    // SAFETY: every x86_64 has SSE2; 16 bytes are loaded from an array of 16, and from `16 - count` of an array of 32,
    // where `count` is at most 16: its callers pass what `digit_count` gave, which is the index of a bit up to the
    // 16th.
    let eights = unsafe {
        let keep = KEEP.as_ptr().add(16 - count);
        let values = _mm_sub_epi8(_mm_loadu_si128(block.as_ptr().cast()), _mm_set1_epi8(b'0'.cast_signed()));
        let values = _mm_and_si128(values, _mm_loadu_si128(keep.cast()));
        // Combines digits to pairs, pairs to fours, fours to eights; each lane is twice as wide as the last.
        let tens = _mm_mullo_epi16(_mm_and_si128(values, _mm_set1_epi16(0xff)), _mm_set1_epi16(10));
        let pairs = _mm_add_epi16(tens, _mm_srli_epi16::<8>(values));
        let fours = _mm_madd_epi16(pairs, _mm_set1_epi32(0x1_0000 + 100));
        let fours = _mm_packs_epi32(fours, fours);
        _mm_cvtsi128_si64(_mm_madd_epi16(fours, _mm_set1_epi32(0x1_0000 + 10_000))).cast_unsigned()
    };
    [eights & 0xffff_ffff, eights >> 32]
}

#[cfg(not(target_arch = "x86_64"))]
use eights_in_words as eights;

/// As [`eights`], in plain Rust.
#[cfg(any(test, not(target_arch = "x86_64")))]
#[inline(always)]
pub(super) fn eights_in_words(block: &[u8; 16], count: usize) -> [u64; 2] {
    let keep = u128::MAX.checked_shr(128 - 8 * count as u32).unwrap_or(0);
    let digits = u128::from_le_bytes(*block) & keep & u128::from_ne_bytes([0x0f; 16]);
    [digits as u64, (digits >> 64) as u64].map(|values| {
        let pairs = values.wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
        let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
        fours.wrapping_mul(1 + (10_000 << 32)) >> 32
    })
}
