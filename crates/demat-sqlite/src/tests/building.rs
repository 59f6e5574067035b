//! Rows written to a table under construction equal those written to an existing table.

use crate::build::{Builder, Options};
use crate::rows::Rows;
use crate::scan::PagedRows;
use crate::{Database, Pages, RowSource, TableSink, Verb, Writer, copy_rows};
use demat_core::{Shape, Sink};
use std::sync::Arc;

const SQL: &str = "CREATE TABLE t(id INTEGER PRIMARY KEY, a, b REAL, c TEXT DEFAULT 'none')";
const ROWS: &str = "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c LIMIT 5000) INSERT INTO t \
    SELECT i * 2, CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN i WHEN 2 THEN i / 7.0 ELSE 'text ' || i END, i / 2.0, \
    CASE i % 900 WHEN 0 THEN hex(zeroblob(5000)) ELSE 'c' || i END FROM c";

/// Compares a table in both databases.
fn same(one: &Database, other: &Database) {
    let mut rows = [one, other]
        .map(|database| database.statement("SELECT quote(id), quote(a), quote(b), quote(c) FROM t").unwrap());
    loop {
        let more = rows.each_mut().map(|rows| rows.step().unwrap());
        assert_eq!(more[0], more[1]);
        if !more[0] {
            return;
        }
        for column in 0..4 {
            assert_eq!(rows[0].bytes(column), rows[1].bytes(column));
        }
    }
}

fn filled() -> Database {
    let database = Database::memory().unwrap();
    database.execute(SQL).unwrap();
    database.execute(ROWS).unwrap();
    database
}

fn selected(database: &Database, at_once: bool) -> RowSource<PagedRows> {
    let columns: Vec<String> = ["id", "a", "b", "c"].map(String::from).into();
    let statement = database.statement("SELECT id, a, b, c FROM t").unwrap();
    RowSource::new(PagedRows::of_table(statement, database, "t", &columns, at_once), &[])
}

#[test]
fn plain_rows_and_odd_ones() {
    let from = filled();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    // With narrower or wider fields, more or fewer of the rows are irregular.
    for (shape, rows) in [
        ("[{id: int, a: any, b: float, c: text}]", 5000),
        ("[{id: int64, a: (int | float | text)?, b: float, c: text?}]", 5000),
    ] {
        let shape: Shape = shape.parse().unwrap();
        let record = crate::row_of(&shape).unwrap();
        let _ = std::fs::remove_file(&path);
        let mut builder = Builder::create(&path, SQL, &Options { page_size: 1024, ..Options::default() }).unwrap();
        let table = Arc::new(from.existing("t").unwrap());
        let pages = Pages::new(builder.rows("t").unwrap());
        let mut sink = TableSink::new(Arc::clone(&table), Some(&record.get()), pages);
        copy_rows(&mut selected(&from, true), &shape, &mut sink).unwrap();
        assert_eq!(sink.rows(), rows);
        drop(sink);
        builder.finish().unwrap();
        let built = Database::open(&path).unwrap();
        assert_eq!(
            built.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'", &[]).unwrap(),
            1
        );
        same(&built, &from);

        let other = Database::memory().unwrap();
        other.execute(SQL).unwrap();
        let writer = Writer::new(other.clone(), Arc::clone(&table), Verb::Insert);
        let mut sink = TableSink::new(table, Some(&record.get()), writer);
        copy_rows(&mut selected(&from, true), &shape, &mut sink).unwrap();
        drop(sink);
        same(&other, &from);
    }
}

#[test]
fn what_is_taken_back_in_the_middle_of_a_row() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut builder = Builder::create(&path, SQL, &Options { page_size: 512, ..Options::default() }).unwrap();
    let table = Arc::new(filled().existing("t").unwrap());
    let shape: Shape = "[{id: int, c: text}]".parse().unwrap();
    let record = crate::row_of(&shape).unwrap();
    let record = record.get();
    let mut sink = TableSink::new(table, Some(&record), Pages::new(builder.rows("t").unwrap()));
    sink.begin_list(None).unwrap();
    for id in 0..2000 {
        sink.item().unwrap();
        sink.begin_record(&record).unwrap();
        sink.field(&record, 0).unwrap();
        sink.i64(id).unwrap();
        if id % 3 == 0 {
            sink.field(&record, 1).unwrap();
            sink.text(&"x".repeat(id.unsigned_abs() as usize % 700)).unwrap();
        }
        if id % 7 == 0 {
            sink.rollback().unwrap();
            continue;
        }
        sink.end_record(&record).unwrap();
        if id % 11 == 0 {
            sink.rollback().unwrap();
        } else {
            sink.commit().unwrap();
        }
    }
    sink.end_list().unwrap();
    sink.finish().unwrap();
    let kept = (0..2000).filter(|id| id % 7 != 0 && id % 11 != 0).count();
    assert_eq!(sink.rows(), kept as u64);
    drop(sink);
    builder.finish().unwrap();
    let built = Database::open(&path).unwrap();
    let found = built.number("SELECT count(*) FROM t WHERE id % 7 <> 0 AND id % 11 <> 0", &[]).unwrap();
    assert_eq!(found, kept.cast_signed() as i64);
    // An omitted column has the table's default.
    let same = "SELECT count(*) FROM t WHERE c = CASE id % 3 WHEN 0 THEN replace(hex(zeroblob(id % 700)), '00', 'x') ELSE 'none' END";
    assert_eq!(built.number(same, &[]).unwrap(), kept.cast_signed() as i64);
}
