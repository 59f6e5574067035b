use demat_core::Shape;

/// How raw data is read.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadOptions {
    /// The shape that the data was written with, if it differs from the reader's: of the whole, or of each record of a
    /// list. `None` by default.
    pub writer: Option<Shape>,
    /// How deep lists, maps, records and unions may nest; 1,024 by default.
    pub depth: u32,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { writer: None, depth: 1024 }
    }
}

/// How raw data is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// How deep lists, maps, records and unions may nest; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { depth: 1024 }
    }
}
