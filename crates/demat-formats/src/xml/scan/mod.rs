//! Scans the parts of a document in a slice and checks each by XML 1.0 (fifth edition) and Namespaces in XML.
//! `quick-xml`'s parsers find the ends of markup; they accept invalid content, so the scanner checks that.

pub(super) mod chars;
mod doctype;
mod prolog;
mod tag;
mod text;

pub(super) use prolog::Prolog;
pub(super) use tag::{Attribute, StartTag};
pub(super) use text::{Content, character, predefined, unescape};

use super::view::View;
use crate::stream::Part;
use demat_core::{Error, ErrorKind, Position, Result, Signal};
use quick_xml::parser::{CommentParser, Parser, PiParser};
use std::borrow::Cow;

/// Reads parts of a document at any offset of a slice.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scanner<'a> {
    pub(super) part: Part<'a>,
    /// Whether prefixes of names must be declared.
    pub(super) namespaces: bool,
    /// The document's text, if the part is not of the input itself.
    pub(super) view: Option<&'a View>,
}

/// A token of an element's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// A start tag begins.
    Start,
    /// An end tag: the range of its name, and its end.
    End(usize, usize, usize),
    /// Text: its end, and whether it needs no unescaping (no references, no carriage returns).
    Text(usize, bool),
    /// A CDATA section: the range of its content, its end, and whether the content needs no unescaping.
    Cdata(usize, usize, usize, bool),
    /// A comment or a processing instruction: its end.
    Passed(usize),
}

impl<'a> Scanner<'a> {
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.part.bytes
    }

    pub(super) fn get(&self, at: usize) -> Option<u8> {
        self.part.bytes.get(at).copied()
    }

    /// The bytes from there on.
    pub(super) fn rest(&self, at: usize) -> &'a [u8] {
        self.part.bytes.get(at..).unwrap_or(&[])
    }

    /// The bytes between.
    pub(super) fn slice(&self, begin: usize, end: usize) -> &'a [u8] {
        self.part.bytes.get(begin..end).unwrap_or(&[])
    }

    /// Whether the bytes at an offset begin with a text. Incomplete if the window ends within it.
    pub(super) fn is_at(&self, at: usize, what: &'static str) -> Result<bool> {
        let rest = self.rest(at);
        if rest.len() < what.len() && !self.part.last && what.as_bytes().starts_with(rest) {
            return Err(self.incomplete());
        }
        Ok(rest.starts_with(what.as_bytes()))
    }

    pub(super) fn position(&self, at: usize) -> Position {
        match self.view {
            Some(view) => view.position(self.part.base.offset + at as u64),
            None => self.part.base.position(self.part.bytes, at),
        }
    }

    /// The error at the end of a part that is not the last.
    #[cold]
    pub(super) fn incomplete(&self) -> Error {
        self.view.map_or_else(|| Error::signalled(Signal::Incomplete), View::ended)
    }

    /// The error for unexpected input.
    #[cold]
    pub(super) fn unexpected(&self, at: usize, expected: impl Into<Cow<'static, str>>) -> Error {
        if at >= self.part.bytes.len() {
            return self.ended(expected);
        }
        Error::mismatch(ErrorKind::Syntax, expected, self.found(at)).at(self.position(at))
    }

    /// The error at the end of the input, or of the window.
    #[cold]
    pub(super) fn ended(&self, expected: impl Into<Cow<'static, str>>) -> Error {
        if !self.part.last {
            return self.incomplete();
        }
        let end = self.part.bytes.len();
        Error::mismatch(ErrorKind::Syntax, expected, "end of input").at(self.position(end))
    }

    /// A syntax error with its own message.
    #[cold]
    pub(super) fn wrong(&self, at: usize, message: impl Into<Cow<'static, str>>) -> Error {
        Error::new(ErrorKind::Syntax, message).at(self.position(at))
    }

    /// Describes the character at an offset, for an error.
    fn found(&self, at: usize) -> String {
        let rest = self.slice(at, (at + 4).min(self.part.bytes.len()));
        match chars::first(rest) {
            Some((char, _)) if !char.is_control() => format!("`{char}`"),
            Some((char, _)) => format!("U+{:04X}", u32::from(char)),
            None => format!("byte 0x{:02x}", rest.first().copied().unwrap_or_default()),
        }
    }

    /// Returns the end of white space.
    pub(super) fn space(&self, at: usize) -> usize {
        let rest = self.rest(at);
        at + rest.iter().position(|byte| !chars::is_space(*byte)).unwrap_or(rest.len())
    }

    /// Returns the end of a name.
    pub(super) fn name(&self, at: usize, expected: &'static str) -> Result<usize> {
        let rest = self.rest(at);
        let len = chars::name_len(rest);
        let after = rest.get(len..).unwrap_or(&[]);
        // The name may continue after the window, and the window may cut a character.
        if !self.part.last && after.len() < 4 && chars::first(after).is_none() {
            return Err(self.incomplete());
        }
        if len == 0 {
            return Err(self.unexpected(at, expected));
        }
        Ok(at + len)
    }

    /// Returns the token at an offset, in an element or around the root.
    pub(super) fn token(&self, at: usize) -> Result<Token> {
        match self.get(at) {
            None => Err(self.ended("an end tag")),
            Some(b'<') => match self.get(at + 1) {
                None => Err(self.ended("a tag")),
                Some(b'/') => self.end_tag(at),
                Some(b'!') => self.bang(at),
                Some(b'?') => self.instruction(at).map(Token::Passed),
                Some(_) => Ok(Token::Start),
            },
            Some(_) => {
                let (end, plain) = self.text(at)?;
                Ok(Token::Text(end, plain))
            }
        }
    }

    fn bang(&self, at: usize) -> Result<Token> {
        if self.is_at(at, "<!--")? {
            return self.comment(at).map(Token::Passed);
        }
        if self.is_at(at, "<![CDATA[")? {
            let begin = at + 9;
            let Some(len) = memchr::memmem::find(self.rest(begin), b"]]>") else {
                return Err(self.ended("`]]>`"));
            };
            let plain = self.check_chars(begin, begin + len)?;
            return Ok(Token::Cdata(begin, begin + len, begin + len + 3, plain));
        }
        Err(self.unexpected(at + 2, "a comment or a CDATA section"))
    }

    /// Returns the end of a comment.
    pub(super) fn comment(&self, at: usize) -> Result<usize> {
        let begin = at + 4;
        let Some(len) = CommentParser::default().feed(self.rest(begin)) else { return Err(self.ended("`-->`")) };
        let end = begin + len;
        if let Some(dashes) = memchr::memmem::find(self.slice(begin, end - 1), b"--")
            && begin + dashes + 3 != end
        {
            return Err(self.unexpected(begin + dashes, "no `--` in a comment"));
        }
        self.check_chars(begin, end - 3)?;
        Ok(end)
    }

    /// Returns the end of a processing instruction.
    pub(super) fn instruction(&self, at: usize) -> Result<usize> {
        let begin = at + 2;
        let name = self.name(begin, "the target of a processing instruction")?;
        let target = self.slice(begin, name);
        if target.eq_ignore_ascii_case(b"xml") {
            let message = "an XML declaration can only be the very first of a document";
            return Err(self.wrong(at, message));
        }
        if self.namespaces && target.contains(&b':') {
            return Err(self.unexpected(begin, "a target without a colon"));
        }
        let Some(len) = PiParser::default().feed(self.rest(name)) else { return Err(self.ended("`?>`")) };
        let end = name + len + 1;
        if self.space(name) == name && self.slice(name, end) != b"?>" {
            return Err(self.unexpected(name, "`?>` or a space behind the target"));
        }
        self.check_chars(name, end - 2)?;
        Ok(end)
    }
}
