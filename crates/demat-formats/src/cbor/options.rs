use crate::json::RepeatedKeys;

/// How CBOR is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep arrays and maps may nest; 1,024 by default.
    pub depth: u32,
    /// The treatment of keys that a map repeats.
    pub repeated_keys: RepeatedKeys,
    /// Reads the input as a sequence (RFC 8742): a list of its items, which may be of any kind. If false, only maps one
    /// after another are a sequence.
    pub sequence: bool,
    /// The treatment of tags that Demat does not know.
    pub unknown_tags: UnknownTags,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let (repeated_keys, unknown_tags) = (RepeatedKeys::default(), UnknownTags::default());
        Self { depth: 1024, repeated_keys, sequence: false, unknown_tags }
    }
}

/// The treatment of tags that Demat does not know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownTags {
    /// A reader without a type reads the value as a record of `tag` and `value`. A type that does not ask for the tag
    /// reads the value alone.
    #[default]
    Keep,
    /// The tag is ignored, unless a type asks for it.
    Ignore,
    /// The tag is an error, unless a type asks for it.
    Refuse,
}

/// How CBOR is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// Writes the items of the outermost list as a sequence (RFC 8742) instead of one array.
    pub sequence: bool,
    /// Writes the deterministic encoding of RFC 8949, section 4.2.1: floats in the shortest form that keeps their
    /// value, keys sorted by their bytes, and counts before the children. Maps and lists of unknown length stay in
    /// memory until they end.
    pub deterministic: bool,
    /// How deep arrays and maps may nest; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { sequence: false, deterministic: false, depth: 1024 }
    }
}
