//! Errors of reading. They are built off the hot path.

use super::super::Tag;
use super::super::variant::NoNumber;
use super::NbtSource;
use demat_core::{Error, ErrorKind, Kind, Position, Signal, excerpt};

impl NbtSource<'_> {
    pub(super) fn position_of(&self, at: usize) -> Position {
        match self.places {
            Some(places) => places.position(&self.counter, at),
            None => Position { offset: Some(self.part.base.offset + at as u64), ..Position::default() },
        }
    }

    /// Returns the error for an invalid value at `at`.
    #[cold]
    pub(super) fn unexpected(&self, at: usize, expected: impl Into<String>, found: impl Into<String>) -> Error {
        Error::mismatch(ErrorKind::Syntax, expected.into(), found.into()).at(self.position_of(at))
    }

    /// Returns the error for input, or a window, that ends where something is expected.
    #[cold]
    pub(super) fn ended(&self, expected: &'static str) -> Error {
        if !self.part.last {
            return Error::signalled(Signal::Incomplete);
        }
        self.unexpected(self.part.bytes.len(), expected, "end of input")
    }

    #[cold]
    pub(super) fn no_number(&self, at: usize, fault: NoNumber, expected: &'static str) -> Error {
        match fault {
            NoNumber::End => self.ended(expected),
            NoNumber::TooLong => self.unexpected(at, expected, "a variable-length number of too many bits"),
        }
    }

    #[cold]
    pub(super) fn no_tag(&self, at: usize, byte: u8) -> Error {
        self.unexpected(at, "a tag from 1 to 12", format!("byte 0x{byte:02x}"))
    }

    /// Returns the error for a value of this tag where the caller expects another kind.
    #[cold]
    pub(super) fn other_kind(&mut self, tag: Tag, expected: &'static str) -> Error {
        let found = if tag == Tag::End { "null" } else { tag.name() };
        let error = Error::expected(expected, found).at(self.position_of(self.start));
        // A text has at most 64 KiB; an array of bytes may be huge.
        match if tag == Tag::ByteArray { Ok(None) } else { excerpt::of(self) } {
            Ok(shown) => error.showing(shown),
            Err(signal) => signal,
        }
    }

    #[cold]
    pub(super) fn too_deep(&self, at: usize) -> Error {
        Error::limit("the depth of nesting", self.form.depth).at(self.position_of(at))
    }
}

/// Returns the kind of values of this tag.
pub(super) fn kind_of(tag: Tag) -> Kind {
    match tag {
        Tag::Byte | Tag::Short | Tag::Int | Tag::Long => Kind::Int,
        Tag::Float | Tag::Double => Kind::Float,
        Tag::String => Kind::Text,
        Tag::ByteArray => Kind::Bytes,
        Tag::List | Tag::IntArray | Tag::LongArray => Kind::List,
        Tag::Compound => Kind::Map,
        Tag::End => Kind::Null,
    }
}
