//! The scanner as a source.

use crate::build::{Builder, Options};
use crate::scan::Scan;
use demat_core::scalar::Int;
use demat_core::{Copier, Decode, Field, IntWidth, Kind, Progress, Record, Shape, Sink, Source, Unknown, Value, copy};
use demat_formats::json::{JsonSink, WriteOptions};
use demat_formats::{Keep, Output};
use rusqlite::Connection;

const SQL: &str = "CREATE TABLE t(id INTEGER PRIMARY KEY, title TEXT, done INT, share REAL, raw BLOB); \
     INSERT INTO t VALUES(1, 'Clean Room', 0, 0.5, x'00ff'), (2, NULL, 1, 3, NULL)";

fn connection() -> Connection {
    let connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(SQL).unwrap();
    connection
}

fn json(scan: &mut Scan<'_>, shape: &Shape) -> demat_core::Result<String> {
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    copy(scan, shape, &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

fn record(unknown: Unknown) -> Record {
    let fields = vec![
        Field::new("done", 1, Shape::Bool),
        Field::new("TITLE", 2, Shape::Text.optional()),
        Field::new("id", 3, Shape::Int(IntWidth::Signed(64))),
    ];
    Record::new("Task", fields).unwrap().with_unknown(unknown)
}

#[test]
fn fields_are_columns() {
    let connection = connection();
    let shape = Shape::record(record(Unknown::Ignore)).list();
    let mut scan = Scan::new(&connection, "main", "t").unwrap();
    let found = json(&mut scan, &shape).unwrap();
    assert_eq!(found, r#"[{"id":1,"TITLE":"Clean Room","done":false},{"id":2,"TITLE":null,"done":true}]"#);
    assert_eq!(scan.columns(), ["id", "title", "done"]);
    drop(scan);
    let shape = Shape::record(record(Unknown::Forbid)).list();
    let error = json(&mut Scan::new(&connection, "main", "t").unwrap(), &shape).unwrap_err();
    assert!(error.to_string().contains("unknown field `share`"), "{error}");
}

#[test]
fn without_a_shape() {
    let connection = connection();
    let value = Value::decode(&mut Scan::new(&connection, "main", "t").unwrap()).unwrap();
    let Value::List(rows) = value else { panic!("{value:?}") };
    let Value::Map(row) = &rows[1] else { panic!("{rows:?}") };
    let names: Vec<_> = row.iter().map(|(name, _)| name.clone()).collect();
    let names_wanted = ["id", "title", "done", "share", "raw"].map(|name| Value::Text(name.into()));
    assert_eq!(names, names_wanted);
    let values: Vec<_> = row.iter().map(|(_, value)| value.clone()).collect();
    assert_eq!(values, [Value::Int(2.into()), Value::Null, Value::Int(1.into()), Value::Float(3.0), Value::Null]);
    let found = json(&mut Scan::new(&connection, "main", "t").unwrap(), &Shape::Any).unwrap();
    assert!(found.starts_with(r#"[{"id":1,"title":"Clean Room","done":0,"share":0.5,"raw":"AP8="}"#), "{found}");
}

#[test]
fn errors_say_where() {
    let connection = connection();
    let fields = vec![Field::new("title", 1, Shape::Text)];
    let shape = Shape::record(Record::new("T", fields).unwrap()).list();
    let error = json(&mut Scan::new(&connection, "main", "t").unwrap(), &shape).unwrap_err();
    assert_eq!(error.to_string(), "expected `text`, found `null` at `$[1].title` (record 2)");
    let fields = vec![Field::new("none", 1, Shape::Text)];
    let shape = Shape::record(Record::new("T", fields).unwrap()).list();
    let error = json(&mut Scan::new(&connection, "main", "t").unwrap(), &shape).unwrap_err();
    assert!(error.to_string().contains("none`"), "{error}");
}

#[test]
fn it_comes_back_within_a_row() {
    let connection = connection();
    let mut scan = Scan::new(&connection, "main", "t").unwrap();
    assert_eq!(Source::list(&mut scan).unwrap(), None);
    let first = scan.mark();
    for _ in 0..3 {
        assert!(scan.item().unwrap());
        let row = scan.mark();
        for _ in 0..2 {
            assert_eq!(scan.peek().unwrap(), Kind::Map);
            assert_eq!(Source::map(&mut scan).unwrap(), Some(5));
            assert!(scan.entry().unwrap());
            assert_eq!(&*Source::text(&mut scan).unwrap(), "id");
            scan.value().unwrap();
            let here = scan.mark();
            assert_eq!(scan.int().unwrap(), Int::I64(1));
            scan.reset(here);
            assert_eq!(scan.i64().unwrap(), 1);
            assert!(scan.entry().unwrap());
            scan.value().unwrap();
            assert_eq!(scan.mismatch("bool").to_string(), "expected `bool`, found `text` \"Clean Room\" (record 1)");
            scan.skip().unwrap();
            scan.reset(row);
        }
        scan.reset(first);
    }
    for _ in 0..2 {
        assert!(scan.item().unwrap());
        scan.skip().unwrap();
    }
    let end = scan.mark();
    assert!(!scan.item().unwrap());
    scan.reset(end);
    assert!(!scan.item().unwrap());
    Source::end(&mut scan).unwrap();
    scan.reset(first);
    assert!(scan.item().unwrap_err().to_string().contains("can't be read again"));
}

#[test]
fn from_table_to_table() {
    let connection = connection();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let sql = "CREATE TABLE t(id INTEGER PRIMARY KEY, title TEXT, done INT, share REAL, raw BLOB)";
    let mut builder = Builder::create(&path, sql, &Options::default()).unwrap();
    let mut rows = builder.rows("t").unwrap();
    let mut scan = Scan::new(&connection, "main", "t").unwrap();
    let mut copier = Copier::new(Shape::Any);
    copier.begin(&scan);
    copier.open_list();
    while copier.run(&mut scan, &mut rows).unwrap() != Progress::Done {}
    Sink::finish(&mut rows).unwrap();
    drop(rows);
    builder.finish().unwrap();
    let built = Connection::open(&path).unwrap();
    assert_eq!(super::scanned(&built, "t"), super::scanned(&connection, "t"));
}
