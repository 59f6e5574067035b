use super::Query;
use crate::{Fault, fault_of};
use demat_core::Value;
use proptest::prelude::*;

fn tasks() -> Value {
    let task = |(id, title, done): &(i64, &str, Option<bool>)| {
        let text = |text: &str| Value::Text(text.to_string().into());
        Value::Map(vec![
            (text("id"), Value::Int((*id).into())),
            (text("title"), text(title)),
            (text("done"), done.map_or(Value::Null, Value::Bool)),
        ])
    };
    let tasks = [(1, "Clean Room", Some(true)), (2, "Check Twitter", None), (3, "clean up", Some(false))];
    Value::List(tasks.iter().map(task).collect())
}

fn ids(query: &str) -> Vec<i64> {
    let found = Query::parse(query).unwrap().apply(tasks()).unwrap();
    let Value::List(found) = found else { panic!("a list") };
    let id = |task: &Value| match task.get("id") {
        Some(Value::Int(id)) => id.to_i64().unwrap(),
        other => panic!("{other:?}"),
    };
    found.iter().map(id).collect()
}

#[test]
fn conditions_hold_by_the_kind_of_the_field() {
    assert_eq!(ids(""), [1, 2, 3]);
    assert_eq!(ids("id=2"), [2]);
    assert_eq!(ids("id.gt=1&id.le=3"), [2, 3]);
    assert_eq!(ids("id.ne=2"), [1, 3]);
    assert_eq!(ids("id.in=3,1"), [1, 3]);
    assert_eq!(ids("id.lt=1.5"), [1]);
    assert_eq!(ids("done=true"), [1]);
    assert_eq!(ids("done.null"), [2]);
    assert_eq!(ids("done.null=false"), [1, 3]);
    assert_eq!(ids("done.ne=true"), [3], "what is null is neither");
    assert_eq!(ids("title.like=clean%25"), [1, 3]);
    assert_eq!(ids("title=Clean+Room"), [1]);
    assert_eq!(ids("title.contains=CLEAN"), [1, 3]);
    assert!(ids("title.contains=%25").is_empty(), "it is no pattern");
    assert_eq!(ids("id.like=%252%25"), [2], "as it is shown");
    assert_eq!(ids("where=done or id = 2"), [1, 2]);
    assert_eq!(ids("where=not+done"), [3], "what is null is neither");
    assert_eq!(ids("where=id in (1, 3) and title like 'clean u%25'"), [3]);
    assert_eq!(ids("where=id > 1&done.null"), [2]);
    assert_eq!(ids("where=id like '2%25'"), [2]);
    assert!(ids("where=id = '2'").is_empty(), "a text in quotes is no number");
}

#[test]
fn order_limit_and_offset_come_one_after_the_other() {
    assert_eq!(ids("order=-id"), [3, 2, 1]);
    assert_eq!(ids("order=done,-id"), [2, 3, 1]);
    assert_eq!(ids("order=-id&limit=1&offset=1"), [2]);
    assert!(ids("offset=18446744073709551615").is_empty());
}

#[test]
fn fields_are_told_in_the_order_they_are_asked_for() {
    let one = Query::parse("fields=title,id&id=1").unwrap().apply(tasks()).unwrap();
    let Value::List(items) = one else { panic!("a list") };
    let Value::Map(entries) = &items[0] else { panic!("a map") };
    let names: Vec<_> = entries.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(names, [Value::Text("title".into()), Value::Text("id".into())]);
}

#[test]
fn what_is_no_query_says_so() {
    for bad in [
        "limit=x",
        "limit=-1",
        "order=",
        "fields=a,,b",
        "a.null=maybe",
        "=1",
        ".gt=1",
        "a=%ff",
        "limit=%2B1",
        "limit=",
        "limit=1e3",
        "limit=1&limit=1",
        "offset=1&offset=2",
        "after=&after=",
        "order=a&order=a",
        "fields=a&fields=a",
        "a=1&a=2",
        "a.eq=1&a=1",
        "a.like=%5C",
        "limit=99999999999999999999",
        "where=",
        "where=a =",
        "where=a = b",
        "where=(a = 1",
        "where=a = 1;",
        "where=a=1&where=a=1",
    ] {
        let error = Query::parse(bad).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::BadQuery), "{bad}");
    }
    let many = "a=1&".repeat(300);
    assert_eq!(fault_of(&Query::parse(&many).unwrap_err()), Some(Fault::BadQuery));
    let error = Query::parse("id=1").unwrap().apply(Value::Null).unwrap_err();
    assert_eq!(fault_of(&error), Some(Fault::BadQuery));
}

#[test]
fn values_have_no_cursor() {
    for query in ["after=", "after=[1]&limit=2"] {
        let query = Query::parse(query).unwrap();
        assert_eq!(Query::parse(&query.to_string()).unwrap(), query);
        assert_eq!(fault_of(&query.apply(tasks()).unwrap_err()), Some(Fault::BadQuery));
    }
}

#[test]
fn what_can_not_be_compared_is_refused() {
    for bad in [
        "id=x",
        "id.in=1,x",
        "id.lt=",
        "done=yes",
        "nothing=1",
        "order=nothing",
        "fields=id,nothing",
        "nothing.null",
        "where=nothing = 1",
        "where=id = 1 or id.nothing = 1",
        "where=id = 'x'",
    ] {
        let error = Query::parse(bad).unwrap().apply(tasks()).unwrap_err();
        assert_eq!(fault_of(&error), Some(Fault::BadQuery), "{bad}");
        // An empty list passes, as nothing is known of its items.
        assert_eq!(
            Query::parse(bad).unwrap().apply(Value::List(Vec::new())).unwrap(),
            Value::List(Vec::new()),
            "{bad}"
        );
    }
    let numbers = Value::List(vec![Value::Int(1.into())]);
    assert!(Query::parse("id=1").unwrap().apply(numbers).is_err(), "a number has no fields");
}

#[test]
fn bytes_are_compared_by_what_is_shown() {
    let row = |bytes: &'static [u8]| Value::Map(vec![(Value::Text("key".into()), Value::Bytes(bytes.into()))]);
    let rows = || Value::List(vec![row(b"a"), row(b"\xff\0")]);
    let kept = |query: &str| Query::parse(query).unwrap().apply(rows());
    assert_eq!(kept("key=/wA%3D").unwrap(), Value::List(vec![row(b"\xff\0")]));
    assert_eq!(kept("key.ne=/wA%3D").unwrap(), Value::List(vec![row(b"a")]));
    assert!(kept("key=a").is_err(), "that is no base64");
}

#[test]
fn nested_fields_are_compared() {
    let by = |name: &str| demat_formats::json::decode::<Value>(format!(r#"{{"by":{{"name":"{name}"}}}}"#).as_bytes());
    let items = || Value::List(vec![by("Ada").unwrap(), by("Bob").unwrap()]);
    let kept = Query::parse("where=by.name = 'Bob'").unwrap().apply(items()).unwrap();
    assert_eq!(kept, Value::List(vec![by("Bob").unwrap()]));
    let chosen =
        Query::parse("where=not by.name = 'Bob'").unwrap().chosen_of(&[by("Ada").unwrap(), by("Bob").unwrap()]);
    assert_eq!(chosen.unwrap(), [0]);
}

proptest! {
    #[test]
    fn conditions_are_written_and_read_again(text in "where=(a|b\\.c)( = 1| like '%25_'| is null)( or not b)?(&a=1)?") {
        let query = Query::parse(&text).unwrap();
        prop_assert_eq!(Query::parse(&query.to_string()).unwrap(), query);
    }

    #[test]
    fn what_is_written_is_read_again(text in "[a-z.=&,%+0-9-]{0,40}") {
        if let Ok(query) = Query::parse(&text) {
            prop_assert_eq!(Query::parse(&query.to_string()).unwrap(), query);
        }
    }
}
