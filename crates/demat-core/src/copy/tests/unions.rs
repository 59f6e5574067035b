use super::{INT, copied, int, list, map, record, refused, text};
use crate::{Enum, ErrorKind, Field, Record, Ref, Shape, Tag, Union, UnionRef, Value, Variant};

fn union(variants: Vec<Variant>, tag: Tag) -> Shape {
    Shape::Union(UnionRef::new(Union::new("", variants, tag)))
}

/// Returns a variant whose record has a tag among its fields.
fn tagged(name: &'static str, fields: &[(&'static str, Shape)]) -> Variant {
    let names = Enum::new("", vec![(name.into(), 1)]);
    let tag = Field::new("kind", 1, Shape::Enum(Ref::new(names)));
    let others = fields.iter().zip(2..).map(|((key, shape), number)| Field::new(*key, number, shape.clone()));
    Variant::new(name, 1, Shape::record(Record::new("", [tag].into_iter().chain(others).collect()).unwrap()))
}

#[test]
fn a_tag_among_the_fields_comes_early_or_late() {
    let shape = union(vec![tagged("circle", &[("r", INT)]), tagged("dot", &[])], Tag::Field("kind".into()));
    let circle = |fields: Vec<(&'static str, Value)>| map(fields);
    for (value, told) in [
        (circle(vec![("kind", text("circle")), ("r", int(1))]), "<circle (,kind=\"circle\",r=1)>"),
        (circle(vec![("r", int(1)), ("kind", text("circle"))]), "<circle (,r=1,kind=\"circle\")>"),
        (
            circle(vec![
                ("x", list([int(1)])),
                ("r", int(1)),
                ("y", map([("kind", text("dot"))])),
                ("kind", text("circle")),
            ]),
            "<circle (,r=1,kind=\"circle\")>",
        ),
        (circle(vec![("kind", text("dot"))]), "<dot (,kind=\"dot\")>"),
    ] {
        assert_eq!(copied(&value, &shape).unwrap(), told);
        assert_eq!(copied(&list([value.clone(), value]), &shape.clone().list()).unwrap(), format!("[,{told},{told}]"));
    }
    refused(&map([("r", int(1))]), &shape, "expected field `kind`, found nothing");
    refused(&map([("kind", text("box"))]), &shape, "expected `circle` or `dot`, found `box` at `$.kind`");
    refused(&map([("kind", int(1))]), &shape, "expected `text`, found `int` 1 at `$.kind`");
    refused(&list([int(1)]), &shape.clone().list(), "expected `record`, found `int` 1 at `$[0]`");
    // Two different tags are refused.
    assert!(copied(&map([("kind", text("dot")), ("r", int(1)), ("kind", text("circle"))]), &shape).is_err());
}

#[test]
fn a_tag_may_be_the_only_key() {
    let shape = union(
        vec![Variant::new("int", 1, INT), Variant::new("none", 2, Shape::Null), Variant::new("list", 3, INT.list())],
        Tag::Key,
    );
    assert_eq!(copied(&map([("int", int(1))]), &shape).unwrap(), "<int 1>");
    assert_eq!(copied(&map([("list", list([int(1)]))]), &shape).unwrap(), "<list [,1]>");
    assert_eq!(copied(&text("none"), &shape).unwrap(), "<none >");
    assert_eq!(copied(&map([("none", Value::Null)]), &shape).unwrap(), "<none >");
    refused(&map([]), &shape, "expected `int` or `none` or `list`, found an empty record");
    refused(&text("other"), &shape, "expected `int` or `none` or `list`, found `other`");
    refused(&map([("none", int(1))]), &shape, "expected `null`, found `int` 1");
    refused(&map([("int", int(1)), ("list", list([]))]), &shape, "expected one key, found another key");
    refused(&map([("none", Value::Null), ("list", list([]))]), &shape, "expected one key, found another key");
    let error = refused(
        &list([text("int"), int(5)]),
        &shape.list(),
        "expected a map of one key, found `int` without its content at `$[0]`",
    );
    assert_eq!(error.kind(), ErrorKind::Type);
}

#[test]
fn a_tag_may_stand_beside_its_content() {
    let variants =
        vec![Variant::new("int", 1, INT), Variant::new("none", 2, Shape::Null), Variant::new("list", 3, INT.list())];
    let shape = union(variants, Tag::pair("k", "v").unwrap());
    assert_eq!(copied(&map([("k", text("int")), ("v", int(1))]), &shape).unwrap(), "<int 1>");
    assert_eq!(
        copied(&map([("v", list([int(1)])), ("x", int(0)), ("k", text("list"))]), &shape).unwrap(),
        "<list [,1]>"
    );
    assert_eq!(copied(&map([("k", text("none"))]), &shape).unwrap(), "<none >");
    refused(&map([("k", text("int"))]), &shape, "expected field `v`, found nothing");
    refused(&map([("v", int(1))]), &shape, "expected field `k`, found nothing");
    refused(&map([("k", text("int")), ("v", int(1)), ("v", int(2))]), &shape, "the field `v` stands here again");
    refused(
        &map([("k", text("int")), ("v", int(1)), ("k", text("none"))]),
        &shape,
        "the tag stands here again and differs",
    );
    refused(
        &map([("k", text("int")), ("k", text("list")), ("v", list([]))]),
        &shape,
        "the tag stands here again and differs",
    );
    assert_eq!(copied(&map([("k", text("int")), ("v", int(1)), ("k", text("int"))]), &shape).unwrap(), "<int 1>");
}

#[test]
fn untagged_the_first_that_fits_is_taken() {
    let point = record([("x", INT), ("y", INT)]);
    let named = record([("name", Shape::Text)]);
    let shape = union(
        vec![
            Variant::new("int", 1, INT),
            Variant::new("point", 2, point),
            Variant::new("named", 3, named),
            Variant::new("date", 4, Shape::Date),
            Variant::new("text", 5, Shape::Text),
            Variant::new("null", 6, Shape::Null),
            Variant::new("ints", 7, INT.list()),
            Variant::new("texts", 8, Shape::Text.list()),
        ],
        Tag::None,
    )
    .list();
    let values = list([
        int(1),
        map([("name", text("a"))]),
        map([("x", int(1)), ("y", int(2))]),
        map([("x", int(1)), ("y", int(2)), ("x", int(3))]),
        text("2020-01-01"),
        text("soon"),
        Value::Null,
        list([int(1)]),
        list([text("a")]),
    ]);
    let told = "[,<int 1>,<named (,name=\"a\")>,<point (,x=1,y=2)>,<point (,y=2,x=3)>,<date \"2020-01-01\">,<text \"soon\">,\
        <null null>,<ints [,1]>,<texts [,\"a\"]>]";
    assert_eq!(copied(&values, &shape).unwrap(), told);
    refused(
        &list([Value::Bool(true)]),
        &shape,
        "expected `int` or `point` or `named` or `date` or `text` or `null` or `ints` or `texts`, found `bool` true at `$[0]`",
    );
    refused(&list([map([("x", int(1))])]), &shape, "expected field `name`, found nothing at `$[0]`");
    refused(&list([list([int(1), text("a")])]), &shape, "expected `text`, found `int` 1 at `$[0][0]`");
}

#[test]
fn trials_within_trials_are_limited() {
    let mut shape = INT;
    for _ in 0..12 {
        let variants = vec![Variant::new("a", 1, Shape::Text.list()), Variant::new("b", 2, shape.list())];
        shape = union(variants, Tag::None);
    }
    let value = (0..12).fold(int(1), |value, _| list([value]));
    assert_eq!(copied(&value, &shape).unwrap_err().kind(), ErrorKind::Limit);
}
