//! The prolog before the root element, and the epilog after it.

use super::super::options::Doctype;
use super::super::view::Entities;
use super::{Scanner, Token};
use crate::stream::MARK;
use demat_core::{Error, ErrorKind, Result};

/// Options for reading the prolog.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Prolog {
    pub(in super::super) doctype: Doctype,
    /// Whether the input is UTF-16.
    pub(in super::super) utf16: bool,
}

impl Prolog {
    /// Returns the offset of the root's start tag. Adds the entities that are declared before it.
    pub(in super::super) fn root(self, scanner: Scanner<'_>, entities: &mut Entities) -> Result<usize> {
        let mut at = scanner.mark()?;
        if scanner.is_at(at, "<?xml")? {
            match scanner.get(at + 5) {
                None => return Err(scanner.ended("an XML declaration")),
                Some(b' ' | b'\t' | b'\n' | b'\r') => at = scanner.declaration(at, self.utf16)?,
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
                if self.doctype == Doctype::Refuse {
                    return Err(refused(scanner, at));
                }
                if typed {
                    return Err(scanner.wrong(at, "a document has one document type declaration"));
                }
                typed = true;
                let entities = (self.doctype == Doctype::Expand).then_some(&mut *entities);
                at = scanner.doctype(at, entities)?;
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
    let message = "a document type declaration is refused (the option doctype=\"skip\" ignores it, \
                   doctype=\"expand\" reads its entities)";
    Error::new(ErrorKind::Syntax, message).at(scanner.position(at))
}

impl Scanner<'_> {
    /// Returns the end of the byte order mark; 0 if there is none. Refuses UTF-16, which a view has transcoded.
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
            return Err(self.wrong(0, "UTF-16 is read with a byte order mark only, and by `Xml`, not `XmlSource`"));
        }
        Ok(0)
    }

    /// Returns the end of the XML declaration.
    fn declaration(&self, at: usize, utf16: bool) -> Result<usize> {
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
            self.declared(place, open + 1, value, utf16)?;
            at = open + len + 2;
        }
    }

    /// Checks a value of the XML declaration.
    fn declared(&self, place: u8, at: usize, value: &[u8], utf16: bool) -> Result<()> {
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
                let utf8: &[&[u8]] = &[b"utf-8", b"utf8", b"us-ascii", b"ascii"];
                let wide: &[&[u8]] = &[b"utf-16", b"utf16", b"utf-16le", b"utf-16be", b"iso-10646-ucs-2"];
                let known = if utf16 { wide } else { utf8 };
                if known.iter().any(|known| value.eq_ignore_ascii_case(known)) {
                    return Ok(());
                }
                let name = String::from_utf8_lossy(value);
                Err(self.wrong(
                    at,
                    if utf16 {
                        format!("the encoding is UTF-16, and not `{name}`")
                    } else {
                        format!("the encoding `{name}` is not read; only UTF-8 is, and UTF-16 with a byte order mark")
                    },
                ))
            }
            _ if matches!(value, b"yes" | b"no") => Ok(()),
            _ => Err(self.unexpected(at, "`yes` or `no`")),
        }
    }

    /// Checks that only comments, processing instructions and white space follow the root.
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
