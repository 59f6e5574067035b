//! The entities that a document type declares, and their texts with all references in them expanded.

use super::super::scan::{Scanner, Token, character, predefined};
use super::content::{Piece, piece, reference_in_tag};
use crate::stream::Part;
use demat_core::{Error, Result};
use std::collections::HashMap;

/// How deep references to entities may nest.
const DEPTH: usize = 32;
/// The longest text of one reference, with all that it refers to.
const LONGEST: u64 = 1 << 20;
/// The texts of all references together may be so long, ...
const FREE: u64 = 1 << 20;
/// ... and so many times as long as the input before them.
const TIMES: u64 = 10;

/// The declared entities.
#[derive(Debug, Default)]
pub(in super::super) struct Entities {
    general: HashMap<Box<[u8]>, Entity>,
    parameters: HashMap<Box<[u8]>, Option<Box<[u8]>>>,
    /// Whether a parameter entity was referred to that is not read: later declarations do not count then.
    incomplete: bool,
    /// The length of all expanded texts.
    expanded: u64,
}

#[derive(Debug)]
enum Entity {
    Internal {
        text: Box<[u8]>,
        /// Whether it is known to be well-formed content.
        checked: bool,
    },
    /// Its text is in another file, or it is no text.
    External,
}

/// Where a reference stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Place {
    Text { namespaces: bool },
    Attribute,
}

/// What is wrong with a reference.
#[derive(Debug)]
pub(in super::super) enum Fault {
    /// What exceeds which limit.
    Limit(&'static str, String),
    Syntax(String),
}

/// One expansion: the bytes that it may still have, and the names of the entities around.
struct Expansion {
    left: u64,
    /// Whether they are limited by the texts before.
    total: bool,
    open: Vec<Box<[u8]>>,
}

impl Entities {
    pub(in super::super) fn is_empty(&self) -> bool {
        self.general.is_empty()
    }

    /// Whether a general entity of this name is declared, other than the five of XML.
    pub(in super::super) fn has(&self, name: &[u8]) -> bool {
        predefined(name).is_none() && self.general.contains_key(name)
    }

    /// Adds a general entity, unless one of its name is declared. `value` is the literal in its declaration; `None` for
    /// an external entity.
    pub(in super::super) fn declare(&mut self, name: &[u8], value: Option<&[u8]>) {
        if !self.incomplete {
            let own = || value.map_or(Entity::External, |value| Entity::Internal { text: text(value), checked: false });
            self.general.entry(name.into()).or_insert_with(own);
        }
    }

    /// Adds a parameter entity in the same way.
    pub(in super::super) fn declare_parameter(&mut self, name: &[u8], value: Option<&[u8]>) {
        if !self.incomplete {
            self.parameters.entry(name.into()).or_insert_with(|| value.map(text));
        }
    }

    /// Returns the declarations in a parameter entity, which are `bytes` long in the input so far.
    ///
    /// # Errors
    /// If the limit is exceeded.
    pub(in super::super) fn parameter(&mut self, name: &[u8], read: u64) -> Result<Option<Box<[u8]>>, Fault> {
        let found = self.parameters.get(name).cloned().flatten();
        self.incomplete |= found.is_none();
        let Some(text) = found else { return Ok(None) };
        let mut expansion = self.begin(read);
        expansion.spend(&text)?;
        self.expanded += text.len() as u64 + 1;
        Ok(Some(text))
    }

    /// Appends the text that a reference to a declared entity stands for. `read` is the length of the input so far.
    ///
    /// # Errors
    /// If the entity refers to itself, or to one that is external or not declared; if its text does not fit in; if a
    /// limit is exceeded.
    pub(in super::super) fn expand(
        &mut self,
        name: &[u8],
        place: Place,
        read: u64,
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let mut expansion = self.begin(read);
        let most = expansion.left;
        let expanded = self.expand_in(name, place, &mut expansion, out);
        self.expanded += most - expansion.left;
        expanded
    }

    fn begin(&self, read: u64) -> Expansion {
        let total = read.saturating_mul(TIMES).saturating_add(FREE);
        let left = total.saturating_sub(self.expanded);
        Expansion { left: LONGEST.min(left), total: left < LONGEST, open: Vec::new() }
    }

    fn expand_in(
        &mut self,
        name: &[u8],
        place: Place,
        expansion: &mut Expansion,
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let refused = |why: &str| Fault::Syntax(format!("the entity `&{};` {why}", String::from_utf8_lossy(name)));
        let (text, checked) = match self.general.get(name) {
            Some(Entity::Internal { text, checked }) => (text.clone(), *checked),
            Some(Entity::External) => return Err(refused("is external, and such are never read")),
            None => return Err(refused("is not declared")),
        };
        if expansion.open.iter().any(|open| **open == *name) {
            return Err(refused("refers to itself"));
        }
        if expansion.open.len() >= DEPTH {
            return Err(Fault::Limit("the depth of references to entities", DEPTH.to_string()));
        }
        expansion.spend(&text)?;
        expansion.open.push(name.into());
        let begin = out.len();
        match place {
            Place::Attribute => self.attribute(&text, expansion, out).map_err(|fault| match fault {
                Some(fault) => fault,
                None => refused("has a `<`, which the value of an attribute can't have"),
            })?,
            Place::Text { namespaces } => {
                self.content(&text, namespaces, expansion, out)?;
                if !checked {
                    let written = out.get(begin..).unwrap_or_default();
                    check(written, namespaces).map_err(|error| refused(&format!("is not well-formed: {error}")))?;
                    if let Some(Entity::Internal { checked, .. }) = self.general.get_mut(name) {
                        *checked = true;
                    }
                }
            }
        }
        expansion.open.pop();
        Ok(())
    }

    /// Appends content with its references expanded.
    fn content(
        &mut self,
        text: &[u8],
        namespaces: bool,
        expansion: &mut Expansion,
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let mut rest = text;
        while !rest.is_empty() {
            // What has no end is refused when the whole is checked.
            let (kind, len) = piece(rest).unwrap_or((Piece::Opaque, rest.len()));
            let (bytes, after) = rest.split_at(len);
            rest = after;
            match kind {
                Piece::Reference => self.refer(bytes, Place::Text { namespaces }, expansion, out)?,
                Piece::Start | Piece::Empty => {
                    let mut at = 0;
                    while let Some((begin, end)) = reference_in_tag(bytes, at) {
                        out.extend_from_slice(&bytes[at..begin]);
                        self.refer(&bytes[begin..end], Place::Attribute, expansion, out)?;
                        at = end;
                    }
                    out.extend_from_slice(&bytes[at..]);
                }
                Piece::Text => {
                    // A carriage return is one that a reference to a character stood for.
                    for part in bytes.split_inclusive(|byte| *byte == b'\r') {
                        match part.strip_suffix(b"\r") {
                            Some(part) => {
                                out.extend_from_slice(part);
                                out.extend_from_slice(b"&#13;");
                            }
                            None => out.extend_from_slice(part),
                        }
                    }
                }
                Piece::End | Piece::Opaque => out.extend_from_slice(bytes),
            }
        }
        Ok(())
    }

    /// Appends the value of an attribute, or a part of it. The error is `None` at a `<`.
    fn attribute(&mut self, text: &[u8], expansion: &mut Expansion, out: &mut Vec<u8>) -> Result<(), Option<Fault>> {
        let mut at = 0;
        while let Some(byte) = text.get(at) {
            match byte {
                b'<' => return Err(None),
                b'&' => {
                    if let Some((begin, end)) = reference_in_tag(text, at).filter(|(begin, _)| *begin == at) {
                        self.refer(&text[begin..end], Place::Attribute, expansion, out)?;
                        at = end;
                        continue;
                    }
                    let message = "an entity has an `&` without a name and `;`".to_owned();
                    return Err(Some(Fault::Syntax(message)));
                }
                b'"' => out.extend_from_slice(b"&#34;"),
                b'\'' => out.extend_from_slice(b"&#39;"),
                b'\t' | b'\n' | b'\r' => out.push(b' '),
                byte => out.push(*byte),
            }
            at += 1;
        }
        Ok(())
    }

    /// Appends what a reference in the text of an entity stands for.
    fn refer(
        &mut self,
        reference: &[u8],
        place: Place,
        expansion: &mut Expansion,
        out: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let name = &reference[1..reference.len() - 1];
        if name.starts_with(b"#") || predefined(name).is_some() {
            out.extend_from_slice(reference);
            return Ok(());
        }
        self.expand_in(name, place, expansion, out)
    }
}

impl Expansion {
    fn spend(&mut self, text: &[u8]) -> Result<(), Fault> {
        let len = text.len() as u64 + 1;
        if len > self.left {
            self.left = 0;
            let limit = format!("{TIMES} times the input before, and {FREE} bytes");
            return Err(if self.total {
                Fault::Limit("the text of all expanded entities", limit)
            } else {
                Fault::Limit("the text of an expanded entity", format!("{LONGEST} bytes"))
            });
        }
        self.left -= len;
        Ok(())
    }
}

/// Returns the text of an entity: its literal with references to characters expanded, and lines that end with `\n`.
fn text(literal: &[u8]) -> Box<[u8]> {
    let mut text = Vec::with_capacity(literal.len());
    let mut rest = literal;
    while let Some(at) = memchr::memchr2(b'&', b'\r', rest) {
        text.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        let len = memchr::memchr(b';', rest).unwrap_or(0);
        match rest {
            [b'\r', b'\n', ..] => rest = &rest[1..],
            [b'\r', ..] => {
                text.push(b'\n');
                rest = &rest[1..];
            }
            _ => {
                if let Some(char) = rest.get(2..len).filter(|_| rest.starts_with(b"&#")).and_then(character) {
                    text.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
                    rest = &rest[len + 1..];
                } else {
                    text.push(b'&');
                    rest = &rest[1..];
                }
            }
        }
    }
    text.extend_from_slice(rest);
    text.into()
}

/// Checks that a text is well-formed content on its own.
fn check(text: &[u8], namespaces: bool) -> Result<()> {
    let scanner = Scanner { part: Part::whole(text), namespaces, view: None };
    let (mut open, mut attributes, mut at) = (Vec::new(), Vec::new(), 0);
    while at < text.len() {
        match scanner.token(at)? {
            Token::Start => {
                let tag = scanner.start_tag(at, &mut attributes)?;
                if !tag.empty {
                    open.push(scanner.slice(at + 1, tag.name));
                }
                at = tag.end;
            }
            Token::End(begin, end, after) => {
                if open.pop() != Some(scanner.slice(begin, end)) {
                    return Err(scanner.unexpected(begin, "an end tag of an element that begins in the entity"));
                }
                at = after;
            }
            Token::Text(end, _) | Token::Cdata(_, _, end, _) | Token::Passed(end) => at = end,
        }
    }
    if open.is_empty() { Ok(()) } else { Err(scanner.ended("an end tag")) }
}

impl Fault {
    /// The error, without a position.
    pub(in super::super) fn error(&self) -> Error {
        match self {
            Self::Limit(what, limit) => Error::limit(what, limit),
            Self::Syntax(message) => Error::new(demat_core::ErrorKind::Syntax, message.clone()),
        }
    }
}
