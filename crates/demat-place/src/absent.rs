//! Stand-ins for the sources and targets of places that a build does not support. They have no values.

use crate::reading::{Reading, Receiver};
use core::convert::Infallible;
use core::marker::PhantomData;
use demat_core::{Result, Shape, Sink, Source};
use demat_formats::stream;

/// Rows of a place to read.
#[derive(Debug)]
pub(crate) struct AbsentSource<P>(pub(crate) Infallible, PhantomData<P>);

/// A place to write rows to.
#[derive(Debug)]
pub(crate) struct AbsentTarget<P>(pub(crate) Infallible, PhantomData<P>);

impl<P> AbsentSource<P> {
    pub(crate) fn shape(&self) -> &Shape {
        match self.0 {}
    }

    pub(crate) fn boxed(self, _: &Shape) -> Result<Box<dyn Source<'static>>> {
        match self.0 {}
    }

    pub(crate) fn rows(self, _: &Shape) -> Result<Self> {
        match self.0 {}
    }
}

impl<P> Reading for AbsentSource<P> {
    fn copy(&mut self, _: Receiver<'_, '_, '_>) -> Result<stream::Summary> {
        match self.0 {}
    }

    fn read(&self) -> u64 {
        match self.0 {}
    }
}

impl<P> AbsentTarget<P> {
    pub(crate) fn trust(&mut self) {
        match self.0 {}
    }

    pub(crate) fn shape(&self) -> Option<Shape> {
        match self.0 {}
    }

    pub(crate) fn sink(&mut self, _: &Shape) -> Result<Box<dyn Sink + '_>> {
        match self.0 {}
    }

    pub(crate) fn finish(self) -> Result<()> {
        match self.0 {}
    }
}
