//! Merge patches (RFC 7396), as far as stores do what they mean.
//!
//! A store's patch replaces each field that it has as a whole, and null is a value. A merge patch goes into the records of
//! these fields, and null takes a field away. Where these differ, a merge patch is refused: it would lose data.

use demat_core::{Error, ErrorKind, Result, Shape, Value};
use demat_store::Store;
use http::HeaderMap;
use http::header::CONTENT_TYPE;

/// Whether the body is a merge patch by its `Content-Type`, and not a value in a format.
pub(crate) fn is_said(headers: &HeaderMap) -> bool {
    let said = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    said.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/merge-patch+json")
}

/// Refuses a merge patch that the store would take for another change.
///
/// # Errors
/// [`Constraint`](ErrorKind::Constraint) with the path of the field.
pub(crate) fn check(store: &dyn Store, at: &[String], patch: &[u8]) -> Result<()> {
    // What is no JSON is refused when it is read.
    let Ok(Value::Map(entries)) = demat_formats::json::decode::<Value>(patch) else { return Ok(()) };
    let shape = store.shape(at)?;
    let record = shape.row().map(|row| row.get().clone());
    if record.is_none()
        && let Some((_, around)) = at.split_last()
        && matches!(store.shape(around)?.inner(), Shape::Record(_))
    {
        return Err(refused("a field is replaced as a whole"));
    }
    for (key, value) in &entries {
        let Value::Text(key) = key else { continue };
        let may_be_null = record.as_ref().is_some_and(|record| record.index_of(key).is_some());
        let why = match value {
            Value::Map(_) => "a field is replaced as a whole",
            // A column without a value is NULL; one that has to have a value refuses it.
            Value::Null if !may_be_null => "null is a value, and takes nothing away",
            _ => continue,
        };
        return Err(refused(why).within_field(key.to_string()));
    }
    Ok(())
}

#[cold]
fn refused(why: &str) -> Error {
    let message = format!(
        "here {why}, which is not what application/merge-patch+json means; send application/json for that, or put the whole"
    );
    Error::new(ErrorKind::Constraint, message)
}
