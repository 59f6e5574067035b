//! Random shapes, of every kind.

use demat_core::{Enum, Field, FloatWidth, IntWidth, Record, Ref, Shape, Tag, Union, UnionRef, Unknown, Variant};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// The keys of fields and variants: plain, empty, long, escaped, beyond ASCII.
pub(crate) const KEYS: [&str; 16] = [
    "id",
    "title",
    "a",
    "b",
    "",
    "a long key of more than sixteen bytes",
    "sixteen bytes :)",
    "thirteen byte",
    "x\"y",
    "back\\slash",
    "new\nline",
    "kä",
    "😀",
    "true",
    "1",
    "with space",
];

/// Returns any shape, nested a few levels deep.
pub(crate) fn shape() -> BoxedStrategy<Shape> {
    scalar()
        .prop_recursive(4, 24, 5, |inner| {
            prop_oneof![
                3 => inner.clone().prop_map(Shape::list),
                1 => prop::collection::vec(inner.clone(), 0..4).prop_map(tuple),
                1 => (key(), inner.clone()).prop_map(|(key, value)| Shape::Map(Ref::new(key), Ref::new(value))),
                4 => record(inner.clone()),
                1 => inner.clone().prop_map(Shape::optional),
                2 => union(inner),
            ]
        })
        .boxed()
}

pub(crate) fn scalar() -> BoxedStrategy<Shape> {
    let exact = prop::sample::select(vec![
        Shape::Any,
        Shape::Null,
        Shape::Bool,
        Shape::Text,
        Shape::Bytes,
        Shape::Decimal,
        Shape::Date,
        Shape::Time,
        Shape::DateTime,
        Shape::Instant,
        Shape::Duration,
        Shape::Uuid,
        Shape::Float(FloatWidth::F64),
        Shape::Float(FloatWidth::F32),
        Shape::Int(IntWidth::Any),
        Shape::Int(IntWidth::Signed(64)),
        Shape::Int(IntWidth::Signed(8)),
        Shape::Int(IntWidth::Unsigned(64)),
        Shape::Int(IntWidth::Unsigned(16)),
        Shape::Int(IntWidth::Signed(128)),
    ]);
    prop_oneof![6 => exact, 1 => names()].boxed()
}

/// Returns a shape that is allowed for keys of maps.
fn key() -> BoxedStrategy<Shape> {
    let kinds = vec![
        Shape::Text,
        Shape::Text,
        Shape::Any,
        Shape::Int(IntWidth::Any),
        Shape::Int(IntWidth::Signed(64)),
        Shape::Bool,
        Shape::Date,
        Shape::Uuid,
    ];
    prop_oneof![8 => prop::sample::select(kinds), 1 => names()].boxed()
}

fn names() -> impl Strategy<Value = Shape> {
    prop::collection::btree_set(prop::sample::select(KEYS.to_vec()), 1..5).prop_map(|names| {
        Shape::Enum(Ref::new(Enum::new("names", names.into_iter().map(Into::into).zip(1..).collect())))
    })
}

fn tuple(items: Vec<Shape>) -> Shape {
    Shape::Tuple(Ref::Shared(items.into_iter().map(Ref::new).collect()))
}

fn record(inner: BoxedStrategy<Shape>) -> BoxedStrategy<Shape> {
    let field = (prop::sample::select(KEYS.to_vec()), inner, any::<bool>());
    (prop::collection::vec(field, 0..6), 0..4u8, prop::sample::subsequence((0..90usize).collect::<Vec<_>>(), 0..3))
        .prop_map(|(fields, unknown, many)| {
            let mut keys = BTreeSet::new();
            let mut all: Vec<Field> = Vec::new();
            for (key, shape, required) in fields {
                if keys.insert(key.to_string()) {
                    let number = all.len() as u32 + 1;
                    all.push(Field::new(key, number, shape).with_required(required));
                }
            }
            // Sometimes too many fields for their bits to fit one word.
            if many.len() == 2 {
                for i in 0..many[1] {
                    let number = all.len() as u32 + 1;
                    all.push(Field::new(format!("f{i}"), number, Shape::Any).with_required(false));
                }
            }
            let keep = all.len();
            if unknown == 3 {
                let rest = Shape::Map(Ref::new(Shape::Text), Ref::new(Shape::Any));
                all.push(Field::new("rest of it", keep as u32 + 1, rest).with_required(false));
            }
            let record = Record::new("", all).unwrap();
            Shape::record(match unknown {
                3 => record.with_unknown(Unknown::Keep(keep)),
                2 => record.with_unknown(Unknown::Forbid),
                _ => record,
            })
        })
        .boxed()
}

fn union(inner: BoxedStrategy<Shape>) -> BoxedStrategy<Shape> {
    let content = prop_oneof![3 => inner, 1 => Just(Shape::Null)];
    (prop::collection::vec(content, 1..4), 0..3u8)
        .prop_map(|(contents, tag)| {
            let variants = contents.into_iter().zip(1u32..);
            let variants: Vec<Variant> = match tag {
                // The tag is a field of each variant, which is a record.
                0 => variants
                    .map(|(shape, number)| Variant::new(format!("v{number}"), number, tagged(number, shape)))
                    .collect(),
                _ => variants.map(|(shape, number)| Variant::new(format!("v{number}"), number, shape)).collect(),
            };
            let tag = match tag {
                0 => Tag::Field("kind of it".into()),
                1 => Tag::Key,
                _ => Tag::pair("kind of it", "content").unwrap(),
            };
            Shape::Union(UnionRef::new(Union::new("", variants, tag)))
        })
        .boxed()
}

fn tagged(number: u32, content: Shape) -> Shape {
    let name = Enum::new("", vec![(format!("v{number}").into(), 1)]);
    let fields = vec![
        Field::new("kind of it", 1, Shape::Enum(Ref::new(name))),
        Field::new("content", 2, content).with_required(true),
    ];
    Shape::record(Record::new("", fields).unwrap())
}
