//! A short **line** of ASCII, built on the stack: the output buffer of the fixed-width scalars.
//!
//! One `write!` with `{:02}` per part would cost several times what the digits do, and a sink writes millions of these.

use core::fmt;

/// Enough for the longest text, `9999-12-31T23:59:59.999999999+23:59:59` (38 bytes).
const ROOM: usize = 40;

/// ASCII text of at most [`ROOM`] bytes.
pub(super) struct Line {
    bytes: [u8; ROOM],
    length: usize,
}

impl Line {
    pub(super) const fn new() -> Line {
        Line { bytes: [0; ROOM], length: 0 }
    }

    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        debug_assert!(byte.is_ascii());
        self.bytes[self.length] = byte;
        self.length += 1;
    }

    /// Appends `number` in exactly `width` digits, with leading zeros; cuts off higher digits.
    #[inline]
    pub(super) fn fixed(&mut self, mut number: u32, width: usize) {
        for place in (self.length..self.length + width).rev() {
            self.bytes[place] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.length += width;
    }

    /// Appends a number from 0 to 99 in two digits.
    #[inline]
    pub(super) fn two(&mut self, number: u8) {
        self.fixed(u32::from(number), 2);
    }

    /// Appends `number` in as many digits as needed.
    pub(super) fn number(&mut self, mut number: u64) {
        let width = number.checked_ilog10().map_or(1, |log| log as usize + 1);
        for place in (self.length..self.length + width).rev() {
            self.bytes[place] = b'0' + (number % 10) as u8;
            number /= 10;
        }
        self.length += width;
    }

    fn as_str(&self) -> &str {
        core::str::from_utf8(&self.bytes[..self.length]).expect("only ASCII was pushed")
    }

    /// Writes the line, with the formatter's padding. Ignores a precision, since `pad` would truncate the text to it.
    pub(super) fn show(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.precision().is_some() { f.write_str(self.as_str()) } else { f.pad(self.as_str()) }
    }
}
