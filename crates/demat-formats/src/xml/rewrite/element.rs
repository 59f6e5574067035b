//! The parts of a well-formed element, by their offsets.

use demat_core::{Error, ErrorKind, Result};
use memchr::{memchr, memmem};
use std::borrow::Cow;
use std::ops::Range;

/// The maximum depth of elements.
const DEEPEST: usize = 256;

/// An element of a text.
#[derive(Debug)]
pub(super) struct Element<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) range: Range<usize>,
    /// With its prefix.
    pub(super) name: &'a [u8],
    pub(super) name_end: usize,
    pub(super) attributes: Vec<Attribute<'a>>,
    /// What is between the tags; of an element without an end tag, nothing before `/>`.
    pub(super) content: Range<usize>,
    pub(super) has_end: bool,
    pub(super) children: Vec<Self>,
    /// The texts between markup that are not blank, and the CDATA sections.
    pub(super) texts: Vec<Range<usize>>,
    /// All that is text, with references as they are.
    text: Vec<&'a [u8]>,
}

/// An attribute of an element.
#[derive(Debug)]
pub(super) struct Attribute<'a> {
    /// With its prefix, unless the attribute declares a namespace.
    pub(super) name: &'a [u8],
    /// As it is between the quotes.
    pub(super) value: &'a [u8],
    pub(super) inside: Range<usize>,
    pub(super) quote: u8,
    /// The whole, with the white space before it.
    pub(super) range: Range<usize>,
}

impl<'a> Element<'a> {
    /// Parses a text that is well-formed: an element, or a document.
    pub(super) fn parse(text: &'a [u8]) -> Result<Self> {
        let mut parser = Parser { text, at: 0 };
        let mut open: Vec<Self> = Vec::new();
        loop {
            let tag = parser.next_tag(open.last_mut())?;
            if let Tag::Start(element) = tag {
                if open.len() == DEEPEST {
                    let message = format!("elements in more than {DEEPEST} others can't be changed in place");
                    return Err(Error::new(ErrorKind::Limit, message));
                }
                let has_end = element.has_end;
                open.push(element);
                if has_end {
                    continue;
                }
            }
            let mut closed = open.pop().ok_or_else(torn)?;
            closed.range.end = parser.at;
            closed.bytes = text.get(closed.range.clone()).ok_or_else(torn)?;
            match open.last_mut() {
                Some(around) => around.children.push(closed),
                None => return Ok(closed),
            }
        }
    }

    /// The name without its prefix.
    pub(super) fn local(&self) -> &'a [u8] {
        local(self.name)
    }

    pub(super) fn attribute(&self, name: &[u8]) -> Option<&Attribute<'a>> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    pub(super) fn named(&self, name: &[u8]) -> Vec<&Self> {
        self.children.iter().filter(|child| child.local() == name).collect()
    }

    /// Its text, without that of its children.
    pub(super) fn text(&self) -> Cow<'a, [u8]> {
        match &self.text[..] {
            [] => Cow::Borrowed(b""),
            [text] => Cow::Borrowed(text),
            texts => Cow::Owned(texts.concat()),
        }
    }

    /// Whether both have the same attributes, texts and children.
    pub(super) fn is_like(&self, other: &Self) -> bool {
        self.bytes == other.bytes
            || self.name == other.name
                && self.attributes.len() == other.attributes.len()
                && self.attributes.iter().zip(&other.attributes).all(|(a, b)| (a.name, a.value) == (b.name, b.value))
                && self.children.len() == other.children.len()
                && self.text().trim_ascii() == other.text().trim_ascii()
                && (!self.children.is_empty() || self.text() == other.text())
                && self.children.iter().zip(&other.children).all(|(a, b)| a.is_like(b))
    }

    /// Whether any name in it has a prefix.
    pub(super) fn has_namespace(&self) -> bool {
        self.name.contains(&b':')
            || self.bytes.get(..self.content.start.saturating_sub(self.range.start)).is_some_and(|tag| {
                memmem::find(tag, b" xmlns").is_some() || self.attributes.iter().any(|own| own.name.contains(&b':'))
            })
            || self.children.iter().any(Self::has_namespace)
    }
}

fn local(name: &[u8]) -> &[u8] {
    memchr(b':', name).map_or(name, |colon| &name[colon + 1..])
}

#[cold]
fn torn() -> Error {
    Error::new(ErrorKind::Internal, "an element that was read has no end")
}

enum Tag<'a> {
    Start(Element<'a>),
    End,
}

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Steps behind a text that stands somewhere ahead, and returns where it begins.
    fn pass(&mut self, what: &[u8]) -> Result<usize> {
        let start = self.at + memmem::find(self.rest(), what).ok_or_else(torn)?;
        self.at = start + what.len();
        Ok(start)
    }

    /// Returns the next tag, and gives the element around it the text before.
    fn next_tag(&mut self, mut around: Option<&mut Element<'a>>) -> Result<Tag<'a>> {
        loop {
            let start = self.at;
            self.at += memchr(b'<', self.rest()).ok_or_else(torn)?;
            if let Some(around) = around.as_deref_mut().filter(|_| self.at > start) {
                let text = &self.text[start..self.at];
                around.text.push(text);
                if !text.trim_ascii().is_empty() {
                    around.texts.push(start..self.at);
                }
            }
            let (rest, begin) = (self.rest(), self.at);
            if rest.starts_with(b"<!--") {
                self.at += 4;
                self.pass(b"-->")?;
            } else if rest.starts_with(b"<![CDATA[") {
                self.at += 9;
                let from = self.at;
                let end = self.pass(b"]]>")?;
                if let Some(around) = around.as_deref_mut() {
                    around.text.push(&self.text[from..end]);
                    around.texts.push(begin..self.at);
                }
            } else if rest.starts_with(b"<?") {
                self.pass(b"?>")?;
            } else if rest.starts_with(b"</") {
                if let Some(around) = around {
                    around.content.end = begin;
                }
                self.pass(b">")?;
                return Ok(Tag::End);
            } else {
                return self.start_tag().map(Tag::Start);
            }
        }
    }

    fn blank(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }

    fn name(&mut self) -> &'a [u8] {
        let ends = |byte: &u8| byte.is_ascii_whitespace() || b"=/>".contains(byte);
        let rest = self.rest();
        let name = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
        self.at += name.len();
        name
    }

    fn start_tag(&mut self) -> Result<Element<'a>> {
        let start = self.at;
        self.at += 1;
        let (name, name_end) = (self.name(), self.at);
        let mut attributes = Vec::new();
        loop {
            let from = self.at;
            self.blank();
            let rest = self.rest();
            if let Some(ends) = [&b">"[..], b"/>"].into_iter().find(|end| rest.starts_with(end)) {
                let has_end = ends.len() == 1;
                let content = if has_end { self.at + 1 } else { self.at };
                self.at += ends.len();
                return Ok(Element {
                    bytes: b"",
                    range: start..self.at,
                    name,
                    name_end,
                    attributes,
                    content: content..content,
                    has_end,
                    children: Vec::new(),
                    texts: Vec::new(),
                    text: Vec::new(),
                });
            }
            let name = self.name();
            self.blank();
            self.at += 1; // `=`
            self.blank();
            let quote = *self.rest().first().ok_or_else(torn)?;
            self.at += 1;
            let inside = self.at;
            let end = self.pass(&[quote])?;
            if name.is_empty() {
                return Err(torn());
            }
            if name != b"xmlns" && !name.starts_with(b"xmlns:") {
                let (value, range) = (&self.text[inside..end], from..self.at);
                attributes.push(Attribute { name, value, inside: inside..end, quote, range });
            }
        }
    }
}
