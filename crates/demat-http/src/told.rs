//! What a change tells of the records that it concerned.

use crate::linked::Linked;
use crate::non_finite::NonFiniteReplacer;
use crate::reading::said;
use crate::store_request::Representation;
use bytes::Bytes;
use core::time::Duration;
use demat_core::scalar::base64;
use demat_core::{Error, Result, Shape, Value};
use demat_store::{
    Body as _, Condition, Fault, Query, Reference, Store, Test, Unrepresentable, ValueBody, When, collected, fault_of,
    representation, tolerating,
};
use std::thread::sleep;

/// Returns the records with these names.
pub(crate) fn named(store: &dyn Store, at: &[String], names: &[String]) -> Result<Value> {
    if names.len() > MOST {
        return Err(Fault::BadQuery.because(format!("more than {MOST} records would be held in memory")));
    }
    let one =
        |name: &String| collected(store, &Reference::from(at).join(core::slice::from_ref(name)), &Query::default());
    Ok(Value::List(names.iter().map(one).collect::<Result<_>>()?))
}

/// The maximum number of records that a change tells, since they are held in memory.
const MOST: usize = 10_000;

/// Returns what a query chooses, unless that is more records than a change tells.
pub(crate) fn all(store: &dyn Store, at: &[String], query: &Query) -> Result<Value> {
    let mut query = query.clone();
    if matches!(store.shape(at)?, Shape::List(_)) {
        query.limit = Some(MOST as u64 + 1);
    }
    match collected(store, at, &query)? {
        Value::List(records) if records.len() > MOST && query.limit.is_some() => Err(Fault::BadQuery.because(format!(
            "more than {MOST} records would be held in memory; change fewer, or without `return=representation`"
        ))),
        value => Ok(value),
    }
}

/// Returns the keys of records, as conditions that choose each of them again.
pub(crate) fn keys(store: &dyn Store, at: &[String], query: &Query) -> Result<Vec<Query>> {
    let key = store.key(at);
    if key.is_empty() {
        return Err(Fault::BadQuery.because("the records have no key, so what becomes of them can't be told"));
    }
    let Value::List(records) = all(store, at, &Query { fields: Some(key.clone()), ..query.clone() })? else {
        return Err(Fault::BadQuery.because("what is changed is chosen from a list"));
    };
    let condition = |record: &Value, field: &String| {
        let text = record.get(field).and_then(text_of);
        let text = text.ok_or_else(|| Fault::BadQuery.because("a record has no key, so it can't be told"))?;
        Ok(Condition { field: field.clone(), test: Test::Eq, values: vec![text] })
    };
    let chosen = |record: &Value| {
        let filter = key.iter().map(|field| condition(record, field)).collect::<Result<_>>()?;
        Ok(Query { filter, ..Query::default() })
    };
    records.iter().map(chosen).collect()
}

/// Returns the records that each of these queries chooses.
pub(crate) fn chosen(store: &dyn Store, at: &[String], keys: &[Query]) -> Result<Value> {
    let mut records = Vec::new();
    for key in keys {
        if let Value::List(found) = collected(store, at, key)? {
            records.extend(found);
        }
    }
    Ok(Value::List(records))
}

/// Encodes a value as the client wants it, with the replacements for numbers that its format can't say.
pub(crate) fn encoded(value: &Value, shape: &Shape, wanted: &Representation) -> Result<Bytes> {
    let how = wanted.shared.options.unrepresentable;
    let how = if wanted.format.is_json() { how } else { Unrepresentable::Refuse };
    let mut replaced = 0;
    let told = representation(wanted.format, usize::MAX, |sink| {
        let mut finite = NonFiniteReplacer::new(sink, how);
        let told = match &wanted.link {
            None => ValueBody(value).tell(shape, &mut finite),
            Some(link) => ValueBody(value).tell(shape, &mut Linked::new(&mut finite, link.clone())),
        };
        replaced = finite.replaced;
        told
    });
    if how != Unrepresentable::Refuse {
        said(wanted, replaced);
    }
    Ok(told?.unwrap_or_default())
}

/// As many times a change is tried that others were faster than.
const TRIES: u32 = 20;

/// Reads a value, and then changes it while it is as it was read. Returns `None` if others change it all the time.
pub(crate) fn unchanged<T>(
    store: &dyn Store,
    at: &[String],
    when: &When,
    wanted: &Representation,
    mut act: impl FnMut(&When) -> Result<T>,
) -> Result<Option<T>> {
    for tried in 0..TRIES {
        let Some(version) = store.version(at)? else {
            return Err(Fault::BadQuery.because("this store has no versions, so what is changed can't be told"));
        };
        if !when.holds(Some(Some(version))) {
            return Err(Fault::Changed.about(at));
        }
        let how = wanted.shared.options.unrepresentable;
        let (done, _) = tolerating(how, wanted.format.is_columnar(), || act(&When::Of(vec![version])));
        match done {
            Err(error) if fault_of(&error) == Some(Fault::Changed) => sleep(Duration::from_millis(u64::from(tried))),
            done => return done.map(Some),
        }
    }
    Ok(None)
}

/// Returns the text that a condition compares a key with.
pub(crate) fn text_of(value: &Value) -> Option<String> {
    Some(match value {
        Value::Text(own) => own.to_string(),
        Value::Bool(own) => own.to_string(),
        Value::Int(own) => own.to_string(),
        Value::Float(own) => format!("{own:?}"),
        Value::Decimal(own) => own.as_str().to_string(),
        Value::Date(own) => own.to_string(),
        Value::Time(own) => own.to_string(),
        Value::DateTime(own) => own.to_string(),
        Value::Instant(at, offset) => at.with_offset(*offset).to_string(),
        Value::Duration(own) => own.to_string(),
        Value::Uuid(own) => own.to_string(),
        Value::Bytes(own) => {
            let mut text = String::new();
            base64::encode(own, &mut text);
            text
        }
        Value::Null | Value::List(_) | Value::Map(_) => return None,
    })
}

/// Whether a body is a list of records. Nothing is known of one that can't be read without its shape.
pub(crate) fn is_list(format: demat_place::Format, bytes: &[u8]) -> bool {
    let read: core::result::Result<Value, Error> =
        Value::build(|sink| demat_store::Encoded::new(format, bytes).tell(&Shape::Any, sink));
    matches!(read, Ok(Value::List(_)))
}
