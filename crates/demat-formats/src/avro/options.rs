use super::Compression;

/// How Avro files are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep lists, maps and records may nest; 1,024 by default.
    pub depth: u32,
    /// The maximum length of a block in bytes, packed and unpacked; 1 GiB by default.
    pub block: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 1024, block: 1 << 30 }
    }
}

/// How Avro files are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// How blocks are compressed; not at all by default.
    pub compression: Compression,
    /// The number of digits of decimals, and of those behind the point; `None`, the default, writes them as text.
    pub decimals: Option<(u32, u32)>,
    /// Whether instants are written as a clock on some wall shows them, without an offset; false by default.
    pub naive: bool,
    /// How deep lists, maps and records may nest; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { compression: Compression::Null, decimals: None, naive: false, depth: 1024 }
    }
}
