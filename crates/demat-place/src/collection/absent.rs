//! Stubs for builds without LMDB.

use super::CollectionPlace;
use crate::{Format, Place};
use core::convert::Infallible;
use demat_core::{Error, ErrorKind, Result, Shape, Sink};
use std::io::Empty;

/// A collection to write to. It has no values in this build.
#[derive(Debug)]
pub(crate) struct CollectionTarget(Infallible);

impl CollectionTarget {
    pub(crate) fn create(place: &CollectionPlace, _: &Place, _: Format) -> Result<Self> {
        Err(absent(place))
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

/// Fails: this build can't read collections.
pub(crate) fn open(place: &CollectionPlace) -> Result<(Empty, Shape, Format)> {
    Err(absent(place))
}

/// Fails: this build can't read collections.
pub(crate) fn shapes(place: &CollectionPlace) -> Result<Vec<Shape>> {
    Err(absent(place))
}

/// Returns the error for a place that this build does not support.
#[cold]
fn absent(place: &CollectionPlace) -> Error {
    let message = "this build of Demat can't read or write LMDB environments; enable the feature `lmdb`";
    Error::new(ErrorKind::Io, message).in_place(place.to_string())
}
