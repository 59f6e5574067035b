//! The columns that records of some shapes need.

use arrow_schema::Schema;
use demat_core::{Shape, Unknown};

/// Returns the columns that these shapes of rows, or of lists of them, have fields for. `None` for all columns: if a shape
/// sees all fields, or if nothing is saved.
pub(super) fn of<'s>(schema: &Schema, shapes: impl Iterator<Item = &'s Shape>) -> Option<Vec<String>> {
    let mut named = Vec::new();
    for shape in shapes {
        let record = shape.row()?.get();
        if record.unknown() != Unknown::Ignore || record.items().is_some() {
            return None;
        }
        for field in record.fields() {
            named.push(field.key().to_string());
            named.extend(field.aliases().iter().map(ToString::to_string));
        }
    }
    named.sort_unstable();
    named.dedup();
    let columns = schema.fields();
    let of = |name: &String| columns.iter().filter(|column| column.name() == name).count();
    named.retain(|name| of(name) > 0);
    // What is wrong with several columns of one name is for the source to say; and rows without columns are none.
    let is_all = named.is_empty() || named.len() == columns.len() || named.iter().any(|name| of(name) > 1);
    (!is_all).then_some(named)
}
