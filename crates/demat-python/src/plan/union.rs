use super::Node;
use demat_core::KeyPattern;
use std::borrow::Cow;

/// A union of several types.
#[derive(Debug)]
pub(crate) struct UnionNode {
    /// The key of the field that identifies the variant; `None` if the first variant that fits is used.
    pub(crate) tag: Option<String>,
    /// The pattern of that key.
    pub(crate) pattern: KeyPattern,
    pub(crate) variants: Box<[Variant]>,
    /// The union for sources and sinks that identify variants by number.
    pub(crate) numbered: demat_core::Union,
    /// Whether its values are keys, which most formats write as text.
    pub(crate) keyed: bool,
}

/// A variant of a union.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: Option<TagValue>,
    pub(crate) node: Node,
}

/// The value of a tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TagValue {
    Text(String),
    Int(i64),
}

impl TagValue {
    /// Returns the value as text.
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Text(text) => Cow::Borrowed(text),
            Self::Int(int) => Cow::Owned(int.to_string()),
        }
    }
}

impl core::fmt::Display for TagValue {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Text(text) => write!(f, "`{text}`"),
            Self::Int(int) => write!(f, "`{int}`"),
        }
    }
}

impl UnionNode {
    /// Returns the tags for an error message.
    pub(crate) fn names(&self) -> String {
        let names: Vec<String> =
            self.variants.iter().filter_map(|v| v.name.as_ref()).map(ToString::to_string).collect();
        names.join(" or ")
    }
}
