//! Replaces the cells of a row that have changed.

use super::{Dialect, Rows};
use crate::Rewrite;
use demat_core::{Error, ErrorKind, Result};

#[cfg(test)]
mod tests;

/// Returns a row with the cells that have changed, and all other bytes as they are: cells of unknown columns, quotes, and
/// blanks. A changed cell that was quoted stays quoted, unless it is null.
///
/// The documents before and after the change have a header, and the dialect of the row. Columns are found by their
/// names, or without a header by their position.
///
/// ```
/// use demat_formats::{Rewrite, csv};
/// let columns = ["name".to_string(), "note".into(), "age".into()];
/// let (old, before, after) = (&b"\"Ada\", x ,\"36\""[..], &b"name,age\nAda,36\n"[..], &b"name,age\nAda,37\n"[..]);
/// let row = csv::rewrite(&Rewrite { old, columns: &columns, before, after }, csv::Dialect::default())?;
/// assert_eq!(row, b"\"Ada\", x ,\"37\"");
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// If a value has changed that has no column in the table.
pub fn rewrite(record: &Rewrite<'_>, dialect: Dialect) -> Result<Vec<u8>> {
    let own = if record.old.is_empty() { vec![&b""[..]] } else { table(record.old, dialect)?.concat() };
    let mut own: Vec<Vec<u8>> = own.into_iter().map(<[u8]>::to_vec).collect();
    let (before, after) = (Values::of(record.before, dialect)?, Values::of(record.after, dialect)?);
    let is_named = !record.columns.is_empty();
    let names = after.names.iter().chain(before.names.iter().filter(|name| !after.names.contains(name)));
    for (index, name) in names.enumerate() {
        let (was, is) = (before.get(name), after.get(name));
        if was == is {
            continue;
        }
        let column = if is_named { record.columns.iter().position(|own| own == name) } else { Some(index) };
        // Without names, a row that is too short can't be told from one of a table with fewer columns.
        let Some(column) = column.filter(|column| is_named || *column < own.len()) else {
            let message = format!("`{name}` has changed, and the table has no column of this name");
            return Err(Error::new(ErrorKind::Constraint, message));
        };
        if column >= own.len() {
            own.resize(column + 1, Vec::new());
        }
        let is_quoted = dialect.quote.is_some_and(|quote| own[column].first() == Some(&quote));
        own[column] = if is_quoted { quoted(is, dialect) } else { is.to_vec() };
    }
    Ok(own.join(&dialect.delimiter))
}

/// Returns a cell with quotes around it, unless it has some, or is null.
fn quoted(cell: &[u8], dialect: Dialect) -> Vec<u8> {
    let is_null = cell.is_empty() || dialect.null.is_some_and(|null| null.as_bytes() == cell);
    match dialect.quote {
        // Text that needs no quotes has none within, but for a lone one that is an ordinary byte.
        Some(quote) if !is_null && cell.first() != Some(&quote) && !cell.contains(&quote) => {
            [&[quote], cell, &[quote]].concat()
        }
        _ => cell.to_vec(),
    }
}

/// The cells of one row, quotes included, by the names of the columns.
struct Values<'a> {
    names: Vec<String>,
    cells: Vec<&'a [u8]>,
}

impl<'a> Values<'a> {
    fn of(document: &'a [u8], dialect: Dialect) -> Result<Self> {
        let mut rows = Rows::new(document, dialect)?;
        let names = match rows.next_row()? {
            Some(row) => row.cells().map(|name| String::from_utf8_lossy(&name).into_owned()).collect(),
            None => Vec::new(),
        };
        let cells = match rows.next_row()? {
            Some(row) => (0..row.len()).filter_map(|column| row.raw(column)).collect(),
            // The row of one column whose cell is null.
            None => Vec::new(),
        };
        Ok(Self { names, cells })
    }

    fn get(&self, name: &str) -> &'a [u8] {
        let column = self.names.iter().position(|own| own == name);
        column.and_then(|column| self.cells.get(column)).copied().unwrap_or_default()
    }
}

/// Returns the cells of each row, quotes included.
fn table(bytes: &[u8], dialect: Dialect) -> Result<Vec<Vec<&[u8]>>> {
    let (mut rows, mut all) = (Rows::new(bytes, dialect)?, Vec::new());
    while let Some(row) = rows.next_row()? {
        all.push((0..row.len()).filter_map(|column| row.raw(column)).collect());
    }
    Ok(all)
}
