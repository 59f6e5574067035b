//! Modified UTF-8, Java's encoding of text: U+0000 has two bytes, and a character beyond U+FFFF is two surrogates of
//! three bytes each.

use crate::scan::ascii_short;
use std::borrow::Cow;

/// Decodes text. Returns the offset of the first invalid byte as error.
///
/// It refuses lone surrogates, which text can't hold. It also refuses four-byte forms, and overlong forms other than
/// that of U+0000. A plain zero byte is U+0000, as in Java.
pub(super) fn read(bytes: &[u8]) -> Result<Cow<'_, str>, usize> {
    if let Some(text) = ascii_short(bytes) {
        return Ok(Cow::Borrowed(text));
    }
    match core::str::from_utf8(bytes) {
        Ok(text) => match bytes.iter().position(|byte| *byte >= 0xf0) {
            Some(at) => Err(at),
            None => Ok(Cow::Borrowed(text)),
        },
        Err(_) => read_slowly(bytes).map(Cow::Owned),
    }
}

fn read_slowly(bytes: &[u8]) -> Result<String, usize> {
    let mut text = String::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(first) = bytes.get(at) {
        let next = |index: usize| match bytes.get(at + index) {
            Some(byte @ 0x80..=0xbf) => Ok(u32::from(byte & 0x3f)),
            Some(_) => Err(at + index),
            None => Err(at),
        };
        let three = |second: u32, third: u32| u32::from(first & 0x0f) << 12 | second << 6 | third;
        let (character, len) = match first {
            0x00..=0x7f => (u32::from(*first), 1),
            0xc0 => (if next(1)? == 0 { 0 } else { return Err(at) }, 2),
            0xc2..=0xdf => (u32::from(first & 0x1f) << 6 | next(1)?, 2),
            0xe0..=0xef => {
                let unit = three(next(1)?, next(2)?);
                match unit {
                    0..0x800 | 0xdc00..0xe000 => return Err(at),
                    0xd800..0xdc00 => {
                        if bytes.get(at + 3) != Some(&0xed) {
                            return Err(at);
                        }
                        let low = 0xd000 | next(4)? << 6 | next(5)?;
                        if low < 0xdc00 {
                            return Err(at);
                        }
                        (0x10000 + ((unit & 0x3ff) << 10 | low & 0x3ff), 6)
                    }
                    unit => (unit, 3),
                }
            }
            _ => return Err(at),
        };
        text.push(char::from_u32(character).ok_or(at)?);
        at += len;
    }
    Ok(text)
}

/// Returns whether text has the same bytes in UTF-8: no byte is zero, and none begins a character beyond U+FFFF.
#[inline(always)]
pub(super) fn is_same(bytes: &[u8]) -> bool {
    const LOW: u64 = u64::from_ne_bytes([0x01; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // A bit in the highest place of each byte that is zero, and of each from 0xf0 on. A zero may add more of them.
    let special = |eight: &[u8; 8]| {
        let word = u64::from_ne_bytes(*eight);
        word.wrapping_sub(LOW) & !word | word & word << 1 & word << 2 & word << 3
    };
    let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) else {
        return bytes.iter().all(|byte| matches!(byte, 1..0xf0));
    };
    let mut all = special(first) | special(last);
    if bytes.len() > 16 {
        all |= bytes.as_chunks().0.iter().fold(0, |all, eight| all | special(eight));
    }
    all & HIGH == 0
}

/// Returns the encoded text.
pub(super) fn written(text: &str) -> Cow<'_, [u8]> {
    let bytes = text.as_bytes();
    if is_same(bytes) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + 8);
    let mut units = [0; 2];
    for character in text.chars() {
        match character {
            '\0' => out.extend_from_slice(&[0xc0, 0x80]),
            '\u{10000}'.. => {
                for unit in character.encode_utf16(&mut units) {
                    out.extend_from_slice(&[
                        0xe0 | (*unit >> 12) as u8,
                        0x80 | (*unit >> 6 & 0x3f) as u8,
                        0x80 | (*unit & 0x3f) as u8,
                    ]);
                }
            }
            other => out.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(out)
}

/// Appends a text and its length in Java's variant. Returns false if the text is too long.
pub(crate) fn write_java_text(text: &str, buffer: &mut Vec<u8>) -> bool {
    let bytes = written(text);
    let Ok(len) = u16::try_from(bytes.len()) else { return false };
    buffer.extend_from_slice(&len.to_be_bytes());
    buffer.extend_from_slice(&bytes);
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_character_comes_back() {
        let all: String = ('\0'..=char::MAX).collect();
        assert_eq!(read(&written(&all)).unwrap(), all);
        assert_eq!(&*written("a\0é€😀"), b"a\xc0\x80\xc3\xa9\xe2\x82\xac\xed\xa0\xbd\xed\xb8\x80");
        assert!(matches!(written("é€"), Cow::Borrowed(_)));
        assert_eq!(read(b"a\0b").unwrap(), "a\0b");
    }

    #[test]
    fn text_is_the_same_without_zeros_and_long_characters() {
        for len in 0..40 {
            let text = "é".repeat(len / 2) + if len % 2 == 1 { "a" } else { "" };
            assert!(is_same(text.as_bytes()), "{text}");
            for at in 0..=text.len() {
                for special in ["\0", "😀"] {
                    let mut text = "x".repeat(text.len());
                    text.insert_str(at, special);
                    assert!(!is_same(text.as_bytes()), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_text_is_refused_where_it_stands() {
        let cases: [(&[u8], usize); 12] = [
            (b"ab\xf0\x9f\x98\x80", 2),
            (b"a\xc0\x81", 1),
            (b"a\xc1\x81", 1),
            (b"\x80", 0),
            (b"a\xc3", 1),
            (b"a\xc3b", 2),
            (b"\xe0\x80\x80", 0),
            (b"a\xed\xa0\xbd", 1),
            (b"a\xed\xa0\xbd\xed\xa0\xbd", 1),
            (b"a\xed\xb8\x80", 1),
            (b"a\xed\xa0\xbd\xed\xb8", 1),
            (b"\xff", 0),
        ];
        for (bytes, at) in cases {
            assert_eq!(read(bytes), Err(at), "{bytes:x?}");
        }
    }
}
