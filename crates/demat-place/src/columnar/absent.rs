//! Stubs for builds without columnar formats.

use crate::input::{OnProgress, Reader};
use crate::reading::{Reading, Receiver};
use crate::{Format, Place, Target, Where, WriteOptions};
use core::convert::Infallible;
use core::marker::PhantomData;
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Source};
use demat_formats::stream;
use std::io::{Read, Write};

/// A columnar place, open for reading. It has no values in this build.
pub(crate) struct Columnar<'i>(Infallible, PhantomData<&'i ()>);

impl<'i> Columnar<'i> {
    pub(crate) fn open(_: &Place, format: Format, _: Option<Reader<'i>>, _: Option<OnProgress<'i>>) -> Result<Self> {
        Err(absent(format))
    }

    pub(crate) fn shape(&self) -> Result<Shape> {
        match self.0 {}
    }

    pub(crate) fn choose<'s>(&mut self, _: impl Iterator<Item = &'s Shape>) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn skip(&mut self, _: &Where, _: &Shape) {
        match self.0 {}
    }

    pub(crate) fn boxed(self) -> Box<dyn Source<'i> + 'i> {
        match self.0 {}
    }

    pub(crate) fn read(&self) -> u64 {
        match self.0 {}
    }

    pub(crate) fn passes_to(_: Format, _: &WriteOptions) -> bool {
        false
    }

    pub(crate) fn pass(&mut self, _: &Place, _: Format, _: &mut Target, _: Option<u64>) -> Result<u64> {
        match self.0 {}
    }
}

impl Reading for Columnar<'_> {
    fn copy(&mut self, _: Receiver<'_, '_, '_>) -> Result<stream::Summary> {
        match self.0 {}
    }

    fn read(&self) -> u64 {
        match self.0 {}
    }
}

/// Fails: this build can't read columnar formats.
pub(crate) fn tell<R: Read + Send>(format: Format, _: R, _: Option<&Shape>, _: &mut dyn Sink) -> Result<u64> {
    Err(absent(format))
}

/// Fails: this build can't write columnar formats.
pub(crate) fn sink<'w>(
    format: Format,
    _: &WriteOptions,
    _: impl Write + Send + 'w,
    _: Option<&str>,
) -> Result<Box<dyn Sink + 'w>> {
    Err(absent(format))
}

/// Returns the error for a format that this build does not support.
#[cold]
fn absent(format: Format) -> Error {
    if !format.is_columnar() {
        return crate::database::no_stream();
    }
    let message = format!("this build of Demat can't read or write {format}; enable the feature `arrow`");
    Error::new(ErrorKind::Io, message)
}
