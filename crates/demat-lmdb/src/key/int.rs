//! Ints of any size, by length and magnitude.
//!
//! | int | bytes |
//! |---|---|
//! | 0 | `29` |
//! | 1 to 2^64 - 1, whose magnitude has `n` bytes | `29 + n`, then the `n` bytes, big-endian |
//! | -1 to -(2^64 - 1) | `29 - n`, then the `n` bytes, each inverted |
//! | greater | `32`, then `n` - 9 as a byte, then the `n` bytes |
//! | less | `20`, then `n` - 9 inverted, then the `n` bytes, each inverted |

use demat_core::scalar::Int;
use demat_core::{Error, Result};
use std::borrow::Cow;

const ZERO: u8 = 0x29;
/// The most bytes whose number is in the tag.
const FEW: usize = 8;
const LARGE: u8 = ZERO + FEW as u8 + 1;
const SMALL: u8 = ZERO - FEW as u8 - 1;
/// The most bytes of a magnitude.
const MOST: usize = FEW + 1 + u8::MAX as usize;

pub(super) fn append(value: &Int<'_>, key: &mut Vec<u8>) -> Result<()> {
    match value {
        Int::I64(value) => append_few(*value < 0, value.unsigned_abs(), key),
        Int::U64(value) => append_few(false, *value, key),
        Int::Big(digits) => {
            let (negative, digits) = match digits.strip_prefix('-') {
                Some(rest) => (true, rest),
                None => (false, &**digits),
            };
            // 256 bytes hold 617 digits at most; the check bounds the quadratic conversion.
            if digits.len() > 640 {
                return Err(too_large());
            }
            let magnitude = magnitude_of(digits);
            if magnitude.len() > MOST {
                return Err(too_large());
            }
            if magnitude.len() <= FEW {
                let mut bytes = [0; FEW];
                bytes[FEW - magnitude.len()..].copy_from_slice(&magnitude);
                append_few(negative, u64::from_be_bytes(bytes), key);
                return Ok(());
            }
            let flip = if negative { u8::MAX } else { 0 };
            key.push(if negative { SMALL } else { LARGE });
            key.push((magnitude.len() - FEW - 1) as u8 ^ flip); // at most 255
            key.extend(magnitude.iter().map(|byte| byte ^ flip));
        }
    }
    Ok(())
}

#[cold]
fn too_large() -> Error {
    Error::limit("the size of an int in a key", format_args!("{MOST} bytes"))
}

#[inline]
fn append_few(negative: bool, magnitude: u64, key: &mut Vec<u8>) {
    let len = FEW - magnitude.leading_zeros() as usize / 8;
    let flip = if negative { u64::MAX } else { 0 };
    let tag = if negative { ZERO - len as u8 } else { ZERO + len as u8 };
    let mut bytes = [0; FEW + 1];
    bytes[0] = tag;
    // Shifted to the front; a shift by all bits is not defined, and zero has no bytes.
    let shifted = (magnitude ^ flip).checked_shl(8 * (FEW - len) as u32).unwrap_or(0);
    bytes[1..].copy_from_slice(&shifted.to_be_bytes());
    key.extend_from_slice(&bytes[..=len]);
}

pub(super) fn read(tag: u8, rest: &[u8]) -> Option<(Int<'static>, usize)> {
    if tag == LARGE || tag == SMALL {
        let negative = tag == SMALL;
        let flip = if negative { u8::MAX } else { 0 };
        let len = usize::from(rest.first()? ^ flip) + FEW + 1;
        let magnitude: Vec<u8> = rest.get(1..=len)?.iter().map(|byte| byte ^ flip).collect();
        if magnitude[0] == 0 {
            return None;
        }
        let digits = digits_of(&magnitude);
        let digits = if negative { format!("-{digits}") } else { digits };
        return Some((Int::Big(Cow::Owned(digits)), 1 + len));
    }
    let len = usize::from(tag.abs_diff(ZERO));
    if len > FEW {
        return None;
    }
    let negative = tag < ZERO;
    let flip = if negative { u8::MAX } else { 0 };
    let mut bytes = [0; FEW];
    for (to, from) in bytes[FEW - len..].iter_mut().zip(rest.get(..len)?) {
        *to = from ^ flip;
    }
    if len > 0 && bytes[FEW - len] == 0 {
        return None;
    }
    let magnitude = u64::from_be_bytes(bytes);
    let value = match (negative, 0i64.checked_sub_unsigned(magnitude)) {
        (false, _) => Int::from(magnitude),
        (true, Some(value)) => Int::I64(value),
        (true, None) => Int::Big(Cow::Owned(format!("-{magnitude}"))),
    };
    Some((value, len))
}

/// Converts decimal digits to big-endian bytes.
fn magnitude_of(digits: &str) -> Vec<u8> {
    let mut bytes: Vec<u8> = Vec::new(); // little-endian
    for digit in digits.bytes() {
        let mut carry = u32::from(digit - b'0');
        for byte in &mut bytes {
            carry += u32::from(*byte) * 10;
            *byte = carry as u8; // the low byte
            carry >>= 8;
        }
        if carry > 0 {
            bytes.push(carry as u8); // below 10
        }
    }
    bytes.reverse();
    bytes
}

/// Converts big-endian bytes to decimal digits.
fn digits_of(bytes: &[u8]) -> String {
    let mut digits: Vec<u8> = Vec::new(); // little-endian
    for byte in bytes {
        let mut carry = u32::from(*byte);
        for digit in &mut digits {
            carry += u32::from(*digit) << 8;
            *digit = (carry % 10) as u8;
            carry /= 10;
        }
        while carry > 0 {
            digits.push((carry % 10) as u8);
            carry /= 10;
        }
    }
    digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect()
}
