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
pub(super) fn unescape(mut content: &[u8], quote: u8, out: &mut Vec<u8>) {
    while let Some(first) = memchr::memchr(quote, content) {
        out.extend_from_slice(&content[..=first]);
        content = content.get(first + 2..).unwrap_or_default();
    }
    out.extend_from_slice(content);
}

/// The number that is all of `bytes[start..end]`, if it is an `i64`. Leading zeros are fine: columns are padded so.
///
/// It reads digits for as long as there are any, so that no length has to be known beforehand; those of a cell end
/// where it ends, or the cell is not a number.
#[inline]
pub(super) fn i64(bytes: &[u8], start: usize, end: usize) -> Option<i64> {
    let negative = bytes.get(start) == Some(&b'-');
    let from = start + usize::from(negative);
    let digits = parse_digits(bytes, from);
    if !digits.exact || digits.count == 0 || from + digits.count != end {
        return None;
    }
    if negative { 0_i64.checked_sub_unsigned(digits.value) } else { digits.value.try_into().ok() }
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
