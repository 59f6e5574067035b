/// How YAML is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep lists and maps may nest; 1,024 by default.
    pub depth: u32,
    /// Whether `<<` adds the entries of other maps; true by default. Otherwise it is text.
    pub merge_keys: bool,
    /// How much aliases may add: 32 bytes for each value and key, and the bytes of its text. 16 MiB by default.
    pub alias_limit: u32,
    /// Whether brackets and quoted text may be indented less than the specification asks, as PyYAML accepts it; false
    /// by default.
    pub lenient_indentation: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 1024, merge_keys: true, alias_limit: 1 << 24, lenient_indentation: false }
    }
}

/// How YAML is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// So many spaces for each level, from 1 to 16; 2 by default.
    pub indent: u8,
    /// Writes the outermost list as a stream of documents. Items that are no maps are refused.
    pub documents: bool,
    /// How deep lists and maps may nest; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { indent: 2, documents: false, depth: 1024 }
    }
}
