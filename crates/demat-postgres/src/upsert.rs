//! Adds rows, or replaces those of their keys.

use crate::connection::Connection;
use crate::failure::refused;
use crate::gathered::Gathered;
use crate::name::{listed, quoted};
use crate::table::Table;
use demat_core::Result;

/// Rows that are gathered in a table of this connection, and then added or put in place of those with their keys.
///
/// It is to be used within a transaction, with whose end the table goes.
#[derive(Debug)]
pub struct Upsert(Gathered);

impl Upsert {
    /// Makes the table to gather rows in.
    ///
    /// # Errors
    /// If the target has no key, or another column numbers its rows; errors of the server.
    pub fn begin(connection: &Connection, target: &Table) -> Result<Self> {
        if target.key.is_empty() {
            return Err(refused(format!("the table `{}` has no key that rows could be replaced by", target.name)));
        }
        if let Some(column) = target.columns.iter().find(|own| own.identity && !target.key.contains(&own.name)) {
            let (table, column) = (&target.name, &column.name);
            return Err(refused(format!(
                "rows of the table `{table}` can't be replaced: its column `{column}` numbers the rows, and is no key"
            )));
        }
        let mut gathered = Gathered::begin(connection, target)?;
        for column in &mut gathered.table.columns {
            // The key says which row is meant, so the server can't make it up.
            column.identity = false;
        }
        Ok(Self(gathered))
    }

    /// The table to write the rows to.
    pub fn gathered(&self) -> &Table {
        &self.0.table
    }

    /// Adds and replaces the rows: of several with one key, the last counts. Returns their number; those that are there
    /// already do not count if all columns are part of the key.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn finish(self) -> Result<u64> {
        let gathered = self.0;
        let columns = listed(gathered.columns());
        let changes: Vec<_> = gathered
            .columns()
            .filter(|name| !gathered.is_key(name))
            .map(|name| format!("{0} = EXCLUDED.{0}", quoted(name)))
            .collect();
        let change =
            if changes.is_empty() { "NOTHING".to_string() } else { format!("UPDATE SET {}", changes.join(", ")) };
        let rows = gathered.run(&format!(
            "INSERT INTO {} ({columns}) OVERRIDING SYSTEM VALUE {} ON CONFLICT ({}) DO {change}",
            gathered.target.quoted,
            gathered.last_of_keys(&columns),
            gathered.key()
        ))?;
        gathered.end()?;
        Ok(rows)
    }
}
