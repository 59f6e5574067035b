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
