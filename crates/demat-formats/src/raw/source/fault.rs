//! What is wrong, found out after it was found that something is.

use super::super::varint::NoVarint;
use super::super::wire::NoScalar;
use super::{Found, RawSource};
use demat_core::{Error, ErrorKind, Position, Signal};

impl RawSource<'_, '_> {
    pub(super) fn position_of(&self, at: usize) -> Position {
        Position { offset: Some(self.part.base.offset + at as u64), ..Position::default() }
    }

    /// Something is wrong at `at`.
    #[cold]
    pub(super) fn unexpected(&self, at: usize, expected: &'static str, found: impl Into<String>) -> Error {
        Error::mismatch(ErrorKind::Syntax, expected, found.into()).at(self.position_of(at))
    }

    /// The input ends where something is expected, or the window does.
    #[cold]
    pub(super) fn ended(&self, expected: &'static str) -> Error {
        if !self.part.last {
            return Error::signalled(Signal::Incomplete);
        }
        self.unexpected(self.part.bytes.len(), expected, "end of input")
    }

    #[cold]
    pub(super) fn cut_short(&self, at: usize, len: u128, expected: &'static str) -> Error {
        let error = self.ended(expected);
        if error.signal().is_some() {
            return error;
        }
        let there = self.part.bytes.len() - at;
        let (expected, found) = (format!("{expected} of {len} bytes"), format!("{there} bytes and the end of input"));
        Error::mismatch(ErrorKind::Syntax, expected, found).at(self.position_of(self.part.bytes.len()))
    }

    #[cold]
    pub(super) fn no_varint(&self, at: usize, fault: NoVarint) -> Error {
        match fault {
            NoVarint::End => self.ended("a number"),
            NoVarint::TooLong => self.unexpected(at, "a number of at most 128 bits", "a longer one"),
            NoVarint::NotShortest | NoVarint::Escape => {
                self.unexpected(at, "a number in its shortest form", "a longer form")
            }
        }
    }

    #[cold]
    pub(super) fn no_scalar(&self, at: usize, expected: &'static str, fault: NoScalar) -> Error {
        match fault {
            NoScalar::Varint(fault) => self.no_varint(at, fault),
            NoScalar::Range => {
                Error::mismatch(ErrorKind::Constraint, expected, "numbers out of range").at(self.position_of(at))
            }
        }
    }

    /// What was found is of another kind than was asked for.
    #[cold]
    pub(super) fn other(&self, expected: &'static str, found: &Found<'_>) -> Error {
        Error::expected(expected, found.name()).at(self.position_of(self.start))
    }

    #[cold]
    pub(super) fn too_deep(&self, at: usize) -> Error {
        Error::limit("the depth of nesting", self.plan.depth).at(self.position_of(at))
    }
}

/// The error when a caller asks for a value where there is none. That is a bug of the caller.
#[cold]
pub(super) fn astray() -> Error {
    Error::new(ErrorKind::Internal, "raw was asked for a value where none is")
}
