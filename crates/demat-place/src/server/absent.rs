//! Stubs for builds without PostgreSQL.

use super::ServerPlace;
use crate::Place;
use crate::on_error::Judge;
use crate::reading::Reading;
use core::convert::Infallible;
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Source};
use demat_formats::stream::{self, Choice};

/// Rows to read. It has no values in this build.
#[derive(Debug)]
pub(crate) struct ServerSource(Infallible);

/// A table to write to. It has no values in this build.
#[derive(Debug)]
pub(crate) struct ServerTarget(Infallible);

impl ServerSource {
    pub(crate) fn open(place: &ServerPlace) -> Result<Self> {
        Err(absent(place))
    }

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

impl Reading for ServerSource {
    fn copy(
        &mut self,
        _: &Shape,
        _: &mut dyn Sink,
        _: &mut Judge<'_>,
        _: Option<&mut Choice<'_>>,
    ) -> Result<stream::Summary> {
        match self.0 {}
    }

    fn read(&self) -> u64 {
        match self.0 {}
    }
}

impl ServerTarget {
    pub(crate) fn create(place: &ServerPlace, _: &Place) -> Result<Self> {
        Err(absent(place))
    }

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

/// Fails: this build can't read databases of servers.
pub(crate) fn tables(place: &ServerPlace) -> Result<Vec<Shape>> {
    Err(absent(place))
}

/// Whether two places are one, as far as their text shows it.
pub(crate) fn is_same(one: &ServerPlace, other: &ServerPlace) -> bool {
    one == other
}

/// Returns a URL without what may be a password.
pub(crate) fn masked(url: &str) -> String {
    url.split_once("://").map_or_else(|| "…".to_string(), |(scheme, _)| format!("{scheme}://…"))
}

/// Returns the error for a place that this build does not support.
#[cold]
fn absent(place: &ServerPlace) -> Error {
    let message = "this build of Demat can't read or write PostgreSQL databases; enable the feature `postgres`";
    Error::new(ErrorKind::Io, message).in_place(place.to_string())
}
