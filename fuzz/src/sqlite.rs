use demat_sqlite::scan::Scan;
use rusqlite::Connection;

/// A database of any bytes: each of its tables is read to its end or to an error, and what is read of a table that SQLite
/// finds nothing wrong with is what SQLite reads.
pub fn sqlite_scan(bytes: &[u8]) {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(file.path(), bytes).expect("room for it");
    let Ok(connection) = Connection::open(file.path()) else { return };
    let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' LIMIT 8";
    let names = connection.prepare(sql).and_then(|mut names| names.query_map([], |row| row.get(0))?.collect());
    let names: Vec<String> = names.unwrap_or_default();
    for name in names {
        let Ok(scanned) = scanned(&connection, &name) else { continue };
        let sound = connection.query_row("PRAGMA integrity_check", [], |row| row.get::<_, String>(0));
        if sound.is_ok_and(|sound| sound == "ok") {
            assert_eq!(scanned, stepped(&connection, &name), "{name}");
        }
    }
}

fn scanned(connection: &Connection, table: &str) -> demat_core::Result<Vec<String>> {
    let mut scan = Scan::new(connection, "main", table)?;
    let count = scan.columns().len();
    let mut rows = Vec::new();
    while let Some(row) = scan.next()? {
        let cells: demat_core::Result<Vec<_>> = (0..count).map(|at| row.get(at)).collect();
        rows.push(format!("{:?}", cells?));
    }
    Ok(rows)
}

fn stepped(connection: &Connection, table: &str) -> Vec<String> {
    use demat_sqlite::Cell;
    use rusqlite::types::ValueRef;
    let quoted = table.replace('"', "\"\"");
    let mut statement = connection.prepare(&format!("SELECT * FROM \"{quoted}\"")).expect("a table");
    let count = statement.column_count();
    let rows = statement.query_map([], |row| {
        let cell = |at| {
            Ok(match row.get_ref(at)? {
                ValueRef::Null => Cell::Null,
                ValueRef::Integer(value) => Cell::Int(value),
                ValueRef::Real(value) => Cell::Real(value),
                ValueRef::Text(text) => Cell::Text(std::str::from_utf8(text).expect("the scanner took it for UTF-8")),
                ValueRef::Blob(bytes) => Cell::Blob(bytes),
            })
        };
        Ok(format!("{:?}", (0..count).map(cell).collect::<rusqlite::Result<Vec<_>>>()?))
    });
    rows.and_then(Iterator::collect).expect("rows")
}
