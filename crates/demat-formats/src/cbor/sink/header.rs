//! Heads of data items, in the shortest form.

use crate::binary::Header;

/// The major types, as the first three bits of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Major {
    Unsigned = 0x00,
    Negative = 0x20,
    Bytes = 0x40,
    Text = 0x60,
    Array = 0x80,
    Map = 0xa0,
    Tag = 0xc0,
}

impl Major {
    /// Returns the shortest head with an argument: a number, a length or a count.
    #[inline]
    pub(in super::super) fn with(self, argument: u64) -> Header {
        let (info, width) = match argument {
            0..=23 => (argument as u8, 0),
            24..=0xff => (24, 1),
            0x100..=0xffff => (25, 2),
            0x1_0000..=0xffff_ffff => (26, 4),
            _ => (27, 8),
        };
        Header::new(self as u8 | info, argument, width)
    }

    /// Returns the head of an item that ends with a break.
    pub(super) fn endless(self) -> u8 {
        self as u8 | 0x1f
    }
}
