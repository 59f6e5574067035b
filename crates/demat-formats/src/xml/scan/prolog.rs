//! What stands before the root element.

use super::{Scanner, Token};
use crate::stream::MARK;
use demat_core::{Error, ErrorKind, Result};

/// What there is before the root.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Prolog {
    /// Whether a document type declaration is passed over. It is refused otherwise.
    pub(in super::super) doctype: bool,
}

impl Prolog {
    /// The offset of the root's start tag.
    pub(in super::super) fn root(self, scanner: Scanner<'_>) -> Result<usize> {
        let mut at = scanner.mark()?;
        if scanner.is_at(at, "<?xml")? {
            match scanner.get(at + 5) {
                None => return Err(scanner.ended("an XML declaration")),
                Some(b' ' | b'\t' | b'\n' | b'\r') => at = scanner.declaration(at)?,
                Some(_) => {}
            }
        }
        let mut typed = false;
        loop {
            at = scanner.space(at);
            if scanner.get(at).is_none() {
                return Err(scanner.ended("an element"));
            }
            if scanner.is_at(at, "<!DOCTYPE")? {
                if !self.doctype {
                    return Err(refused(scanner, at));
                }
                if typed {
                    return Err(scanner.wrong(at, "a document has one document type declaration"));
                }
                typed = true;
                at = scanner.doctype(at)?;
                continue;
            }
            match scanner.token(at)? {
                Token::Start => return Ok(at),
                Token::Passed(end) => at = end,
                _ => return Err(scanner.unexpected(at, "an element")),
            }
        }
    }
}

#[cold]
fn refused(scanner: Scanner<'_>, at: usize) -> Error {
    let message = "a document type declaration is refused (the option doctype=\"skip\" passes over it, and obeys \
                   nothing of it)";
    Error::new(ErrorKind::Syntax, message).at(scanner.position(at))
}

impl Scanner<'_> {
    /// The end of the byte order mark, which need not be there. An input in UTF-16 is refused.
    fn mark(&self) -> Result<usize> {
        let bytes = self.bytes();
        if bytes.len() < 3 && !self.part.last {
            return Err(self.ended("a document"));
        }
        if bytes.starts_with(MARK) {
            return Ok(MARK.len());
        }
        let is_wide = matches!(bytes, [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [b'<', 0, ..] | [0, b'<', ..]);
        if is_wide {
            return Err(self.wrong(0, "the document is not in UTF-8 but, it seems, in UTF-16, which is not read"));
        }
        Ok(0)
    }

    /// The end of the XML declaration.
    fn declaration(&self, at: usize) -> Result<usize> {
        let (mut at, mut spaced) = (at + 5, true);
        let mut step = 0;
        loop {
            let begin = self.space(at);
            if self.is_at(begin, "?>")? {
                if step == 0 {
                    return Err(self.unexpected(begin, "`version` in the XML declaration"));
                }
                return Ok(begin + 2);
            }
            spaced &= begin > at;
            let name = self.name(begin, "`?>`")?;
            let place = match self.slice(begin, name) {
                b"version" => 1,
                b"encoding" => 2,
                b"standalone" => 3,
                _ => 0,
            };
            if place <= step || (step == 0 && place != 1) || !spaced {
                return Err(self.unexpected(begin, "`version`, `encoding` and `standalone`, in this order"));
            }
            step = place;
            let equals = self.space(name);
            if self.get(equals) != Some(b'=') {
                return Err(self.unexpected(equals, "`=`"));
            }
            let open = self.space(equals + 1);
            let Some(quote @ (b'"' | b'\'')) = self.get(open) else {
                return Err(self.unexpected(open, "a value in quotes"));
            };
            let Some(len) = memchr::memchr(quote, self.rest(open + 1)) else {
                return Err(self.ended("the quote at the end of a value"));
            };
            let value = self.slice(open + 1, open + 1 + len);
            self.declared(place, open + 1, value)?;
            at = open + len + 2;
        }
    }

    /// Checks what an XML declaration says.
    fn declared(&self, place: u8, at: usize, value: &[u8]) -> Result<()> {
        match place {
            1 => match value {
                [b'1', b'.', rest @ ..] if !rest.is_empty() && rest.iter().all(u8::is_ascii_digit) => Ok(()),
                _ => Err(self.unexpected(at, "a version such as `1.0`")),
            },
            2 => {
                let is_name = value.first().is_some_and(u8::is_ascii_alphabetic)
                    && value.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
                if !is_name {
                    return Err(self.unexpected(at, "the name of an encoding"));
                }
                let known: [&[u8]; 4] = [b"utf-8", b"utf8", b"us-ascii", b"ascii"];
                if known.iter().any(|known| value.eq_ignore_ascii_case(known)) {
                    return Ok(());
                }
                let name = String::from_utf8_lossy(value);
                Err(self.wrong(at, format!("the encoding `{name}` is not read; only UTF-8 is")))
            }
            _ if matches!(value, b"yes" | b"no") => Ok(()),
            _ => Err(self.unexpected(at, "`yes` or `no`")),
        }
    }

    /// The end of what may stand behind the root, up to the end of the input.
    pub(in super::super) fn epilog(&self, mut at: usize) -> Result<()> {
        loop {
            at = self.space(at);
            if self.get(at).is_none() {
                return if self.part.last { Ok(()) } else { Err(self.ended("end of input")) };
            }
            if self.get(at) != Some(b'<') {
                return Err(self.unexpected(at, "end of input, as the root has ended"));
            }
            match self.token(at)? {
                Token::Passed(end) => at = end,
                _ => return Err(self.unexpected(at, "end of input, as the root has ended")),
            }
        }
    }
}
