//! A store of all collections of an environment.

use crate::records::{Base, Records};
use demat_core::Result;
use demat_lmdb::{Environment, Wanted};
use demat_place::Host;
use demat_store::Named;
use std::sync::Arc;

/// Opens the current collections of an environment, by their [served names](demat_store::served_name), as one store.
/// Leaves out those whose definition can't be read.
///
/// # Errors
/// Errors of LMDB.
pub fn collections(environment: &Environment) -> Result<Named<Records>> {
    let base = Base::of(environment);
    let name = environment.path().display().to_string();
    let mut all = Named::new("collections", "collection", name, base.changes.clone());
    let names = environment.collections(&environment.read()?)?;
    for name in names {
        let records = environment
            .collection(&name, &Wanted::default())
            .and_then(|collection| Records::over(Arc::clone(&base), &collection, None, &Host::default()));
        all.add(&name, records)?;
    }
    Ok(all)
}
