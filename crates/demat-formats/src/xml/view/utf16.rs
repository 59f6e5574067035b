//! Decodes UTF-16, whose characters may be cut by the ends of windows.

/// A decoder of UTF-16 with a byte order mark.
#[derive(Debug)]
pub(super) struct Utf16 {
    big: bool,
    /// The first bytes of a character whose others are not there yet.
    cut: Vec<u8>,
}

impl Utf16 {
    /// Returns a decoder if the document begins with a byte order mark of UTF-16.
    pub(super) fn of(document: &[u8]) -> Option<Self> {
        match document {
            [0xFE, 0xFF, ..] => Some(Self { big: true, cut: Vec::new() }),
            [0xFF, 0xFE, ..] => Some(Self { big: false, cut: Vec::new() }),
            _ => None,
        }
    }

    /// Appends the characters as UTF-8, with the byte order mark. A surrogate without its other half becomes bytes that
    /// are no UTF-8, and so does a single byte at the end.
    pub(super) fn decode(&mut self, bytes: &[u8], last: bool, out: &mut Vec<u8>) {
        let joined;
        let mut bytes = bytes;
        if !self.cut.is_empty() {
            self.cut.extend_from_slice(bytes);
            joined = core::mem::take(&mut self.cut);
            bytes = &joined;
        }
        out.reserve(bytes.len());
        let big = self.big;
        let unit = |at: usize| {
            let pair = [*bytes.get(at)?, *bytes.get(at + 1)?];
            Some(if big { u16::from_be_bytes(pair) } else { u16::from_le_bytes(pair) })
        };
        let mut at = 0;
        while let Some(first) = unit(at) {
            let second = unit(at + 2);
            if (0xD800..0xDC00).contains(&first) && second.is_none() && !last {
                break;
            }
            let pair = [first, second.unwrap_or_default()];
            if let Some(Ok(char)) = char::decode_utf16(pair).next() {
                out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                at += 2 * char.len_utf16();
            } else {
                let code = u32::from(first);
                out.extend([0xED, 0x80 | (code >> 6 & 0x3F) as u8, 0x80 | (code & 0x3F) as u8]);
                at += 2;
            }
        }
        let rest = bytes.get(at..).unwrap_or_default();
        if last {
            out.extend(rest.iter().map(|_| 0xFF));
        } else {
            self.cut = rest.to_vec();
        }
    }
}

/// Returns the number of bytes that a text in UTF-8 has in UTF-16.
pub(super) fn len(text: &[u8]) -> u64 {
    let units = |byte: &u8| match byte {
        0x80..0xC0 => 0,
        0xF0..0xF8 => 4,
        // The single byte at the end.
        0xFF => 1,
        _ => 2,
    };
    text.iter().map(units).sum()
}

#[cfg(test)]
mod tests {
    use super::{Utf16, len};

    #[test]
    fn any_cut_decodes_the_same() {
        let text = "\u{feff}<a é='\u{1F600}'>\u{ffff}x</a>";
        for big in [true, false] {
            let unit = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
            let bytes: Vec<u8> = text.encode_utf16().flat_map(unit).collect();
            assert_eq!(len(text.as_bytes()), bytes.len() as u64);
            for size in 1..bytes.len() {
                let mut decoder = Utf16::of(&bytes).unwrap();
                let mut out = Vec::new();
                for chunk in bytes.chunks(size) {
                    decoder.decode(chunk, false, &mut out);
                }
                decoder.decode(&[], true, &mut out);
                assert_eq!(String::from_utf8(out).unwrap(), text);
            }
        }
        assert!(Utf16::of(b"<a/>").is_none());
    }

    #[test]
    fn what_is_no_character_is_no_utf8() {
        for bytes in [&[0xFE, 0xFF, 0xD8, 0, 0, b'x'][..], &[0xFE, 0xFF, 0xDC, 0][..], &[0xFE, 0xFF, 0][..]] {
            let mut out = Vec::new();
            Utf16::of(bytes).unwrap().decode(bytes, true, &mut out);
            assert!(core::str::from_utf8(&out).is_err(), "{bytes:?}");
            assert_eq!(len(&out), bytes.len() as u64);
        }
    }
}
