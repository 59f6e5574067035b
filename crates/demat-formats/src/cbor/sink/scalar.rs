//! Writes scalars and their tags.

use super::super::{bignum, decimal, half};
use super::fault::{too_large, wide_exponent};
use super::header::Major;
use demat_core::Result;
use demat_core::scalar::{Decimal, Int};

#[inline]
pub(super) fn head(buffer: &mut Vec<u8>, major: Major, argument: u64) {
    buffer.extend_from_slice(major.with(argument).as_bytes());
}

/// Writes a head with a length, and the content.
pub(super) fn counted(buffer: &mut Vec<u8>, major: Major, content: &[u8]) {
    head(buffer, major, content.len() as u64);
    buffer.extend_from_slice(content);
}

#[inline]
pub(super) fn i64(buffer: &mut Vec<u8>, value: i64) {
    match u64::try_from(value) {
        Ok(value) => head(buffer, Major::Unsigned, value),
        // The bits of -1 minus the value.
        Err(_) => head(buffer, Major::Negative, !value.cast_unsigned()),
    }
}

/// Writes an int of any size: without a tag up to 64 bits and a sign.
pub(in super::super) fn int(buffer: &mut Vec<u8>, value: &Int<'_>) -> Result<()> {
    if let Some(value) = value.to_i64() {
        i64(buffer, value);
        return Ok(());
    }
    if let Some(value) = value.to_u64() {
        head(buffer, Major::Unsigned, value);
        return Ok(());
    }
    let (bytes, negative) = bignum::bytes(&value.to_string()).ok_or_else(|| too_large("an int"))?;
    if let (true, 0..=8) = (negative, bytes.len()) {
        let value = bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
        head(buffer, Major::Negative, value);
        return Ok(());
    }
    int_bytes(buffer, &bytes, negative);
    Ok(())
}

/// Writes an int of more than 64 bits under its tag.
pub(super) fn int_bytes(buffer: &mut Vec<u8>, bytes: &[u8], negative: bool) {
    head(buffer, Major::Tag, if negative { 3 } else { 2 });
    counted(buffer, Major::Bytes, bytes);
}

pub(in super::super) fn decimal(buffer: &mut Vec<u8>, value: &Decimal<'_>) -> Result<()> {
    let (mantissa, exponent) = decimal::parts(value).ok_or_else(wide_exponent)?;
    let begin = buffer.len();
    head(buffer, Major::Tag, 4);
    head(buffer, Major::Array, 2);
    i64(buffer, exponent);
    int(buffer, &mantissa).inspect_err(|_| buffer.truncate(begin)).map_err(|_| too_large("a decimal"))
}

pub(super) fn float(buffer: &mut Vec<u8>, value: f64) {
    buffer.push(0xfb);
    buffer.extend_from_slice(&value.to_be_bytes());
}

pub(super) fn float32(buffer: &mut Vec<u8>, value: f32) {
    buffer.push(0xfa);
    buffer.extend_from_slice(&value.to_be_bytes());
}

/// Writes the shortest float with this value. All NaNs become one.
#[allow(clippy::cast_possible_truncation)] // compared with the original below
pub(super) fn shortest(buffer: &mut Vec<u8>, value: f64) {
    let narrow = value as f32;
    if let Some(half) = half::of_f64(value) {
        buffer.push(0xf9);
        buffer.extend_from_slice(&half.to_be_bytes());
    } else if f64::from(narrow).to_bits() == value.to_bits() {
        float32(buffer, narrow);
    } else {
        float(buffer, value);
    }
}

/// Writes a tag with text as its content.
pub(super) fn tagged_text(buffer: &mut Vec<u8>, tag: u64, text: &str) {
    head(buffer, Major::Tag, tag);
    counted(buffer, Major::Text, text.as_bytes());
}
