use super::round_trip;
use crate::{Database, RowSource};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{ErrorKind, Shape, Source, Value};

fn row(name: &str, value: Value) -> Value {
    Value::Map(vec![(Value::Text(name.to_string().into()), value)])
}

#[test]
fn every_kind_comes_back_as_it_was() {
    let text = |text: &str| Value::Text(text.to_string().into());
    let long = "x".repeat(100_000);
    for (shape, values) in [
        ("bool", vec![Value::Bool(true), Value::Bool(false)]),
        ("int", vec![0, 1, -1, i64::MAX, i64::MIN].into_iter().map(|int| Value::Int(int.into())).collect()),
        ("uint64", vec![Value::Int(u64::MAX.into()), Value::Int(7.into())]),
        ("int128", vec![Value::Int(Int::from_digits("-170141183460469231731687303715884105728").unwrap())]),
        (
            "float",
            vec![0.0, -1.5, 1e300, f64::INFINITY, f64::MIN_POSITIVE, 3.0].into_iter().map(Value::Float).collect(),
        ),
        ("text", vec![text(""), text("a"), text("é\u{0}😀"), text("123"), text(&long)]),
        ("bytes", vec![Value::Bytes(vec![].into()), Value::Bytes(vec![0, 255, b'a'].into())]),
        (
            "decimal",
            ["1.50", "0.1", "12345678901234567890.123456789", "-7"]
                .map(|d| Value::Decimal(Decimal::parse(d).unwrap()))
                .to_vec(),
        ),
        ("date", vec![Value::Date(Date::new(2026, 2, 3).unwrap())]),
        ("time", vec![Value::Time(Time::parse("10:11:12.5").unwrap())]),
        (
            "instant",
            vec![
                Value::from(Instant::parse("2026-02-03T04:05:06Z").unwrap()),
                Value::from(Instant::parse("2026-02-03T04:05:06.123456").unwrap()),
            ],
        ),
        (
            "datetime",
            vec![
                Value::DateTime(DateTime::parse("2026-02-03T04:05:06").unwrap()),
                Value::DateTime(DateTime::parse("0001-01-01T00:00:00.123456789").unwrap()),
            ],
        ),
        ("duration", vec![Value::Duration(Duration::parse("P1DT2H").unwrap())]),
        ("uuid", vec![Value::Uuid(Uuid::parse("12345678-1234-1234-1234-123456789012").unwrap())]),
        ("enum(open, closed)", vec![text("open"), text("closed")]),
        ("[int]", vec![Value::List(vec![]), Value::List(vec![Value::Int(1.into()), Value::Int(2.into())])]),
        ("map(text, [text?])", vec![Value::Map(vec![(text("a"), Value::List(vec![text("\"\\"), Value::Null]))])]),
        (
            "{x: int, y: {z: date?}}",
            vec![Value::Map(vec![
                (text("x"), Value::Int(1.into())),
                (text("y"), Value::Map(vec![(text("z"), Value::Null)])),
            ])],
        ),
        ("int | text", vec![Value::Int(1.into()), text("1"), text("a")]),
        ("int | [text]", vec![Value::Int(1.into()), Value::List(vec![text("1")])]),
        ("union(a: int, b)", vec![Value::Map(vec![(text("a"), Value::Int(1.into()))]), text("b")]),
        (
            "union[kind](a: {x: int}, b: {})",
            vec![Value::Map(vec![(text("kind"), text("a")), (text("x"), Value::Int(1.into()))])],
        ),
        (
            "union[t, c](a: int, b)",
            vec![
                Value::Map(vec![(text("t"), text("a")), (text("c"), Value::Int(1.into()))]),
                Value::Map(vec![(text("t"), text("b"))]),
            ],
        ),
        ("any", vec![Value::Int(1.into()), text("1"), Value::Float(1.5), Value::Bytes(vec![1].into())]),
    ] {
        for nullable in ["", "?"] {
            let own = if shape.contains('|') { format!("({shape})") } else { shape.to_string() };
            let mut rows: Vec<_> = values.iter().map(|value| row("v", value.clone())).collect();
            if !nullable.is_empty() && shape != "any" {
                rows.insert(1, row("v", Value::Null));
            } else if !nullable.is_empty() {
                continue;
            }
            let back = round_trip(&format!("v: {own}{nullable}"), rows.clone());
            assert_eq!(back.unwrap_or_else(|error| panic!("{shape}{nullable}: {error}")), rows, "{shape}{nullable}");
        }
    }
}

#[test]
fn what_sqlite_can_not_keep_is_refused() {
    for (shape, value, said) in [
        ("float", Value::Float(f64::NAN), "NaN has no place in SQLite, which would keep NULL instead at `$[0].v`"),
        ("any", Value::Float(f64::NAN), "NaN has no place in SQLite"),
        ("int", Value::Int(u64::MAX.into()), "expected a whole number of 64 bits"),
        (
            "any",
            Value::List(vec![]),
            "expected any, found a list: the column `v` has one value; note it `sql: type JSON`",
        ),
        ("decimal #sql:\"type DECIMAL(10,2)\"", Value::Decimal(Decimal::parse("1.50").unwrap()), ""),
        (
            "decimal #sql:\"type DECIMAL(10,2)\"",
            Value::Decimal(Decimal::parse("1234567890123456.5").unwrap()),
            "expected text that a column declared",
        ),
    ] {
        let told = round_trip(&format!("v: {shape}"), vec![row("v", value)]);
        match told {
            Ok(_) => assert_eq!(said, "", "{shape}"),
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::Encode);
                assert!(!said.is_empty() && error.to_string().starts_with(said), "{error}");
            }
        }
    }
}

#[test]
fn a_value_of_another_kind_says_its_row_and_column() {
    let database = Database::memory().unwrap();
    let sql = "SELECT 1 AS a, '2026-02-03' AS b UNION ALL SELECT 2, 'soon' UNION ALL SELECT 3, 7";
    for (shape, said) in [
        ("a: int, b: date", "expected date as YYYY-MM-DD, found `soon` at `$[1].b` (record 2)"),
        ("a: int, b: text", "expected `text`, found `int` 7 at `$[2].b` (record 3)"),
        ("a: bool, b: any", "expected `bool`, found `int` 2 at `$[1].a` (record 2)"),
        ("a: [int], b: any", "expected `list`, found `int` 1 at `$[0].a` (record 1)"),
        ("a: int, !", "unknown field `b`; the fields are `a`"),
        ("a: int, b: any, c: int", "expected field `c`, found nothing at `$[0]` (record 1)"),
    ] {
        let statement = database.statement(sql).unwrap();
        let shape: Shape = format!("[{{{shape}}}]").parse().unwrap();
        let error = Value::decode_as(&mut RowSource::new(statement, &[]), &shape).unwrap_err();
        assert!(error.to_string().starts_with(said), "{error}");
    }
}

#[test]
fn without_a_shape_rows_are_what_sqlite_has() {
    let database = Database::memory().unwrap();
    let statement =
        database.statement("SELECT 1 AS a, NULL AS b, 'x' AS c, x'00ff' AS d, 1.0 AS e, '[1]' AS f").unwrap();
    let mut source = RowSource::new(statement, &[]);
    let value = Value::decode_as(&mut source, &Shape::Any).unwrap();
    source.end().unwrap();
    let text = |text: &str| Value::Text(text.to_string().into());
    let expected = [
        ("a", Value::Int(1.into())),
        ("b", Value::Null),
        ("c", text("x")),
        ("d", Value::Bytes(vec![0, 255].into())),
        ("e", Value::Float(1.0)),
        ("f", text("[1]")),
    ];
    assert_eq!(value, Value::List(vec![Value::Map(expected.map(|(key, value)| (text(key), value)).to_vec())]));
    // The text of a list is parsed if a list is requested.
    let statement = database.statement("SELECT '[1, 2]' AS f, ' [3]x' AS g").unwrap();
    let shape = "[{f: [int]}]".parse().unwrap();
    let value = Value::decode_as(&mut RowSource::new(statement, &[]), &shape).unwrap();
    assert_eq!(value, Value::List(vec![row("f", Value::List(vec![Value::Int(1.into()), Value::Int(2.into())]))]));
    let statement = database.statement("SELECT ' [3]x' AS f").unwrap();
    let error = Value::decode_as(&mut RowSource::new(statement, &[]), &shape).unwrap_err();
    assert_eq!(error.position().record, Some(1));
}
