//! What arrays, maps, text and bytes begin with, in the smallest form.

use crate::binary::Header;

/// What has a count or a length in front of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    Array,
    Map,
    Text,
    Bytes,
}

/// Returns the widest header for a count of an array or a map. All counts have room in it.
pub(super) fn wide_header(of: Counted, count: u32) -> Header {
    Header::new(if of == Counted::Map { 0xdf } else { 0xdd }, count.into(), 4)
}

/// Returns the smallest header for a count.
pub(super) fn header(of: Counted, count: u32) -> Header {
    // The first byte of the short form, how many it is for, and the first bytes with lengths of 1, 2 and 4 bytes.
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
