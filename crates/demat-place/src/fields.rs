//! Projection of records to some of their fields.

use crate::table;
use demat_core::{Error, ErrorKind, Field, Record, RecordRef, Result, Shape, Unknown};

#[cfg(test)]
mod tests;

/// Returns a shape whose records have only these fields, in this order, and skip all others.
///
/// # Errors
/// [`Constraint`](ErrorKind::Constraint) if the shape has no records, or they lack a field.
///
/// ```
/// let shape = "[{id: int, title: text, done: bool}]".parse()?;
/// let chosen = demat_place::projected(&shape, &["done".to_string(), "id".to_string()])?;
/// assert_eq!(chosen.to_string(), "[{done@3:bool, id@1:int}]");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn projected(shape: &Shape, names: &[String]) -> Result<Shape> {
    Ok(match shape {
        Shape::Option(inner) => projected(inner, names)?.optional(),
        Shape::List(item) => projected(item, names)?.list(),
        Shape::Record(record) => Shape::Record(RecordRef::new(chosen(&record.get(), names)?)),
        // A shape without known fields stays as it is.
        other if table::is_open(other) => other.clone(),
        other => {
            let message = format!("fields are chosen of records, and this is a {}", other.name());
            return Err(Error::new(ErrorKind::Constraint, message));
        }
    })
}

fn chosen(record: &Record, names: &[String]) -> Result<Record> {
    let fields = names.iter().map(|name| named(record, name)).collect::<Result<Vec<_>>>()?;
    Ok(Record::new(record.name().to_string(), fields)?.with_unknown(Unknown::Ignore))
}

fn named(record: &Record, name: &str) -> Result<Field> {
    let fields = record.fields();
    let by_name = || fields.iter().find(|field| field.name() == name);
    if let Some(field) = record.index_of(name).map(|index| &fields[index]).or_else(by_name) {
        return Ok(field.clone());
    }
    let known: Vec<_> = fields.iter().map(|field| format!("`{}`", field.key())).collect();
    let known = if known.is_empty() { "there are none".to_string() } else { format!("there are {}", known.join(", ")) };
    Err(Error::new(ErrorKind::Constraint, format!("there is no field `{name}`; {known}")))
}
