//! Columns filled from pages have the same values as rows read one by one.

use crate::database::Database;
use crate::rows::{Raw, Rows};
use crate::scan::{Filled, PagedRows, Values, Vector};
use crate::source::RowSource;
use demat_core::Shape;
use std::path::Path;

#[derive(Debug, Clone, PartialEq)]
enum OwnedValue {
    Null,
    Int(i64),
    Real(u64),
    Bool(bool),
    Text(String),
}

const NAMES: [&str; 5] = ["id", "n", "f", "b", "t"];
const SHAPE: &str = "[{id: int64, t: text?, n: int64?, f: float?, b: bool?}]";
const TABLE: &str = "CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER, f REAL, b INTEGER, t TEXT)";

fn source(database: &Database) -> RowSource<PagedRows> {
    let names: Vec<String> = NAMES.map(str::to_string).to_vec();
    let statement = database.statement(&format!("SELECT {} FROM t", NAMES.join(", "))).unwrap();
    RowSource::new(PagedRows::of_table(statement, database, "t", &names, true), &[])
}

fn filled(source: &mut RowSource<PagedRows>, threads: usize) -> Filled {
    let shape: Shape = SHAPE.parse().unwrap();
    source.fill(&shape, threads, |_, _| ()).unwrap()
}

/// Returns a value of a column.
fn value(vector: &Vector, row: usize) -> OwnedValue {
    if vector.valid.as_ref().is_some_and(|valid| !valid[row]) {
        return OwnedValue::Null;
    }
    match &vector.values {
        Values::Ints(values) => OwnedValue::Int(values[row]),
        Values::Floats(values) => OwnedValue::Real(values[row].to_bits()),
        Values::Bools(values) => OwnedValue::Bool(values[row]),
        Values::Texts { offsets, data } => {
            let at = |row: usize| usize::try_from(offsets[row]).unwrap();
            let text = &data[at(row)..at(row + 1)];
            OwnedValue::Text(core::str::from_utf8(text).unwrap().to_string())
        }
    }
}

/// Returns the rows, in the order of the shape's fields.
fn by_column(filled: &Filled) -> Vec<Vec<OwnedValue>> {
    let rows = |batch: &crate::scan::Vectors| {
        batch.columns.iter().for_each(|column| assert_eq!(column.len(), batch.rows));
        (0..batch.rows).map(|row| batch.columns.iter().map(|column| value(column, row)).collect()).collect::<Vec<_>>()
    };
    filled.batches.iter().flat_map(rows).collect()
}

/// Steps through at most `most` rows, up to the first error.
fn one_by_one(rows: &mut impl Rows, most: usize) -> Vec<Vec<OwnedValue>> {
    let mut found = Vec::new();
    while found.len() < most && rows.step().unwrap_or(false) {
        let own = |column| match rows.raw(column) {
            Raw::Null => OwnedValue::Null,
            Raw::Int(value) if column == 3 => OwnedValue::Bool(value == 1),
            Raw::Int(value) => OwnedValue::Int(value),
            Raw::Real(value) => OwnedValue::Real(value.to_bits()),
            Raw::Text(text) => OwnedValue::Text(String::from_utf8_lossy(text).into_owned()),
            Raw::Blob(_) => OwnedValue::Text("a blob".to_string()),
        };
        found.push([0, 4, 1, 2, 3].map(own).to_vec());
    }
    found
}

/// Compares all rows both ways; returns how many were filled, and whether these were all.
fn compared(database: &Database, what: &str) -> (usize, bool) {
    let mut ends = Vec::new();
    for threads in [1, 2] {
        let mut source = source(database);
        let own = filled(&mut source, threads);
        let wanted = one_by_one(self::source(database).rows(), own.rows());
        assert_eq!(by_column(&own), wanted, "{what}, {threads} threads");
        // The remaining rows equal the remaining ones of a statement.
        assert!(source.again());
        source.pass_over(own.rows()).unwrap();
        let left = one_by_one(source.rows(), usize::MAX);
        let mut statement = database.statement(&format!("SELECT {} FROM t", NAMES.join(", "))).unwrap();
        assert_eq!(left, one_by_one(&mut statement, usize::MAX)[own.rows()..], "{what}, {threads} threads");
        assert_eq!(own.whole, left.is_empty(), "{what}, {threads} threads");
        ends.push((own.rows(), own.whole));
    }
    assert_eq!(ends[0], ends[1]);
    ends[0]
}

fn in_file(path: &Path, page_size: usize) -> Database {
    let database = Database::open(path).unwrap();
    database.execute(&format!("PRAGMA page_size = {page_size}")).unwrap();
    database
}

const ROWS: &str = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 20000) INSERT INTO t SELECT \
    i * i * 7, CASE i % 9 WHEN 0 THEN NULL WHEN 1 THEN i % 2 ELSE (i - 9000) * (1 << (i % 47)) END, CASE i % 4 WHEN 0 \
    THEN NULL WHEN 1 THEN i ELSE i / 7.0 END, CASE i % 3 WHEN 0 THEN NULL ELSE i % 2 END, CASE i % 11 WHEN 0 THEN NULL \
    WHEN 1 THEN '' WHEN 2 THEN 'größer ' || i ELSE substr('abcdefghijklmnopqrstuvwxyz0123456789', 1, i % 37) END FROM c";

#[test]
fn columns_and_rows_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    for (page_size, journal) in [(512, "DELETE"), (4096, "DELETE"), (4096, "WAL"), (65536, "DELETE")] {
        let database = in_file(&folder.path().join(format!("{page_size}{journal}.db")), page_size);
        database.statement(&format!("PRAGMA journal_mode = {journal}")).unwrap().step().unwrap();
        database.execute(TABLE).unwrap();
        database.execute(ROWS).unwrap();
        // Pages that are neither in order nor full.
        database.execute("DELETE FROM t WHERE id % 5 = 0").unwrap();
        database.execute("UPDATE t SET t = t || t WHERE id % 3 = 0 AND length(t) < 20").unwrap();
        let (rows, whole) = compared(&database, &format!("{page_size} {journal}"));
        assert!(whole && rows > 10_000, "{rows}");
        // Uncommitted changes of the connection are visible, too.
        let transaction = database.transaction().unwrap();
        database.execute("UPDATE t SET n = 5").unwrap();
        assert_eq!(compared(&database, "uncommitted"), (rows, true));
        drop(transaction);
    }
    let database = Database::memory().unwrap();
    database.execute(TABLE).unwrap();
    assert_eq!(compared(&database, "none"), (0, true));
    database.execute(ROWS).unwrap();
    assert_eq!(compared(&database, "memory"), (20_000, true));
}

#[test]
fn rows_that_are_older_than_a_column_have_null_there() {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, n INTEGER)").unwrap();
    database.execute("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 500) INSERT INTO t SELECT i, i FROM c").unwrap();
    for column in ["f REAL", "b INTEGER", "t TEXT"] {
        database.execute(&format!("ALTER TABLE t ADD COLUMN {column}")).unwrap();
    }
    database.execute("INSERT INTO t VALUES (1000, 1, 2.5, 1, 'new')").unwrap();
    assert_eq!(compared(&database, "added"), (501, true));
    database.execute("ALTER TABLE t DROP COLUMN t").unwrap();
    database.execute("ALTER TABLE t ADD COLUMN t TEXT DEFAULT 'x'").unwrap();
    let (rows, _) = compared(&database, "with a default");
    assert_eq!(rows, 0);
}

#[test]
fn columns_end_before_a_row_that_is_odd() {
    for (column, odd) in [
        ("n", "1.5"),
        ("n", "'text'"),
        ("f", "'text'"),
        ("b", "2"),
        ("b", "'yes'"),
        ("t", "x'00'"),
        ("t", "CAST(x'ff' AS TEXT)"),
        ("t", "CAST(x'616263ff' AS TEXT)"),
        ("t", "hex(zeroblob(10000))"),
    ] {
        for row in [1, 2, 700, 19_999, 20_000] {
            let database = Database::memory().unwrap();
            database.execute(TABLE).unwrap();
            database.execute(&ROWS.replace("i * i * 7", "i")).unwrap();
            database.execute(&format!("UPDATE t SET {column} = {odd} WHERE id = {row}")).unwrap();
            let mut source = source(&database);
            let own = filled(&mut source, 2);
            assert_eq!((own.rows(), own.whole), (row - 1, false), "{column} = {odd}");
            let wanted = one_by_one(self::source(&database).rows(), row - 1);
            assert_eq!(by_column(&own), wanted, "{column} = {odd}");
            assert!(source.again());
            source.pass_over(row - 1).unwrap();
            assert!(source.rows().step().unwrap());
            assert_eq!(source.rows().raw(0), Raw::Int(i64::try_from(row).unwrap()));
        }
    }
}

#[test]
fn what_is_not_plain_or_no_table_is_not_filled() {
    let database = Database::memory().unwrap();
    database.execute(TABLE).unwrap();
    let fill = |shape: &str| source(&database).fill(&shape.parse().unwrap(), 1, |_, _| ()).is_some();
    assert!(fill(SHAPE));
    assert!(fill("[{id: int64, n: int}]"));
    for shape in ["[{id: int32}]", "[{t: date}]", "[{t: any}]", "[{missing: int?}]", "int"] {
        assert!(!fill(shape), "{shape}");
    }
    let mut begun = source(&database);
    database.execute("INSERT INTO t(id) VALUES (1)").unwrap();
    begun = {
        drop(begun);
        source(&database)
    };
    assert!(begun.rows().step().unwrap());
    assert!(begun.fill(&SHAPE.parse().unwrap(), 1, |_, _| ()).is_none());
    let statement = database.statement("SELECT id FROM t").unwrap();
    assert!(
        RowSource::new(PagedRows::from(statement), &[]).fill(&"[{id: int}]".parse().unwrap(), 1, |_, _| ()).is_none()
    );
}

#[test]
fn damaged_pages_end_the_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("good.db");
    let database = in_file(&path, 1024);
    database.execute(TABLE).unwrap();
    database.execute(&ROWS.replace("20000", "300")).unwrap();
    drop(database);
    let good = std::fs::read(&path).unwrap();
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move |below: usize| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random % below as u64) as usize
    };
    let mut ended = 0;
    for _ in 0..600 {
        let mut bad = good.clone();
        for _ in 0..=next(4) {
            // Behind the schema; mostly page headers, cell pointers and record headers.
            let page = 1024 * (1 + next(good.len() / 1024 - 1));
            let at = page + if next(2) == 0 { next(80) } else { next(1024) };
            bad[at] = next(256) as u8;
        }
        let path = folder.path().join("bad.db");
        std::fs::write(&path, &bad).unwrap();
        let database = Database::open(&path).unwrap();
        let own = filled(&mut source(&database), 1);
        let wanted = one_by_one(source(&database).rows(), own.rows());
        assert_eq!(by_column(&own), wanted);
        ended += usize::from(!own.whole);
    }
    assert!(ended > 100, "{ended}");
}
