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

/// Whether each byte is an ASCII character that a name may hold behind its first one.
static IN_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = matches!(byte as u8, b'a'..=b'z' | b'A'..=b'Z' | b'_' | b':' | b'0'..=b'9' | b'-' | b'.');
        byte += 1;
    }
    table
};

/// Returns the number of bytes of a name in ASCII without a colon at the beginning: 0 if other characters follow that a
/// name may hold.
#[inline]
pub(in super::super) fn plain_name_len(bytes: &[u8]) -> usize {
    if matches!(bytes.first(), Some(b'0'..=b'9' | b'-' | b'.')) {
        return 0;
    }
    let len = bytes.iter().position(|byte| !IN_NAME[usize::from(*byte)] || *byte == b':').unwrap_or(bytes.len());
    if bytes.get(len).is_some_and(|byte| *byte != b':' && byte.is_ascii()) { len } else { 0 }
}

/// Returns the number of bytes of a name at the beginning.
pub(super) fn name_len(bytes: &[u8]) -> usize {
    if matches!(bytes.first(), Some(b'0'..=b'9' | b'-' | b'.')) {
        return 0;
    }
    let mut len = 0;
    loop {
        while bytes.get(len).is_some_and(|byte| IN_NAME[usize::from(*byte)]) {
            len += 1;
        }
        if bytes.get(len).is_none_or(u8::is_ascii) {
            return len;
        }
        match bytes.get(len..).and_then(first) {
            Some((char, size)) if if len == 0 { begins_name(char) } else { is_in_name(char) } => len += size,
            _ => return len,
        }
    }
}
