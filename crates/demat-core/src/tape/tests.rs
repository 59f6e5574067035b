use super::Tape;
use crate::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use crate::{Decode, Encode, ErrorKind, Kind, Shape, Source, Value, copy};
use proptest::prelude::*;
use std::borrow::Cow;
use std::collections::BTreeMap;

fn taped(value: &Value) -> Tape {
    Tape::record(|mut sink| value.encode(&mut sink)).expect("a value is recorded")
}

fn value() -> impl Strategy<Value = Value> {
    let date = || Just(Date::parse("2024-02-29").expect("a date"));
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(|int| Value::Int(int.into())),
        any::<u64>().prop_map(|int| Value::Int(int.into())),
        (-1e300..1e300).prop_map(Value::Float),
        ".{0,12}".prop_map(|text| Value::Text(Cow::Owned(text))),
        prop::collection::vec(any::<u8>(), 0..9).prop_map(|bytes| Value::Bytes(Cow::Owned(bytes))),
        any::<i32>().prop_map(|int| Value::Decimal(Decimal::from_int(Int::I64(int.into())))),
        date().prop_map(Value::Date),
        Just(Value::Time(Time::parse("12:30:00.25").expect("a time"))),
        Just(Value::DateTime(DateTime::parse("2024-02-29T12:30:00").expect("a date and time"))),
        Just(Value::Instant(DateTime::parse("2024-02-29T12:30:00").expect("a date and time"), Offset::UTC)),
        Just(Value::Duration(Duration::parse("P1DT2H").expect("a duration"))),
        Just(Value::Uuid(Uuid::parse("12345678-1234-5678-1234-567812345678").expect("a UUID"))),
    ];
    leaf.prop_recursive(5, 60, 6, |inner| {
        // A copy keeps the last of repeated keys only, so keys differ here.
        let entries = prop::collection::btree_map(".{0,6}", inner.clone(), 0..6);
        prop_oneof![
            prop::collection::vec(inner, 0..6).prop_map(Value::List),
            entries.prop_map(|entries| {
                Value::Map(entries.into_iter().map(|(key, value)| (Value::Text(Cow::Owned(key)), value)).collect())
            }),
        ]
    })
}

proptest! {
    #[test]
    fn a_recorded_value_is_read_as_it_was(value in value()) {
        let tape = taped(&value);
        let mut source = tape.source();
        prop_assert_eq!(Value::decode_as(&mut source, &Shape::Any).expect("what was recorded is read"), value.clone());
        source.end().expect("it ends");
        let mut skipped = tape.source();
        skipped.skip().expect("it is skipped");
        skipped.end().expect("it ends");
        copy(&mut tape.source(), &Shape::Any, &mut crate::Nothing).expect("it is copied");
    }

    #[test]
    fn what_is_taken_back_leaves_no_trace(kept in prop::collection::vec(value(), 0..4), taken in value()) {
        let tape = Tape::record(|mut sink| {
            sink.begin_list(None)?;
            for item in &kept {
                sink.item()?;
                item.encode(&mut sink)?;
            }
            sink.commit()?;
            sink.item()?;
            taken.encode(&mut sink)?;
            sink.end_list()?;
            sink.rollback()?;
            sink.end_list()
        }).expect("recorded");
        let read = Value::decode(&mut tape.source()).expect("read");
        prop_assert_eq!(read, Value::List(kept));
    }
}

#[test]
fn the_last_of_repeated_keys_wins_and_fields_come_in_any_order() {
    let text = |text: &'static str| Value::Text(Cow::Borrowed(text));
    let value = Value::Map(vec![(text("a"), Value::Bool(false)), (text("a"), Value::Bool(true))]);
    let map = BTreeMap::<String, bool>::decode(&mut taped(&value).source()).expect("a map");
    assert!(map["a"]);
}

#[test]
fn kinds_are_not_mixed_up() {
    let tape = taped(&Value::Bool(true));
    let mut source = tape.source();
    assert_eq!(source.peek().expect("a value"), Kind::Bool);
    let error = source.int().expect_err("no int");
    assert_eq!((error.kind(), error.reason()), (ErrorKind::Type, "expected `int`, found `bool` true".to_string()));
    let tape = taped(&Value::Text(Cow::Borrowed("x")));
    assert_eq!(tape.source().date().expect_err("no date").reason(), "expected `date`, found `text` \"x\"");
}

#[test]
fn nesting_has_a_limit_and_nothing_is_null() {
    let error = Tape::record(|sink| (0..2000).try_for_each(|_| sink.item().and_then(|()| sink.begin_list(None))));
    assert_eq!(error.expect_err("too deep").kind(), ErrorKind::Limit);
    assert!(Tape::record(|_| Ok(())).expect("nothing").source().null().expect("a value"));
}
