//! The keys of a map, to detect repeated ones.

use crate::whole::{Content, Node, Tape, int};
use std::borrow::Cow;

/// The identity of a key: its kind and its value. An int never equals text or a float.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Key<'i> {
    Null,
    Bool(bool),
    Int(Cow<'i, str>),
    Float(u64),
    Text(Cow<'i, str>),
    Bytes(Vec<u8>),
    Time(String),
}

impl<'i> Key<'i> {
    /// Returns the identity of a scalar, or `None` for a list or a map, which readers refuse as keys.
    pub(super) fn of(node: Node, tape: &Tape, input: &'i str) -> Option<Self> {
        let text = |slice| match tape.of(slice, input) {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(tape.text(slice, input.as_bytes()).to_string()),
        };
        Some(match node.content {
            Content::Null => Self::Null,
            Content::Bool(value) => Self::Bool(value),
            Content::Int(raw) => {
                let raw = text(raw);
                let same = int(&raw).map_or_else(|| raw.to_string(), |int| int.to_string());
                Self::Int(if same == *raw { raw } else { Cow::Owned(same) })
            }
            Content::Float(raw) => Self::Float(bits(&text(raw))),
            Content::Text(slice) | Content::Key(slice) => Self::Text(text(slice)),
            Content::Bytes(slice) => Self::Bytes(tape.bytes(slice, input.as_bytes()).to_vec()),
            Content::Date(date) => Self::Time(date.to_string()),
            Content::Time(time) => Self::Time(time.to_string()),
            Content::DateTime(at) => Self::Time(at.to_string()),
            Content::Instant(at, offset) => Self::Time(at.with_offset(offset).to_string()),
            Content::List | Content::Map | Content::Documents(_) | Content::Hidden | Content::End => return None,
        })
    }

    /// Returns the key's name for a message.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Null => "null".to_string(),
            Self::Bool(value) => value.to_string(),
            Self::Int(text) | Self::Text(text) => text.to_string(),
            Self::Float(bits) => f64::from_bits(*bits).to_string(),
            Self::Bytes(_) => "bytes".to_string(),
            Self::Time(text) => text.clone(),
        }
    }
}

/// Returns the bits of a float. The two zeros have the same bits.
fn bits(raw: &str) -> u64 {
    let float = crate::whole::float::<f64>(raw).unwrap_or(f64::NAN);
    if float == 0.0 { 0 } else { float.to_bits() }
}
