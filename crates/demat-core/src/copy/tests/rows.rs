//! Records that stand as lists.

use super::{INT, int, list, map, text};
use crate::{Field, Items, Record, Shape, Unknown, Value, ValueSink, ValueSource, copy};

fn copied(value: &Value, shape: &Shape) -> Result<Value, String> {
    let mut sink = ValueSink::default();
    copy(&mut ValueSource::new(value), shape, &mut sink).map_err(|error| error.to_string())?;
    Ok(sink.whole())
}

fn task(items: Items, unknown: Unknown) -> Shape {
    let fields = vec![
        Field::new("id", 1, INT),
        Field::new("title", 2, Shape::Text).with_default(text("none")),
        Field::new("tags", 3, Shape::Text.list()).with_required(false),
    ];
    let record = Record::new("Task", fields).unwrap().with_unknown(unknown).with_items(items);
    Shape::record(record)
}

fn read() -> Shape {
    task(Items::in_order(3), Unknown::Ignore)
}

#[test]
fn items_are_fields_by_their_place() {
    let tags = list([text("a"), text("b")]);
    let row = list([int(1), text("x"), tags.clone()]);
    let whole = map([("id", int(1)), ("title", text("x")), ("tags", tags)]);
    assert_eq!(copied(&row, &read()), Ok(whole));
}

#[test]
fn missing_items_are_missing_fields() {
    assert_eq!(copied(&list([int(1)]), &read()), Ok(map([("id", int(1)), ("title", text("none"))])));
    assert_eq!(copied(&list([]), &read()).unwrap_err(), "expected field `id`, found nothing");
}

#[test]
fn items_behind_are_unknown_fields() {
    let row = list([int(1), text("x"), list([]), list([int(5)]), int(6)]);
    let whole = map([("id", int(1)), ("title", text("x")), ("tags", list([]))]);
    assert_eq!(copied(&row, &read()), Ok(whole));
    let strict = task(Items::in_order(3), Unknown::Forbid);
    assert_eq!(copied(&row, &strict).unwrap_err(), "expected a `list` of 3, found more items");
}

#[test]
fn errors_have_the_place() {
    let row = list([list([int(1), text("x"), list([text("a"), int(1)])])]);
    assert_eq!(copied(&row, &read().list()).unwrap_err(), "expected `text`, found `int` 1 at `$[0][2][1]`");
    let row = list([list([int(1), int(2)])]);
    assert_eq!(copied(&row, &read().list()).unwrap_err(), "expected `text`, found `int` 2 at `$[0][1]`");
}

#[test]
fn names_are_read_only_where_they_are_allowed() {
    let named = map([("title", text("x")), ("id", int(1))]);
    assert_eq!(copied(&named, &read()).unwrap_err(), "expected `list`, found `record`");
    let either = task(Items::in_order(3).or_named(), Unknown::Ignore);
    assert_eq!(copied(&named, &either), Ok(named));
    let whole = map([("id", int(1)), ("title", text("x"))]);
    assert_eq!(copied(&list([int(1), text("x")]), &either), Ok(whole));
}

#[test]
fn lists_are_written_if_asked_for() {
    let kept = task(Items::in_order(3).written(), Unknown::Ignore);
    let row = list([int(1), text("x"), list([])]);
    assert_eq!(copied(&row, &kept), Ok(row));
    // What is missing has its default, and what has none can't be left out.
    assert_eq!(copied(&list([int(1)]), &kept).unwrap_err(), "expected field `tags`, found nothing");
}

#[test]
fn some_fields_stay_at_their_places() {
    let fields = vec![Field::new("tags", 3, Shape::Text.list()), Field::new("id", 1, INT)];
    let some = Record::new("Task", fields).unwrap().with_items(Items::in_order(3).of_some(&[2, 0]));
    let row = list([int(1), text("x"), list([text("a")])]);
    let whole = map([("id", int(1)), ("tags", list([text("a")]))]);
    assert_eq!(copied(&row, &Shape::record(some)), Ok(whole));
}

#[test]
fn a_union_without_a_tag_tells_lists_from_maps() {
    let shapes = [read(), Shape::record(Record::new("Other", vec![Field::new("a", 1, INT)]).unwrap())];
    let variants = shapes.into_iter().enumerate();
    let variants = variants.map(|(index, shape)| crate::Variant::new("", index as u32 + 1, shape)).collect();
    let union = crate::Union::new("", variants, crate::Tag::None);
    let either = Shape::Union(crate::UnionRef::new(union));
    assert_eq!(copied(&map([("a", int(1))]), &either), Ok(map([("a", int(1))])));
    let row = list([int(1), text("x")]);
    assert_eq!(copied(&row, &either), Ok(map([("id", int(1)), ("title", text("x"))])));
}
