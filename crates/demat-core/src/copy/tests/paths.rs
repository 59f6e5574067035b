use super::{INT, int, list, map, map_of, record, refused, text};
use crate::{Shape, Tag, Union, UnionRef, Value, Variant};

#[test]
fn errors_have_their_path_at_every_nesting() {
    let wrong = || text("x");
    refused(&wrong(), &INT, "expected `int`, found `text` \"x\"");
    refused(&list([int(1), wrong()]), &INT.list(), "expected `int`, found `text` \"x\" at `$[1]`");
    refused(&map([("a", wrong())]), &record([("a", INT)]), "expected `int`, found `text` \"x\" at `$.a`");
    refused(&map([("a b", wrong())]), &record([("a b", INT)]), "expected `int`, found `text` \"x\" at `$[\"a b\"]`");
    refused(&map([("k", wrong())]), &map_of(Shape::Text, INT), "expected `int`, found `text` \"x\" at `$.k`");
    refused(&list([wrong()]), &INT.list().list(), "expected `list`, found `text` \"x\" at `$[0]`");
    refused(&map([("a", int(1))]), &record([("a", INT.list())]), "expected `list`, found `int` 1 at `$.a`");
    let tuple = Shape::Tuple(crate::Ref::Shared(vec![crate::Ref::new(INT), crate::Ref::new(Shape::Text)].into()));
    refused(&list([int(1), int(2)]), &tuple, "expected `text`, found `int` 2 at `$[1]`");
    refused(&list([int(1)]), &tuple, "expected a `tuple` of 2, found only 1");
    refused(
        &list([list([int(1), text("a"), int(3)])]),
        &tuple.clone().list(),
        "expected a `tuple` of 2, found more items at `$[0]`",
    );
    refused(&list([]), &tuple, "expected a `tuple` of 2, found only 0");
    // All at once, and after valid children.
    let deep =
        record([("m", map_of(Shape::Text, record([("l", Shape::Option(crate::Ref::new(tuple.list())))]).list()))]);
    let good = || list([int(1), text("t")]);
    let value = map([(
        "m",
        map([
            ("first", list([map([("l", list([good()]))])])),
            ("second", list([map([("l", Value::Null)]), map([("l", list([good(), good(), list([int(1), int(2)])]))])])),
        ]),
    )]);
    refused(&value, &deep, "expected `text`, found `int` 2 at `$.m.second[1].l[2][1]`");
}

#[test]
fn map_keys_of_open_maps_do_not_run_into_each_other() {
    let shape = map_of(Shape::Text, map_of(Shape::Text, map_of(Shape::Text, INT)));
    let level = |last: Value| map([("a", map([("b", map([("c", int(1)), ("long name", last)]))]))]);
    refused(&level(text("x")), &shape, "expected `int`, found `text` \"x\" at `$.a.b[\"long name\"]`");
    let beside = map([("first", map([("x", map([("y", int(1))]))])), ("z", map([("second", text("x"))]))]);
    refused(&beside, &shape, "expected `record`, found `text` \"x\" at `$.z.second`");
    let empty = map([("", map([("", map([("", text("x"))]))]))]);
    refused(&empty, &shape, "expected `int`, found `text` \"x\" at `$[\"\"][\"\"][\"\"]`");
}

#[test]
fn unions_add_nothing_to_the_path() {
    let variants = vec![Variant::new("a", 1, INT.list()), Variant::new("b", 2, record([("x", INT)]))];
    let shape = |tag| Shape::Union(UnionRef::new(Union::new("", variants.clone(), tag))).list();
    refused(&list([list([int(1), text("x")])]), &shape(Tag::None), "expected `int`, found `text` \"x\" at `$[0][1]`");
    refused(&list([map([("x", text("x"))])]), &shape(Tag::None), "expected `int`, found `text` \"x\" at `$[0].x`");
    refused(&list([text("x")]), &shape(Tag::None), "expected `a` or `b`, found `text` \"x\" at `$[0]`");
    refused(&list([map([("c", int(1))])]), &shape(Tag::Key), "expected `a` or `b`, found `c` at `$[0]`");
}

#[test]
fn kept_keys_do_not_run_into_those_around() {
    let fields = vec![
        crate::Field::new("x", 1, INT).with_required(false),
        crate::Field::new("rest", 2, map_of(Shape::Text, INT)).with_required(false),
        crate::Field::new("must", 3, INT).with_required(true),
    ];
    let record = crate::Record::new("", fields).unwrap().with_unknown(crate::Unknown::Keep(1));
    let shape = map_of(Shape::Text, Shape::record(record));
    let inner = |entries: Vec<(&'static str, Value)>| map([("outer", map(entries))]);
    refused(&inner(vec![("k", int(1)), ("l", text("x"))]), &shape, "expected `int`, found `text` \"x\" at `$.outer.l`");
    refused(&inner(vec![("k", int(1)), ("x", text("x"))]), &shape, "expected `int`, found `text` \"x\" at `$.outer.x`");
    refused(&inner(vec![("k", int(1))]), &shape, "expected field `must`, found nothing at `$.outer`");
}
