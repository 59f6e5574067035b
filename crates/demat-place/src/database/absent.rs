//! Stubs for builds without databases.

use super::DatabasePlace;
use crate::on_error::Judge;
use crate::reading::Reading;
use crate::{OnError, Place};
use core::convert::Infallible;
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Source};
use demat_formats::stream::{self, Choice};

/// A database. It has no values in this build.
#[derive(Debug, Clone)]
pub(crate) struct Database(Infallible);

/// Rows to read. It has no values in this build.
#[derive(Debug)]
pub(crate) struct DatabaseSource(Infallible);

/// A table to write to. It has no values in this build.
#[derive(Debug)]
pub(crate) struct DatabaseTarget(Infallible);

impl DatabaseSource {
    pub(crate) fn open(place: &DatabasePlace, _: Option<&Database>) -> Result<Self> {
        Err(absent(place))
    }

    pub(crate) fn shape(&self) -> &Shape {
        match self.0 {}
    }

    pub(crate) fn observed(&self) -> Result<Shape> {
        match self.0 {}
    }

    pub(crate) fn boxed(&mut self, _: &Shape) -> Result<Box<dyn Source<'static>>> {
        match self.0 {}
    }

    pub(crate) fn rows(&mut self, _: &Shape) -> Result<Self> {
        match self.0 {}
    }
}

impl Reading for DatabaseSource {
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

impl DatabaseTarget {
    pub(crate) fn create(place: &DatabasePlace, _: &Place, _: bool) -> Result<Self> {
        Err(absent(place))
    }

    pub(crate) fn in_memory(_: &str) -> Result<Self> {
        Err(Error::new(ErrorKind::Io, "this build of Demat has no databases; enable the feature `sqlite`"))
    }

    pub(crate) fn table(self, _: &str) -> Result<Self> {
        match self.0 {}
    }

    pub(crate) fn connection(&self) -> &Database {
        match self.0 {}
    }

    pub(crate) fn shared(&self) -> Option<&Database> {
        match self.0 {}
    }

    pub(crate) fn shape(&self) -> Option<Shape> {
        match self.0 {}
    }

    pub(crate) fn sink(&mut self, _: &Shape, _: OnError) -> Result<Box<dyn Sink + '_>> {
        match self.0 {}
    }

    pub(crate) fn undo_units(&mut self) {
        match self.0 {}
    }

    pub(crate) fn is_new(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn is_table(&self, _: &Self) -> bool {
        match self.0 {}
    }

    pub(crate) fn beside(&self, _: &DatabasePlace, _: &Place) -> Result<Self> {
        match self.0 {}
    }

    pub(crate) fn complete(&mut self) -> Result<()> {
        match self.0 {}
    }

    pub(crate) fn finish(self) -> Result<()> {
        match self.0 {}
    }
}

/// Fails: this build can't read databases.
pub(crate) fn tables(place: &DatabasePlace) -> Result<Vec<Shape>> {
    Err(absent(place))
}

/// Returns the error for a place that this build does not support.
#[cold]
fn absent(place: &DatabasePlace) -> Error {
    let message = "this build of Demat can't read or write databases; enable the feature `sqlite`";
    Error::new(ErrorKind::Io, message).in_place(place.to_string())
}
