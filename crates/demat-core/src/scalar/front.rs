//! Parsers for the **front** of some bytes: each function parses a part and returns the rest.
//!
//! The parsers of this module are chains of these. They work on bytes and not on `&str`, which avoids the checks for
//! character boundaries; a byte that is not ASCII simply does not match.

use super::SECOND;

/// Parses exactly `N` digits. `N` is at most nine, so the number can't overflow.
#[inline]
pub(super) fn fixed<const N: usize>(bytes: &[u8]) -> Option<(u32, &[u8])> {
    const { assert!(N <= 9) };
    let (digits, rest) = bytes.split_first_chunk::<N>()?;
    let mut number = 0;
    for digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + u32::from(digit);
    }
    Some((number, rest))
}

/// Parses exactly two digits, as a number from 0 to 99.
#[inline]
pub(super) fn two(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let (number, rest) = fixed::<2>(bytes)?;
    Some((number as u8, rest))
}

/// Strips this byte.
#[inline]
pub(super) fn byte(bytes: &[u8], wanted: u8) -> Option<&[u8]> {
    match bytes {
        [first, rest @ ..] if *first == wanted => Some(rest),
        _ => None,
    }
}

/// Parses a run of digits: as many as there are, at least one.
#[inline]
pub(super) fn run(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 { None } else { Some(bytes.split_at(count)) }
}

/// Parses the optional fraction of a second as nanoseconds: nothing, or `.` and one to nine digits.
///
/// Refuses a tenth digit even if it is zero: a reader that accepted it could not distinguish lossless text from lossy
/// text.
#[inline]
pub(super) fn fraction(bytes: &[u8]) -> Option<(u32, &[u8])> {
    let Some(rest) = byte(bytes, b'.') else { return Some((0, bytes)) };
    let (digits, rest) = run(rest)?;
    if digits.len() > 9 {
        return None;
    }
    let mut nanos = 0;
    let mut unit = SECOND;
    for digit in digits {
        unit /= 10;
        nanos += u32::from(digit - b'0') * unit;
    }
    Some((nanos, rest))
}

/// Parses eight bytes, each of which is a digit or a certain other one, by arithmetic on all of them at once. Returns,
/// in each byte where two digits begin, the number that they are.
///
/// `pattern` has a `0` for each digit and the other bytes as they are.
#[inline]
pub(super) fn eight(bytes: &[u8], pattern: [u8; 8]) -> Option<(u64, &[u8])> {
    let (word, rest) = bytes.split_first_chunk()?;
    // The value of a digit, zero for another byte that is as it must be.
    let values = u64::from_le_bytes(*word) ^ u64::from_le_bytes(pattern);
    // Reaches the highest bit of a byte if that is more than the pattern allows: 9, or nothing.
    let mut margins = [0x7f_u8; 8];
    let mut at = 0;
    while at < 8 {
        margins[at] -= if pattern[at] == b'0' { 9 } else { 0 };
        at += 1;
    }
    let margins = u64::from_le_bytes(margins);
    if (values.wrapping_add(margins) | values) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    Some((values.wrapping_mul(10).wrapping_add(values >> 8), rest))
}
