//! The sources of a copy: text through a window, columns, or rows.

use crate::Input;
use crate::on_error::Judge;
use demat_core::{Result, Shape, Sink, Tag};
use demat_formats::stream::{self, Choice, RecordPath, Window, Windowed};

/// Where the records of a source go.
pub(crate) struct Receiver<'r, 'j, 'c> {
    /// The shape of the list of records.
    pub(crate) shape: &'r Shape,
    pub(crate) sink: &'r mut dyn Sink,
    /// Decides about refused records.
    pub(crate) judge: &'r mut Judge<'j>,
    /// Which records are copied; `None` for all.
    pub(crate) choice: Option<&'r mut Choice<'c>>,
}

#[cfg(feature = "postgres")]
impl Receiver<'_, '_, '_> {
    /// Copies all records of a source that is no text.
    pub(crate) fn copy_from<'s>(self, source: &mut impl demat_core::Source<'s>) -> Result<stream::Summary> {
        let Self { shape, sink, judge, choice } = self;
        stream::copy_repaired(source, shape, sink, judge, choice, None)
    }
}

/// A source of a copy.
pub(crate) trait Reading {
    /// Copies all records, or those that are chosen.
    fn copy(&mut self, to: Receiver<'_, '_, '_>) -> Result<stream::Summary>;

    /// The number of bytes read.
    fn read(&self) -> u64;
}

/// A text format, read through a window.
pub(crate) struct Text<'w, 'i, F> {
    pub(crate) window: &'w mut Window<Input<'i>>,
    pub(crate) format: &'w mut F,
    /// The path of the records, if they are not the items of the document.
    pub(crate) at: Option<&'w RecordPath>,
}

impl<F: Windowed> Reading for Text<'_, '_, F> {
    fn copy(&mut self, to: Receiver<'_, '_, '_>) -> Result<stream::Summary> {
        let Receiver { shape, sink, judge, choice } = to;
        match self.at {
            Some(at) => stream::copy_at(self.window, self.format, at, shape, sink, judge, choice),
            None => stream::copy_chosen(self.window, self.format, shape, sink, judge, choice),
        }
    }

    fn read(&self) -> u64 {
        self.window.reader().progress().read
    }
}

/// Whether a configured shape is that of the whole place, and not of one of its records. A record may stand as a list,
/// and so may each variant of a union of them.
pub(crate) fn is_whole(shape: &Shape) -> bool {
    match shape {
        Shape::Any | Shape::List(_) | Shape::Tuple(_) => true,
        Shape::Option(inner) => is_whole(inner),
        Shape::Union(union) => {
            let union = union.get();
            *union.tag() == Tag::None && union.variants().iter().any(|variant| is_whole(variant.shape()))
        }
        _ => false,
    }
}

/// Returns the shape of the list of rows for a configured shape, which may be that of a row.
pub(crate) fn listed(shape: Shape) -> Shape {
    if is_whole(&shape) { shape } else { shape.list() }
}
