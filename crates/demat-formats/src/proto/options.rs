use crate::codec;

/// Options for reading Protocol Buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The maximum nesting depth of messages; 100 by default, as in Google's parsers.
    pub depth: u32,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 100 }
    }
}

impl From<&codec::ReadOptions> for ReadOptions {
    #[inline]
    fn from(options: &codec::ReadOptions) -> Self {
        Self { depth: options.depth }
    }
}

impl From<ReadOptions> for codec::ReadOptions {
    fn from(own: ReadOptions) -> Self {
        Self { depth: own.depth, ..Self::default() }
    }
}
