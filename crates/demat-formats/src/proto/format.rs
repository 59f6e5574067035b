use super::{ProtoSource, ReadOptions};
use crate::stream::{Part, Windowed};

/// Protocol Buffers as a format that is read through a window: messages one behind the other, each behind its length.
///
/// A single message is read whole, as what it says may be changed by its last byte.
#[derive(Debug, Clone, Copy, Default)]
pub struct Proto {
    options: ReadOptions,
}

impl Proto {
    /// Messages that are read so.
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
