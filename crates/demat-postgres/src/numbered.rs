//! Adds rows, and returns their keys.

use crate::column_type::TypeClass;
use crate::connection::Connection;
use crate::failure::refused;
use crate::gathered::Gathered;
use crate::name::{listed, literal, quoted};
use crate::rows::Rows;
use crate::table::Table;
use demat_core::{Error, ErrorKind, Result};

/// Rows that are gathered in a table of this connection, and then added: so their keys are known, also those that the
/// server made.
///
/// It is to be used within a transaction, with whose end the table goes.
#[derive(Debug)]
pub struct Numbered(Gathered);

impl Numbered {
    /// Makes the table to gather rows in.
    ///
    /// # Errors
    /// If the target's key is not one int, or another column numbers its rows; errors of the server.
    pub fn begin(connection: &Connection, target: &Table) -> Result<Self> {
        let is_int = |name: &String| {
            target.column(name).is_some_and(|column| matches!(target.columns[column].own.class, TypeClass::Int(_)))
        };
        let [key] = &*target.key else { return Err(no_int(target)) };
        if !is_int(key) {
            return Err(no_int(target));
        }
        if let Some(column) = target.columns.iter().find(|own| own.identity && own.name != *key) {
            let (table, column) = (&target.name, &column.name);
            return Err(refused(format!(
                "the ids of new rows of the table `{table}` can't be known: its column `{column}` numbers the rows, too"
            )));
        }
        let gathered = Gathered::begin(connection, target)?;
        if target.columns.iter().any(|own| own.identity) {
            // The table that is like it takes the numbers from the same sequence.
            let sequence = format!("pg_get_serial_sequence({}, {})", literal(&target.quoted), literal(key));
            connection.execute(&format!(
                "ALTER TABLE {} ALTER COLUMN {} SET DEFAULT nextval({sequence})",
                gathered.table.quoted,
                quoted(key)
            ))?;
        }
        Ok(Self(gathered))
    }

    /// The table to write the rows to.
    pub fn gathered(&self) -> &Table {
        &self.0.table
    }

    /// Adds the rows. Returns their keys, in the order of the rows.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn finish(self) -> Result<Vec<i64>> {
        let gathered = self.0;
        let columns = listed(gathered.columns());
        let sql = format!(
            "INSERT INTO {} ({columns}) OVERRIDING SYSTEM VALUE {} RETURNING {}::bigint",
            gathered.target.quoted,
            gathered.in_order(&columns),
            gathered.key()
        );
        let mut rows = gathered.connection.prepare(&sql)?.query(&[])?;
        let mut ids = Vec::new();
        while rows.step()? {
            let id = rows.cell(0).and_then(|cell| cell.try_into().ok()).map(i64::from_be_bytes);
            ids.push(id.ok_or_else(|| Error::new(ErrorKind::Io, "the server sent no number of a row"))?);
        }
        drop(rows);
        gathered.end()?;
        Ok(ids)
    }
}

#[cold]
fn no_int(target: &Table) -> Error {
    refused(format!("rows of the table `{}` have no ids: its key is not one int", target.name))
}
