//! What a shape declares that came with the data.

use demat_core::{Record, Result};

/// Returns a record whose `sql` notes are only those that `is_plain` accepts.
///
/// A shape that the caller gives is trusted with its SQL. Any other stands in a file's metadata or was found in another
/// database: SQL in it is a stranger's, and must not become part of a statement.
pub(crate) fn with_plain_notes(record: &Record, is_plain: impl Fn(&str) -> bool) -> Result<Record> {
    let field =
        |field: &demat_core::Field| field.clone().with_notes_where(|place, note| place != "sql" || is_plain(note));
    let fields = record.fields().iter().map(field).collect();
    Ok(Record::new(record.name().to_string(), fields)?.with_unknown(record.unknown()))
}
