//! Stubs for builds without databases.

use super::DatabasePlace;
use crate::Place;
use crate::absent::{AbsentSource, AbsentTarget};
use core::convert::Infallible;
use demat_core::{Error, ErrorKind, Result, Shape};

/// A database. It has no values in this build.
#[derive(Debug, Clone)]
pub(crate) struct Database(Infallible);

pub(crate) type DatabaseSource = AbsentSource<DatabasePlace>;
pub(crate) type DatabaseTarget = AbsentTarget<DatabasePlace>;

impl DatabaseSource {
    pub(crate) fn open(place: &DatabasePlace, _: Option<&Database>) -> Result<Self> {
        Err(absent(place))
    }

    pub(crate) fn observed(&self) -> Result<Shape> {
        Ok(self.shape().clone())
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

    pub(crate) fn report_at_once(&mut self) {
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
