//! [`Uuid`]: a 128-bit identifier.

use super::short_text::{ShortText, ToShortText};
use core::fmt;

#[cfg(test)]
mod tests;

/// A **UUID**: 16 bytes, most significant first, as in RFC 9562 §4. Any 16 bytes are valid; version and variant are not
/// checked.
///
/// ```
/// use demat_core::scalar::Uuid;
///
/// let uuid = Uuid::parse("F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6").unwrap();
/// assert_eq!(uuid.to_string(), "f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
/// assert_eq!(Uuid::parse("f81d4fae7dec11d0a76500a0c91e6bf6"), Some(uuid));
/// assert_eq!(uuid.0[0], 0xf8);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid(pub [u8; 16]);

impl Uuid {
    /// Parses 32 hexadecimal digits of either case, with all four hyphens (8-4-4-4-12) or without any. Refuses braces
    /// and `urn:uuid:`.
    pub fn parse(text: &str) -> Option<Uuid> {
        let bytes = text.as_bytes();
        let hyphens = match bytes.len() {
            32 => false,
            36 => true,
            _ => return None,
        };
        let mut uuid = [0; 16];
        let mut at = 0;
        for (place, byte) in uuid.iter_mut().enumerate() {
            if hyphens && hyphen_before(place) {
                if bytes[at] != b'-' {
                    return None;
                }
                at += 1;
            }
            *byte = digit(bytes[at])? << 4 | digit(bytes[at + 1])?;
            at += 2;
        }
        Some(Uuid(uuid))
    }
}

/// Whether a hyphen precedes this byte.
fn hyphen_before(place: usize) -> bool {
    matches!(place, 4 | 6 | 8 | 10)
}

fn digit(byte: u8) -> Option<u8> {
    match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        b'A'..=b'F' => Some(byte - b'A' + 10),
        _ => None,
    }
}

impl ToShortText for Uuid {
    /// Lower case, with hyphens.
    #[inline]
    fn to_short_text(&self) -> ShortText {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut line = ShortText::new();
        for (place, byte) in self.0.into_iter().enumerate() {
            if hyphen_before(place) {
                line.push(b'-');
            }
            line.push(DIGITS[usize::from(byte >> 4)]);
            line.push(DIGITS[usize::from(byte & 15)]);
        }
        line
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_short_text().show(f)
    }
}
