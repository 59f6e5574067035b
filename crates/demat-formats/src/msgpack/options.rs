/// How MessagePack is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// Writes the outermost list as a sequence of maps instead of one array. Other items than maps are refused.
    pub sequence: bool,
    /// How deep arrays and maps may nest; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { sequence: false, depth: 1024 }
    }
}
