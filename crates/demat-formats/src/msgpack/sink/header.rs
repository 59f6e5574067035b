//! Headers of arrays, maps, text, bytes and extension types, in the smallest form.

use crate::binary::Header;

/// A kind of value with a count or a length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Counted {
    Array,
    Map,
    Text,
    Bytes,
}

impl Counted {
    /// Returns the header of an array or a map without children, to which up to 15 can be added.
    #[inline(always)]
    pub(super) fn short(self) -> u8 {
        if self == Self::Map { 0x80 } else { 0x90 }
    }
}

/// Returns the widest header of an array or a map, which has room for all counts.
pub(super) fn wide_header(of: Counted, count: u32) -> Header {
    Header::new(if of == Counted::Map { 0xdf } else { 0xdd }, count.into(), 4)
}

/// Returns the smallest header for the content of an extension type. The code follows it.
pub(super) fn ext_header(len: u32) -> Header {
    let (first, width) = match len {
        1 => (0xd4, 0),
        2 => (0xd5, 0),
        4 => (0xd6, 0),
        8 => (0xd7, 0),
        16 => (0xd8, 0),
        0..=0xff => (0xc7, 1),
        0x100..=0xffff => (0xc8, 2),
        _ => (0xc9, 4),
    };
    Header::new(first, len.into(), width)
}

/// Returns the smallest header for a count.
#[inline]
pub(in super::super) fn header(of: Counted, count: u32) -> Header {
    // The first byte of the short form, the limit of its count, and the first bytes for counts of 1, 2 and 4 bytes.
    let (short, below, one, two, four) = match of {
        Counted::Array => (0x90, 16, None, 0xdc, 0xdd),
        Counted::Map => (0x80, 16, None, 0xde, 0xdf),
        Counted::Text => (0xa0, 32, Some(0xd9), 0xda, 0xdb),
        Counted::Bytes => (0, 0, Some(0xc4), 0xc5, 0xc6),
    };
    let (first, width) = match (count, one) {
        (count, _) if count < below => (short | count as u8, 0),
        (0..=0xff, Some(first)) => (first, 1),
        (0..=0xffff, _) => (two, 2),
        _ => (four, 4),
    };
    Header::new(first, count.into(), width)
}
