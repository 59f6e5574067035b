//! The text that the scanner reads, if it is not the input itself: UTF-16 transcoded to UTF-8, and references to
//! declared entities replaced by their texts.
//!
//! A [`View`] takes the bytes of each window once and appends to its text. [`Offsets`] maps the text to the input, for
//! marks and for positions.

mod content;
mod entities;
mod offsets;
mod utf16;

pub(super) use entities::{Entities, Fault, Place};

use super::options::{Doctype, ReadOptions};
use super::scan::{Prolog, Scanner};
use crate::stream::Part;
use content::{Piece, piece};
use demat_core::{Error, Position, Signal};
use offsets::Offsets;
use utf16::Utf16;

/// The text of a document, as far as the windows have it.
#[derive(Debug, Default)]
pub(super) struct View {
    /// The decoder; `None` if the input is UTF-8.
    utf16: Option<Utf16>,
    phase: Phase,
    entities: Entities,
    /// The text in UTF-8 that was not appended yet: it is cut within a tag or a reference.
    pending: Vec<u8>,
    text: Vec<u8>,
    /// Where the current window begins in the text.
    start: usize,
    offsets: Offsets,
    /// The offset in the input of the current window, and behind the last byte that was read.
    window: u64,
    read: u64,
    /// Whether the text has ended.
    last: bool,
    /// The error behind the text.
    fault: Option<(Fault, Position)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Phase {
    /// The scanner reads the input itself.
    #[default]
    Unused,
    /// Nothing is expanded any more.
    Verbatim,
    /// Before the root.
    Prolog,
    /// In so many elements.
    Content(usize),
}

impl View {
    /// Reads the bytes of a window that are new.
    pub(super) fn read(&mut self, part: Part<'_>, options: &ReadOptions) {
        if part.base.offset == 0 {
            *self = Self::default();
            self.utf16 = Utf16::of(part.bytes);
            self.phase = match options.doctype {
                Doctype::Expand => Phase::Prolog,
                _ if self.utf16.is_some() => Phase::Verbatim,
                _ => Phase::Unused,
            };
            self.offsets = Offsets::new(self.utf16.is_some());
        }
        if self.phase == Phase::Unused {
            return;
        }
        self.window = part.base.offset;
        self.discard();
        let known = usize::try_from(self.read.saturating_sub(part.base.offset)).unwrap_or(usize::MAX);
        let new = part.bytes.get(known..).unwrap_or_default();
        self.read += new.len() as u64;
        match &mut self.utf16 {
            Some(utf16) => utf16.decode(new, part.last, &mut self.pending),
            None => self.pending.extend_from_slice(new),
        }
        let mut pending = core::mem::take(&mut self.pending);
        let done = self.append(&pending, part.last, options);
        pending.drain(..done);
        self.pending = pending;
        self.last = part.last && self.pending.is_empty();
        if self.phase == Phase::Verbatim && self.utf16.is_none() && self.entities.is_empty() {
            // No entity is declared, so that the text is the input.
            *self = Self::default();
        }
    }

    /// Returns the part that the scanner reads, and this view if the part is not the input itself.
    pub(super) fn part<'w>(&'w self, input: Part<'w>) -> (Part<'w>, Option<&'w Self>) {
        if self.phase == Phase::Unused {
            return (input, None);
        }
        let mut base = input.base;
        base.offset = self.offsets.begin() + self.start as u64;
        let last = self.last && self.fault.is_none();
        (Part { bytes: self.text.get(self.start..).unwrap_or_default(), last, base }, Some(self))
    }

    /// Whether the input is UTF-16.
    pub(super) fn is_utf16(&self) -> bool {
        self.utf16.is_some()
    }

    /// Returns the offset in the window of an offset in the document's text, and how far it is in the text of an
    /// entity that the input refers to there.
    pub(super) fn to_input(&self, at: u64) -> (usize, u32) {
        let (input, inside) = self.offsets.to_input(at, &self.text);
        (input.saturating_sub(self.window) as usize, inside)
    }

    /// Returns the offset in the document's text of such an offset in the window.
    pub(super) fn to_text(&self, at: usize, inside: u32) -> u64 {
        self.offsets.to_text(self.window + at as u64, inside, &self.text)
    }

    /// Returns the position in the input of an offset in the document's text.
    pub(super) fn position(&self, at: u64) -> Position {
        self.offsets.position(at, &self.text)
    }

    /// Returns the error at the end of the text: that of an entity, or that the window is incomplete.
    #[cold]
    pub(super) fn ended(&self) -> Error {
        match &self.fault {
            None => Error::signalled(Signal::Incomplete),
            Some((fault, position)) => fault.error().at(*position),
        }
    }

    /// Removes text before the window.
    fn discard(&mut self) {
        let start = self.offsets.to_text(self.window, 0, &self.text) - self.offsets.begin();
        self.start = start as usize;
        if self.start > self.text.len() / 2 {
            let removed = self.offsets.discard(self.offsets.begin() + start);
            self.text.drain(..removed);
            self.start -= removed;
        }
    }

    /// Appends what is whole, and returns how many bytes that was.
    fn append(&mut self, pending: &[u8], last: bool, options: &ReadOptions) -> usize {
        let mut at = 0;
        if self.phase == Phase::Prolog {
            let scanner =
                Scanner { part: Part { last, ..Part::whole(pending) }, namespaces: options.namespaces, view: None };
            let prolog = Prolog { doctype: options.doctype, utf16: self.utf16.is_some() };
            let mut entities = Entities::default();
            match prolog.root(scanner, &mut entities) {
                Err(error) if error.signal() == Some(Signal::Incomplete) => return 0,
                // The scanner finds the error again.
                Err(_) => self.phase = Phase::Verbatim,
                Ok(_) if entities.is_empty() => self.phase = Phase::Verbatim,
                Ok(root) => {
                    (self.phase, self.entities, at) = (Phase::Content(0), entities, root);
                    self.offsets.copy(&mut self.text, &pending[..root]);
                }
            }
        }
        while at < pending.len() && self.fault.is_none() {
            let rest = &pending[at..];
            let Phase::Content(depth) = self.phase else {
                self.offsets.copy(&mut self.text, rest);
                return pending.len();
            };
            let Some((piece, len)) = piece(rest) else {
                if last {
                    // The scanner finds what is wrong.
                    self.phase = Phase::Verbatim;
                    continue;
                }
                break;
            };
            self.add(piece, &rest[..len], options.namespaces);
            at += len;
            match piece {
                Piece::Start => self.phase = Phase::Content(depth + 1),
                Piece::End if depth <= 1 => self.phase = Phase::Verbatim,
                Piece::End => self.phase = Phase::Content(depth - 1),
                // The root may be an empty element.
                Piece::Empty if depth == 0 => self.phase = Phase::Verbatim,
                _ => {}
            }
        }
        if self.fault.is_some() { pending.len() } else { at }
    }

    /// Appends a piece of content, with its references expanded.
    fn add(&mut self, piece: Piece, bytes: &[u8], namespaces: bool) {
        let refers = memchr::memchr(b'&', bytes).is_some();
        match piece {
            Piece::Reference => {
                let name = &bytes[1..bytes.len() - 1];
                self.replace(bytes, name, Place::Text { namespaces });
            }
            Piece::Start | Piece::Empty if refers => {
                let mut at = 0;
                while let Some((begin, end)) = content::reference_in_tag(bytes, at) {
                    self.offsets.copy(&mut self.text, &bytes[at..begin]);
                    self.replace(&bytes[begin..end], &bytes[begin + 1..end - 1], Place::Attribute);
                    at = end;
                }
                if self.fault.is_none() {
                    self.offsets.copy(&mut self.text, &bytes[at..]);
                }
            }
            _ => self.offsets.copy(&mut self.text, bytes),
        }
    }

    /// Appends the text of an entity in place of a reference; the reference, if no such entity is declared.
    fn replace(&mut self, reference: &[u8], name: &[u8], place: Place) {
        if self.fault.is_some() {
            return;
        }
        if !self.entities.has(name) {
            return self.offsets.copy(&mut self.text, reference);
        }
        let mut out = Vec::new();
        match self.entities.expand(name, place, self.read, &mut out) {
            Ok(()) => self.offsets.replace(&mut self.text, &out, reference),
            Err(fault) => self.fault = Some((fault, self.offsets.end())),
        }
    }
}
