use super::{JsonSource, ReadOptions};
use crate::stream::{End, Part, Windowed};

/// JSON as a windowed format.
#[derive(Debug, Clone, Copy, Default)]
pub struct Json {
    options: ReadOptions,
}

impl Json {
    /// Returns the format with options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options }
    }
}

impl Windowed for Json {
    type Source<'w> = JsonSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> JsonSource<'w> {
        JsonSource::over(part, self.options)
    }

    fn end(&self) -> Option<End> {
        Some(End::Bracket)
    }
}
