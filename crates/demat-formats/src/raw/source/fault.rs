//! Errors of reading.

use super::super::schema::Node;
use super::super::varint::NoVarint;
use super::super::wire::NoScalar;
use super::{Found, RawSource};
use crate::binary::Input;
use demat_core::{Error, ErrorKind, Position, Result, excerpt};

impl RawSource<'_, '_> {
    fn input(&self) -> Input<'_> {
        Input::new(self.part)
    }

    pub(super) fn position_of(&self, at: usize) -> Position {
        self.input().position_of(at)
    }

    /// Returns the error for a wrong byte at `at`.
    #[cold]
    pub(super) fn unexpected(&self, at: usize, expected: &'static str, found: impl Into<String>) -> Error {
        self.input().unexpected(at, expected, found)
    }

    /// Returns the error for the end of the input, or `Incomplete` at the end of a window.
    #[cold]
    pub(super) fn ended(&self, expected: &'static str) -> Error {
        self.input().ended(expected)
    }

    #[cold]
    pub(super) fn cut_short(&self, at: usize, len: u128, expected: &'static str) -> Error {
        self.input().cut_short(at, len, expected)
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

    /// Returns the error for a value of another kind.
    #[cold]
    pub(super) fn other(&mut self, expected: &'static str, found: &Found<'_>) -> Error {
        let error = Error::expected(expected, found.name()).at(self.position_of(self.start));
        match self.excerpt(found) {
            Ok(shown) => error.showing(shown),
            Err(signal) => signal,
        }
    }

    /// Returns the excerpt of the scalar whose own bytes are at the current position.
    fn excerpt(&mut self, found: &Found<'_>) -> Result<Option<String>> {
        match found {
            Found::Node(node @ (Node::Text | Node::Bytes)) => {
                let (len, begin) = self.varint()?;
                let len = u64::try_from(len).unwrap_or(u64::MAX);
                let input = self.input();
                if matches!(node, Node::Text) {
                    input.text_excerpt(begin, len)
                } else {
                    input.bytes_excerpt(begin, len)
                }
            }
            // A decimal has any number of digits.
            Found::Node(Node::Decimal) | Found::Null => Ok(None),
            Found::Key(key) => Ok(Some(excerpt::text(key))),
            Found::Node(_) => excerpt::of(self),
        }
    }

    #[cold]
    pub(super) fn too_deep(&self, at: usize) -> Error {
        self.input().too_deep(at, self.plan.depth)
    }
}

/// Returns the error for calls in a wrong order, which is a bug of the caller.
#[cold]
pub(super) fn astray() -> Error {
    Error::new(ErrorKind::Internal, "raw was read in a wrong order")
}
