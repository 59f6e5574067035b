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
        // The digits and, where a byte must be another one, what it differs by.
        let (digits, others) = match bytes.len() {
            32 => (*bytes.first_chunk()?, 0),
            36 => without_hyphens(bytes.first_chunk()?),
            _ => return None,
        };
        let mut uuid = [0; 16];
        let mut wrong = others;
        for (byte, pair) in uuid.iter_mut().zip(digits.chunks_exact(2)) {
            let (high, low) = (VALUES[usize::from(pair[0])], VALUES[usize::from(pair[1])]);
            wrong |= (high | low) & 0xf0;
            *byte = high << 4 | low & 0x0f;
        }
        (wrong == 0).then_some(Uuid(uuid))
    }
}

/// Returns the digits of the usual form, and what the bytes between them have in common with no hyphen.
fn without_hyphens(text: &[u8; 36]) -> ([u8; 32], u8) {
    let mut digits = [0; 32];
    digits[..8].copy_from_slice(&text[..8]);
    digits[8..12].copy_from_slice(&text[9..13]);
    digits[12..16].copy_from_slice(&text[14..18]);
    digits[16..20].copy_from_slice(&text[19..23]);
    digits[20..].copy_from_slice(&text[24..]);
    (digits, (text[8] ^ b'-') | (text[13] ^ b'-') | (text[18] ^ b'-') | (text[23] ^ b'-'))
}

/// The value of each byte as a hexadecimal digit; 0xff where it is none.
const VALUES: [u8; 256] = {
    let mut values = [0xff; 256];
    let mut value = 0;
    while value < 16 {
        let digit = DIGITS[value];
        values[digit as usize] = value as u8;
        values[digit.to_ascii_uppercase() as usize] = value as u8;
        value += 1;
    }
    values
};

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// The two digits of each byte.
const PAIRS: [[u8; 2]; 256] = {
    let mut pairs = [[0; 2]; 256];
    let mut byte = 0;
    while byte < 256 {
        pairs[byte] = [DIGITS[byte >> 4], DIGITS[byte & 15]];
        byte += 1;
    }
    pairs
};

/// Where the digits of each byte begin in the usual form.
const PLACES: [usize; 16] = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

impl ToShortText for Uuid {
    /// Lower case, with hyphens.
    #[inline]
    fn to_short_text(&self) -> ShortText {
        let mut line = ShortText::new();
        line.whole(|text: &mut [u8; 36]| {
            text[8] = b'-';
            text[13] = b'-';
            text[18] = b'-';
            text[23] = b'-';
            for (byte, at) in self.0.iter().zip(&PLACES) {
                text[*at..at + 2].copy_from_slice(&PAIRS[usize::from(*byte)]);
            }
        });
        line
    }

    #[inline]
    fn to_words(&self) -> Option<([u64; 5], usize)> {
        Some(self.to_short_text().words())
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_short_text().show(f)
    }
}
