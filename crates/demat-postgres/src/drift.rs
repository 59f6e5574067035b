//! Compares existing tables with shapes.

use crate::failure::refused;
use crate::of_shape::Definition;
use crate::table::Table;
use demat_core::{Error, Record, Result};

impl Definition {
    /// Checks that an existing table matches this one.
    ///
    /// It may have more constraints, and its columns may have another order and other types, as long as these store the
    /// values unchanged. Indexes, CHECK constraints and references are not compared.
    ///
    /// # Errors
    /// An error that lists all differences.
    pub fn check(&self, there: &Table) -> Result<()> {
        let differences = self.differences(there);
        let count = match differences.len() {
            0 => return Ok(()),
            1 => "1 difference".to_string(),
            count => format!("{count} differences"),
        };
        let name = &there.name;
        Err(refused(format!("the table `{name}` is not the one of the type, by {count}: {}", differences.join("; "))))
    }

    /// Returns the differences of an existing table from this one.
    pub fn differences(&self, there: &Table) -> Vec<String> {
        let mut found = Vec::new();
        for wanted in &self.columns {
            let name = &wanted.name;
            let Some(given) = there.column(name).map(|at| &there.columns[at]) else {
                found.push(format!("the column `{name}` is missing"));
                continue;
            };
            if !given.own.class.keeps(&wanted.shape) {
                let kind = wanted.shape.inner().name();
                found.push(format!("the column `{name}` is `{}`, which does not keep {kind}", given.own.name));
            }
            match (wanted.not_null, given.not_null) {
                (true, false) => found.push(format!("the column `{name}` may be NULL")),
                (false, true) if !given.fills_itself() => found.push(format!("the column `{name}` is NOT NULL")),
                _ => {}
            }
            if given.generated {
                found.push(format!("the column `{name}` is computed"));
            }
        }
        for column in &there.columns {
            if !self.columns.iter().any(|own| own.name == column.name) {
                found.push(format!("the column `{}` is not in the type", column.name));
            }
        }
        if self.key != there.key {
            let shown = |key: &[String]| if key.is_empty() { "none".to_string() } else { key.join(", ") };
            found.push(format!("its key is {}, not {}", shown(&there.key), shown(&self.key)));
        }
        for unique in &self.unique {
            if there.key != *unique && !there.unique.contains(unique) {
                found.push(format!("{} is not unique", unique.join(", ")));
            }
        }
        found
    }
}

impl Table {
    /// Checks that the table can store the values of a record.
    ///
    /// # Errors
    /// If it has no column for a field, or one of a type that does not keep its values.
    pub fn accepts(&self, record: &Record) -> Result<()> {
        for field in record.fields() {
            let Some(column) = self.column(field.key()) else {
                let names: Vec<_> = self.columns.iter().map(|column| &*column.name).collect();
                return Err(refused(format!(
                    "the table `{}` has no column `{}`; there are {}",
                    self.name,
                    field.key(),
                    names.join(", ")
                )));
            };
            let column = &self.columns[column];
            if !column.own.class.keeps(field.shape()) {
                return Err(unkept(&column.name, &column.own.name, field.shape().inner().name()));
            }
        }
        Ok(())
    }
}

#[cold]
fn unkept(column: &str, declared: &str, kind: &str) -> Error {
    refused(format!("the column `{column}` is `{declared}`, which does not keep {kind} as it is"))
}
