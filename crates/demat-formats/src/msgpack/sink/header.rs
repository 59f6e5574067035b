//! What arrays, maps, text and bytes begin with, in the smallest form.

/// What has a count or a length in front of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    Array,
    Map,
    Text,
    Bytes,
}

/// The bytes of a header, and how many they are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Header {
    bytes: [u8; 5],
    len: u8,
}

impl Header {
    /// Returns the smallest header for a count.
    pub(super) fn new(of: Counted, count: u32) -> Self {
        // The first byte of the short form, how many it is for, and the first bytes with lengths of 1, 2 and 4 bytes.
        let (short, below, one, two, four) = match of {
            Counted::Array => (0x90, 16, None, 0xdc, 0xdd),
            Counted::Map => (0x80, 16, None, 0xde, 0xdf),
            Counted::Text => (0xa0, 32, Some(0xd9), 0xda, 0xdb),
            Counted::Bytes => (0, 0, Some(0xc4), 0xc5, 0xc6),
        };
        let [a, b, c, d] = count.to_be_bytes();
        let (bytes, len) = match (count, one) {
            (count, _) if count < below => ([short | d, 0, 0, 0, 0], 1),
            (0..=0xff, Some(first)) => ([first, d, 0, 0, 0], 2),
            (0..=0xffff, _) => ([two, c, d, 0, 0], 3),
            _ => ([four, a, b, c, d], 5),
        };
        Self { bytes, len }
    }

    pub(super) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}
