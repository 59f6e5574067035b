//! Errors of reading.

use super::super::head::{Head, NoHead, head};
use super::super::timestamp::TIMESTAMP;
use super::MsgpackSource;
use demat_core::{Error, Kind};

impl MsgpackSource<'_> {
    #[cold]
    pub(super) fn no_head(&self, at: usize, fault: NoHead) -> Error {
        match fault {
            NoHead::End => self.input.ended("a value"),
            NoHead::Unused => self.input.unexpected(at, "a value", "byte 0xc1"),
        }
    }

    /// Returns the error for a value of another kind at `at`.
    #[cold]
    pub(super) fn other_kind(&self, at: usize, expected: &'static str) -> Error {
        match head(self.input.bytes(), at) {
            Ok((head, _)) => Error::expected(expected, name_of(head)).at(self.input.position_of(at)),
            Err(fault) => self.no_head(at, fault),
        }
    }
}

/// Returns the name of a value for errors.
fn name_of(head: Head) -> String {
    match (kind_of(head), head) {
        (Some(kind), _) => kind.name().to_string(),
        (None, Head::Ext(kind, _)) => format!("extension type {kind}"),
        (None, _) => "nothing".to_string(),
    }
}

/// Returns the kind of a value; `None` for extension types without a kind.
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
