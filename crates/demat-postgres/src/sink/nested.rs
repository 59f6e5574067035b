//! Collects the JSON value of a column.

use demat_core::{Result, Sink};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::{Keep, Output};

/// The JSON written so far for a value.
#[derive(Debug)]
pub(super) struct Nested {
    sink: JsonSink<Keep>,
    depth: u32,
}

impl Nested {
    pub(super) fn new() -> Self {
        Self { sink: JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default()), depth: 0 }
    }

    /// Whether the value has begun and is incomplete.
    pub(super) fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// Writes a part, which changes the number of open containers by `change`. Returns whether the value is complete.
    pub(super) fn write(&mut self, write: impl FnOnce(&mut JsonSink<Keep>) -> Result<()>, change: i32) -> Result<bool> {
        write(&mut self.sink)?;
        self.depth = self.depth.saturating_add_signed(change);
        Ok(self.depth == 0)
    }

    /// Returns the JSON text.
    pub(super) fn finish(mut self) -> Result<Vec<u8>> {
        self.sink.finish()?;
        Ok(self.sink.into_output().into_parts().0)
    }
}
