//! The classes of characters of XML 1.0, fifth edition.

/// Whether the byte is white space.
#[inline]
pub(in super::super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}

/// Whether a document may hold the character.
pub(in super::super) fn is_char(char: char) -> bool {
    !matches!(char, '\0'..='\x08' | '\x0b' | '\x0c' | '\x0e'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

/// Whether a name may begin with the character.
pub(in super::super) fn begins_name(char: char) -> bool {
    matches!(char,
        ':' | '_' | 'A'..='Z' | 'a'..='z'
        | '\u{c0}'..='\u{d6}' | '\u{d8}'..='\u{f6}' | '\u{f8}'..='\u{2ff}'
        | '\u{370}'..='\u{37d}' | '\u{37f}'..='\u{1fff}'
        | '\u{200c}' | '\u{200d}' | '\u{2070}'..='\u{218f}' | '\u{2c00}'..='\u{2fef}'
        | '\u{3001}'..='\u{d7ff}' | '\u{f900}'..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}'
        | '\u{10000}'..='\u{effff}')
}

/// Whether a name may hold the character behind its first one.
pub(in super::super) fn is_in_name(char: char) -> bool {
    begins_name(char)
        || matches!(char, '-' | '.' | '0'..='9' | '\u{b7}' | '\u{300}'..='\u{36f}' | '\u{203f}' | '\u{2040}')
}

/// The first character of UTF-8, and its length; nothing where that is cut or is no UTF-8.
pub(super) fn first(bytes: &[u8]) -> Option<(char, usize)> {
    let head = bytes.get(..bytes.len().min(4))?;
    let valid = match core::str::from_utf8(head) {
        Ok(valid) => valid,
        Err(error) => core::str::from_utf8(&head[..error.valid_up_to()]).ok()?,
    };
    valid.chars().next().map(|char| (char, char.len_utf8()))
}

/// How many bytes of a name stand at the beginning.
pub(super) fn name_len(bytes: &[u8]) -> usize {
    let mut len = 0;
    loop {
        let plain = match bytes.get(len) {
            Some(byte @ (b'a'..=b'z' | b'A'..=b'Z' | b'_' | b':')) => Some(*byte),
            Some(byte @ (b'0'..=b'9' | b'-' | b'.')) if len > 0 => Some(*byte),
            Some(0..0x80) | None => return len,
            Some(_) => None,
        };
        if plain.is_some() {
            len += 1;
            continue;
        }
        match bytes.get(len..).and_then(first) {
            Some((char, size)) if if len == 0 { begins_name(char) } else { is_in_name(char) } => len += size,
            _ => return len,
        }
    }
}
