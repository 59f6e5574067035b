//! Bytes with an end: each zero is followed by `FF`, and two zeros are the end.

use super::Part;
use std::borrow::Cow;

/// The length of the end.
pub(super) const END: usize = 2;

pub(super) fn append(tag: u8, bytes: &[u8], key: &mut Vec<u8>) {
    key.reserve(bytes.len() + 1 + END);
    key.push(tag);
    let mut rest = bytes;
    while let Some(zero) = rest.iter().position(|byte| *byte == 0) {
        key.extend_from_slice(&rest[..=zero]);
        key.push(u8::MAX);
        rest = &rest[zero + 1..];
    }
    key.extend_from_slice(rest);
    key.extend_from_slice(&[0; END]);
}

/// Returns the bytes, and the length of their encoding with its end. `None` if there is no end.
pub(super) fn read(from: &[u8]) -> Option<(Cow<'_, [u8]>, usize)> {
    let mut owned: Option<Vec<u8>> = None;
    let mut begin = 0;
    loop {
        let zero = begin + from.get(begin..)?.iter().position(|byte| *byte == 0)?;
        let piece = &from[begin..zero];
        match from.get(zero + 1)? {
            0 => {
                let bytes = match owned {
                    None => Cow::Borrowed(piece),
                    Some(mut bytes) => {
                        bytes.extend_from_slice(piece);
                        Cow::Owned(bytes)
                    }
                };
                return Some((bytes, zero + END));
            }
            &u8::MAX => {
                let bytes = owned.get_or_insert_default();
                bytes.extend_from_slice(piece);
                bytes.push(0);
                begin = zero + 2;
            }
            _ => return None,
        }
    }
}

impl<'a> From<&'a str> for Part<'a> {
    fn from(text: &'a str) -> Self {
        Part::Text(Cow::Borrowed(text))
    }
}

impl<'a> From<&'a [u8]> for Part<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Part::Bytes(Cow::Borrowed(bytes))
    }
}

impl From<i64> for Part<'_> {
    fn from(value: i64) -> Self {
        Part::Int(value.into())
    }
}
