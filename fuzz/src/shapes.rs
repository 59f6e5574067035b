//! A few shapes that exercise different paths; the first byte of an input chooses one.

use demat_core::{Enum, Field, FloatWidth, IntWidth, Record, Ref, Shape, Tag, Union, UnionRef, Unknown, Variant};

fn fields(unknown: Unknown) -> Record {
    let scalars = vec![
        Field::new("id", 1, Shape::Int(IntWidth::Signed(64))).with_required(false),
        Field::new("title", 2, Shape::Text).with_required(false),
        Field::new("done", 3, Shape::Bool.optional()),
        Field::new("score", 4, Shape::Float(FloatWidth::F64)).with_required(false),
        Field::new("list", 5, Shape::Any.list()).with_required(false),
        Field::new("kä", 6, Shape::Decimal).with_required(false),
        Field::new("rest", 7, Shape::Map(Ref::new(Shape::Text), Ref::new(Shape::Any))).with_required(false),
    ];
    Record::new("Task", scalars).expect("the names differ").with_unknown(unknown)
}

fn variants() -> Vec<Variant> {
    vec![
        Variant::new("a", 1, Shape::Int(IntWidth::Any)),
        Variant::new("b", 2, Shape::Null),
        Variant::new("c", 3, Shape::record(fields(Unknown::Ignore))),
        Variant::new("d", 4, Shape::Any.list()),
    ]
}

fn union(tag: Tag) -> Shape {
    Shape::Union(UnionRef::new(Union::new("U", variants(), tag)))
}

fn by_field() -> Shape {
    let tagged = |name: &'static str, other: Shape| {
        let names = Enum::new("", vec![(name.into(), 1)]);
        let fields = vec![Field::new("t", 1, Shape::Enum(Ref::new(names))), Field::new("v", 2, other)];
        Variant::new(name, 1, Shape::record(Record::new("", fields).expect("the names differ")))
    };
    let variants = vec![tagged("a", Shape::Any), tagged("b", Shape::Any.list())];
    Shape::Union(UnionRef::new(Union::new("F", variants, Tag::Field("t".into()))))
}

/// The shape that a byte chooses, and the rest.
pub(crate) fn choose(bytes: &[u8]) -> (Shape, &[u8]) {
    let Some((first, rest)) = bytes.split_first() else { return (Shape::Any, bytes) };
    let shape = match first % 10 {
        0 => Shape::record(fields(Unknown::Ignore)),
        1 => Shape::record(fields(Unknown::Forbid)),
        2 => Shape::record(fields(Unknown::Keep(6))),
        3 => union(Tag::Key),
        4 => union(Tag::pair("t", "v").expect("the names differ")),
        5 => union(Tag::None),
        6 => by_field(),
        7 => Shape::Map(Ref::new(Shape::Int(IntWidth::Any)), Ref::new(Shape::Any)),
        8 => Shape::Map(Ref::new(Shape::Text), Ref::new(Shape::record(fields(Unknown::Ignore)))),
        _ => Shape::Any,
    };
    // A list of them, but for every other block of ten.
    (if first / 10 % 2 == 0 { shape.list() } else { shape }, rest)
}
