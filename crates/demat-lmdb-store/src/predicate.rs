//! A store's conditions as those of a scan.

#[cfg(test)]
mod tests;

use demat_core::{Result, Shape};
use demat_lmdb::{Collection, Decide, Predicate};
use demat_store::{Fault, Filter, Query};
use std::sync::Arc;

/// Returns the conditions of a query for scans of a collection; `None` if it has none.
///
/// # Errors
/// [`Fault::BadQuery`] if there is no such field, or if it can't have the value that it is compared with.
///
/// ```
/// # use demat_lmdb::{Environment, Options, Wanted};
/// # let folder = tempfile::tempdir().unwrap();
/// # let environment = Environment::open(folder.path(), &Options::default())?;
/// # let wanted = Wanted { shape: Some("id: int, done: bool".parse()?), ..Wanted::default() };
/// let tasks = environment.collection("tasks", &wanted)?;
/// let filter = demat_lmdb_store::predicate(&tasks, &demat_store::Query::parse("done=false")?)?;
/// let query = demat_lmdb::Query { filter, ..demat_lmdb::Query::default() };
/// assert_eq!(demat_lmdb::count(&environment.read()?, &tasks, &query)?, 0);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn predicate(collection: &Collection, query: &Query) -> Result<Option<Arc<dyn Predicate>>> {
    query.refuse_search()?;
    if !query.has_conditions() {
        return Ok(None);
    }
    let shape = collection.definition().shape;
    let record = shape.row().ok_or_else(|| Fault::BadQuery.because("a collection holds records"))?;
    let filter = Filter::new(query, &record.get())?;
    Ok(Some(Arc::new(Conditions(filter))))
}

#[derive(Debug)]
struct Conditions(Filter);

impl Predicate for Conditions {
    fn shape(&self) -> &Shape {
        self.0.shape()
    }

    fn decide(&self) -> Box<dyn Decide> {
        Box::new(self.0.sink())
    }
}
