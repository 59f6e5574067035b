//! Digits to integers.

use super::eight_digits::{leading_digits, value_of, value_of_eight};
use crate::scan::{digits_end, padded8};

/// A run of digits that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// The number that they say, if `exact`; nothing otherwise.
    pub value: u64,
    /// How many there are, leading zeros included.
    pub count: usize,
    /// Whether a `u64` holds the number.
    pub exact: bool,
}

/// Reads the run of digits at `from`, up to the first byte that is none.
///
/// No digits are no fault here, they are a count of zero; and leading zeros are for the caller to refuse. Up to seven
/// digits, which most integers have, are read without a loop.
///
/// ```
/// use demat_formats::text::{Digits, parse_digits};
/// assert_eq!(parse_digits(b"-1234,", 1), Digits { value: 1234, count: 4, exact: true });
/// assert_eq!(parse_digits(b"x", 0).count, 0);
/// assert_eq!(parse_digits(b"18446744073709551615", 0).value, u64::MAX);
/// assert!(!parse_digits(b"18446744073709551616", 0).exact);
/// ```
#[inline]
pub fn parse_digits(bytes: &[u8], from: usize) -> Digits {
    let word = padded8(bytes, from);
    let count = leading_digits(word);
    if count < 8 {
        return Digits { value: value_of(word, count), count, exact: true };
    }
    eight_or_more(bytes, from, value_of_eight(word))
}

/// The short whole number that a word of text begins with: its value and its length.
///
/// Nothing for a number that is not all in the word with the byte that ends it, that is negative, has a leading zero or
/// is no whole number; so this is the common case alone, in a few instructions and one branch.
#[inline(always)]
pub(crate) fn short_number(word: u64) -> Option<(u64, usize)> {
    let count = leading_digits(word);
    // 1 to 7 digits, no zero in front of others, and no `.`, `e` or `E` behind.
    if count.wrapping_sub(1) >= 7 || (word as u8 == b'0' && count > 1) {
        return None;
    }
    let end = (word >> (8 * count)) as u8;
    if end == b'.' || end | 0x20 == b'e' {
        return None;
    }
    Some((value_of(word, count), count))
}

/// The powers of ten that a `u64` holds.
pub(super) const TENS: [u64; 20] = {
    let mut tens = [1; 20];
    let mut power = 1;
    while power < 20 {
        tens[power] = tens[power - 1] * 10;
        power += 1;
    }
    tens
};

/// Goes on after the first eight digits. 15 are below 10^15, so two words need no check.
#[inline]
fn eight_or_more(bytes: &[u8], from: usize, first: u64) -> Digits {
    let word = padded8(bytes, from + 8);
    let count = leading_digits(word);
    if count < 8 {
        let value = first * TENS[count] + value_of(word, count);
        return Digits { value, count: 8 + count, exact: true };
    }
    sixteen_or_more(bytes, from, first * 100_000_000 + value_of_eight(word))
}

/// Goes on after the first 16 digits.
#[inline(never)]
fn sixteen_or_more(bytes: &[u8], from: usize, first: u64) -> Digits {
    let word = padded8(bytes, from + 16);
    let count = leading_digits(word);
    // 19 digits are below 10^19, which a u64 holds.
    if count <= 3 {
        let value = first * TENS[count] + value_of(word, count);
        return Digits { value, count: 16 + count, exact: true };
    }
    let end = digits_end(bytes, from + 19);
    let mut value = Some(first);
    for digit in &bytes[from + 16..end] {
        value = value.and_then(|value| value.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
        if value.is_none() {
            break;
        }
    }
    Digits { value: value.unwrap_or(0), count: end - from, exact: value.is_some() }
}

/// The unsigned integer that all of `text` says; `None` if it says none, or one that a `u64` can't hold.
///
/// Leading zeros are accepted: CSV cells have them.
///
/// ```
/// use demat_formats::text::parse_u64;
/// assert_eq!(parse_u64(b"007"), Some(7));
/// assert_eq!((parse_u64(b""), parse_u64(b"-1"), parse_u64(b"1.0")), (None, None, None));
/// ```
#[inline]
pub fn parse_u64(text: &[u8]) -> Option<u64> {
    let digits = parse_digits(text, 0);
    (digits.exact && digits.count == text.len() && digits.count > 0).then_some(digits.value)
}

/// The integer that all of `text` says; `None` if it says none, or one that an `i64` can't hold.
///
/// ```
/// use demat_formats::text::parse_i64;
/// assert_eq!(parse_i64(b"-9223372036854775808"), Some(i64::MIN));
/// assert_eq!((parse_i64(b"9223372036854775808"), parse_i64(b"+1"), parse_i64(b"-")), (None, None, None));
/// ```
#[inline]
pub fn parse_i64(text: &[u8]) -> Option<i64> {
    match text.split_first() {
        Some((b'-', digits)) => 0_i64.checked_sub_unsigned(parse_u64(digits)?),
        _ => parse_u64(text)?.try_into().ok(),
    }
}
