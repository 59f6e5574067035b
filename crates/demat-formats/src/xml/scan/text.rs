//! Character data and references, and their unescaping.

use super::{Scanner, chars};
use crate::scan::{xml_control, xml_special};
use core::str;
use demat_core::{Error, Result};

/// The kind of content, which determines how white space is normalised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Content {
    /// Text of an element: lines end with a line feed.
    Text,
    /// A CDATA section: likewise, and without references.
    Cdata,
    /// The value of an attribute: all white space becomes spaces.
    Attribute,
}

impl Scanner<'_> {
    /// Checks the characters in a range. Returns whether none of them is a carriage return.
    pub(super) fn check_chars(&self, begin: usize, end: usize) -> Result<bool> {
        let bytes = self.slice(begin, end);
        if let Err(error) = simdutf8::compat::from_utf8(bytes) {
            return Err(self.no_utf8(begin + error.valid_up_to()));
        }
        let mut plain = true;
        let mut at = xml_control(bytes, 0);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\t' | b'\n' => {}
                b'\r' => plain = false,
                0..0x20 => return Err(self.no_char(begin + at)),
                _ if matches!(bytes.get(at + 1..at + 3), Some([0xBF, 0xBE | 0xBF])) => {
                    return Err(self.no_char(begin + at));
                }
                _ => {}
            }
            at = xml_control(bytes, at + 1);
        }
        Ok(plain)
    }

    #[cold]
    fn no_char(&self, at: usize) -> Error {
        self.unexpected(at, "a character that XML 1.0 allows")
    }

    #[cold]
    fn no_utf8(&self, at: usize) -> Error {
        match self.view.filter(|view| view.is_utf16()) {
            Some(_) => self.wrong(at, "half of a character of UTF-16 stands alone"),
            None => self.unexpected(at, "text in UTF-8"),
        }
    }

    /// Returns the end of text, and whether it needs no unescaping.
    pub(super) fn text(&self, at: usize) -> Result<(usize, bool)> {
        let mut end = xml_special(self.bytes(), at);
        loop {
            match self.get(end) {
                Some(b'<') => return Ok((end, true)),
                Some(b'\n' | b'\t') => end = xml_special(self.bytes(), end + 1),
                _ => return self.text_checked(at),
            }
        }
    }

    /// As [`text`](Self::text), in several passes: for text with references, carriage returns or letters beyond ASCII,
    /// and for the end of the window.
    fn text_checked(&self, at: usize) -> Result<(usize, bool)> {
        let rest = self.rest(at);
        let end = match memchr::memchr(b'<', rest) {
            Some(len) => at + len,
            // Only white space after the root may end a document.
            None if self.part.last => at + rest.len(),
            None => return Err(self.ended("an end tag")),
        };
        let text = self.slice(at, end);
        if let Some(found) = memchr::memmem::find(text, b"]]>") {
            return Err(self.unexpected(at + found, "no `]]>` in text"));
        }
        let plain = self.check_chars(at, end)?;
        let references = self.check_references(at, end)?;
        Ok((end, plain && !references))
    }

    /// Checks the references in a range. Returns whether there are any.
    pub(super) fn check_references(&self, begin: usize, end: usize) -> Result<bool> {
        let mut at = begin;
        let mut any = false;
        while let Some(found) = memchr::memchr(b'&', self.slice(at, end)) {
            any = true;
            at = self.reference(at + found, end)?;
        }
        Ok(any)
    }

    /// Returns the end of a reference, which must be to a character or to one of the five entities.
    pub(super) fn reference(&self, at: usize, end: usize) -> Result<usize> {
        let inside = self.slice(at + 1, end);
        let len = inside.iter().take(1 << 12).position(|byte| *byte == b';');
        let Some(len) = len else {
            return Err(self.unexpected(at, "a reference that ends with `;` (a lone `&` is written `&amp;`)"));
        };
        let name = &inside[..len];
        if let Some(number) = name.strip_prefix(b"#") {
            if character(number).is_none() {
                return Err(self.wrong(at, format!("`&{}`: no such character", self.shown(at + 1, len))));
            }
        } else if predefined(name).is_none() {
            if chars::name_len(name) != len || len == 0 {
                return Err(self.unexpected(at + 1, "the name of an entity"));
            }
            let message = format!(
                "the entity `&{}` is not read: only `&lt;`, `&gt;`, `&amp;`, `&quot;` and `&apos;` are, and those that \
                 the document declares with doctype=\"expand\"",
                self.shown(at + 1, len)
            );
            return Err(self.wrong(at, message));
        }
        Ok(at + len + 2)
    }

    /// A reference's name with its semicolon.
    fn shown(&self, at: usize, len: usize) -> String {
        let name = String::from_utf8_lossy(self.slice(at, at + len));
        name.chars().take(40).chain([';']).collect()
    }
}

/// Returns the character of a numeric reference, given without `#`.
pub(in super::super) fn character(number: &[u8]) -> Option<char> {
    let (digits, radix) = match number {
        [b'x', digits @ ..] => (digits, 16),
        digits => (digits, 10),
    };
    let is_digits = !digits.is_empty() && digits.iter().all(|byte| char::from(*byte).is_digit(radix));
    let text = str::from_utf8(digits).ok().filter(|_| is_digits)?;
    let number = u32::from_str_radix(text.trim_start_matches('0'), radix).ok()?;
    char::from_u32(number).filter(|char| chars::is_char(*char))
}

/// Returns the character of one of the five entities.
pub(in super::super) fn predefined(name: &[u8]) -> Option<char> {
    Some(match name {
        b"lt" => '<',
        b"gt" => '>',
        b"amp" => '&',
        b"quot" => '"',
        b"apos" => '\'',
        _ => return None,
    })
}

/// Appends checked text, unescaped.
pub(in super::super) fn unescape(mut text: &str, content: Content, out: &mut String) {
    let is_special = |byte: &u8| match byte {
        b'\r' => true,
        b'&' => content != Content::Cdata,
        b'\n' | b'\t' => content == Content::Attribute,
        _ => false,
    };
    while let Some(at) = text.as_bytes().iter().position(is_special) {
        out.push_str(&text[..at]);
        let rest = &text[at..];
        let line = if content == Content::Attribute { ' ' } else { '\n' };
        let (char, len) = match rest.as_bytes() {
            [b'\r', b'\n', ..] => (line, 2),
            [b'\r' | b'\n', ..] => (line, 1),
            [b'\t', ..] => (' ', 1),
            _ => {
                let end = rest.find(';').unwrap_or(rest.len() - 1);
                let name = rest.as_bytes().get(1..end).unwrap_or_default();
                let char = name.strip_prefix(b"#").map_or_else(|| predefined(name), character);
                (char.unwrap_or('\u{fffd}'), end + 1)
            }
        };
        out.push(char);
        text = &rest[len..];
    }
    out.push_str(text);
}
