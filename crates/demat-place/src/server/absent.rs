//! Stubs for builds without PostgreSQL.

use super::ServerPlace;
use crate::absent::{AbsentSource, AbsentTarget};
use crate::{Place, Where};
use demat_core::{Error, ErrorKind, Result, Shape};

pub(crate) type ServerSource = AbsentSource<ServerPlace>;
pub(crate) type ServerTarget = AbsentTarget<ServerPlace>;

/// The condition for the rows that the server is to send.
#[derive(Debug, Default)]
pub(crate) struct Pushed {
    pub(crate) exact: bool,
}

impl ServerSource {
    pub(crate) fn open(place: &ServerPlace) -> Result<Self> {
        Err(absent(place))
    }

    pub(crate) fn pushed(&self, _: &Where, _: &Shape) -> Result<Pushed> {
        match self.0 {}
    }

    pub(crate) fn chosen(self, _: &[&Shape], _: &Pushed, _: Option<u64>) -> Result<Self> {
        match self.0 {}
    }
}

impl ServerTarget {
    pub(crate) fn create(place: &ServerPlace, _: &Place) -> Result<Self> {
        Err(absent(place))
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
