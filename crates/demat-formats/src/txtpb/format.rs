use super::ReadOptions;
use super::source::{Kept, TxtpbSource};
use crate::stream::{Bordered, Part, Windowed};

/// The text format as one that is read through a window, which grows to the whole message.
#[derive(Debug, Default)]
pub struct Txtpb {
    options: ReadOptions,
    kept: Kept,
}

impl Txtpb {
    /// Returns the format with options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options, kept: Kept::default() }
    }
}

impl Windowed for Txtpb {
    type Source<'w> = TxtpbSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> TxtpbSource<'w> {
        TxtpbSource::continued(part, self.options.clone(), &mut self.kept)
    }
}

/// A message has no borders: a part of it means nothing.
impl Bordered for Txtpb {
    fn anew(&self) -> Self {
        Self::new(self.options.clone())
    }
}
