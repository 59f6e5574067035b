//! Demat's server over tasks: typed objects in memory, or rows of SQLite; one thread, as the peers have.

use demat::{Decode, Encode};
use demat_core::{Result, Shape};
use demat_http::{Mount, Options, Server};
use demat_sqlite::Database;
use demat_sqlite_store::{Table, TableOptions};
use demat_store::{Cache, Objects, Store};
use std::env;
use std::path::PathBuf;
use std::sync::Arc;

/// A task.
#[derive(Debug, Clone, Encode, Decode)]
struct Task {
    id: i64,
    done: i64,
    title: String,
}

/// `demat-bench-serve memory|sqlite|cache ROWS PORT [FILE]`
fn main() -> Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [mode, rows, port, rest @ ..] = &arguments[..] else { panic!("MODE ROWS PORT [FILE]") };
    let rows: i64 = rows.parse().expect("a number of rows");
    let task =
        |id| Task { id, done: id % 2, title: if id % 2 == 0 { "Check Twitter" } else { "Clean Room" }.to_string() };
    let tasks: Vec<Task> = (1..=rows).map(task).collect();
    let store: Arc<dyn Store> = if mode == "memory" {
        Arc::new(Objects::of(tasks))
    } else {
        let path = PathBuf::from(rest.first().expect("a file"));
        let database = Database::open(&path)?;
        let shape: Shape = "id: int? #sql:key, done: int, title: text".parse()?;
        let table = Table::of(&database, "tasks", Some(&shape), &TableOptions::default())?;
        table.put(&[], &mut demat_store::Host(tasks), &demat_store::When::Always)?;
        let table: Arc<dyn Store> = Arc::new(table);
        if mode == "cache" { Arc::new(Cache::over(table, 64 << 20)) } else { table }
    };
    let options = Options { port: port.parse().expect("a port"), ..Options::default() };
    Server::bind(vec![("/tasks".to_string(), Mount::Store(store))], options)?.run()
}
