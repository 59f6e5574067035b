//! The frequent forms of values, recognised by their first byte. Everything else goes through [`head`](super::head).

use super::MsgpackSource;
use crate::binary::{Left, Within};
use crate::scan::{ascii_short, prefix8};

/// The first byte of a text of up to 31 bytes, without its length.
const SHORT_TEXT: u8 = 0xa0;
/// The first byte of the first int in one to eight bytes. The four unsigned widths are followed by the signed ones.
const FIRST_INT: u8 = 0xcc;
const FLOAT64: u8 = 0xcb;
const SHORT_MAP: u8 = 0x80;
const SHORT_ARRAY: u8 = 0x90;

impl<'a> MsgpackSource<'a> {
    /// Returns the int of at most 64 bits, signed, that is next.
    #[inline(always)]
    pub(super) fn short_int(&mut self) -> Option<i64> {
        let bytes = self.input.bytes();
        let first = *bytes.get(self.at)?;
        // Both forms of one byte, 0 to 127 and -32 to -1, are the number itself.
        if first.cast_signed() >= -32 {
            self.start = self.at;
            self.at += 1;
            return Some(first.cast_signed().into());
        }
        let form = first.wrapping_sub(FIRST_INT);
        if form >= 8 {
            return None;
        }
        let word = prefix8(bytes, self.at + 1)?.swap_bytes();
        let width = 1 << (form & 3);
        let unused = 64 - 8 * width;
        let value = if form >= 4 { word.cast_signed() >> unused } else { (word >> unused).cast_signed() };
        // An unsigned int of 64 bits may be larger.
        if form == 3 && value < 0 {
            return None;
        }
        self.start = self.at;
        self.at += 1 + width;
        Some(value)
    }

    /// Returns the float of 64 bits that is next.
    #[inline(always)]
    pub(super) fn short_float(&mut self) -> Option<f64> {
        let bytes = self.input.bytes();
        if bytes.get(self.at) != Some(&FLOAT64) {
            return None;
        }
        let word = prefix8(bytes, self.at + 1)?.swap_bytes();
        self.start = self.at;
        self.at += 9;
        Some(f64::from_bits(word))
    }

    /// Returns the ASCII text of at most 31 bytes that is next.
    #[inline(always)]
    pub(super) fn short_text(&mut self) -> Option<&'a str> {
        let rest = self.input.bytes().get(self.at..)?;
        let (first, rest) = rest.split_first()?;
        let len = usize::from(first ^ SHORT_TEXT);
        if len >= 32 {
            return None;
        }
        let text = ascii_short(rest.get(..len)?)?;
        self.start = self.at;
        self.at += 1 + len;
        Some(text)
    }

    /// Enters the map of at most 15 entries that is next.
    #[inline(always)]
    pub(super) fn short_map(&mut self) -> Option<usize> {
        self.short_container(SHORT_MAP, Within::Map)
    }

    /// Enters the array of at most 15 items that is next.
    #[inline(always)]
    pub(super) fn short_list(&mut self) -> Option<usize> {
        self.short_container(SHORT_ARRAY, Within::Array)
    }

    #[inline(always)]
    fn short_container(&mut self, form: u8, within: Within) -> Option<usize> {
        let count = self.input.byte(self.at)? ^ form;
        if count >= 16 || self.stack.depth() >= self.options.depth as usize {
            return None;
        }
        self.start = self.at;
        self.at += 1;
        self.stack.enter(within, Left::Count(count.into()));
        Some(count.into())
    }
}
