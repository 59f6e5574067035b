//! Errors of reading.

use super::super::head::{Head, NoHead, head};
use super::super::timestamp::{self, TIMESTAMP};
use super::MsgpackSource;
use demat_core::{Error, Kind, Result};

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
            Ok((head, end)) => match self.excerpt(head, end) {
                Ok(shown) => Error::expected(expected, name_of(head)).showing(shown).at(self.input.position_of(at)),
                Err(error) => error,
            },
            Err(fault) => self.no_head(at, fault),
        }
    }

    /// Returns the excerpt of a scalar with its content at `at`.
    fn excerpt(&self, head: Head, at: usize) -> Result<Option<String>> {
        match head {
            Head::Bool(value) => Ok(Some(value.to_string())),
            Head::Unsigned(value) => Ok(Some(value.to_string())),
            Head::Signed(value) => Ok(Some(value.to_string())),
            Head::Float32(value) => Ok(Some(format!("{value:?}"))),
            Head::Float64(value) => Ok(Some(format!("{value:?}"))),
            Head::Str(len) => self.input.text_excerpt(at, len.into()),
            Head::Bin(len) => self.input.bytes_excerpt(at, len.into()),
            Head::Ext(TIMESTAMP, len) => {
                let content = self.input.content(at, len.into(), "a timestamp");
                Ok(content.ok().and_then(timestamp::read).map(|instant| instant.to_string()))
            }
            _ => Ok(None),
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
