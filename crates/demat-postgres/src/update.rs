//! Changes the rows of keys.

use crate::connection::Connection;
use crate::copy_in::CopyIn;
use crate::failure::refused;
use crate::gathered::Gathered;
use crate::name::quoted;
use crate::sink::RowWriter;
use crate::table::Table;
use core::fmt;
use demat_core::Result;
use std::sync::Arc;

/// Writes rows over those of their keys: only the columns that they have values for are changed.
///
/// It is to be used within a transaction. Rows with the same columns are gathered, and change the table together.
pub struct Update {
    gathered: Gathered,
    copying: Option<(CopyIn, Arc<[usize]>)>,
    changed: u64,
}

impl Update {
    /// Prepares to change rows of a table.
    ///
    /// # Errors
    /// If the table has no key; errors of the server.
    pub fn begin(connection: &Connection, target: &Table) -> Result<Self> {
        if target.key.is_empty() {
            return Err(refused(format!("the table `{}` has no key that rows could be found by", target.name)));
        }
        let mut gathered = Gathered::begin(connection, target)?;
        let mut free = String::new();
        for column in &mut gathered.table.columns {
            // A column without a value is left out, and NULL is a value: the target refuses it where it has to.
            (column.identity, column.not_null) = (true, false);
            if !column.generated && !target.key.contains(&column.name) {
                let name = quoted(&column.name);
                let separator = if free.is_empty() { "" } else { ", " };
                free.extend([
                    separator,
                    "ALTER COLUMN ",
                    &name,
                    " DROP NOT NULL, ALTER COLUMN ",
                    &name,
                    " DROP DEFAULT",
                ]);
            }
        }
        if !free.is_empty() {
            connection.execute(&format!("ALTER TABLE {} {free}", gathered.table.quoted))?;
        }
        Ok(Self { gathered, copying: None, changed: 0 })
    }

    /// The table to write the rows to, by this as the writer.
    pub fn gathered(&self) -> &Table {
        &self.gathered.table
    }

    /// The number of rows that were changed. Of several rows with one key and the same columns, the last counts.
    pub fn rows(&self) -> u64 {
        self.changed
    }

    /// Refuses rows that lack a part of the key.
    fn check(&self, columns: &[usize]) -> Result<()> {
        let Gathered { target, table, .. } = &self.gathered;
        let is_there = |key: &str| columns.iter().any(|column| table.columns[*column].name == key);
        match target.key.iter().find(|key| !is_there(key)) {
            None => Ok(()),
            Some(missing) => {
                let table = &target.name;
                Err(refused(format!("a row of the table `{table}` to change lacks its key `{missing}`")))
            }
        }
    }

    /// Changes the rows that were gathered.
    fn change(&mut self) -> Result<()> {
        let Some((mut copying, columns)) = self.copying.take() else { return Ok(()) };
        copying.finish()?;
        drop(copying);
        let gathered = &self.gathered;
        let names = || columns.iter().map(|column| &*gathered.table.columns[*column].name);
        let changes: Vec<_> = names()
            .filter(|name| !gathered.is_key(name))
            .map(|name| format!("{0} = given.{0}", quoted(name)))
            .collect();
        let same: Vec<_> = gathered.target.key.iter().map(|key| format!("own.{0} = given.{0}", quoted(key))).collect();
        let (own, given, same) = (&gathered.target.quoted, gathered.last_of_keys("*"), same.join(" AND "));
        self.changed += if changes.is_empty() {
            let found = format!("SELECT count(*) FROM {own} AS own JOIN ({given}) AS given ON {same}");
            u64::try_from(gathered.connection.number(&found)?).unwrap_or_default()
        } else {
            gathered
                .run(&format!("UPDATE {own} AS own SET {} FROM ({given}) AS given WHERE {same}", changes.join(", ")))?
        };
        gathered.clear()
    }
}

impl RowWriter for Update {
    fn write(&mut self, columns: &Arc<[usize]>, rows: &[u8], count: u64) -> Result<()> {
        if self.copying.as_ref().is_some_and(|(_, own)| own != columns) {
            self.change()?;
        }
        if self.copying.is_none() {
            self.check(columns)?;
        }
        let (copying, _) = self
            .copying
            .get_or_insert_with(|| (self.gathered.connection.copy_in(&self.gathered.table), Arc::clone(columns)));
        copying.write(columns, rows, count)
    }

    fn finish(&mut self) -> Result<()> {
        self.change()?;
        self.gathered.connection.execute(&format!("DROP TABLE {}", self.gathered.table.quoted))
    }
}

impl fmt::Debug for Update {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Update").field("changed", &self.changed).finish_non_exhaustive()
    }
}
