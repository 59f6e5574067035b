//! Errors of reading. They are built off the hot path.

use super::{Content, Document, Node, WholeSource};
use demat_core::{Error, ErrorKind, Kind, excerpt};

impl<D: Document> WholeSource<'_, D> {
    /// Returns the error for a value where the caller expects another kind.
    #[cold]
    pub(super) fn other_kind(&self, node: Node, expected: &'static str) -> Error {
        let Some(kind) = kind_of(node) else {
            return Error::mismatch(ErrorKind::Syntax, expected, "the end of a list or map").at(self.place());
        };
        let raw = match node.content {
            Content::Int(raw) | Content::Float(raw) if D::PLAIN && expected == "text" => raw,
            _ => return Error::expected(expected, kind.name()).showing(self.excerpt(node)).at(self.place()),
        };
        // A common mistake, such as a version `1.10` without quotes.
        let found = format!("{}, which is {} without quotes", excerpt::name(self.slice(raw)), kind.name());
        Error::expected(expected, found).at(self.place())
    }

    /// Returns the excerpt of a scalar, as the document has it.
    #[cold]
    fn excerpt(&self, node: Node) -> Option<String> {
        Some(match node.content {
            Content::Bool(value) => value.to_string(),
            Content::Int(raw) | Content::Float(raw) => excerpt::plain(self.slice(raw)),
            Content::Text(text) | Content::Key(text) => excerpt::text(self.slice(text)),
            Content::Bytes(slice) => excerpt::bytes(self.bytes_of(slice)),
            Content::Date(date) => date.to_string(),
            Content::Time(time) => time.to_string(),
            Content::DateTime(at) => at.to_string(),
            Content::Instant(at, offset) => at.with_offset(offset).to_string(),
            _ => return None,
        })
    }

    #[cold]
    pub(super) fn too_large(&self, raw: &str, expected: &'static str) -> Error {
        Error::mismatch(ErrorKind::Constraint, expected, excerpt::plain(raw)).at(self.place())
    }
}

/// Returns the kind of a value, or `None` if the node is not a value.
pub(super) fn kind_of(node: Node) -> Option<Kind> {
    Some(match node.content {
        Content::Null | Content::Documents(0) => Kind::Null,
        Content::Bool(_) => Kind::Bool,
        Content::Int(_) => Kind::Int,
        Content::Float(_) => Kind::Float,
        Content::Text(_) | Content::Key(_) => Kind::Text,
        Content::Bytes(_) => Kind::Bytes,
        Content::Date(_) => Kind::Date,
        Content::Time(_) => Kind::Time,
        Content::DateTime(_) => Kind::DateTime,
        Content::Instant(..) => Kind::Instant,
        Content::List | Content::Documents(2..) => Kind::List,
        Content::Map => Kind::Map,
        Content::Documents(1) | Content::Hidden | Content::End => return None,
    })
}
