/// Options for reading YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The maximum depth of lists and maps; 1,024 by default.
    pub depth: u32,
    /// Whether `<<` adds the entries of other maps. True by default; otherwise it is text.
    pub merge_keys: bool,
    /// The maximum size that aliases may add, where a value or a key counts 32 bytes and the bytes of its text. 16 MiB
    /// by default.
    pub alias_limit: u32,
    /// Whether brackets and quoted text may be indented less than the specification demands, as in PyYAML. False by
    /// default.
    pub lenient_indentation: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 1024, merge_keys: true, alias_limit: 1 << 24, lenient_indentation: false }
    }
}

/// Options for writing YAML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// The number of spaces for each level, from 1 to 16; 2 by default.
    pub indent: u8,
    /// Whether the outermost list is written as a stream of documents. Items that are not maps are refused.
    pub documents: bool,
    /// The maximum depth of lists and maps; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { indent: 2, documents: false, depth: 1024 }
    }
}
