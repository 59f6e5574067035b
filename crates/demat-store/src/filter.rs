//! A query's conditions as a sink, for stores that decide about a record while they read it.

#[cfg(test)]
mod tests;

use crate::fault::Fault;
use crate::query::Query;
use demat_core::{Error, Record, Result, Shape};
use demat_place::{Bound, Where, WhereSink};

/// The conditions of a query, compiled for the records of a shape.
///
/// A store reads only the fields that the conditions name, in the filter's [shape](Self::shape), and writes them to the
/// [sink](Self::sink).
///
/// ```
/// use demat_core::{Sink, Value, ValueSource, copy};
/// use demat_store::{Filter, Query};
/// let shape: demat_core::Shape = "id: int, done: bool = false".parse()?;
/// let demat_core::Shape::Record(record) = &shape else { unreachable!() };
/// let filter = Filter::new(&Query::parse("id.gt=5")?, &record.get())?;
/// assert_eq!(filter.shape().to_string(), "id:int");
/// let mut sink = filter.sink();
/// let task = Value::Map(vec![(Value::Text("id".into()), Value::Int(7.into()))]);
/// copy(&mut ValueSource::new(&task), filter.shape(), &mut sink)?;
/// assert!(sink.holds());
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Filter {
    bound: Bound,
}

impl Filter {
    /// Compiles the conditions of a query.
    ///
    /// # Errors
    /// [`Fault::BadQuery`] if there is no such field, or if it can't have the value that it is compared with.
    pub fn new(query: &Query, record: &Record) -> Result<Self> {
        query.refuse_search()?;
        if let Some(unknown) = query.filter.iter().find(|condition| record.index_of(&condition.field).is_none()) {
            return Err(no_field(record, &unknown.field));
        }
        let bad = |error: Error| Fault::BadQuery.because(error.reason());
        let mut all = Where::all(&query.filter);
        if let Some(predicate) = &query.predicate {
            all = all.and(predicate);
        }
        Ok(Self { bound: all.bound(record, false).map_err(bad)? })
    }

    /// The shape of the records that the [sink](Self::sink) decides about: the fields that the conditions name, in the
    /// order of the whole shape.
    pub fn shape(&self) -> &Shape {
        self.bound.shape()
    }

    /// Returns a sink that decides about one record after the other. Each has the filter's [shape](Self::shape).
    pub fn sink(&self) -> WhereSink {
        self.bound.sink()
    }
}

#[cold]
fn no_field(record: &Record, name: &str) -> Error {
    let names: Vec<_> = record.fields().iter().map(|field| format!("`{}`", field.key())).collect();
    Fault::BadQuery.because(format!("there is no field `{name}`; there are {}", names.join(", ")))
}
