//! Headers of containers, text and bytes.

/// The bytes of a header.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Header {
    bytes: [u8; 9],
    len: u8,
}

impl Header {
    /// The length of the longest header in bytes.
    pub(crate) const MAX_LEN: usize = 9;

    /// Returns a header of a first byte and a count in `width` bytes: 0, 1, 2, 4 or 8, which must be enough.
    #[inline]
    pub(crate) fn new(first: u8, count: u64, width: u8) -> Self {
        let mut bytes = [first, 0, 0, 0, 0, 0, 0, 0, 0];
        let from = 8 - usize::from(width.min(8));
        bytes[1..9 - from].copy_from_slice(&count.to_be_bytes()[from..]);
        Self { bytes, len: 1 + width.min(8) }
    }

    #[inline]
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// Returns the number of its bytes.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        usize::from(self.len)
    }
}

#[cfg(test)]
mod tests {
    use super::Header;

    #[test]
    fn counts_have_their_widths() {
        let count = 0x0102_0304_0506_0708;
        for (width, bytes) in [
            (0, &b"\x9f"[..]),
            (1, b"\x9f\x08"),
            (2, b"\x9f\x07\x08"),
            (4, b"\x9f\x05\x06\x07\x08"),
            (8, b"\x9f\x01\x02\x03\x04\x05\x06\x07\x08"),
        ] {
            let header = Header::new(0x9f, count, width);
            assert_eq!((header.as_bytes(), header.len()), (bytes, bytes.len()));
        }
    }
}
