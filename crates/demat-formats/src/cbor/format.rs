use super::{CborSource, ReadOptions};
use crate::binary::Frame;
use crate::stream::{Bordered, Part, Windowed};

/// CBOR as a format that is read through a window.
#[derive(Debug, Clone, Default)]
pub struct Cbor {
    options: ReadOptions,
    /// The open arrays and maps. The next window's source must know what they still have.
    frames: Vec<Frame>,
}

impl Cbor {
    /// Returns CBOR that is read with these options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options, frames: Vec::new() }
    }
}

impl Windowed for Cbor {
    type Source<'w> = CborSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> CborSource<'w> {
        CborSource::continued(part, self.options, &mut self.frames)
    }
}

/// Nothing in the bytes tells where a value begins, so there are no borders.
impl Bordered for Cbor {
    fn anew(&self) -> Self {
        Self::new(self.options)
    }
}
