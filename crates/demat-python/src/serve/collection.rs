//! Creates stores of collections and environments that Python code has opened.

use crate::error::{Failure, exception};
use crate::lmdb::{Collection, Environment};
use demat_core::Shape;
use demat_lmdb_store::Records;
use demat_place::Host;
use demat_store::Store;
use pyo3::prelude::*;
use std::sync::Arc;

/// Creates the store of a collection, for records of a shape.
pub(super) fn collected(
    py: Python<'_>,
    collection: &Bound<'_, Collection>,
    shape: Option<&(Shape, Host)>,
) -> PyResult<Arc<dyn Store>> {
    let (native, no_host) = (collection.get().native().clone(), Host::default());
    let (shape, host) = shape.map_or((None, &no_host), |(shape, host)| (Some(shape), host));
    let made = Records::of_host(&native, shape, host).map_err(|error| exception(py, Failure::from(error)))?;
    Ok(Arc::new(made))
}

/// Creates the store of all collections of an environment.
pub(super) fn collections(py: Python<'_>, environment: &Bound<'_, Environment>) -> PyResult<Arc<dyn Store>> {
    let native = environment.get().native(py)?;
    let made = demat_lmdb_store::collections(&native).map_err(|error| exception(py, Failure::from(error)))?;
    super::table::warn(py, made.notes())?;
    Ok(Arc::new(made))
}
