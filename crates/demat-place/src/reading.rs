//! What a copy reads: text through a window, columns, or rows.

use crate::Input;
use crate::on_error::Judge;
use demat_core::{Kind, Result, Shape, Sink};
use demat_formats::stream::{self, Window, Windowed};

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

/// A shape that was given, of the rows or of their list.
pub(crate) fn listed(shape: Shape) -> Shape {
    if shape.accepts(Kind::List) { shape } else { shape.list() }
}
