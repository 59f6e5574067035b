mod bounds;
mod graft;
mod kill;
mod load;
mod many;
mod model;
mod refused;
mod rollback;
mod schemas;
mod types;

use rusqlite::Connection;
use rusqlite::types::Value;
use std::path::Path;

/// Returns the result of SQLite's integrity check.
pub(crate) fn integrity(path: &Path) -> String {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare("PRAGMA integrity_check").unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(Result::unwrap).collect::<Vec<_>>().join("\n")
}

/// Returns the rows of a query.
pub(crate) fn rows(connection: &Connection, sql: &str) -> Vec<Vec<Value>> {
    let mut statement = connection.prepare(sql).unwrap();
    let count = statement.column_count();
    let rows = statement.query_map([], |row| (0..count).map(|at| row.get(at)).collect()).unwrap();
    rows.map(Result::unwrap).collect()
}
