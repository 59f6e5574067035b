//! The unpacked chunk that is being read.

use super::header::{Entry, unpack};
use crate::nbt::places::Places;
use crate::nbt::{Form, Frame, Frames, NbtSource, Readiness};
use crate::stream::Part;
use demat_core::{Mark, Result, Source};

/// An unpacked chunk, and the state of its source.
#[derive(Debug)]
pub(super) struct Chunk {
    form: Form,
    limit: usize,
    /// The index of its entry in the header.
    index: Option<usize>,
    bytes: Vec<u8>,
    places: Places,
    frames: Vec<Frame>,
    pub(super) mark: Mark,
}

impl Chunk {
    pub(super) fn new(form: Form, limit: usize) -> Self {
        Self {
            form,
            limit,
            index: None,
            bytes: Vec::new(),
            places: Places::Packed(0),
            frames: Vec::new(),
            mark: Mark::default(),
        }
    }

    /// Calls `ask` with the source of this entry's chunk. Also returns whether the chunk was read to its end.
    pub(super) fn ask<T>(
        &mut self,
        file: &[u8],
        (index, entry): (usize, Entry),
        ask: impl for<'c> FnOnce(&mut NbtSource<'c>) -> Result<T>,
    ) -> Result<(T, bool)> {
        if self.index != Some(index) {
            self.index = None;
            self.bytes = unpack(file, entry, self.limit)?;
            self.places = Places::Packed(entry.start as u64);
            self.index = Some(index);
        }
        let frames = Frames::Shared(&mut self.frames);
        let mut source = NbtSource::with(Part::whole(&self.bytes), self.form, frames);
        source = source.held(Readiness::Ready, Some(&self.places));
        source.reset(self.mark);
        let answer = ask(&mut source)?;
        let is_done = source.is_done();
        if is_done {
            source.end()?;
        }
        self.mark = source.mark();
        Ok((answer, is_done))
    }
}
