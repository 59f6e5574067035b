use super::Node;
use std::borrow::Cow;

/// A value of one of several types.
#[derive(Debug)]
pub(crate) struct UnionNode {
    /// The key of the field that says which one it is, or none: the first that fits.
    pub(crate) tag: Option<String>,
    pub(crate) variants: Box<[Variant]>,
    /// The same for sources and sinks that tell variants apart by number.
    pub(crate) numbered: demat_core::Union,
    /// Whether its values are keys, which most formats write as text.
    pub(crate) keyed: bool,
}

/// One of the types of a union.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) name: Option<TagValue>,
    pub(crate) node: Node,
}

/// What a tag says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TagValue {
    Text(String),
    Int(i64),
}

impl TagValue {
    /// What it says, as text.
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
    /// The tags, as an error lists them.
    pub(crate) fn names(&self) -> String {
        let names: Vec<String> =
            self.variants.iter().filter_map(|v| v.name.as_ref()).map(ToString::to_string).collect();
        names.join(" or ")
    }
}
