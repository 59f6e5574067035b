//! Errors of reading, and the positions of values.

use super::{AvroSource, Found};
use crate::binary::Input;
use demat_core::{Error, ErrorKind, Position, excerpt};

impl<'a> AvroSource<'a, '_> {
    pub(super) fn input(&self) -> Input<'a> {
        Input::new(self.part)
    }

    /// Returns the position of a byte of the block's data: that of the block, if it is packed.
    pub(super) fn position_of(&self, at: usize) -> Position {
        let at = match self.block {
            Some(block) if block.packed => block.begin,
            Some(block) => block.data.0 + at,
            None => self.next,
        };
        self.input().position_of(at)
    }

    /// Returns the error for wrong bytes at `at`.
    #[cold]
    pub(super) fn unexpected(&self, at: usize, expected: &'static str, found: impl Into<String>) -> Error {
        Error::mismatch(ErrorKind::Syntax, expected, found.into()).at(self.position_of(at))
    }

    /// Returns the error for a value that the block ends in.
    #[cold]
    pub(super) fn ended(&self, expected: &'static str) -> Error {
        self.unexpected(self.data().len(), expected, "the end of a block")
    }

    /// Returns the error for a number that is out of the range of what it stands for.
    #[cold]
    pub(super) fn out_of_range(&self, expected: &'static str, found: i64) -> Error {
        Error::mismatch(ErrorKind::Constraint, expected, found.to_string()).at(self.position_of(self.start))
    }

    /// Returns the error for a value of another kind. The source stands at it.
    #[cold]
    pub(super) fn other(&mut self, expected: &'static str, found: Found) -> Error {
        let error = Error::expected(expected, name_of(found)).at(self.position_of(self.start));
        match excerpt::of(self) {
            Ok(shown) => error.showing(shown),
            Err(signal) => signal,
        }
    }
}

fn name_of(found: Found) -> &'static str {
    match found {
        Found::Key(_) => "text",
        Found::Node(node) => node.kind().map_or("value", demat_core::Kind::name),
    }
}

/// Returns the error for calls in a wrong order, which is a bug of the caller.
#[cold]
pub(super) fn astray() -> Error {
    Error::new(ErrorKind::Internal, "Avro was read in a wrong order")
}
