//! Decoding of cells: quotes, numbers and bools.

use super::row::Rules;
use crate::text::{PLAIN, parse_digits, plain_number};
use std::borrow::Cow;

/// Returns the content between the quotes, if the cell is quoted.
#[inline]
pub(super) fn quoted(raw: &[u8], rules: Rules) -> Option<&[u8]> {
    match raw {
        [first, content @ .., _last] if rules.quotes(*first) => Some(content),
        _ => None,
    }
}

/// Returns the content of a quoted cell with doubled quotes made single.
#[inline]
pub(super) fn unescaped(content: &[u8], quote: u8) -> Cow<'_, [u8]> {
    if memchr::memchr(quote, content).is_none() {
        return Cow::Borrowed(content);
    }
    let mut out = Vec::with_capacity(content.len());
    unescape(content, quote, &mut out);
    Cow::Owned(out)
}

/// Appends the content of a quoted cell with doubled quotes made single.
fn unescape(content: &[u8], quote: u8, out: &mut Vec<u8>) {
    let mut from = 0;
    for first in memchr::memchr_iter(quote, content).step_by(2) {
        out.extend_from_slice(&content[from..=first]);
        from = (first + 2).min(content.len());
    }
    out.extend_from_slice(&content[from..]);
}

/// As [`unescape`], for text.
pub(super) fn unescape_text(content: &str, quote: u8, out: &mut String) {
    let mut from = 0;
    for first in memchr::memchr_iter(quote, content.as_bytes()).step_by(2) {
        // The quote is ASCII, so both ends are at character boundaries.
        out.push_str(content.get(from..=first).unwrap_or_default());
        from = first + 2;
    }
    out.push_str(content.get(from..).unwrap_or_default());
}

/// Returns the eight bytes at `start`, if the slice has them. `start` is a `u32`, so the addition can't overflow and
/// one comparison is enough.
#[inline(always)]
fn word_at(bytes: &[u8], start: u32) -> Option<u64> {
    let start = start as usize;
    let word = bytes.get(start..start + 8)?;
    word.try_into().ok().map(u64::from_le_bytes)
}

/// Parses all of `bytes[start..end]` as one to eight digits. Returns `None` for other content, or if fewer than eight
/// bytes follow `start`.
#[inline(always)]
pub(super) fn short_int(bytes: &[u8], start: u32, end: u32) -> Option<u32> {
    let word = word_at(bytes, start)?;
    let len = end.wrapping_sub(start);
    if len.wrapping_sub(1) < 8 { eight(word, len) } else { None }
}

/// Parses all of `bytes[start..end]` as an `i64`. Leading zeros are allowed: they pad columns.
pub(super) fn i64(bytes: &[u8], start: usize, end: usize) -> Option<i64> {
    let negative = bytes.get(start) == Some(&b'-');
    let size = u64(bytes, start + usize::from(negative), end)?;
    if negative { 0_i64.checked_sub_unsigned(size) } else { size.try_into().ok() }
}

/// Parses all of `bytes[start..end]` as digits of a `u64`.
pub(super) fn u64(bytes: &[u8], start: usize, end: usize) -> Option<u64> {
    let digits = parse_digits(bytes, start);
    (digits.exact && digits.count > 0 && start + digits.count == end).then_some(digits.value)
}

/// Parses the first `len` of eight bytes as digits; `len` is 1 to 8.
///
/// The end of a cell is known before it is parsed. So the bytes behind it can be shifted out, which puts zeros before
/// the first digit, and all eight are parsed at once.
#[inline(always)]
fn eight(word: u64, len: u32) -> Option<u32> {
    let values = values_of(word, len);
    if not_digits(values) == 0 { Some(join(values)) } else { None }
}

/// Returns the values of the first `len` of eight digits (1 to 8), with zeros before them.
#[inline(always)]
fn values_of(word: u64, len: u32) -> u64 {
    (word ^ 0x3030_3030_3030_3030) << (64 - 8 * len)
}

/// Sets the highest bit of each byte that is not a digit's value. Only the lowest bit set and those below it are
/// reliable.
#[inline(always)]
fn not_digits(values: u64) -> u64 {
    // A digit's value plus 0x76 stays below 0x80. Any other byte has its top bit set, in the sum or already before it.
    (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
}

/// Combines eight digit values to a number.
#[inline(always)]
fn join(values: u64) -> u32 {
    // Combines digits to pairs, pairs to fours, and fours to eight. No sum outgrows its lane.
    let pairs = values.wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
    (fours.wrapping_mul(1 + (10_000 << 32)) >> 32) as u32
}

/// Parses all of `bytes[start..end]` as up to eight bytes of digits, with or without a point between them. Returns
/// `None` for other content, or if fewer than eight bytes follow `start`.
///
/// The result is exact: binary64 represents numerator and denominator exactly, so the one division rounds correctly.
#[inline(always)]
pub(super) fn short_float(bytes: &[u8], start: u32, end: u32) -> Option<f64> {
    const TENS: [f64; 8] = [1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6, 1e7];
    let word = word_at(bytes, start)?;
    let len = end.wrapping_sub(start);
    if len.wrapping_sub(1) >= 8 {
        return None;
    }
    let values = values_of(word, len);
    let marks = not_digits(values);
    if marks == 0 {
        return Some(f64::from(join(values)));
    }
    // Eight bits of the byte that should be the point, the only byte that is no digit; and a mask of the digits before
    // it.
    let at = marks.trailing_zeros() / 8;
    let below = (1 << (8 * at)) - 1;
    let point = u64::from(b'.' ^ b'0') << (8 * at);
    let digits = values ^ point;
    // The point may be neither first nor last, and all other bytes must be digits.
    if at == 8 - len || at == 7 || not_digits(digits) != 0 || digits >> (8 * at) & 0xff != 0 {
        return None;
    }
    // Moves the digits before the point by one place, over the point.
    let joined = join(digits & !below | (digits & below) << 8);
    Some(f64::from(joined) / TENS[7 - at as usize])
}

/// Parses all of `bytes[start..end]` as a number of the common forms that JSON has as well. Returns `None` for other
/// content, or near the end of the bytes.
#[inline(always)]
pub(super) fn plain_float(bytes: &[u8], start: u32, end: u32) -> Option<f64> {
    let block = bytes.get(start as usize..)?.first_chunk::<PLAIN>()?;
    let (number, len) = plain_number(block)?;
    (len == end.wrapping_sub(start) as usize).then(|| number.into_f64(block[0]))
}

/// Returns the digits of an integer in canonical form, without leading zeros. Returns `None` for other text.
pub(super) fn canonical(text: &str) -> Option<Cow<'_, str>> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if !digits.starts_with('0') {
        return Some(Cow::Borrowed(text));
    }
    let digits = digits.trim_start_matches('0');
    Some(if digits.is_empty() { Cow::Borrowed("0") } else { Cow::Owned(format!("{sign}{digits}")) })
}

/// Parses the floats without digits, as Demat writes them.
#[cold]
pub(super) fn float_by_name(content: &[u8]) -> Option<f64> {
    match content {
        b"NaN" => Some(f64::NAN),
        b"inf" => Some(f64::INFINITY),
        b"-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// Parses a bool in the spellings of common spreadsheet programs.
#[inline]
pub(super) fn bool(content: &[u8]) -> Option<bool> {
    match content {
        b"true" | b"True" | b"TRUE" | b"1" => Some(true),
        b"false" | b"False" | b"FALSE" | b"0" => Some(false),
        _ => None,
    }
}
