//! Projection of records to some of their fields.

use crate::condition::found;
use crate::table;
use demat_core::{Error, ErrorKind, Field, Record, RecordRef, Result, Shape, Unknown};

#[cfg(test)]
mod tests;

/// Returns a shape whose records have only these fields, in this order, and skip all others.
///
/// A field's name may lead into a record, or into the records of a list: `by.name` keeps the field `name` of the record
/// in `by`, which stays a record.
///
/// # Errors
/// [`Constraint`](ErrorKind::Constraint) if the shape has no records, if they lack a field, or if a field is named
/// twice, also as a part of another.
///
/// ```
/// let shape = "[{id: int, title: text, by: {name: text, age: int}}]".parse()?;
/// let chosen = demat_place::projected(&shape, &["by.name".to_string(), "id".to_string()])?;
/// assert_eq!(chosen.to_string(), "[{by@3:{name:text}, id@1:int}]");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn projected(shape: &Shape, names: &[String]) -> Result<Shape> {
    // A shape without known fields stays as it is.
    if table::is_open(shape) {
        return Ok(shape.clone());
    }
    let paths: Vec<Vec<String>> = names.iter().map(|name| name.split('.').map(str::to_string).collect()).collect();
    let paths: Vec<&[String]> = paths.iter().map(|path| &**path).collect();
    within(shape, &paths)
}

fn within(shape: &Shape, paths: &[&[String]]) -> Result<Shape> {
    Ok(match shape {
        Shape::Option(inner) => within(inner, paths)?.optional(),
        Shape::List(item) => within(item, paths)?.list(),
        Shape::Record(record) => Shape::Record(RecordRef::new(chosen(&record.get(), paths)?)),
        other => {
            let message = format!("fields are chosen of records, and this is a {}", other.name());
            return Err(Error::new(ErrorKind::Constraint, message));
        }
    })
}

fn chosen(record: &Record, paths: &[&[String]]) -> Result<Record> {
    // The fields in the order of their first mention, each with the paths in it; none for the whole field.
    let mut wanted: Vec<(usize, Vec<&[String]>)> = Vec::new();
    for path in paths {
        let (index, taken) = found(record, path)?;
        let rest = &path[taken..];
        match wanted.iter_mut().find(|(known, _)| *known == index) {
            None if rest.is_empty() => wanted.push((index, Vec::new())),
            None => wanted.push((index, vec![rest])),
            Some((_, inner)) if !inner.is_empty() && !rest.is_empty() => inner.push(rest),
            Some(_) => {
                let message = format!("the field `{}` is named twice", path.join("."));
                return Err(Error::new(ErrorKind::Constraint, message));
            }
        }
    }
    let field = |(index, inner): &(usize, Vec<&[String]>)| {
        let field = at_its_column(record, *index);
        if inner.is_empty() {
            return Ok(field);
        }
        let shape = within(field.shape(), inner)?;
        Ok(field.with_inner(shape))
    };
    let fields = wanted.iter().map(field).collect::<Result<Vec<_>>>()?;
    let chosen = Record::new(record.name().to_string(), fields)?.with_unknown(Unknown::Ignore);
    match record.items() {
        None => Ok(chosen),
        Some(items) if items.is_written() => {
            let message = format!("`{}` is written as a list of all its fields: none can be left out", record.name());
            Err(Error::new(ErrorKind::Constraint, message))
        }
        Some(items) => {
            let kept: Vec<usize> = wanted.iter().map(|(index, _)| *index).collect();
            Ok(chosen.with_items(items.of_some(&kept)))
        }
    }
}

/// Returns a field of a record for a record of some of its fields. In tables without a header it stays where it is.
pub(crate) fn at_its_column(record: &Record, index: usize) -> Field {
    let field = record.fields()[index].clone();
    match (field.column(), record.unknown()) {
        (Some(_), _) => field,
        // It is read from no column.
        (None, Unknown::Keep(rest)) if rest == index => field.with_column(record.fields().len()),
        (None, Unknown::Keep(rest)) if rest < index => field.with_column(index - 1),
        _ => field.with_column(index),
    }
}
