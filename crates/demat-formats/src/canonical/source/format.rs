use super::frame::{Frame, Frames};
use super::{CanonicalSource, ReadOptions};
use crate::canonical::Mapping;
use crate::stream::{End, Part, Windowed};
use std::sync::Arc;

/// Canonical JSON as a format that is read through a window, on [`Json`](crate::json::Json) or
/// [`Ndjson`](crate::ndjson::Ndjson).
#[derive(Debug)]
pub struct Canonical<F> {
    inner: F,
    mapping: Arc<Mapping>,
    options: ReadOptions,
    frames: Vec<Frame>,
}

impl<F> Canonical<F> {
    /// What is read is of the mapping's shape, or a list of it.
    pub fn new(inner: F, mapping: Arc<Mapping>, options: ReadOptions) -> Self {
        Self { inner, mapping, options, frames: Vec::new() }
    }
}

impl<F: Windowed> Windowed for Canonical<F> {
    type Source<'w>
        = CanonicalSource<'w, F::Source<'w>>
    where
        Self: 'w;

    fn source<'w>(&'w mut self, part: Part<'w>) -> Self::Source<'w> {
        let inner = self.inner.source(part);
        CanonicalSource::over(inner, Arc::clone(&self.mapping), self.options, Frames::Lent(&mut self.frames))
    }

    fn end(&self) -> Option<End> {
        self.inner.end()
    }
}
