//! Schemas that are compiled once.

use super::Schema;
use demat_core::{Field, Layout, Record, Result, Shape, Unknown};
use std::sync::{Arc, Mutex, PoisonError};

/// The schemas of a record, and of a list of it.
///
/// The compiler may merge constants with equal fields, so the record's other properties are part of the key.
#[derive(Debug, Default)]
struct Schemas(Mutex<Vec<(Unknown, Root, Arc<Schema>)>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Root {
    Record,
    List,
}

impl Layout<Field> for Schemas {
    /// Returns an empty entry. It compiles later, since a recursive record may be incomplete now.
    fn compile(_: &[Field]) -> Self {
        Self::default()
    }
}

impl Schema {
    /// Returns the schema of a shape, compiled once for records and lists of records.
    ///
    /// # Errors
    /// As [`compile`](Self::compile).
    pub(in super::super) fn of(shape: &Shape) -> Result<Arc<Self>> {
        match shape {
            Shape::Record(record) => Self::cached(&record.get(), Root::Record, shape),
            Shape::List(item) => match &**item {
                Shape::Record(record) => Self::cached(&record.get(), Root::List, shape),
                _ => Self::compile(shape).map(Arc::new),
            },
            _ => Self::compile(shape).map(Arc::new),
        }
    }

    fn cached(record: &Record, root: Root, shape: &Shape) -> Result<Arc<Self>> {
        let schemas: &Arc<Schemas> = record.layout();
        let key = record.unknown();
        let find = |schemas: &[(Unknown, Root, Arc<Self>)]| {
            let found = schemas.iter().find(|(unknown, own, _)| (*unknown, *own) == (key, root));
            found.map(|(.., schema)| Arc::clone(schema))
        };
        if let Some(found) = find(&schemas.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            return Ok(found);
        }
        let schema = Arc::new(Self::compile(shape)?);
        let mut schemas = schemas.0.lock().unwrap_or_else(PoisonError::into_inner);
        if find(&schemas).is_none() {
            schemas.push((key, root, Arc::clone(&schema)));
        }
        Ok(schema)
    }
}
