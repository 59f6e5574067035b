use super::NdjsonSource;
use crate::json::ReadOptions;
use crate::stream::{End, Part, Windowed};

/// NDJSON as a windowed format.
#[derive(Debug, Clone, Copy, Default)]
pub struct Ndjson {
    options: ReadOptions,
}

impl Ndjson {
    /// Returns the format with options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options }
    }
}

impl Windowed for Ndjson {
    type Source<'w> = NdjsonSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> NdjsonSource<'w> {
        NdjsonSource::over(part, self.options)
    }

    fn end(&self) -> Option<End> {
        Some(End::Line)
    }
}
