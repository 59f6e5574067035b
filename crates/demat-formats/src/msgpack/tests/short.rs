//! The frequent forms, which are read and written apart, beside all forms.

use super::super::head::{Head, head};
use super::super::{MsgpackSource, decode, encode};
use demat_core::Source;

/// Ints at the borders of all widths.
fn borders() -> impl Iterator<Item = i64> {
    let powers = (0..63).map(|bits| 1_i64 << bits).chain([i64::MAX]);
    powers.flat_map(|power| [power - 1, power, power.wrapping_add(1), -power, 1 - power, (-power).wrapping_sub(1)])
}

/// The smallest form of an int, by comparisons.
#[allow(clippy::cast_sign_loss)] // the bits of negative ints are written as they are
fn smallest(value: i64) -> Vec<u8> {
    let wide = |first: u8, bytes: &[u8]| [&[first], bytes].concat();
    if let Ok(value) = u64::try_from(value) {
        return match value {
            0..0x80 => vec![value as u8],
            0x80..0x100 => vec![0xcc, value as u8],
            0x100..0x1_0000 => wide(0xcd, &(value as u16).to_be_bytes()),
            0x1_0000..0x1_0000_0000 => wide(0xce, &(value as u32).to_be_bytes()),
            _ => wide(0xcf, &value.to_be_bytes()),
        };
    }
    match value {
        -32.. => vec![value as u8],
        -0x80.. => vec![0xd0, value as u8],
        -0x8000.. => wide(0xd1, &(value as i16).to_be_bytes()),
        -0x8000_0000.. => wide(0xd2, &(value as i32).to_be_bytes()),
        _ => wide(0xd3, &value.to_be_bytes()),
    }
}

#[test]
fn ints_have_their_smallest_form() {
    for value in borders() {
        let bytes = encode(&value).unwrap();
        assert_eq!(bytes, smallest(value), "{value}");
        assert_eq!(decode::<i64>(&bytes).unwrap(), value);
    }
}

/// Whatever the first byte is, and wherever the input ends.
#[test]
#[allow(clippy::cast_precision_loss)] // as the source rounds
fn every_form_is_read_as_its_head_says() {
    for first in 0..=255 {
        for fill in [0, 1, 0x41, 0x7f, 0x80, 0xc3, 0xff] {
            let mut bytes = [fill; 40];
            bytes[0] = first;
            for len in 1..bytes.len() {
                let bytes = &bytes[..len];
                let (int, float, text) = match head(bytes, 0) {
                    Ok((Head::Unsigned(value), _)) => (i64::try_from(value).ok(), Some(value as f64), None),
                    Ok((Head::Signed(value), _)) => (Some(value), Some(value as f64), None),
                    Ok((Head::Float64(value), _)) => (None, Some(value), None),
                    Ok((Head::Float32(value), _)) => (None, Some(value.into()), None),
                    Ok((Head::Str(text), end)) => {
                        let content = bytes.get(end..).and_then(|rest| rest.get(..text as usize));
                        (None, None, content.and_then(|content| core::str::from_utf8(content).ok()))
                    }
                    _ => (None, None, None),
                };
                assert_eq!(MsgpackSource::new(bytes).i64().ok(), int, "{bytes:?}");
                let read = MsgpackSource::new(bytes).float().ok();
                assert_eq!(read.map(f64::to_bits), float.map(f64::to_bits), "{bytes:?}");
                let mut source = MsgpackSource::new(bytes);
                assert_eq!(source.text().ok().as_deref(), text, "{bytes:?}");
            }
        }
    }
}
