use crate::Cell;
use crate::build::{Builder, Options};
use rusqlite::Connection;

fn integrity(path: &std::path::Path) -> String {
    let connection = Connection::open(path).unwrap();
    let mut statement = connection.prepare("PRAGMA integrity_check").unwrap();
    let rows = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    rows.map(Result::unwrap).collect::<Vec<_>>().join("\n")
}

#[test]
fn tasks() {
    for page_size in [512, 1024, 4096, 65536] {
        for count in [0, 1, 2, 10, 1000, 30_000] {
            for order in ["up", "down"] {
                let folder = tempfile::tempdir().unwrap();
                let path = folder.path().join("a.db");
                let sql = "CREATE TABLE tasks(id INTEGER PRIMARY KEY AUTOINCREMENT, title VARCHAR(220) NOT NULL, done INTEGER);
                CREATE INDEX titles ON tasks(title); CREATE UNIQUE INDEX ids ON tasks(done, id DESC)";
                let options = Options { page_size, ..Options::default() };
                let mut builder = Builder::create(&path, sql, &options).unwrap();
                let mut rows = builder.rows("tasks").unwrap();
                for id in 0..count {
                    let id = if order == "up" { id } else { count - id };
                    let title = "x".repeat((id * 7 % 1000) as usize);
                    rows.push(&[Cell::Int(id), Cell::Text(&title), Cell::Int(id % 2)]).unwrap();
                }
                rows.finish().unwrap();
                builder.finish().unwrap();
                assert_eq!(integrity(&path), "ok", "{page_size} {count} {order}");
                let connection = Connection::open(&path).unwrap();
                let found: i64 = connection.query_row("SELECT count(*) FROM tasks", [], |row| row.get(0)).unwrap();
                assert_eq!(found, count);
                let found: i64 = connection
                    .query_row("SELECT count(*) FROM tasks WHERE length(title) = id * 7 % 1000", [], |row| row.get(0))
                    .unwrap();
                assert_eq!(found, count);
            }
        }
    }
}
