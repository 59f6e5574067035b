use crate::json::RepeatedKeys;

/// How CBOR is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep arrays and maps may nest; 1,024 by default.
    pub depth: u32,
    /// What happens to a key that a map repeats.
    pub repeated_keys: RepeatedKeys,
    /// Reads the input as a sequence (RFC 8742): a list of the items that stand in it, which may be of any kind.
    /// Without it, only maps one behind the other are a sequence.
    pub sequence: bool,
    /// What happens to a tag that says nothing to Demat.
    pub unknown_tags: UnknownTags,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let (repeated_keys, unknown_tags) = (RepeatedKeys::default(), UnknownTags::default());
        Self { depth: 1024, repeated_keys, sequence: false, unknown_tags }
    }
}

/// What happens to a tag that says nothing to Demat.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum UnknownTags {
    /// Its content is read as if it had no tag.
    #[default]
    Ignore,
    /// It is an error.
    Refuse,
}

/// How CBOR is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// Writes the items of the outermost list as a sequence (RFC 8742) instead of one array.
    pub sequence: bool,
    /// Writes the one encoding that RFC 8949 gives each value in section 4.2.1: floats in the shortest form that keeps
    /// their value, keys in the order of their bytes, and all lengths in front. A map, and a list of unknown length,
    /// are held in memory until they end.
    pub deterministic: bool,
    /// How deep arrays and maps may nest; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { sequence: false, deterministic: false, depth: 1024 }
    }
}
