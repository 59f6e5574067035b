//! What the encodings with keys differ in: the source, and the first bytes of values.

use super::super::Encoding;
use demat_core::Kind;
use demat_formats::msgpack::{begins_ext, first_kind};

/// Passes a source over bytes of an encoding with keys to an expression. Messages have no keys, and never get here.
macro_rules! with_source {
    ($encoding:expr, $part:expr, $options:expr, |$source:ident| $body:expr) => {
        match $encoding {
            $crate::lazy::Encoding::Packed => {
                let $source = demat_formats::msgpack::MsgpackSource::over($part, $options);
                $body
            }
            $crate::lazy::Encoding::Json | $crate::lazy::Encoding::Messages => {
                let $source = demat_formats::json::JsonSource::over($part, $options);
                $body
            }
        }
    };
}

pub(in super::super) use with_source;

/// The kind of a value by its first byte, as far as views need it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum First {
    Record,
    /// An extension type that is read as a record of its parts, which are no values of their own in the bytes.
    Parts,
    List,
    Null,
    Other,
}

impl First {
    /// Returns the kind of the value that these bytes are.
    #[inline(always)]
    pub(in super::super) fn of(encoding: Encoding, bytes: &[u8]) -> Self {
        let Some(first) = bytes.first() else { return Self::Other };
        if encoding == Encoding::Packed {
            return Self::of_packed(*first, bytes);
        }
        match first {
            b'{' => Self::Record,
            b'[' => Self::List,
            b'n' => Self::Null,
            _ => Self::Other,
        }
    }

    #[inline]
    fn of_packed(first: u8, bytes: &[u8]) -> Self {
        match first_kind(first) {
            Some(Kind::Map) => Self::Record,
            Some(Kind::List) => Self::List,
            Some(Kind::Null) => Self::Null,
            None if begins_ext(bytes) => Self::Parts,
            _ => Self::Other,
        }
    }
}
