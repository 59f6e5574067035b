use crate::json::RepeatedKeys;

/// How MessagePack is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep arrays and maps may nest; 1,024 by default.
    pub depth: u32,
    /// What happens to a key that a map repeats.
    pub repeated_keys: RepeatedKeys,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 1024, repeated_keys: RepeatedKeys::LastWins }
    }
}

/// How MessagePack is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// Writes the outermost list as a sequence of maps instead of one array. Items that are no maps are refused.
    pub sequence: bool,
    /// How deep arrays and maps may nest; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { sequence: false, depth: 1024 }
    }
}
