//! The position of a source in the schema.

use super::super::schema::NodeId;

/// What a source reads next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stand {
    /// The fingerprint.
    Start,
    /// A value of this node.
    Value(NodeId),
    /// A null that has no bytes.
    Null,
    /// The key of this field of the record, which has no bytes.
    Key(u32),
    /// Nothing: a child has ended.
    Nothing,
}

const START: u32 = u32::MAX;
const NOTHING: u32 = u32::MAX - 1;
const NULL: u32 = u32::MAX - 2;
/// A record has at most 65,535 fields.
const KEY: u32 = 1 << 31;

impl Stand {
    /// Returns the word for a mark.
    pub(super) fn to_word(self) -> u32 {
        match self {
            Self::Start => START,
            Self::Nothing => NOTHING,
            Self::Null => NULL,
            Self::Key(field) => KEY | field,
            Self::Value(node) => node,
        }
    }

    pub(super) fn of_word(word: u32) -> Self {
        match word {
            START => Self::Start,
            NOTHING => Self::Nothing,
            NULL => Self::Null,
            word if word & KEY != 0 => Self::Key(word & !KEY),
            node => Self::Value(node),
        }
    }
}
