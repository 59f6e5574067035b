//! A query's conditions as a sink, for stores that decide about a record while they read it.

#[cfg(test)]
mod tests;

use crate::fault::Fault;
use crate::query::Query;
use demat_core::{Error, Record, Result};
use demat_place::{Bound, Where, WhereSink};

/// The conditions of a query, compiled for the records of a shape.
///
/// A store reads only the [fields](Self::fields) that the conditions name, and writes them to the [sink](Self::sink).
///
/// ```
/// use demat_core::{Sink, Value, ValueSource, copy};
/// use demat_store::{Filter, Query};
/// let shape: demat_core::Shape = "id: int, done: bool = false".parse()?;
/// let demat_core::Shape::Record(record) = &shape else { unreachable!() };
/// let filter = Filter::new(&Query::parse("id.gt=5")?, &record.get())?;
/// assert_eq!(filter.fields(), ["id"]);
/// let mut sink = filter.sink();
/// let projected = "id: int".parse()?;
/// let task = Value::Map(vec![(Value::Text("id".into()), Value::Int(7.into()))]);
/// copy(&mut ValueSource::new(&task), &projected, &mut sink)?;
/// assert!(sink.holds());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Filter {
    fields: Vec<String>,
    bound: Bound,
}

impl Filter {
    /// Compiles the conditions of a query.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if there is no such field, or if it can't have the value that it is compared with.
    pub fn new(query: &Query, record: &Record) -> Result<Self> {
        if let Some(unknown) = query.filter.iter().find(|condition| record.index_of(&condition.field).is_none()) {
            return Err(no_field(record, &unknown.field));
        }
        let bad = |error: Error| Fault::BadQuery.because(error.reason());
        let bound = Where::all(&query.filter).bound(record, false).map_err(bad)?;
        let is_compared = |key: &str| query.filter.iter().any(|condition| condition.field == key);
        let keys = record.fields().iter().map(|field| field.key().to_string());
        Ok(Self { fields: keys.filter(|key| is_compared(key)).collect(), bound })
    }

    /// The fields that the conditions name, in the order of the shape.
    pub fn fields(&self) -> &[String] {
        &self.fields
    }

    /// Returns a sink that decides about one record after the other. Each is a record of the [fields](Self::fields), in
    /// their order.
    pub fn sink(&self) -> WhereSink {
        self.bound.sink()
    }
}

#[cold]
fn no_field(record: &Record, name: &str) -> Error {
    let names: Vec<_> = record.fields().iter().map(|field| format!("`{}`", field.key())).collect();
    Fault::BadQuery.because(format!("there is no field `{name}`; there are {}", names.join(", ")))
}
