//! Several rows that are posted at once, each of which may be merged into the one with its key.

#[cfg(test)]
mod tests;

use super::Table;
use super::key::Key;
use super::reader::Reader;
use demat_core::{Error, Result, Value};
use demat_sqlite::Database;
use demat_store::{Body, Duplicates, Fault, Posted, ValueBody, When};

impl Table {
    /// Inserts rows in one transaction, or merges them into those with the same keys.
    pub(super) fn post_rows(&self, value: &mut dyn Body, duplicates: Duplicates, when: &When) -> Result<Posted> {
        if matches!(self.key, Key::None) {
            return Err(Fault::BadQuery.because("the rows of this have no names"));
        }
        if duplicates == Duplicates::Merge && !matches!(self.key, Key::Columns(_)) {
            return Err(Fault::BadQuery.because("the table has no primary key to find duplicates by"));
        }
        // What is merged has no defaults: they would replace what the row has.
        let rows = match duplicates {
            Duplicates::Refuse => self.held(value, &self.given)?,
            Duplicates::Merge => self.held(value, &self.part)?,
        };
        let is_list = matches!(rows, Value::List(_));
        let rows = if let Value::List(rows) = rows { rows } else { vec![rows] };
        self.change(None, when, |database, _| {
            let mut posted = Posted::default();
            for (index, row) in rows.iter().enumerate() {
                // What SQLite refuses is about the first row of those written at once.
                let located = |error: Error| match (is_list, error.path().starts_with("$[0]")) {
                    (true, true) => error.behind_items(index),
                    (true, false) => error.within_item(index),
                    (false, _) => error,
                };
                let (name, is_new) = self.post_row(database, row, duplicates).map_err(located)?;
                posted.names.push(name);
                posted.created += u64::from(is_new);
            }
            Ok(posted)
        })
    }

    /// Inserts or merges a row. Returns its name, and whether it is new.
    fn post_row(&self, database: &Database, row: &Value, duplicates: Duplicates) -> Result<(String, bool)> {
        let unnamed = || Fault::Conflict.because("a row has a key that no reference can name");
        let own = self.name_of(row);
        if let (Duplicates::Merge, Some(name)) = (duplicates, &own)
            && Reader::new(database.clone()).version(self, name)?.is_some()
        {
            self.refuse_computed(row)?;
            let part = self.keyed(name, row.clone())?;
            self.update(database, name, &self.patched(database, name, part)?)?;
            return Ok((name.clone(), false));
        }
        self.told_held(database, &mut ValueBody(row), &self.given)?;
        // SQLite assigns a key that is absent.
        let name = match own {
            Some(name) => Some(name),
            None => self.last(database)?,
        };
        Ok((name.ok_or_else(unnamed)?, true))
    }

    /// Returns the name of a row by the values of its key; `None` if it lacks one.
    fn name_of(&self, row: &Value) -> Option<String> {
        let Key::Columns(columns) = &self.key else { return None };
        let parts: Option<Vec<String>> =
            columns.iter().map(|column| super::write::text_of(row.get(&self.about.columns[*column].name)?)).collect();
        self.key.name_of_parts(parts?)
    }

    fn refuse_computed(&self, row: &Value) -> Result<()> {
        match self.computed(row) {
            None => Ok(()),
            Some(name) => {
                let message = format!("the column `{name}` is computed, and nothing can be put into it");
                Err(Error::new(demat_core::ErrorKind::Constraint, message).within_field(name.to_string()))
            }
        }
    }
}
