use super::frame::{Frame, Frames};
use super::{CanonicalSource, ReadOptions};
use crate::canonical::Mapping;
use crate::codec::Reader;
use crate::stream::{Bordered, End, Part, Windowed};
use std::sync::Arc;

/// Canonical JSON as a windowed format, on top of [`Json`](crate::json::Json) or [`Ndjson`](crate::ndjson::Ndjson).
#[derive(Debug)]
pub struct Canonical<F> {
    inner: F,
    mapping: Arc<Mapping>,
    options: ReadOptions,
    frames: Vec<Frame>,
}

impl<F> Canonical<F> {
    /// Returns a format for values of the mapping's shape, or for a list of these.
    pub fn new(inner: F, mapping: Arc<Mapping>, options: ReadOptions) -> Self {
        Self { inner, mapping, options, frames: Vec::new() }
    }
}

impl Canonical<()> {
    /// Returns a reader of canonical JSON over a reader of JSON.
    pub fn reader(reader: Reader, mapping: Arc<Mapping>, options: ReadOptions) -> Reader {
        Reader::other(Canonical::new(reader.boxed(), mapping, options))
    }
}

/// Canonical JSON is read by one thread.
impl<F: Bordered> Bordered for Canonical<F> {
    fn anew(&self) -> Self {
        Self::new(self.inner.anew(), Arc::clone(&self.mapping), self.options)
    }
}

impl<F: Windowed> Windowed for Canonical<F> {
    type Source<'w>
        = CanonicalSource<'w, F::Source<'w>>
    where
        Self: 'w;

    fn source<'w>(&'w mut self, part: Part<'w>) -> Self::Source<'w> {
        let inner = self.inner.source(part);
        CanonicalSource::over(inner, Arc::clone(&self.mapping), self.options, Frames::Borrowed(&mut self.frames))
    }

    fn end(&self) -> Option<End> {
        self.inner.end()
    }
}
