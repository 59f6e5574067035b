//! Stubs for builds without LMDB.

use super::CollectionPlace;
use crate::absent::AbsentTarget;
use crate::{Format, Place};
use demat_core::{Error, ErrorKind, Result, Shape};
use std::io::Empty;

pub(crate) type CollectionTarget = AbsentTarget<CollectionPlace>;

impl CollectionTarget {
    pub(crate) fn create(place: &CollectionPlace, _: &Place, _: Format) -> Result<Self> {
        Err(absent(place))
    }

    pub(crate) fn define(&mut self, _: &Shape) {}
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

/// Collections have no format in this build.
pub(super) fn stored_format(_: &CollectionPlace) -> Option<Format> {
    None
}
