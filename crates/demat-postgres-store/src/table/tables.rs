//! A store of all tables of a database.

use super::Table;
use crate::base::Base;
use demat_core::Result;
use demat_place::Host;
use demat_postgres::TableName;
use demat_store::Named;
use std::sync::Arc;

/// Opens the current tables and views of a database that are found without a schema, by their
/// [served names](demat_store::served_name), as one store.
///
/// # Errors
/// Errors of the server.
pub fn tables(base: &Arc<Base>) -> Result<Named<Table>> {
    let mut all = Named::new("database", "table", base.name(), base.changes.clone());
    let names = base.with(demat_postgres::Connection::tables)?;
    for name in names {
        let own = TableName { schema: None, name: name.clone() };
        let table = base.with(|connection| connection.existing(&own));
        all.add(&name, table.and_then(|table| Table::over(Arc::clone(base), &name, table, None, &Host::default())))?;
    }
    Ok(all)
}
