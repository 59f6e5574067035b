//! A store of all tables of a database.

use super::{Base, Table, TableOptions};
use demat_core::Result;
use demat_place::Host;
use demat_sqlite::Database;
use demat_store::Named;

/// Opens the current tables and views of a database, by their [served names](demat_store::served_name), as one store.
/// Leaves out the internal tables of modules, and whatever can't be read: a view whose table is gone, a virtual table
/// whose module is missing.
///
/// # Errors
/// Errors of SQLite.
pub fn tables(database: &Database, options: &TableOptions) -> Result<Named<Table>> {
    let base = Base::of(database, options)?;
    let mut all = Named::new("database", "table", database.name(), base.changes.clone());
    for name in database.tables()?.into_iter().chain(database.views()?) {
        let table = database.existing(&name).and_then(|table| Table::over(base.clone(), table, None, &Host::default()));
        if table.as_ref().is_ok_and(|table| table.about.readonly && !table.about.view) {
            all.note(format!("the table `{name}` can only be read"));
        }
        all.add(&name, table)?;
    }
    Ok(all)
}
