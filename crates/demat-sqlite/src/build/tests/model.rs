//! Model test: a built database equals one into which SQLite has inserted the same rows.

use super::{integrity, rows};
use crate::Cell;
use crate::build::{Builder, Options};
use crate::scan::tests::scanned;
use proptest::prelude::*;
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use std::path::Path;

/// All kinds of tables, with five columns each: the key, which may be null, and four others.
const TABLES: [&str; 9] = [
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b TEXT, c REAL, d NUMERIC)",
    "CREATE TABLE t(id INT, a BLOB, b VARCHAR(10), c DOUBLE, d DECIMAL)",
    "CREATE TABLE t(a, b, id INTEGER PRIMARY KEY AUTOINCREMENT, c INT, d); CREATE INDEX one ON t(a, b)",
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b TEXT, c REAL, d); CREATE INDEX one ON t(b COLLATE NOCASE, c DESC); \
     CREATE INDEX two ON t(a DESC, id)",
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a UNIQUE, b TEXT COLLATE RTRIM, c, d); CREATE INDEX one ON t(b, d)",
    "CREATE TABLE t(id, a, b, c, d, PRIMARY KEY(b, a DESC)) WITHOUT ROWID; CREATE INDEX one ON t(c)",
    "CREATE TABLE t(id REAL, a TEXT COLLATE NOCASE PRIMARY KEY, b, c, d) WITHOUT ROWID; CREATE UNIQUE INDEX one ON t(d, id)",
    "CREATE TABLE t(id INTEGER PRIMARY KEY, a ANY, b TEXT, c REAL, d INT NOT NULL) STRICT",
    "CREATE TABLE t(id INTEGER PRIMARY KEY DESC, a NOT NULL, b TEXT NOT NULL DEFAULT 'x', c, d)",
];

fn int() -> impl Strategy<Value = i64> {
    prop_oneof![
        -2i64..3,
        (0u32..64, -1i64..2, any::<bool>()).prop_map(|(bits, by, sign)| {
            let value = (1i64 << bits).wrapping_add(by);
            if sign { value } else { value.wrapping_neg() }
        }),
        any::<i64>(),
    ]
}

#[allow(clippy::cast_precision_loss)]
fn real() -> impl Strategy<Value = f64> {
    prop_oneof![
        int().prop_map(|int| int as f64),
        any::<f64>().prop_filter("SQLite has no NaN", |real| !real.is_nan()),
        -9.0..9.0,
        Just(-0.0),
    ]
}

/// Lengths around those at which a value gets overflow pages, for a page size.
fn len(page_size: usize) -> impl Strategy<Value = usize> {
    let (table, index) = (page_size - 35, (page_size - 12) * 64 / 255 - 23);
    let border = prop_oneof![Just(table), Just(index), Just(page_size - 4), Just(2 * (page_size - 4)), Just(58)];
    let more = if page_size > 4096 { 0usize..1 } else { 0..4 };
    prop_oneof![4 => 0usize..20, 1 => (border, 0usize..40, more).prop_map(move |(border, by, more)| {
        (border + more * (page_size - 4) + 20).saturating_sub(by)
    })]
}

fn text(page_size: usize) -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-cA-C é]{0,4}",
        "[ ]{0,2}[-+]?[0-9]{0,20}(\\.[0-9]{0,3})?(e[0-9]{1,2})?[ ]{0,2}",
        (len(page_size), "[a-z]").prop_map(|(len, letter)| letter.repeat(len)),
    ]
}

fn value(page_size: usize) -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => Just(Value::Null),
        3 => int().prop_map(Value::Integer),
        2 => real().prop_map(Value::Real),
        4 => text(page_size).prop_map(Value::Text),
        1 => len(page_size).prop_map(|len| Value::Blob(vec![7; len])),
    ]
}

fn key() -> impl Strategy<Value = Value> {
    prop_oneof![4 => Just(Value::Null), 4 => (-50i64..1000).prop_map(Value::Integer), 1 => int().prop_map(Value::Integer)]
}

fn case() -> impl Strategy<Value = (usize, usize, bool, Vec<Vec<Value>>)> {
    (9u32..=16, 0..TABLES.len(), any::<bool>()).prop_flat_map(|(bits, table, little_memory)| {
        let size = 1 << bits;
        let most = if size > 4096 { 30 } else { 120 };
        let row = (key(), prop::collection::vec(value(size), 4)).prop_map(|(key, mut row)| {
            row.insert(0, key);
            row
        });
        (Just(size), Just(table), Just(little_memory), prop::collection::vec(row, 0..most))
    })
}

fn cell(value: &Value) -> Cell<'_> {
    match value {
        Value::Null => Cell::Null,
        Value::Integer(value) => Cell::Int(*value),
        Value::Real(value) => Cell::Real(*value),
        Value::Text(value) => Cell::Text(value),
        Value::Blob(value) => Cell::Blob(value),
    }
}

fn built(path: &Path, sql: &str, options: &Options, told: &[Vec<Value>]) -> demat_core::Result<()> {
    let mut builder = Builder::create(path, sql, options)?;
    let mut table = builder.rows("t")?;
    for row in told {
        table.push(&row.iter().map(cell).collect::<Vec<_>>())?;
    }
    table.finish()?;
    builder.finish()
}

fn inserted(path: &Path, sql: &str, page_size: usize, told: &[Vec<Value>]) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.execute_batch(&format!("PRAGMA page_size = {page_size}; PRAGMA synchronous = OFF; {sql}; BEGIN"))?;
    for row in told {
        connection.execute("INSERT INTO t VALUES(?, ?, ?, ?, ?)", params_from_iter(row))?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(connection)
}

/// The key is the first value of a row, wherever its column is.
fn in_order(sql: &str, told: &mut [Vec<Value>]) {
    if sql.contains("t(a, b, id") {
        for row in told {
            row[..3].rotate_left(1);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(300), ..ProptestConfig::default() })]
    #[test]
    fn as_sqlite_makes_it((page_size, table, little_memory, mut told) in case()) {
        let sql = TABLES[table];
        in_order(sql, &mut told);
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (folder.path().join("own.db"), folder.path().join("other.db"));
        let sort_memory = if little_memory { 1 } else { 1 << 20 };
        let options = Options { page_size, durable: false, sort_memory, ..Options::default() };
        // A row that SQLite refuses must be refused; the test then continues without it.
        let wanted = loop {
            let _ = std::fs::remove_file(&other);
            let refused = match inserted(&other, sql, page_size, &told) {
                Ok(connection) => break connection,
                Err(error) => error,
            };
            let error = built(&own, sql, &options, &told).expect_err(&refused.to_string());
            prop_assert!(!own.exists(), "{error}");
            prop_assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1 + usize::from(other.with_extension("db-journal").exists()));
            told.pop();
        };
        // For rowids in no order, SQLite generates others once the greatest possible one exists.
        let full = told.iter().any(|row| row.contains(&Value::Integer(i64::MAX)));
        match built(&own, sql, &options, &told) {
            Err(error) if full && error.kind() == demat_core::ErrorKind::Limit => return Ok(()),
            other => other.unwrap(),
        }
        prop_assert_eq!(integrity(&own), "ok");
        let found = Connection::open(&own).unwrap();
        let order = if sql.contains("WITHOUT ROWID") { "" } else { "ORDER BY rowid" };
        let rowid = if sql.contains("WITHOUT ROWID") { "" } else { "rowid, " };
        let all = format!("SELECT {rowid}*, typeof(a), typeof(b), typeof(c), typeof(d) FROM t {order}");
        prop_assert_eq!(rows(&found, &all), rows(&wanted, &all));
        let plain = rows(&found, &format!("SELECT * FROM t {order}"));
        prop_assert_eq!(&scanned(&found, "t"), &plain);
        prop_assert_eq!(&scanned(&wanted, "t"), &plain);
        if sql.contains("AUTOINCREMENT") {
            prop_assert_eq!(rows(&found, "SELECT * FROM sqlite_sequence"), rows(&wanted, "SELECT * FROM sqlite_sequence"));
        }
        // The database can be changed as usual.
        let change = "DELETE FROM t WHERE length(b) % 2; UPDATE t SET d = 5 WHERE length(b) > 20; VACUUM";
        let changed = [&found, &wanted].map(|connection| connection.execute_batch(change).map_err(|error| error.to_string()));
        prop_assert_eq!(&changed[0], &changed[1]);
        prop_assert_eq!(rows(&found, &all), rows(&wanted, &all));
        prop_assert_eq!(integrity(&own), "ok");
        prop_assert_eq!(&scanned(&found, "t"), &rows(&found, &format!("SELECT * FROM t {order}")));
    }
}

/// The default number of cases; a thousand take a minute. `PROPTEST_CASES` overrides it.
pub(super) fn cases(few: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(few)
}
