//! What is wrong, found out after it was found that something is.

use super::super::head::{Head, NoHead, head};
use super::super::timestamp::TIMESTAMP;
use super::MsgpackSource;
use demat_core::{Error, ErrorKind, Kind, Position, Signal};

impl MsgpackSource<'_> {
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
    pub(super) fn no_head(&self, at: usize, fault: NoHead) -> Error {
        match fault {
            NoHead::End => self.ended("a value"),
            NoHead::Unused => self.unexpected(at, "a value", "byte 0xc1"),
        }
    }

    /// The value at `at` is of another kind than was asked for.
    #[cold]
    pub(super) fn other_kind(&self, at: usize, expected: &'static str) -> Error {
        match head(self.part.bytes, at) {
            Ok((head, _)) => Error::expected(expected, name_of(head)).at(self.position_of(at)),
            Err(fault) => self.no_head(at, fault),
        }
    }

    #[cold]
    pub(super) fn too_deep(&self, at: usize) -> Error {
        Error::limit("the depth of nesting", self.options.depth).at(self.position_of(at))
    }
}

/// What begins so, for an error.
fn name_of(head: Head) -> String {
    match (kind_of(head), head) {
        (Some(kind), _) => kind.name().to_string(),
        (None, Head::Ext(kind, _)) => format!("extension type {kind}"),
        (None, _) => "nothing".to_string(),
    }
}

/// The kind of the value that begins so; `None` for an extension type that has none.
pub(super) fn kind_of(head: Head) -> Option<Kind> {
    Some(match head {
        Head::Nil => Kind::Null,
        Head::Bool(_) => Kind::Bool,
        Head::Unsigned(_) | Head::Signed(_) => Kind::Int,
        Head::Float32(_) | Head::Float64(_) => Kind::Float,
        Head::Str(_) => Kind::Text,
        Head::Bin(_) => Kind::Bytes,
        Head::Array(_) => Kind::List,
        Head::Map(_) => Kind::Map,
        Head::Ext(TIMESTAMP, _) => Kind::Instant,
        Head::Ext(..) => return None,
    })
}
