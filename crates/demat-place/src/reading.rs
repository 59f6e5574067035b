//! What a copy reads: text through a window, columns, or rows.

use crate::Input;
use crate::columnar::{Batches, Columnar};
use crate::on_error::Judge;
use demat_arrow::ArrowSource;
use demat_core::{Kind, Result, Shape, Sink, Source};
use demat_formats::stream::{self, Window, Windowed};
use demat_sqlite::{RowSource, Rows};

/// A place that is copied from.
pub(crate) trait Reading {
    /// Copies all records to a sink.
    fn copy(&mut self, shape: &Shape, sink: &mut dyn Sink, judge: &mut Judge<'_>) -> Result<stream::Summary>;

    /// How many bytes were read.
    fn read(&self) -> u64;
}

/// Text of a format.
pub(crate) struct Text<'w, 'i, F> {
    pub(crate) window: &'w mut Window<Input<'i>>,
    pub(crate) format: &'w mut F,
}

impl<F: Windowed> Reading for Text<'_, '_, F> {
    fn copy(&mut self, shape: &Shape, sink: &mut dyn Sink, judge: &mut Judge<'_>) -> Result<stream::Summary> {
        stream::copy(self.window, self.format, shape, sink, judge)
    }

    fn read(&self) -> u64 {
        self.window.reader().progress().read
    }
}

impl Reading for Columnar<'_> {
    fn copy(&mut self, shape: &Shape, sink: &mut dyn Sink, judge: &mut Judge<'_>) -> Result<stream::Summary> {
        let batches: Batches<'_> = Box::new(&mut self.batches);
        // As an object, as all sources but the hottest: decoding columns takes far longer than calls.
        let mut source: Box<dyn Source<'_>> = Box::new(ArrowSource::new(batches));
        stream::copy_from(&mut source, shape, sink, judge)
    }

    fn read(&self) -> u64 {
        Columnar::read(self)
    }
}

impl<R: Rows> Reading for RowSource<R> {
    fn copy(&mut self, shape: &Shape, sink: &mut dyn Sink, judge: &mut Judge<'_>) -> Result<stream::Summary> {
        stream::copy_from(self, shape, sink, judge)
    }

    /// A database is read by its own means, which don't tell.
    fn read(&self) -> u64 {
        0
    }
}

/// A shape that was given, of the rows or of their list.
pub(crate) fn listed(shape: Shape) -> Shape {
    if shape.accepts(Kind::List) { shape } else { shape.list() }
}
