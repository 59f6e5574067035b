use super::source::Open;
use super::{CborSource, ReadOptions};
use crate::binary::Frame;
use crate::stream::{Bordered, ItemScan, Part, Windowed};
use demat_core::{Mark, Source};

/// CBOR as a format that is read through a window.
#[derive(Debug, Clone, Default)]
pub struct Cbor {
    options: ReadOptions,
    /// The open arrays and maps, with the number of children that each still has, for the source over the next window.
    frames: Vec<Frame>,
    /// The search for the end of an item, with the containers that are open in it.
    scan: ItemScan<Vec<Open>>,
}

impl Cbor {
    /// Returns CBOR that is read with these options.
    pub fn new(options: ReadOptions) -> Self {
        Self { options, ..Self::default() }
    }
}

impl Windowed for Cbor {
    type Source<'w> = CborSource<'w>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> CborSource<'w> {
        CborSource::continued(part, self.options, &mut self.frames)
    }

    fn holds_item(&mut self, part: Part<'_>, mark: Mark) -> Option<bool> {
        let mut source = CborSource::continued(part, self.options, &mut self.frames);
        source.reset(mark);
        Some(self.scan.holds_item(part, mark, |at, open| source.find_end(at, open)))
    }
}

/// The bytes do not show where a value begins, so there are no borders.
impl Bordered for Cbor {
    fn anew(&self) -> Self {
        Self::new(self.options)
    }
}
