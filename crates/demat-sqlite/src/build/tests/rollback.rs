//! Writes rows to the sink, in any order, with rollbacks.

use super::{integrity, rows};
use crate::build::{Builder, Options};
use demat_core::{Copier, Field, IntWidth, Progress, Record, Shape, Sink, Value, ValueSource};
use proptest::prelude::*;
use rusqlite::Connection;
use rusqlite::types::Value as Stored;

const SQL: &str = "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT DEFAULT 'none', b REAL); CREATE INDEX one ON t(a)";

fn record() -> Record {
    let fields = vec![
        Field::new("b", 1, Shape::Float(demat_core::FloatWidth::F64).optional()),
        Field::new("ID", 2, Shape::Int(IntWidth::Signed(64))).with_key("id"),
        Field::new("a", 3, Shape::Text).with_required(false),
    ];
    Record::new("T", fields).unwrap()
}

#[derive(Debug, Clone)]
enum Step {
    Row { id: i64, len: usize, half: bool },
    Commit,
    Rollback,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        8 => (0i64..2000, 0usize..700, prop::bool::weighted(0.05)).prop_map(|(id, len, half)| Step::Row { id, len, half }),
        2 => Just(Step::Commit),
        1 => Just(Step::Rollback),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn what_is_taken_back_is_not_there(
        steps in prop::collection::vec(step(), 0..150),
        bits in 9u32..14,
        ascending in prop::bool::weighted(0.7),
        little_memory in any::<bool>(),
    ) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let sort_memory = if little_memory { 1 } else { 1 << 20 };
        let options = Options { page_size: 1 << bits, durable: false, sort_memory, ..Options::default() };
        let mut builder = Builder::create(&path, SQL, &options).unwrap();
        let mut table = builder.rows("t").unwrap();
        let record = record();
        let mut kept: Vec<(i64, Option<usize>)> = Vec::new();
        let mut told: Vec<(i64, Option<usize>)> = Vec::new();
        table.begin_list(None).unwrap();
        for step in steps {
            match step {
                Step::Row { id, len, half } => {
                    let last = told.last().or(kept.last()).map_or(0, |(id, _)| *id);
                    let id = if ascending { last + 1 + id } else { id };
                    if told.iter().chain(&kept).any(|(own, _)| *own == id) {
                        continue;
                    }
                    table.item().unwrap();
                    table.begin_record(&record).unwrap();
                    let text = (len % 5 > 0).then_some(len);
                    if let Some(len) = text {
                        table.field(&record, 2).unwrap();
                        table.text(&"x".repeat(len)).unwrap();
                    }
                    table.field(&record, 1).unwrap();
                    table.i64(id).unwrap();
                    if half {
                        // An incomplete row is rolled back, and all rows since the last commit with it.
                        table.rollback().unwrap();
                        told.clear();
                        continue;
                    }
                    table.field(&record, 0).unwrap();
                    table.float(0.5).unwrap();
                    table.end_record(&record).unwrap();
                    told.push((id, text));
                }
                Step::Commit => {
                    table.commit().unwrap();
                    kept.append(&mut told);
                }
                Step::Rollback => {
                    table.rollback().unwrap();
                    told.clear();
                }
            }
        }
        kept.append(&mut told);
        table.end_list().unwrap();
        Sink::finish(&mut table).unwrap();
        drop(table);
        builder.finish().unwrap();
        prop_assert_eq!(integrity(&path), "ok");
        kept.sort_unstable();
        let wanted: Vec<Vec<Stored>> = kept.iter().map(|(id, text)| {
            let text = text.map_or("none".to_string(), |len| "x".repeat(len));
            vec![Stored::Integer(*id), Stored::Text(text), Stored::Real(0.5)]
        }).collect();
        let connection = Connection::open(&path).unwrap();
        prop_assert_eq!(rows(&connection, "SELECT * FROM t ORDER BY id"), wanted);
    }
}

#[test]
fn copied_with_and_without_a_shape() {
    let entry = |id: i64| {
        let key = |key: &'static str| Value::Text(key.into());
        Value::Map(vec![
            (key("b"), Value::Null),
            (key("id"), Value::Int(id.into())),
            (key("a"), Value::Text("x".into())),
        ])
    };
    let value = Value::List((1..=100).map(entry).collect());
    for shape in [Shape::record(record()).list(), Shape::Any] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.db");
        let mut builder = Builder::create(&path, SQL, &Options::default()).unwrap();
        let mut table = builder.rows("t").unwrap();
        let mut source = ValueSource::new(&value);
        let mut copier = Copier::new(shape);
        copier.begin(&source);
        copier.open_list();
        while copier.run(&mut source, &mut table).unwrap() != Progress::Done {}
        Sink::finish(&mut table).unwrap();
        drop(table);
        builder.finish().unwrap();
        let connection = Connection::open(&path).unwrap();
        let found = rows(&connection, "SELECT count(*), sum(id), min(a), max(b) FROM t");
        assert_eq!(found[0][..3], [Stored::Integer(100), Stored::Integer(5050), Stored::Text("x".into())]);
    }
}

#[test]
fn what_is_no_row_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.db");
    let mut builder = Builder::create(&path, SQL, &Options::default()).unwrap();
    let mut table = builder.rows("t").unwrap();
    assert!(table.i64(1).unwrap_err().to_string().contains("a record"));
    table.begin_map(None).unwrap();
    assert!(table.text("x").unwrap_err().to_string().contains("a field of the row"));
    assert!(table.key("none").unwrap_err().to_string().contains("the table `t` has no column `none`; it has id, a, b"));
    table.rollback().unwrap();
    table.begin_map(None).unwrap();
    table.key("a").unwrap();
    assert!(table.begin_list(None).unwrap_err().to_string().contains("a scalar"));
    table.rollback().unwrap();
    table.begin_map(None).unwrap();
    table.key("a").unwrap();
    assert!(table.u64(u64::MAX).unwrap_err().to_string().contains("64 bits with sign"));
    table.rollback().unwrap();
    Sink::finish(&mut table).unwrap();
    assert!(table.commit().unwrap_err().to_string().contains("finished"));
}
