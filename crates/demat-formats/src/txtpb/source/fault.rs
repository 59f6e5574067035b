//! Errors about values.

use super::TxtpbSource;
use crate::txtpb::tape::{Content, Node};
use demat_core::excerpt;
use demat_core::{Error, ErrorKind, Record};

impl TxtpbSource<'_> {
    /// Returns the error for a value of another kind than requested.
    #[cold]
    pub(super) fn other_kind(&self, node: Node, expected: &'static str) -> Error {
        let found = match node.content {
            _ if self.state.absent => "an absent value".to_string(),
            Content::Message if self.start == 0 => "one message, which is the whole".to_string(),
            Content::Message => "a message".to_string(),
            Content::Key(_) => "the name of a field".to_string(),
            Content::Values { count: 1, list: false } => match self.node(self.start + 1) {
                Some(node) => return self.other_kind(node, expected),
                None => "a value".to_string(),
            },
            Content::Values { .. } => "several values".to_string(),
            Content::Number { text, negative } | Content::Word { text, negative } => {
                let sign = if negative { "-" } else { "" };
                format!("`{sign}{}`", excerpt::plain(self.ascii(text)))
            }
            Content::Text(slice) => {
                let shown = excerpt::text_bytes(self.slice(slice), true);
                return Error::expected(expected, "text").showing(shown).at(self.place());
            }
            Content::End | Content::EndValues => "no value".to_string(),
        };
        Error::expected(expected, found).at(self.place())
    }

    /// Returns the error for a value that is of the right kind and yet none of the requested.
    #[cold]
    pub(super) fn refused(&self, expected: impl Into<String>, found: impl Into<String>) -> Error {
        let (expected, found): (String, String) = (expected.into(), found.into());
        Error::mismatch(ErrorKind::Constraint, expected, found).at(self.place())
    }

    /// Returns the error for a field that the message does not have.
    #[cold]
    pub(super) fn unknown_field(&self, name: &str, record: Option<&Record>) -> Error {
        let of = record.map(|record| format!(" of `{}`", record.name())).unwrap_or_default();
        Error::new(ErrorKind::Constraint, format!("unknown field `{name}`{of}")).at(self.place())
    }

    /// Returns the error for a field that may stand once.
    #[cold]
    pub(super) fn stands_again(&self, name: &str) -> Error {
        Error::new(ErrorKind::Constraint, format!("the field `{name}` stands here again")).at(self.place())
    }
}
