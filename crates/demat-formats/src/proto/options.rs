use crate::codec;

/// How Protocol Buffers are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep messages may stand in messages; 100 unless told otherwise, as everybody has it.
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
