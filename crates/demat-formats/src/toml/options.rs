/// How TOML is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep tables and arrays may nest; 1,024 by default.
    pub depth: u32,
}

/// How TOML is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// How deep tables and arrays may nest; 1,024 by default.
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
