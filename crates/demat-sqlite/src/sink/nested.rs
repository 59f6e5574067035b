//! A column's value that is JSON.

use demat_core::{Result, Sink};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::{Keep, Output};

/// The JSON that is told as the value of a column.
#[derive(Debug)]
pub(super) struct Nested {
    sink: JsonSink<Keep>,
    depth: u32,
}

impl Nested {
    pub(super) fn new() -> Self {
        Self { sink: JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default()), depth: 0 }
    }

    /// Whether something was told that is not at its end.
    pub(super) fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// Tells a part, after which so many more containers are open; says whether that was the end of the whole.
    pub(super) fn tell(&mut self, tell: impl FnOnce(&mut JsonSink<Keep>) -> Result<()>, change: i32) -> Result<bool> {
        tell(&mut self.sink)?;
        self.depth = self.depth.saturating_add_signed(change);
        Ok(self.depth == 0)
    }

    /// The text.
    pub(super) fn finish(mut self) -> Result<Vec<u8>> {
        self.sink.finish()?;
        Ok(self.sink.into_output().into_parts().0)
    }
}
