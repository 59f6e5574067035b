use super::Filter;
use crate::{Body as _, Encoded, Fault, Query, fault_of};
use demat_core::{Record, Shape, Sink as _, Value, ValueSource, copy};
use demat_formats::codec::Scalar;
use demat_formats::stream::Decide as _;
use demat_place::Format;
use proptest::prelude::*;

const SHAPE: &str = "id: int, title: text, part: float?, done: bool?, due: date?, at: instant?, when: datetime?, \
                     key: uuid?, raw: bytes?, price: decimal?, tags: [text] = [], kind: enum(red, blue)?, any: any?";

const RECORDS: [&str; 4] = [
    r#"{"id":1,"title":"a","part":0.5,"done":true,"due":"2026-01-02","at":"2026-01-02T03:04:05+02:00","tags":["x"]}"#,
    r#"{"id":-2,"title":"B%_","when":"2026-01-02T03:04:05","key":"00000000-0000-0000-0000-00000000000a","raw":"AAE="}"#,
    r#"{"id":18446744073709551615,"title":"","part":-1.0,"done":false,"at":"2026-01-02T01:04:05Z","price":"1.50"}"#,
    r#"{"id":3,"title":"a","kind":"blue","any":[1],"due":"2025-12-31"}"#,
];

fn shape() -> Shape {
    SHAPE.parse().unwrap()
}

fn record() -> Record {
    shape().row().unwrap().get().clone()
}

fn values() -> Vec<Value> {
    let value = |text: &&str| Value::build(|sink| Encoded::new(Format::JSON, text.as_bytes()).tell(&shape(), sink));
    RECORDS.iter().map(|text| value(text).unwrap()).collect()
}

/// Decides in the slow, obvious way.
fn holds(query: &Query, record: &Value) -> bool {
    query.holds(record)
}

fn filtered(query: &Query) -> Vec<bool> {
    let filter = Filter::new(query, &record()).unwrap();
    let mut sink = filter.sink();
    let decide = |value: &Value| {
        copy(&mut ValueSource::new(value), filter.shape(), &mut sink).unwrap();
        sink.holds()
    };
    values().iter().map(decide).collect()
}

#[test]
fn each_kind_compares_as_the_query_in_memory_does() {
    for query in [
        "",
        "id=1",
        "id.ne=1",
        "id.gt=-2",
        "id.le=1.5",
        "id=18446744073709551615",
        "id.in=1,3",
        "id.like=1%25",
        "title=a",
        "title.ge=a&title.lt=b",
        "title.contains=b%25",
        "part.lt=0.5",
        "part.ge=-1",
        "part.null",
        "part.null=false",
        "done=true",
        "done.ne=1",
        "done.null=true&id.gt=0",
        "due=2026-01-02",
        "due.lt=2026-01-01",
        "at=2026-01-02T01:04:05Z",
        "at.gt=2026-01-02",
        "when.ge=2026-01-02",
        "when.lt=2026-01-02T03:04:06",
        "key=00000000-0000-0000-0000-00000000000A",
        "where=done or id = 3",
        "where=not (done or id = 3)",
        "where=id > 0 and (title like '%25a%25' or part is null)&id.lt=3",
        "where=due not in (2026-01-02, '2025-12-31')",
        "raw=AAE%3D",
        "price=1.5",
        "price.gt=1",
        "tags.null",
        "kind=blue",
        "kind.ne=red",
        "any.null=false",
        "any=1",
        "due.null&at.null&title=a",
    ] {
        let query = Query::parse(query).unwrap();
        let wanted: Vec<_> = values().iter().map(|value| holds(&query, value)).collect();
        assert_eq!(filtered(&query), wanted, "{query}");
    }
    assert_eq!(filtered(&Query::parse("at=2026-01-02T01:04:05Z").unwrap()), [true, false, true, false]);
}

/// Decides by scalars, beside the slow twin: the same record as a sink is told it.
fn same(query: &str, values: &[Scalar<'_>]) {
    let filter = Filter::new(&Query::parse(query).unwrap(), &record()).unwrap();
    let Shape::Record(projected) = filter.shape().clone() else { panic!("a record") };
    let mut sink = filter.sink();
    sink.begin_record(&projected.get()).unwrap();
    for (index, value) in values.iter().enumerate() {
        value.tell(&projected.get(), index, &mut sink).unwrap();
    }
    sink.end_record(&projected.get()).unwrap();
    assert_eq!(filter.sink().holds_for(&projected.get(), values).unwrap(), sink.holds(), "{query} of {values:?}");
}

#[test]
fn scalars_compare_as_the_record_of_them_does() {
    let scalars = [
        Scalar::Absent,
        Scalar::Null,
        Scalar::Bool(true),
        Scalar::I64(-1),
        Scalar::I64(3),
        Scalar::U64(u64::MAX),
        Scalar::Float(0.5),
        Scalar::Float(f64::NAN),
        Scalar::Float32(0.5),
        Scalar::Text("a"),
        Scalar::Text(""),
    ];
    for test in ["eq", "ne", "lt", "le", "gt", "ge", "in", "null"] {
        for given in ["id=3", "id=18446744073709551615", "id=0.5", "part=0.5", "part=-1", "done=true", "title=a"] {
            let (field, given) = given.split_once('=').unwrap();
            let given = if test == "null" { "true" } else { given };
            for scalar in scalars {
                same(&format!("{field}.{test}={given}"), &[scalar]);
                let number = if test == "null" { "false" } else { "3" };
                same(&format!("done.null=false&id.ge=0&id.{test}={number}"), &[scalar; 2]);
            }
        }
        same(&format!("title.contains=a&title.like=a%25&title.{test}=true"), &[Scalar::Text("true")]);
    }
}

#[test]
fn what_can_not_be_compared_is_refused() {
    for query in [
        "none=1",
        "id=x",
        "part=nan",
        "done=perhaps",
        "due=x",
        "at=2026-01-02T03:04:05",
        "when=x",
        "key=x",
        "raw=%25",
        "price=x",
        "tags=x",
        "tags.contains=x",
        "done.like=t%25",
        "id.in=1,x",
    ] {
        let error = Filter::new(&Query::parse(query).unwrap(), &record()).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::BadQuery), "{query}");
    }
}

proptest! {
    #[test]
    fn numbers_and_texts_compare_alike(test in 0..6_usize, id in -4..4_i64, part in -2..2_i64, title in "[aB%]{0,2}") {
        let test = ["eq", "ne", "lt", "le", "gt", "ge"][test];
        let title = title.replace('%', "%25");
        let query = format!("id.{test}={id}&part.{test}={part}&title.{test}={title}");
        for query in query.split('&').chain([&*query]) {
            let query = Query::parse(query).unwrap();
            let wanted: Vec<_> = values().iter().map(|value| holds(&query, value)).collect();
            prop_assert_eq!(filtered(&query), wanted);
        }
    }
}
