use arrow_schema::Schema;
use demat_core::{Error, ErrorKind, Result};

/// Returns the index of the column with a name.
///
/// # Errors
/// [`Constraint`](ErrorKind::Constraint) if there is none, or several.
///
/// ```
/// use demat_arrow::{column_index, schema};
/// let schema = schema(&"id: int, title: text".parse()?)?;
/// assert_eq!(column_index(&schema, "title")?, 1);
/// assert!(column_index(&schema, "name").is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn column_index(schema: &Schema, name: &str) -> Result<usize> {
    let mut found = schema.fields().iter().enumerate().filter(|(_, field)| field.name() == name);
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Ok(index),
        (Some(_), Some(_)) => {
            Err(Error::new(ErrorKind::Constraint, format!("there are several columns called `{name}`")))
        }
        (None, _) => {
            let names: Vec<_> = schema.fields().iter().map(|field| format!("`{}`", field.name())).collect();
            let message = format!("there is no column `{name}`; the columns are {}", names.join(", "));
            Err(Error::new(ErrorKind::Constraint, message))
        }
    }
}
