//! Adds rows, or replaces those of their keys.

use crate::connection::Connection;
use crate::failure::refused;
use crate::name::{listed, quoted};
use crate::table::Table;
use demat_core::Result;

/// Rows that are gathered in a table of this connection, and then added or put in place of those with their keys.
///
/// It is to be used within a transaction, with whose end the table goes.
#[derive(Debug)]
pub struct Upsert {
    connection: Connection,
    target: Table,
    gathered: Table,
}

/// The name of the table that rows are gathered in, and of the column with their order.
const GATHERED: &str = "demat gathered";
const ORDER: &str = "demat order";

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
        let name = format!("pg_temp.{}", quoted(GATHERED));
        connection.execute(&format!(
            "DROP TABLE IF EXISTS {name}; CREATE TEMPORARY TABLE {own} (LIKE {} INCLUDING DEFAULTS) ON COMMIT DROP; \
             ALTER TABLE {name} ADD COLUMN {} bigserial",
            target.quoted,
            quoted(ORDER),
            own = quoted(GATHERED)
        ))?;
        let mut gathered = Table { quoted: name, ..target.clone() };
        for column in &mut gathered.columns {
            // The key says which row is meant, so the server can't make it up.
            column.identity = false;
        }
        Ok(Self { connection: connection.clone(), target: target.clone(), gathered })
    }

    /// The table to write the rows to.
    pub fn gathered(&self) -> &Table {
        &self.gathered
    }

    /// Adds and replaces the rows: of several with one key, the last counts. Returns their number; those that are there
    /// already do not count if all columns are part of the key.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn finish(self) -> Result<u64> {
        let Self { connection, target, gathered } = self;
        let names = || target.columns.iter().filter(|column| !column.generated).map(|column| &*column.name);
        let (columns, key) = (listed(names()), listed(target.key.iter().map(String::as_str)));
        let changes: Vec<_> = names()
            .filter(|name| !target.key.iter().any(|own| own == name))
            .map(|name| format!("{0} = EXCLUDED.{0}", quoted(name)))
            .collect();
        let change =
            if changes.is_empty() { "NOTHING".to_string() } else { format!("UPDATE SET {}", changes.join(", ")) };
        let statement = connection.prepare(&format!(
            "INSERT INTO {} ({columns}) OVERRIDING SYSTEM VALUE SELECT DISTINCT ON ({key}) {columns} FROM {} \
             ORDER BY {key}, {} DESC ON CONFLICT ({key}) DO {change}",
            target.quoted,
            gathered.quoted,
            quoted(ORDER)
        ))?;
        let rows = statement.execute(&[])?;
        connection.execute(&format!("DROP TABLE {}", gathered.quoted))?;
        Ok(rows)
    }
}
