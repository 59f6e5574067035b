//! The peer: axum with `serde_json` over tasks in memory, or rows of SQLite by rusqlite; one thread.

use axum::extract::State;
use axum::routing::get;
use axum::{Json, Router};
use rusqlite::Connection;
use serde::{Deserialize, Serialize};
use std::env;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;

/// A task.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Task {
    #[serde(default)]
    id: Option<i64>,
    done: i64,
    title: String,
}

type Shared = Arc<Mutex<Connection>>;

async fn rows(State(connection): State<Shared>) -> Json<Vec<Task>> {
    let connection = connection.lock().expect("nobody panics");
    let mut statement = connection.prepare_cached("SELECT id, done, title FROM tasks").expect("a statement");
    let task = |row: &rusqlite::Row<'_>| Ok(Task { id: row.get(0)?, done: row.get(1)?, title: row.get(2)? });
    let tasks = statement.query_map([], task).expect("rows").collect::<Result<Vec<_>, _>>().expect("rows");
    Json(tasks)
}

async fn add(State(connection): State<Shared>, Json(task): Json<Task>) -> Json<Task> {
    let connection = connection.lock().expect("nobody panics");
    let mut statement = connection.prepare_cached("INSERT INTO tasks(done, title) VALUES (?, ?)").expect("a statement");
    statement.execute((task.done, &task.title)).expect("a row");
    Json(Task { id: Some(connection.last_insert_rowid()), ..task })
}

async fn objects(State(tasks): State<Arc<Vec<Task>>>) -> Json<Vec<Task>> {
    Json((*tasks).clone())
}

/// `demat-bench-axum memory|sqlite|write ROWS PORT [FILE]`
#[tokio::main(flavor = "current_thread")]
async fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [mode, rows, port, rest @ ..] = &arguments[..] else { panic!("MODE ROWS PORT [FILE]") };
    let count: i64 = rows.parse().expect("a number of rows");
    let title = |id: i64| if id % 2 == 0 { "Check Twitter" } else { "Clean Room" }.to_string();
    let app = if mode == "memory" {
        let task = |id| Task { id: Some(id), done: id % 2, title: title(id) };
        Router::new().route("/tasks", get(objects)).with_state(Arc::new((1..=count).map(task).collect::<Vec<_>>()))
    } else {
        let connection = Connection::open(rest.first().expect("a file")).expect("a database");
        connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL").expect("pragmas");
        connection.execute_batch("CREATE TABLE IF NOT EXISTS tasks(id INTEGER PRIMARY KEY, done INTEGER NOT NULL, title TEXT NOT NULL); DELETE FROM tasks; BEGIN").expect("a table");
        for id in 1..=count {
            connection.execute("INSERT INTO tasks VALUES (?, ?, ?)", (id, id % 2, title(id))).expect("a row");
        }
        connection.execute_batch("COMMIT").expect("a commit");
        Router::new().route("/tasks", get(self::rows).post(add)).with_state(Arc::new(Mutex::new(connection)))
    };
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).await.expect("an address");
    axum::serve(listener, app).await.expect("a server");
}
