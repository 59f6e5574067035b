//! Converts integers to digits.

use super::eight_digits::{text_of, text_of_eight};
use crate::scan::{Pieces, Room, append_block, append_framed, append_two, sixteen_digits};

const EIGHT_DIGITS: u64 = 100_000_000;

/// Appends the digits of `number`.
///
/// ```
/// use demat_formats::text::write_u64;
/// let mut out = b"n=".to_vec();
/// write_u64(&mut out, 1_000_000);
/// assert_eq!(out, b"n=1000000");
/// ```
#[inline]
pub fn write_u64(out: &mut Vec<u8>, number: u64) {
    if number < EIGHT_DIGITS {
        let (text, len) = text_of(number as u32);
        append_block(out, false, text.to_le_bytes(), len);
    } else {
        write_nine_or_more(out, number);
    }
}

/// Appends the digits of `number`, after a minus sign if it is negative.
///
/// ```
/// use demat_formats::text::write_i64;
/// let mut out = Vec::new();
/// write_i64(&mut out, i64::MIN);
/// assert_eq!(out, b"-9223372036854775808");
/// ```
#[inline]
pub fn write_i64(out: &mut Vec<u8>, number: i64) {
    if number < 0 {
        out.push(b'-');
    }
    write_u64(out, number.unsigned_abs());
}

#[inline(never)]
fn write_nine_or_more(out: &mut Vec<u8>, number: u64) {
    let (upper, last) = (number / EIGHT_DIGITS, text_of_eight((number % EIGHT_DIGITS) as u32));
    if upper < EIGHT_DIGITS {
        let (first, len) = text_of(upper as u32);
        // The bytes past the first part are zeros.
        let both = u128::from(first) | u128::from(last) << (8 * len);
        append_block(out, false, both.to_le_bytes(), len + 8);
    } else {
        let (first, len) = text_of((upper / EIGHT_DIGITS) as u32);
        append_block(out, false, first.to_le_bytes(), len);
        let both = u128::from(text_of_eight((upper % EIGHT_DIGITS) as u32)) | u128::from(last) << 64;
        append_block(out, false, both.to_le_bytes(), 16);
    }
}

/// As [`write_i64`], followed by a byte.
#[inline(always)]
pub(crate) fn write_i64_then(out: &mut impl Room, number: i64, behind: u8) {
    let (sign, number) = ((number < 0).then_some(b'-'), number.unsigned_abs());
    if number < EIGHT_DIGITS {
        let (text, len) = text_of(number as u32);
        append_framed(out, sign, text.to_le_bytes(), len, behind);
    } else {
        write_nine_or_more_then(out, sign, number, behind);
    }
}

/// As [`write_u64`], followed by a byte.
#[inline(always)]
pub(crate) fn write_u64_then(out: &mut impl Room, number: u64, behind: u8) {
    if number < EIGHT_DIGITS {
        let (text, len) = text_of(number as u32);
        append_framed(out, None, text.to_le_bytes(), len, behind);
    } else {
        write_nine_or_more_then(out, None, number, behind);
    }
}

/// Returns the digits of a number in pieces that are stored one behind the other.
#[inline(always)]
pub(crate) fn pieces_of_u64(number: u64) -> Pieces {
    if number < EIGHT_DIGITS {
        let (first, len) = text_of(number as u32);
        return Pieces { first, len, rest: [0; 2], more: 0 };
    }
    let (upper, last) = (number / EIGHT_DIGITS, (number % EIGHT_DIGITS) as u32);
    if upper < EIGHT_DIGITS {
        let (first, len) = text_of(upper as u32);
        return Pieces { first, len, rest: [text_of_eight(last), 0], more: 8 };
    }
    // At most four digits come first, as 2^64 has twenty.
    let (first, len) = text_of((upper / EIGHT_DIGITS) as u32);
    let (digits, _) = sixteen_digits((upper % EIGHT_DIGITS) as u32, last);
    let digits = u128::from_le_bytes(digits);
    Pieces { first, len, rest: [digits as u64, (digits >> 64) as u64], more: 16 }
}

/// Appends a number of nine digits or more, with a sign before it and a byte behind it.
#[inline(always)] // passed to a function, the end of a buffer could not stay in a register
fn write_nine_or_more_then(out: &mut impl Room, sign: Option<u8>, number: u64, behind: u8) {
    let (upper, last) = (number / EIGHT_DIGITS, text_of_eight((number % EIGHT_DIGITS) as u32));
    if upper < EIGHT_DIGITS {
        let (first, len) = text_of(upper as u32);
        append_two(out, sign, (first.to_le_bytes(), len), last.to_le_bytes(), behind);
    } else {
        let (first, len) = text_of((upper / EIGHT_DIGITS) as u32);
        let (digits, _) = sixteen_digits((upper % EIGHT_DIGITS) as u32, (number % EIGHT_DIGITS) as u32);
        append_two(out, sign, (first.to_le_bytes(), len), digits, behind);
    }
}
