/// Options for reading TOML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The maximum depth of tables and arrays; 1,024 by default.
    pub depth: u32,
}

/// Options for writing TOML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// The maximum depth of tables and arrays; 1,024 by default.
    pub depth: u32,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 1024 }
    }
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { depth: 1024 }
    }
}
