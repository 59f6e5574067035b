use crate::codec::{self, OwnOptions};

/// Options for reading JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The maximum nesting depth of lists and records; 1,024 by default.
    pub depth: u32,
    /// The treatment of keys that an object repeats.
    pub repeated_keys: RepeatedKeys,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 1024, repeated_keys: RepeatedKeys::LastWins }
    }
}

impl From<&codec::ReadOptions> for ReadOptions {
    #[inline]
    fn from(options: &codec::ReadOptions) -> Self {
        Self { depth: options.depth, repeated_keys: options.repeated_keys }
    }
}

impl From<ReadOptions> for codec::ReadOptions {
    fn from(own: ReadOptions) -> Self {
        Self { depth: own.depth, repeated_keys: own.repeated_keys, ..Self::default() }
    }
}

/// The treatment of keys that an object repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RepeatedKeys {
    /// The last value wins.
    #[default]
    LastWins,
    /// It is an error.
    Refuse,
}

/// Options for writing JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// The number of spaces per level, with each item and field on a line of its own. `None` (default) writes no
    /// whitespace.
    pub indent: Option<u8>,
    /// Writes the keys of each record and map in the order of their UTF-8 bytes. Such a container is held in memory
    /// until it ends.
    pub sorted_keys: bool,
    /// Writes characters outside ASCII as `\u` escapes.
    pub ascii: bool,
    /// The maximum nesting depth of lists and records; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { indent: None, sorted_keys: false, ascii: false, depth: 1024 }
    }
}

impl From<&codec::WriteOptions> for WriteOptions {
    #[inline]
    fn from(options: &codec::WriteOptions) -> Self {
        Self { depth: options.depth, ..options.own.typed() }
    }
}

impl From<WriteOptions> for codec::WriteOptions {
    fn from(own: WriteOptions) -> Self {
        // The depth is one of the options that all formats share. It is kept there only.
        let usual = WriteOptions { depth: WriteOptions::default().depth, ..own };
        Self { depth: own.depth, own: OwnOptions::of(usual) }
    }
}
