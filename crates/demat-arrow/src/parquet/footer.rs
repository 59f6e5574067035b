//! Consistency of the row counts in a Parquet footer.

use demat_core::{Error, ErrorKind, Result};
use parquet::file::metadata::{ParquetMetaData, RowGroupMetaData};

/// Returns the number of rows, if all counts in the footer agree.
///
/// The library trusts one of these counts, and would silently drop rows beyond it.
///
/// # Errors
/// [`Syntax`](ErrorKind::Syntax) if the counts contradict each other.
pub(super) fn rows(footer: &ParquetMetaData) -> Result<u64> {
    let mut all = 0_u64;
    for (index, group) in footer.row_groups().iter().enumerate() {
        let rows = rows_of(index, group)?;
        all = all.checked_add(rows).ok_or_else(|| contradiction("a number of rows", "too many"))?;
    }
    match u64::try_from(footer.file_metadata().num_rows()) {
        Ok(said) if said == all => Ok(all),
        said => {
            let said = said.map_or_else(|_| "fewer than none".to_string(), counted);
            Err(contradiction(&format!("{} in the groups of rows", counted(all)), &format!("{said} in the file")))
        }
    }
}

fn rows_of(index: usize, group: &RowGroupMetaData) -> Result<u64> {
    let Ok(rows) = u64::try_from(group.num_rows()) else {
        return Err(contradiction("a number of rows", &format!("fewer than none in group {index}")));
    };
    for column in group.columns() {
        let values = u64::try_from(column.num_values()).unwrap_or(0);
        // An empty list has an entry, too, so a repeated column may have more values than rows, never fewer.
        let repeats = column.column_descr().max_rep_level() > 0;
        if values < rows || !repeats && values > rows {
            let path = column.column_path();
            let expected = format!("{} in group {index}", counted(rows));
            return Err(contradiction(&expected, &format!("{values} values of column {path}")));
        }
    }
    Ok(rows)
}

/// Formats a number of rows.
pub(super) fn counted(rows: u64) -> String {
    if rows == 1 { "1 row".to_string() } else { format!("{rows} rows") }
}

#[cold]
fn contradiction(expected: &str, found: &str) -> Error {
    let message = format!("the footer contradicts itself: {expected}, and {found}");
    Error::new(ErrorKind::Syntax, message)
}
