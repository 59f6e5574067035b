use super::{Document, Tape, WholeSource};
use crate::stream::{Bordered, Part, Windowed};
use std::sync::Arc;

/// A format whose documents are parsed as a whole, as one that is read through a window. The window grows to the whole
/// document.
#[derive(Debug, Clone)]
pub struct Whole<D> {
    document: D,
    /// The last document that was parsed, for the next source over it.
    tape: Option<Arc<Tape>>,
}

impl<D: Document> Whole<D> {
    /// Returns a reader of this format.
    pub fn new(document: D) -> Self {
        Self { document, tape: None }
    }
}

impl<D: Document + Default> Default for Whole<D> {
    fn default() -> Self {
        Self::new(D::default())
    }
}

impl<D: Document> Windowed for Whole<D> {
    type Source<'w> = WholeSource<'w, D>;

    fn source<'w>(&'w mut self, part: Part<'w>) -> WholeSource<'w, D> {
        WholeSource::continued(part, self.document, &mut self.tape)
    }
}

/// A part of a document means nothing on its own, so there are no record boundaries.
impl<D: Document> Bordered for Whole<D> {
    fn anew(&self) -> Self {
        Self::new(self.document)
    }
}
