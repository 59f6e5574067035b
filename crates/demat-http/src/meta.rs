//! Metadata of a value, which is returned in its place.

use crate::counted::Counted;
use demat_core::scalar::Int;
use demat_core::{Encode as _, Error, Result, Value};
use demat_place::Format;
use demat_store::{Bytes, Fault, Query, Store, representation};

/// The maximum number of names, since all of them are held in memory.
const MOST: usize = 1 << 20;

/// The maximum number of values of a facet.
const FACETS: u64 = 50;

/// Metadata of a value. The answer is a map with one entry of this name.
#[derive(Debug, Clone)]
pub(crate) enum Meta {
    /// The number of items.
    Count,
    /// The names of the children.
    Children,
    /// The commonest values of a field.
    Facet(String),
}

impl Meta {
    /// Returns the metadata as JSON.
    pub(crate) fn told(self, store: &dyn Store, at: &[String], query: &Query) -> Result<Bytes> {
        let (name, said) = match self {
            Self::Count => {
                ("count", Value::Int(Int::from(i64::try_from(count(store, at, query)?).unwrap_or(i64::MAX))))
            }
            Self::Facet(field) => {
                let text = |text: &str| Value::Text(text.to_string().into());
                let one = |(value, count): (Value, u64)| {
                    let count = Value::Int(Int::from(i64::try_from(count).unwrap_or(i64::MAX)));
                    Value::Map(vec![(text("value"), value), (text("count"), count)])
                };
                ("facet", Value::List(store.facet(at, query, &field, FACETS)?.into_iter().map(one).collect()))
            }
            Self::Children => {
                let mut names = Vec::new();
                store.children(at, &mut |name| {
                    if names.len() == MOST {
                        return Err(Error::limit("how many names there are within", MOST));
                    }
                    names.push(Value::Text(name.to_string().into()));
                    Ok(())
                })?;
                ("children", Value::List(names))
            }
        };
        let whole = Value::Map(vec![(Value::Text(name.into()), said)]);
        let told = representation(Format::DEFAULT, usize::MAX, |sink| {
            whole.encode(sink)?;
            sink.finish()
        })?;
        Ok(told.unwrap_or_default())
    }
}

/// Returns the number of items of a list that a query chooses.
pub(crate) fn count(store: &dyn Store, at: &[String], query: &Query) -> Result<u64> {
    let told = match store.count(at, query)? {
        None => counted(store, at, query)?,
        told => told,
    };
    told.ok_or_else(|| Fault::BadQuery.because("what is not a list has no count"))
}

/// Counts a list by reading all of its items.
fn counted(store: &dyn Store, at: &[String], query: &Query) -> Result<Option<u64>> {
    let mut sink = Counted::default();
    store.get(at, query, &mut sink)?;
    Ok(sink.items())
}
