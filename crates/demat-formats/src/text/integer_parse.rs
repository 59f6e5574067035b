//! Converts digits to integers.

use super::eight_digits::{leading_digits, value_of, value_of_eight};
use crate::scan::{digits_end, padded8};

/// The result of parsing a run of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digits {
    /// The value, if `exact`; otherwise meaningless.
    pub value: u64,
    /// The number of digits, leading zeros included.
    pub count: usize,
    /// Whether the value fits a `u64`.
    pub exact: bool,
}

/// Parses the run of digits at `from`, up to the first byte that is none.
///
/// An empty run has a count of zero and is no error; leading zeros are for the caller to refuse. Up to seven digits,
/// which most integers have, are parsed without a loop.
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

/// Parses the short integer that a word of text begins with. Returns its value and its length.
///
/// Returns `None` if the number and the byte after it do not fit the word, if it is negative, has a leading zero or is
/// no integer. So this is the common case only, in a few instructions and one branch.
#[inline(always)]
pub(crate) fn short_number(word: u64) -> Option<(u64, usize)> {
    let count = leading_digits(word);
    // 1 to 7 digits, no leading zero, and no `.`, `e` or `E` behind.
    if count.wrapping_sub(1) >= 7 || (word as u8 == b'0' && count > 1) {
        return None;
    }
    let end = (word >> (8 * count)) as u8;
    if end == b'.' || end | 0x20 == b'e' {
        return None;
    }
    Some((value_of(word, count), count))
}

/// The powers of ten that fit a `u64`.
pub(super) const TENS: [u64; 20] = {
    let mut tens = [1; 20];
    let mut power = 1;
    while power < 20 {
        tens[power] = tens[power - 1] * 10;
        power += 1;
    }
    tens
};

/// Continues after the first eight digits. 15 digits are below 10^15, so two words need no check.
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

/// Continues after the first 16 digits.
#[inline(never)]
fn sixteen_or_more(bytes: &[u8], from: usize, first: u64) -> Digits {
    let word = padded8(bytes, from + 16);
    let count = leading_digits(word);
    // 19 digits are below 10^19, which fits a u64.
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

/// Parses all of `text` as an unsigned integer. Returns `None` if it is none, or does not fit a `u64`.
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

/// Parses all of `text` as an integer. Returns `None` if it is none, or does not fit an `i64`.
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
