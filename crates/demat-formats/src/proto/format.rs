use super::{ProtoSource, ReadOptions};
use crate::stream::{Part, Windowed};

/// Protocol Buffers as a windowed format: a stream of length-prefixed messages.
///
/// A single message must be in memory completely, since its last byte may change any of its fields.
#[derive(Debug, Clone, Copy, Default)]
pub struct Proto {
    options: ReadOptions,
}

impl Proto {
    /// Returns the format with options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options }
    }
}

impl Windowed for Proto {
    type Source<'w> = ProtoSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> ProtoSource<'w> {
        ProtoSource::over(part, self.options)
    }
}
