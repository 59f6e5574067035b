//! Which columns get another name, by the notes `was` of fields.

use crate::failure::refused;
use crate::table::Table;
use demat_core::Result;

/// Returns the old and the new name of each column to rename, in the order in which no name is taken.
///
/// A missing column takes the column that one of its old names denotes. If that is the name of another field, too, that
/// field's column is missing from then on, and is looked for by its own old names.
pub(super) fn renames(wanted: &Table, there: &Table) -> Result<Vec<(String, String)>> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut missing: Vec<usize> =
        (0..wanted.columns.len()).filter(|index| there.column(&wanted.columns[*index].name).is_none()).collect();
    let mut next = 0;
    while let Some(index) = missing.get(next).copied() {
        next += 1;
        let column = &wanted.columns[index];
        let old = column.was.iter().find_map(|was| there.column(was));
        let Some(old) = old.map(|old| &there.columns[old].name) else { continue };
        if let Some((_, other)) = found.iter().find(|(own, _)| own == old) {
            let message = format!("the columns `{other}` and `{}` both were `{old}` of `{}`", column.name, there.name);
            return Err(refused(message));
        }
        found.push((old.clone(), column.name.clone()));
        if let Some(own) = wanted.column(old)
            && !missing.contains(&own)
        {
            missing.push(own);
        }
    }
    Ok(found)
}
