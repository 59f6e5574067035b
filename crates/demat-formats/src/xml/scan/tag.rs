//! Start tags with their attributes, and end tags.

use super::{Scanner, Token};
use crate::scan::xml_special;
use demat_core::Result;
use quick_xml::parser::{ElementParser, Parser};
use std::collections::HashSet;

/// A start tag.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct StartTag {
    /// The end of its name, which begins after the `<`.
    pub(in super::super) name: usize,
    /// The end of the tag.
    pub(in super::super) end: usize,
    /// Whether the element is empty: `<a/>`.
    pub(in super::super) empty: bool,
}

/// An attribute of a start tag: the ranges of its name and value.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Attribute {
    pub(in super::super) name: (usize, usize),
    pub(in super::super) value: (usize, usize),
    /// Whether the value needs no unescaping.
    pub(in super::super) plain: bool,
}

/// Up to this number, attributes are compared with each other; more use a set.
const FEW: usize = 8;

impl<'a> Scanner<'a> {
    /// Reads a start tag and its attributes.
    pub(in super::super) fn start_tag(&self, at: usize, attributes: &mut Vec<Attribute>) -> Result<StartTag> {
        attributes.clear();
        let name = self.qualified(at + 1, "the name of an element")?;
        match self.part.bytes.get(name..name + 2) {
            Some([b'>', _]) => return Ok(StartTag { name, end: name + 1, empty: false }),
            Some([b'/', b'>']) => return Ok(StartTag { name, end: name + 2, empty: true }),
            _ => {}
        }
        let Some(len) = ElementParser::default().feed(self.rest(name)) else {
            // Errors before the window's end need not wait for the end of the tag.
            let end = self.part.bytes.len() - usize::from(self.part.bytes.ends_with(b"/"));
            let read = self.attributes(name, end.max(name), attributes);
            return Err(read.err().unwrap_or_else(|| self.ended("`>`")));
        };
        let close = name + len;
        let empty = len > 0 && self.get(close - 1) == Some(b'/');
        self.attributes(name, close - usize::from(empty), attributes)?;
        self.distinct(attributes)?;
        Ok(StartTag { name, end: close + 1, empty })
    }

    /// Reads the attributes in a range.
    fn attributes(&self, mut at: usize, end: usize, attributes: &mut Vec<Attribute>) -> Result<()> {
        loop {
            let begin = self.space(at).min(end);
            if begin == end {
                return Ok(());
            }
            if begin == at {
                return Err(self.unexpected(at, "a space, `/>` or `>`"));
            }
            let name = self.qualified(begin, "the name of an attribute")?;
            let equals = self.space(name);
            if self.get(equals) != Some(b'=') {
                return Err(self.unexpected(equals, "`=` behind the name of an attribute"));
            }
            let open = self.space(equals + 1);
            let Some(quote @ (b'"' | b'\'')) = self.get(open) else {
                return Err(self.unexpected(open, "a value in quotes"));
            };
            let value = open + 1;
            let Some(len) = memchr::memchr(quote, self.rest(value)) else {
                return match memchr::memchr(b'<', self.rest(value)) {
                    Some(less) => Err(self.unexpected(value + less, "no `<` in the value of an attribute")),
                    None => Err(self.ended("the quote at the end of a value")),
                };
            };
            let close = value + len;
            let plain = self.attribute_value(value, close)?;
            attributes.push(Attribute { name: (begin, name), value: (value, close), plain });
            at = close + 1;
        }
    }

    /// Checks the value of an attribute. Returns whether it needs no unescaping.
    pub(super) fn attribute_value(&self, begin: usize, end: usize) -> Result<bool> {
        let bytes = self.slice(begin, end);
        if xml_special(bytes, 0) == bytes.len() {
            return Ok(true);
        }
        if let Some(less) = memchr::memchr(b'<', bytes) {
            return Err(self.unexpected(begin + less, "no `<` in the value of an attribute"));
        }
        self.check_chars(begin, end)?;
        let references = self.check_references(begin, end)?;
        Ok(!references && !bytes.iter().any(|byte| matches!(byte, b'\t' | b'\n' | b'\r')))
    }

    /// Refuses repeated attributes.
    fn distinct(&self, attributes: &[Attribute]) -> Result<()> {
        let name = |attribute: &Attribute| self.slice(attribute.name.0, attribute.name.1);
        let again = if attributes.len() <= FEW {
            (1..attributes.len()).find(|&at| attributes[..at].iter().any(|one| name(one) == name(&attributes[at])))
        } else {
            let mut seen: HashSet<&'a [u8]> = HashSet::with_capacity(attributes.len());
            attributes.iter().position(|attribute| !seen.insert(name(attribute)))
        };
        match again {
            None => Ok(()),
            Some(index) => {
                let name = String::from_utf8_lossy(name(&attributes[index])).into_owned();
                Err(self.wrong(attributes[index].name.0, format!("the attribute `{name}` is repeated")))
            }
        }
    }

    /// Returns the end of a name with or without a prefix.
    pub(in super::super) fn qualified(&self, at: usize, expected: &'static str) -> Result<usize> {
        let end = self.name(at, expected)?;
        let name = self.slice(at, end);
        if !self.namespaces {
            return Ok(end);
        }
        if let Some(colon) = memchr::memchr(b':', name) {
            let local = &name[colon + 1..];
            if colon == 0 || super::chars::name_len(local) != local.len() || local.is_empty() || local.contains(&b':') {
                let name = String::from_utf8_lossy(name).into_owned();
                return Err(self.wrong(at, format!("`{name}` is not a prefix and a name")));
            }
        }
        Ok(end)
    }

    pub(super) fn end_tag(&self, at: usize) -> Result<Token> {
        let name = self.qualified(at + 2, "the name of the element that ends")?;
        let close = self.space(name);
        if self.get(close) != Some(b'>') {
            return Err(self.unexpected(close, "`>`"));
        }
        Ok(Token::End(at + 2, name, close + 1))
    }
}
