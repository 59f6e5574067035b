//! What a cell says: its content without quotes, and that as a number or a bool.

use super::row::Rules;
use crate::text::parse_digits;
use std::borrow::Cow;

/// What stands between the quotes, if the cell is quoted.
#[inline]
pub(super) fn quoted(raw: &[u8], rules: Rules) -> Option<&[u8]> {
    match raw {
        [first, content @ .., _last] if rules.quotes(*first) => Some(content),
        _ => None,
    }
}

/// The content of a quoted cell, doubled quotes made one.
#[inline]
pub(super) fn unescaped(content: &[u8], quote: u8) -> Cow<'_, [u8]> {
    if memchr::memchr(quote, content).is_none() {
        return Cow::Borrowed(content);
    }
    let mut out = Vec::with_capacity(content.len());
    unescape(content, quote, &mut out);
    Cow::Owned(out)
}

/// Appends the content of a quoted cell, doubled quotes made one.
fn unescape(content: &[u8], quote: u8, out: &mut Vec<u8>) {
    let mut from = 0;
    for first in memchr::memchr_iter(quote, content).step_by(2) {
        out.extend_from_slice(&content[from..=first]);
        from = (first + 2).min(content.len());
    }
    out.extend_from_slice(&content[from..]);
}

/// The same of text.
pub(super) fn unescape_text(content: &str, quote: u8, out: &mut String) {
    let mut from = 0;
    for first in memchr::memchr_iter(quote, content.as_bytes()).step_by(2) {
        // The quote is ASCII, so that both ends are between characters.
        out.push_str(content.get(from..=first).unwrap_or_default());
        from = first + 2;
    }
    out.push_str(content.get(from..).unwrap_or_default());
}

/// The eight bytes at `start`, if there are so many. One comparison, as nothing can overflow.
#[inline(always)]
fn word_at(bytes: &[u8], start: u32) -> Option<u64> {
    let start = start as usize;
    let word = bytes.get(start..start + 8)?;
    word.try_into().ok().map(u64::from_le_bytes)
}

/// The number that is all of `bytes[start..end]`, if it is one to eight digits and eight bytes are there to look at.
#[inline(always)]
pub(super) fn short_int(bytes: &[u8], start: u32, end: u32) -> Option<u32> {
    let word = word_at(bytes, start)?;
    let len = end.wrapping_sub(start);
    if len.wrapping_sub(1) < 8 { eight(word, len) } else { None }
}

/// The number that is all of `bytes[start..end]`, if it is an `i64`. Leading zeros are fine: columns are padded so.
pub(super) fn i64(bytes: &[u8], start: usize, end: usize) -> Option<i64> {
    let negative = bytes.get(start) == Some(&b'-');
    let size = u64(bytes, start + usize::from(negative), end)?;
    if negative { 0_i64.checked_sub_unsigned(size) } else { size.try_into().ok() }
}

/// The number that is all of `bytes[start..end]`, if it is digits that a `u64` holds.
pub(super) fn u64(bytes: &[u8], start: usize, end: usize) -> Option<u64> {
    let digits = parse_digits(bytes, start);
    (digits.exact && digits.count > 0 && start + digits.count == end).then_some(digits.value)
}

/// The number that the first `len` of eight bytes are, if they are digits; `len` is 1 to 8.
///
/// Where a cell ends is known before it is read, so that the bytes behind it can be shifted out, which leaves zeros
/// before its first digit, and all eight be read as one.
#[inline(always)]
fn eight(word: u64, len: u32) -> Option<u32> {
    let values = values_of(word, len);
    if not_digits(values) == 0 { Some(join(values)) } else { None }
}

/// The values of the first `len` of eight digits, 1 to 8 of them, with zeros before.
#[inline(always)]
fn values_of(word: u64, len: u32) -> u64 {
    (word ^ 0x3030_3030_3030_3030) << (64 - 8 * len)
}

/// A mark in the highest bit of each of eight bytes that is no digit's value; those before and at the first that is none
/// are right.
#[inline(always)]
fn not_digits(values: u64) -> u64 {
    // A digit's value plus 0x76 stays below 0x80, and any other byte is marked by the sum or before it.
    (values.wrapping_add(0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
}

/// The number of eight digit values.
#[inline(always)]
fn join(values: u64) -> u32 {
    // Neighbours are joined to pairs, pairs to fours, fours to the eight; none outgrows its lane.
    let pairs = values.wrapping_mul(1 + (10 << 8)) >> 8 & 0x00ff_00ff_00ff_00ff;
    let fours = pairs.wrapping_mul(1 + (100 << 16)) >> 16 & 0x0000_ffff_0000_ffff;
    (fours.wrapping_mul(1 + (10_000 << 32)) >> 32) as u32
}

/// The number that is all of `bytes[start..end]`, if it is up to eight bytes with a point between digits, or digits
/// alone, and eight bytes are there to look at.
///
/// Such a number is a quotient of two that binary64 holds exactly, and one division rounds correctly: there is nothing
/// to be done that the long way would do.
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
    // All eight bits of what should be the point, which is the only byte that is no digit; and below it, the digits
    // before it.
    let at = marks.trailing_zeros() / 8;
    let below = (1 << (8 * at)) - 1;
    let point = u64::from(b'.' ^ b'0') << (8 * at);
    let digits = values ^ point;
    // The first byte and the last are no place for a point; and without it, all must be digits.
    if at == 8 - len || at == 7 || not_digits(digits) != 0 || digits >> (8 * at) & 0xff != 0 {
        return None;
    }
    // The digits before the point move over it.
    let joined = join(digits & !below | (digits & below) << 8);
    Some(f64::from(joined) / TENS[7 - at as usize])
}

/// The digits of a whole number of any size without leading zeros, as the contract has them; nothing for other text.
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

/// The three floats that have no digits, as Demat writes them.
#[cold]
pub(super) fn float_by_name(content: &[u8]) -> Option<f64> {
    match content {
        b"NaN" => Some(f64::NAN),
        b"inf" => Some(f64::INFINITY),
        b"-inf" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

/// A bool as the programs that write tables spell it.
#[inline]
pub(super) fn bool(content: &[u8]) -> Option<bool> {
    match content {
        b"true" | b"True" | b"TRUE" | b"1" => Some(true),
        b"false" | b"False" | b"FALSE" | b"0" => Some(false),
        _ => None,
    }
}
