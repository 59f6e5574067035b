//! Compares existing tables with shapes.

use crate::failure::refused;
use crate::table::{Column, Reference, Table};
use demat_core::Result;

impl Table {
    /// Checks that an existing table matches this one.
    ///
    /// It may have more indexes, and its columns may have another order and other declared types, as long as these
    /// store the values unchanged. CHECK constraints are not compared.
    ///
    /// # Errors
    /// An error that lists all differences.
    pub fn check(&self, there: &Self) -> Result<()> {
        let differences = self.differences(there);
        if differences.is_empty() {
            return Ok(());
        }
        let count = match differences.len() {
            1 => "1 difference".to_string(),
            count => format!("{count} differences"),
        };
        let message =
            format!("the table `{}` is not the one of the type, by {count}: {}", there.name, differences.join("; "));
        Err(refused(message))
    }

    /// Returns the differences of an existing table from this one.
    pub fn differences(&self, there: &Self) -> Vec<String> {
        let mut found = Vec::new();
        for (index, wanted) in self.columns.iter().enumerate() {
            match there.column(&wanted.name) {
                None => found.push(format!("the column `{}` is missing", wanted.name)),
                Some(at) => {
                    let given = not_null(there, at);
                    compare(wanted, &there.columns[at], (not_null(self, index), given), there.strict, &mut found);
                }
            }
        }
        for column in &there.columns {
            if self.column(&column.name).is_none() {
                found.push(format!("the column `{}` is not in the type", column.name));
            }
        }
        if !same(&self.key, &there.key) {
            found.push(format!("its key is {}, not {}", key(&there.key), key(&self.key)));
        }
        for index in &self.indexes {
            let fits = |own: &&crate::table::Index| same(&own.columns, &index.columns) && (own.unique || !index.unique);
            // A primary key serves as a unique index.
            if there.indexes.iter().find(fits).is_none() && !same(&there.key, &index.columns) {
                let unique = if index.unique { "unique " } else { "" };
                found.push(format!("it has no {unique}index of {}", index.columns.join(", ")));
            }
        }
        for reference in &self.references {
            if !there.references.iter().any(|own| own.is_like(reference)) {
                found.push(format!("`{}` does not {}", reference.columns.join(", "), reference.note()));
            }
        }
        if self.strict && !there.strict {
            found.push("it is not STRICT".to_string());
        }
        if self.without_rowid && !there.without_rowid {
            found.push("it has rowids".to_string());
        }
        found
    }
}

impl Reference {
    /// Returns whether it refers from the same columns to the same ones, with the same actions.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        same(&self.columns, &other.columns)
            && self.table.eq_ignore_ascii_case(&other.table)
            && (same(&self.to, &other.to) || other.to.is_empty() || self.to.is_empty())
            && self.actions.eq_ignore_ascii_case(&other.actions)
    }
}

/// Returns whether a column refuses NULL: the rowid is never NULL, although it may be omitted.
fn not_null(table: &Table, column: usize) -> bool {
    table.columns[column].not_null || table.rowid() == Some(column)
}

fn compare(wanted: &Column, there: &Column, nulls: (bool, bool), strict: bool, found: &mut Vec<String>) {
    let name = &wanted.name;
    if !wanted.stored.keeps_in(there.affinity(strict)) {
        let declared = if there.declared.is_empty() { "nothing" } else { &there.declared };
        found.push(format!(
            "the column `{name}` is declared `{declared}`, which does not keep {}",
            wanted.stored.name()
        ));
    }
    match nulls {
        (true, false) => found.push(format!("the column `{name}` may be NULL")),
        (false, true) => found.push(format!("the column `{name}` is NOT NULL")),
        _ => {}
    }
    if let (Some(own), Some(given)) = (&wanted.default, &there.default)
        && !crate::default::same(own, given)
    {
        found.push(format!("the column `{name}` has the default {given}, not {own}"));
    }
    if there.generated {
        found.push(format!("the column `{name}` is computed"));
    }
}

fn same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.eq_ignore_ascii_case(other))
}

fn key(columns: &[String]) -> String {
    if columns.is_empty() { "none".to_string() } else { format!("`{}`", columns.join(", ")) }
}
