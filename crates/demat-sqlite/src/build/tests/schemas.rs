//! Tables of any schema, loaded into any database: no page is lost or left over.
//!
//! The schema table is a B-tree, which grows with the SQL of the tables. So the tests use SQL of lengths near those at
//! which it gets another page, in the built file as well as in the target.

use super::model::cases;
use super::{integrity, rows};
use crate::Cell;
use crate::build::{Builder, Load, Options};
use proptest::prelude::*;
use rusqlite::{Connection, params};
use std::fmt::Write as _;
use std::path::Path;

/// The declaration of a table with two values and some more columns.
#[derive(Debug, Clone)]
struct Declared {
    columns: usize,
    /// The length of a comment, which the schema keeps.
    comment: usize,
    /// The lengths of the comments in its indexes.
    indexes: Vec<usize>,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Kind {
    Plain,
    Unique,
    CountsUp,
    Strict,
    WithoutRowid,
}

impl Declared {
    fn sql(&self, name: &str) -> String {
        let comment = |len: usize| format!("/*{}*/", "-".repeat(len));
        let key = match self.kind {
            Kind::Plain | Kind::Strict => "INTEGER PRIMARY KEY",
            Kind::Unique => "INTEGER UNIQUE",
            Kind::CountsUp => "INTEGER PRIMARY KEY AUTOINCREMENT",
            Kind::WithoutRowid => "INTEGER NOT NULL PRIMARY KEY",
        };
        let mut sql = format!("CREATE TABLE {name}(id {key}, value TEXT {}", comment(self.comment));
        for column in 2..self.columns {
            write!(sql, ", column_{column} TEXT").unwrap();
        }
        sql.push_str(match self.kind {
            Kind::Strict => ") STRICT;\n",
            Kind::WithoutRowid => ") WITHOUT ROWID;\n",
            _ => ");\n",
        });
        for (at, len) in self.indexes.iter().enumerate() {
            writeln!(sql, "CREATE INDEX {name}_{at} ON {name}(value {}, id DESC);", comment(*len)).unwrap();
        }
        sql
    }
}

/// The rest of the database.
#[derive(Debug, Clone)]
struct Around {
    page_size: usize,
    auto_vacuum: u8,
    journal: &'static str,
    before: Vec<Declared>,
    after: Vec<Declared>,
    /// Roughly the number of free pages.
    free: usize,
}

#[derive(Debug, Clone)]
struct Case {
    around: Around,
    table: Declared,
    rows: usize,
    len: usize,
}

/// Lengths with which the SQL just fills one to three pages, and short ones.
fn comment(page_size: usize) -> impl Strategy<Value = usize> {
    let near = (1usize..=3, 0usize..300, any::<bool>()).prop_map(move |(pages, by, over)| {
        let whole = pages * page_size;
        if over { whole + by } else { whole.saturating_sub(by) }
    });
    prop_oneof![2 => 0usize..30, 2 => 0..page_size, 1 => near]
}

fn declared(page_size: usize) -> impl Strategy<Value = Declared> {
    let kind = prop_oneof![
        3 => Just(Kind::Plain),
        1 => Just(Kind::Unique),
        1 => Just(Kind::CountsUp),
        1 => Just(Kind::Strict),
        1 => Just(Kind::WithoutRowid)
    ];
    let columns = prop_oneof![3 => 2usize..6, 1 => 2usize..140];
    let indexes = prop::collection::vec(comment(page_size), 0..3);
    (columns, comment(page_size), indexes, kind).prop_map(|(columns, comment, indexes, kind)| Declared {
        columns,
        comment,
        indexes,
        kind,
    })
}

fn around(page_size: usize) -> impl Strategy<Value = Around> {
    let journal = prop_oneof![Just("DELETE"), Just("WAL"), Just("TRUNCATE"), Just("MEMORY")];
    let others = || prop::collection::vec(declared(page_size), 0..4);
    let free = prop_oneof![Just(0usize), 1usize..150];
    (prop_oneof![4 => Just(0u8), 1 => 1u8..3], journal, others(), others(), free).prop_map(
        move |(auto_vacuum, journal, before, after, free)| Around {
            page_size,
            auto_vacuum,
            journal,
            before,
            after,
            free,
        },
    )
}

fn case() -> impl Strategy<Value = Case> {
    (9u32..=16).prop_flat_map(|bits| {
        let page_size = 1usize << bits;
        let most = 2_000_000 / page_size;
        let len = prop_oneof![3 => 0..page_size / 8, 1 => 0..3 * page_size];
        (around(page_size), declared(page_size), prop_oneof![0usize..4, 0..most.min(400)], len)
            .prop_map(|(around, table, rows, len)| Case { around, table, rows, len })
    })
}

/// The text of a row: lengths up to the case's maximum, most of them short.
fn value(at: usize, len: usize) -> String {
    let len = if at % 7 == 3 { len } else { at * 31 % (len / 8 + 1) };
    format!("{:04}{}", at * 7919 % 9973, "x".repeat(len))
}

fn told(rows: &mut crate::build::Rows<'_>, columns: usize, count: usize, len: usize) -> demat_core::Result<()> {
    for (id, at) in (1..).zip(0..count) {
        let value = value(at, len);
        let mut cells = vec![Cell::Int(id), Cell::Text(&value)];
        cells.resize(columns, Cell::Null);
        rows.push(&cells)?;
    }
    Ok(())
}

fn inserted(connection: &Connection, name: &str, count: usize, len: usize) {
    connection.execute_batch("BEGIN").unwrap();
    let sql = format!("INSERT INTO {name}(id, value) VALUES(?, ?)");
    let mut statement = connection.prepare(&sql).unwrap();
    for (id, at) in (1_i64..).zip(0..count) {
        statement.execute(params![id, value(at, len)]).unwrap();
    }
    drop(statement);
    connection.execute_batch("COMMIT").unwrap();
}

fn named<'d>(prefix: &str, all: &'d [Declared]) -> Vec<(String, &'d Declared)> {
    all.iter().enumerate().map(|(at, declared)| (format!("{prefix}{at}"), declared)).collect()
}

/// A database with the other tables, and the table without rows.
fn database(path: &Path, case: &Case) -> Connection {
    let Around { page_size, auto_vacuum, journal, before, after, free } = &case.around;
    let connection = Connection::open(path).unwrap();
    let sql = format!(
        "PRAGMA page_size = {page_size}; PRAGMA auto_vacuum = {auto_vacuum}; PRAGMA journal_mode = {journal}; \
         PRAGMA synchronous = OFF; CREATE TABLE gone(x)"
    );
    connection.execute_batch(&sql).unwrap();
    for (name, declared) in named("before", before) {
        connection.execute_batch(&declared.sql(&name)).unwrap();
        inserted(&connection, &name, 5, case.len);
    }
    let sql = format!(
        "WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n WHERE at < {free}) \
         INSERT INTO gone SELECT zeroblob({page_size} - 100) FROM n WHERE {free} > 0"
    );
    connection.execute_batch(&sql).unwrap();
    connection.execute_batch(&case.table.sql("t")).unwrap();
    connection.execute_batch("DROP TABLE gone").unwrap();
    for (name, declared) in named("after", after) {
        connection.execute_batch(&declared.sql(&name)).unwrap();
        inserted(&connection, &name, 3, case.len);
    }
    connection
}

fn same(one: &Connection, other: &Connection, name: &str, indexes: usize) -> Result<(), TestCaseError> {
    let sql = format!("SELECT * FROM {name} ORDER BY id");
    prop_assert_eq!(rows(one, &sql), rows(other, &sql));
    for at in 0..indexes {
        let sql = format!("SELECT value, id FROM {name} INDEXED BY {name}_{at} ORDER BY value, id DESC");
        prop_assert_eq!(rows(one, &sql), rows(other, &sql));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(40), ..ProptestConfig::default() })]

    #[test]
    fn a_table_is_loaded_into_any_database(case in case()) {
        let folder = tempfile::tempdir().unwrap();
        let (own, other) = (folder.path().join("own.db"), folder.path().join("other.db"));
        let [found, wanted] = [&own, &other].map(|path| database(path, &case));
        let changes = found.total_changes();
        let options = Options { durable: false, ..Options::default() };
        let mut load = Load::new(&found, "main", "t", &options).unwrap();
        let mut rows = load.rows().unwrap();
        told(&mut rows, case.table.columns, case.rows, case.len).unwrap();
        rows.finish().unwrap();
        prop_assert_eq!(load.finish().unwrap().rows, case.rows as u64);
        // The load copied pages and inserted no records.
        let short = case.len < case.around.page_size / 8 && case.around.page_size > 512;
        if case.around.auto_vacuum == 0 && case.table.kind != Kind::CountsUp && short {
            prop_assert_eq!(found.total_changes(), changes);
        }
        inserted(&wanted, "t", case.rows, case.len);
        prop_assert_eq!(integrity(&own), "ok");
        same(&found, &wanted, "t", case.table.indexes.len())?;
        let around = named("before", &case.around.before).into_iter().chain(named("after", &case.around.after));
        for (name, declared) in around {
            same(&found, &wanted, &name, declared.indexes.len())?;
        }
        // Free pages stay free, and new tables get their pages from there.
        found.execute_batch("CREATE TABLE next(a, b UNIQUE); INSERT INTO next SELECT id, id FROM t").unwrap();
        found.execute_batch("DELETE FROM t WHERE id % 3 = 0").unwrap();
        wanted.execute_batch("DELETE FROM t WHERE id % 3 = 0").unwrap();
        same(&found, &wanted, "t", case.table.indexes.len())?;
        drop(found);
        prop_assert_eq!(integrity(&own), "ok");
    }

    #[test]
    fn a_database_is_built_of_any_schema(case in case()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("own.db");
        let tables: Vec<_> = named("before", &case.around.before)
            .into_iter()
            .chain([("t".to_string(), &case.table)])
            .chain(named("after", &case.around.after))
            .collect();
        let sql: String = tables.iter().map(|(name, declared)| declared.sql(name)).collect();
        // The statements themselves free pages.
        let free = case.around.free * 30;
        let sql = format!("CREATE TABLE gone(x); INSERT INTO gone VALUES(zeroblob({free})); {sql} DROP TABLE gone;");
        let options = Options { page_size: case.around.page_size, durable: false, ..Options::default() };
        let mut builder = Builder::create(&path, &sql, &options).unwrap();
        let wanted = Connection::open_in_memory().unwrap();
        wanted.execute_batch(&sql).unwrap();
        for (name, declared) in &tables {
            let mut rows = builder.rows(name).unwrap();
            told(&mut rows, declared.columns, case.rows, case.len).unwrap();
            rows.finish().unwrap();
            inserted(&wanted, name, case.rows, case.len);
        }
        builder.finish().unwrap();
        prop_assert_eq!(integrity(&path), "ok");
        let found = Connection::open(&path).unwrap();
        for (name, declared) in &tables {
            same(&found, &wanted, name, declared.indexes.len())?;
        }
    }
}
