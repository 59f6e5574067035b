//! What stands at the **front** of some bytes: each function takes it off and gives the rest.
//!
//! The parsers of this module are chains of these. Working on bytes and not on `&str` keeps every step free of the
//! checks for character borders, and a byte that is not ASCII is simply one that nobody asked for.

use super::SECOND;

/// Exactly `N` digits, as a number. `N` is at most nine, so that it cannot overflow.
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

/// Exactly two digits, as a number from 0 to 99.
#[inline]
pub(super) fn two(bytes: &[u8]) -> Option<(u8, &[u8])> {
    let (number, rest) = fixed::<2>(bytes)?;
    Some((number as u8, rest))
}

/// This one byte.
#[inline]
pub(super) fn byte(bytes: &[u8], wanted: u8) -> Option<&[u8]> {
    match bytes {
        [first, rest @ ..] if *first == wanted => Some(rest),
        _ => None,
    }
}

/// A run of digits: all there are, at least one.
#[inline]
pub(super) fn run(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if count == 0 { None } else { Some(bytes.split_at(count)) }
}

/// The fraction of a second, where one stands here, as nanoseconds: nothing, or `.` and one to nine digits.
///
/// A tenth digit is refused even if it is a zero: a reader that lets it pass can't tell a lossless text from a lossy
/// one.
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
