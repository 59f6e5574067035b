//! A store of all tables of a database.

use super::{Base, Table, TableOptions};
use demat_core::Result;
use demat_place::Host;
use demat_sqlite::Database;
use demat_store::{Named, Reference, Relation, served_name};
use std::sync::Arc;

/// Opens the current tables and views of a database, by their [served names](demat_store::served_name), as one store.
/// Leaves out the internal tables of modules, and whatever can't be read: a view whose table is gone, a virtual table
/// whose module is missing.
///
/// # Errors
/// Errors of SQLite.
pub fn tables(database: &Database, options: &TableOptions) -> Result<Named<Table>> {
    let base = Base::of(database, options)?;
    let mut definitions = Vec::new();
    let mut all = Named::new("database", "table", database.name(), base.changes.clone());
    for name in database.tables()?.into_iter().chain(database.views()?) {
        let table = database.existing(&name).and_then(|table| Table::over(base.clone(), table, None, &Host::default()));
        if table.as_ref().is_ok_and(|table| table.about.readonly && !table.about.view) {
            all.note(format!("the table `{name}` can only be read"));
        }
        definitions.extend(table.as_ref().ok().map(|table| Arc::clone(&table.about)));
        all.add(&name, table)?;
    }
    for table in &definitions {
        all.relate(&served_name(&table.name), relations(table, &definitions));
    }
    Ok(all)
}

/// Returns the foreign keys of a table, and those that lead to it.
fn relations(own: &demat_sqlite::Table, all: &[Arc<demat_sqlite::Table>]) -> Vec<Relation> {
    let mut relations = Vec::new();
    for from in all {
        for reference in &from.references {
            let Some(to) = all.iter().find(|to| to.name.eq_ignore_ascii_case(&reference.table)) else { continue };
            let fields = columns(from, &reference.columns);
            let to_fields = columns(to, if reference.to.is_empty() { &to.key } else { &reference.to });
            let (Some(fields), Some(to_fields)) = (fields, to_fields) else { continue };
            if fields.len() != to_fields.len() {
                continue;
            }
            let (by, from_name, to_name) = (fields.join(","), served_name(&from.name), served_name(&to.name));
            if from.name == own.name {
                relations.push(Relation {
                    alias: format!("{by}:{to_name}"),
                    to: Reference::from(&[to_name.clone()][..]),
                    name: to_name.clone(),
                    fields: fields.clone(),
                    to_fields: to_fields.clone(),
                    is_many: false,
                });
            }
            if to.name == own.name {
                relations.push(Relation {
                    alias: format!("{from_name}:{by}"),
                    to: Reference::from(&[from_name.clone()][..]),
                    name: from_name,
                    fields: to_fields,
                    to_fields: fields,
                    is_many: true,
                });
            }
        }
    }
    relations
}

/// Returns columns as the table declares them; `None` if it lacks one.
fn columns(table: &demat_sqlite::Table, names: &[String]) -> Option<Vec<String>> {
    names.iter().map(|name| table.column(name).map(|column| table.columns[column].name.clone())).collect()
}
