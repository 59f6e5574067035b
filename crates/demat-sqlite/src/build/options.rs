//! How a database is built.

/// How a database is built.
#[derive(Debug, Clone)]
pub struct Options {
    /// The size of a page in bytes: a power of two from 512 to 65,536. 4,096.
    pub page_size: usize,
    /// Whether the file is made to last on the disk before it appears. Yes.
    pub durable: bool,
    /// Whether a file that has the name already is replaced. No.
    pub replace: bool,
    /// How many bytes of memory may be used to sort; what is more goes to temporary files. 64 MiB.
    pub sort_memory: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self { page_size: 4096, durable: true, replace: false, sort_memory: 64 << 20 }
    }
}
