//! A table of one connection that rows are gathered in.

use crate::connection::Connection;
use crate::name::{listed, quoted};
use crate::table::Table;
use demat_core::Result;

/// The name of the table, and of the column with the order of its rows.
const NAME: &str = "demat gathered";
const ORDER: &str = "demat order";

/// Rows that are sent by COPY, and then become part of another table.
///
/// It is to be used within a transaction, with whose end the table goes.
#[derive(Debug)]
pub(crate) struct Gathered {
    pub(crate) connection: Connection,
    pub(crate) target: Table,
    /// The table to write the rows to.
    pub(crate) table: Table,
}

impl Gathered {
    /// Makes the table, with the columns and defaults of the target.
    pub(crate) fn begin(connection: &Connection, target: &Table) -> Result<Self> {
        let name = format!("pg_temp.{}", quoted(NAME));
        connection.execute(&format!(
            "DROP TABLE IF EXISTS {name}; CREATE TEMPORARY TABLE {own} (LIKE {} INCLUDING DEFAULTS) ON COMMIT DROP; \
             ALTER TABLE {name} ADD COLUMN {} bigserial",
            target.quoted,
            quoted(ORDER),
            own = quoted(NAME)
        ))?;
        let table = Table { quoted: name, ..target.clone() };
        Ok(Self { connection: connection.clone(), target: target.clone(), table })
    }

    /// The names of the columns that have values of their own.
    pub(crate) fn columns(&self) -> impl Iterator<Item = &str> {
        self.target.columns.iter().filter(|column| !column.generated).map(|column| &*column.name)
    }

    /// The columns of the key, in SQL.
    pub(crate) fn key(&self) -> String {
        listed(self.target.key.iter().map(String::as_str))
    }

    /// Whether a column is part of the key.
    pub(crate) fn is_key(&self, name: &str) -> bool {
        self.target.key.iter().any(|own| own == name)
    }

    /// Returns a query for columns of the rows, in their order.
    pub(crate) fn in_order(&self, columns: &str) -> String {
        format!("SELECT {columns} FROM {} ORDER BY {}", self.table.quoted, quoted(ORDER))
    }

    /// Returns a query for columns of the last row of each key.
    pub(crate) fn last_of_keys(&self, columns: &str) -> String {
        let key = self.key();
        let (table, order) = (&self.table.quoted, quoted(ORDER));
        format!("SELECT DISTINCT ON ({key}) {columns} FROM {table} ORDER BY {key}, {order} DESC")
    }

    /// Runs a statement, and returns the number of rows that it changed.
    pub(crate) fn run(&self, sql: &str) -> Result<u64> {
        self.connection.prepare(sql)?.execute(&[])
    }

    /// Forgets the rows.
    pub(crate) fn clear(&self) -> Result<()> {
        self.connection.execute(&format!("TRUNCATE {}", self.table.quoted))
    }

    /// Ends the table.
    pub(crate) fn end(self) -> Result<()> {
        self.connection.execute(&format!("DROP TABLE {}", self.table.quoted))
    }
}
