use super::{MsgpackSource, ReadOptions};
use crate::binary::Frame;
use crate::stream::{Bordered, Part, Windowed};

/// MessagePack as a format that is read through a window.
#[derive(Debug, Clone, Default)]
pub struct Msgpack {
    options: ReadOptions,
    /// The open arrays and maps. Their ends have no bytes, so the next window's source must know what they still have.
    frames: Vec<Frame>,
}

impl Msgpack {
    /// Returns MessagePack that is read with these options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options, frames: Vec::new() }
    }
}

impl Windowed for Msgpack {
    type Source<'w> = MsgpackSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> MsgpackSource<'w> {
        MsgpackSource::continued(part, self.options, &mut self.frames)
    }
}

/// Nothing in the bytes tells where a value begins, so there are no borders.
impl Bordered for Msgpack {
    fn anew(&self) -> Self {
        Self::new(self.options)
    }
}
