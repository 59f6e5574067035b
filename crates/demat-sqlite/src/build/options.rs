//! The options of building a database.

/// The options of building a database.
#[derive(Debug, Clone)]
pub struct Options {
    /// The size of a page in bytes: a power of two from 512 to 65,536. Default: 4,096.
    pub page_size: usize,
    /// Whether to sync the file to disk before it appears. Default: true.
    pub durable: bool,
    /// Whether to replace an existing file. Default: false.
    pub replace: bool,
    /// The memory for sorting, in bytes; larger data uses temporary files. Default: 64 MiB.
    pub sort_memory: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { page_size: 4096, durable: true, replace: false, sort_memory: 64 << 20 }
    }
}
