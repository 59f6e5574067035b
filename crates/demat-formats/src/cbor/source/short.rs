//! Scalars in their usual forms: an int, a double or a short text without a tag, in one look. Each of these returns `None`
//! for everything else, which [`Item`](super::item::Item) reads.

use super::CborSource;
use crate::text::utf8;

/// The first byte of a double.
const DOUBLE: u8 = 0xfb;

impl<'a> CborSource<'a> {
    /// Reads an int that fits `i64`, if eight more bytes follow its first one.
    #[inline(always)]
    pub(super) fn short_int(&mut self) -> Option<i64> {
        let window: &[u8; 9] = self.input.bytes().get(self.at..)?.first_chunk()?;
        let (&first, rest) = window.split_first_chunk::<1>().map(|([first], rest)| (first, rest))?;
        if first >= 0x40 {
            return None;
        }
        let info = first & 0x1f;
        let (argument, len) = match info {
            0..=23 => (u64::from(info), 1),
            24..=27 => {
                let width = 1 << (info - 24);
                (u64::from_be_bytes(*rest.first_chunk()?) >> (64 - 8 * width), 1 + width)
            }
            _ => return None,
        };
        let value = i64::try_from(argument).ok()?;
        (self.start, self.at) = (self.at, self.at + len);
        // The major type is 0 or 1: the bits of -1 minus a value are the value's, all flipped.
        Some(value ^ -i64::from(first >> 5))
    }

    /// Reads a double.
    #[inline(always)]
    pub(super) fn double(&mut self) -> Option<f64> {
        let ([DOUBLE], rest) = self.input.bytes().get(self.at..)?.split_first_chunk()? else { return None };
        let value = f64::from_be_bytes(*rest.first_chunk()?);
        (self.start, self.at) = (self.at, self.at + 9);
        Some(value)
    }

    /// Reads text of less than 256 bytes and of one piece.
    #[inline(always)]
    pub(super) fn short_text(&mut self) -> Option<&'a str> {
        let (&first, rest) = self.input.bytes().get(self.at..)?.split_first()?;
        let (len, head) = match first {
            0x60..=0x77 => (usize::from(first & 0x1f), 1),
            0x78 => (usize::from(*rest.first()?), 2),
            _ => return None,
        };
        let text = utf8(rest.get(head - 1..head - 1 + len)?)?;
        (self.start, self.at) = (self.at, self.at + head + len);
        Some(text)
    }
}
