//! Random shapes from random bytes. A shape ends with its bytes, so fewer bytes make simpler shapes.

use super::parse;
use crate::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use crate::{
    Enum, Field, FloatWidth, IntWidth, Record, RecordRef, Ref, Shape, Tag, Union, UnionRef, Unknown, Value, Variant,
};
use proptest::prelude::*;
use std::borrow::Cow;
use std::sync::Arc;

const NAMES: &[&str] = &[
    "a",
    "id",
    "text",
    "int8",
    "map",
    "union",
    "enum",
    "true",
    "null",
    "",
    " ",
    "two words",
    "\"quoted\"",
    "é",
    "a-b",
    "-b",
    "1st",
    "a.b",
    "\n",
    "\u{0}",
    "\u{85}",
    "日本",
    "_",
    "a:int",
    "\\",
    "😀",
];

struct Maker<'b> {
    bytes: &'b [u8],
    /// The types that links can refer to here.
    open: Vec<Shape>,
    /// The types that can be used again.
    closed: Vec<Shape>,
    types: u32,
}

impl Maker<'_> {
    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()].clone()
    }

    fn name(&mut self, index: usize) -> String {
        let name = self.pick(NAMES);
        if index == 0 { name.to_string() } else { format!("{name}{index}") }
    }

    /// Returns a unique type name, or none.
    fn type_name(&mut self) -> String {
        if self.byte().is_multiple_of(3) {
            return String::new();
        }
        self.types += 1;
        let name = self.pick(NAMES);
        if self.types == 1 && !name.is_empty() { name.to_string() } else { format!("{name}{}", self.types) }
    }

    fn count(&mut self) -> usize {
        usize::from(self.byte() % 5)
    }

    fn scalar(&mut self) -> Shape {
        let (high, low) = (self.byte(), self.byte());
        let bits = u16::from_be_bytes([high, low]);
        self.pick(&[
            Shape::Any,
            Shape::Null,
            Shape::Bool,
            Shape::Int(IntWidth::Any),
            Shape::Int(IntWidth::Signed(bits)),
            Shape::Int(IntWidth::Unsigned(bits)),
            Shape::Float(FloatWidth::F32),
            Shape::Float(FloatWidth::F64),
            Shape::Text,
            Shape::Bytes,
            Shape::Decimal,
            Shape::Date,
            Shape::Time,
            Shape::DateTime,
            Shape::Instant,
            Shape::Duration,
            Shape::Uuid,
        ])
    }

    fn shape(&mut self, depth: usize) -> Shape {
        if depth >= 6 || self.bytes.is_empty() {
            return self.scalar();
        }
        match self.byte() % 14 {
            0..=2 => self.scalar(),
            3 => match self.shape(depth + 1) {
                option @ Shape::Option(_) => option,
                other => Shape::Option(Ref::new(other)),
            },
            4 => self.shape(depth + 1).list(),
            5 => {
                let items = (0..self.count()).map(|_| Ref::new(self.shape(depth + 1))).collect();
                Shape::Tuple(Ref::Shared(items))
            }
            6 => {
                let key = self.shape(depth + 1);
                Shape::Map(Ref::new(key), Ref::new(self.shape(depth + 1)))
            }
            7 => self.choices(),
            8 | 9 => self.union(depth),
            10 if !self.open.is_empty() => {
                let open = self.open.clone();
                self.pick(&open)
            }
            11 if !self.closed.is_empty() => {
                let closed = self.closed.clone();
                self.pick(&closed)
            }
            _ => self.record(depth, None),
        }
    }

    fn record(&mut self, depth: usize, tag: Option<(&str, &str)>) -> Shape {
        let name = self.type_name();
        let record = Arc::new_cyclic(|link| {
            let named = !name.is_empty();
            if named {
                self.open.push(Shape::Record(RecordRef::Link(name.clone().into(), link.clone())));
            }
            let mut fields = Vec::new();
            if let Some((tag, variant)) = tag {
                let numbers = vec![(Cow::Owned(variant.to_string()), i64::from(self.byte() % 2))];
                fields.push(Field::new(tag.to_string(), 1, Shape::Enum(Ref::new(Enum::new("", numbers)))));
            }
            for _ in 0..self.count() {
                fields.push(self.field(depth, fields.len() + 1));
            }
            let unknown = match self.byte() % 4 {
                0 => Unknown::Forbid,
                1 if !fields.is_empty() => Unknown::Keep(fields.len() - 1),
                _ => Unknown::Ignore,
            };
            if named {
                self.open.pop();
            }
            Record::new(name.clone(), fields).expect("names of their own").with_unknown(unknown)
        });
        self.keep(&name, Shape::Record(RecordRef::Shared(record)))
    }

    fn keep(&mut self, name: &str, shape: Shape) -> Shape {
        if !name.is_empty() {
            self.closed.push(shape.clone());
        }
        shape
    }

    fn field(&mut self, depth: usize, number: usize) -> Field {
        let shape = self.shape(depth + 1);
        let mut field = Field::new(self.name(number), number as u32, shape.clone());
        let traits = self.byte();
        if traits & 1 == 1 {
            field = field.with_key(self.name(number + 100));
        }
        if traits & 2 == 2 {
            field = field.with_aliases(vec![Cow::Owned(self.name(number + 200)), Cow::Owned(self.name(number + 300))]);
        }
        if traits & 4 == 4 {
            field = field.with_number(number as u32 + 1000);
        }
        if traits & 8 == 8
            && let Some(default) = self.value(&shape, 0)
        {
            field = field.with_default(default);
        }
        if traits & 16 == 16 {
            let (place, note) = (self.pick(NAMES), self.pick(NAMES));
            field = field.with_note(place, note).with_note("sql", "key");
        }
        match traits >> 6 {
            1 => field.with_required(true),
            2 => field.with_required(false),
            _ => field,
        }
    }

    fn choices(&mut self) -> Shape {
        let name = self.type_name();
        let numbers = (0i64..)
            .zip(0..self.count())
            .map(|(number, index)| (Cow::Owned(self.name(index)), i64::from(self.byte() % 4) + number - 1))
            .collect();
        let shape = Shape::Enum(Ref::new(Enum::new(name.clone(), numbers)));
        self.keep(&name, shape)
    }

    fn union(&mut self, depth: usize) -> Shape {
        let name = self.type_name();
        let tag = match self.byte() % 5 {
            0 => Tag::Key,
            1 => Tag::Field(Cow::Owned(self.name(0))),
            2 => Tag::pair(self.name(0), self.name(1)).expect("two names"),
            _ => Tag::None,
        };
        let union = Arc::new_cyclic(|link| {
            let named = !name.is_empty();
            if named {
                self.open.push(Shape::Union(UnionRef::Link(name.clone().into(), link.clone())));
            }
            let mut variants = Vec::new();
            for index in 0..self.count() {
                let variant = self.name(index);
                let shape = match &tag {
                    Tag::Field(tag) => self.record(depth + 1, Some((tag, &variant))),
                    _ => self.shape(depth + 1),
                };
                let number = index as u32 + 1 + u32::from(self.byte().is_multiple_of(8)) * 10;
                let usual = super::super::union::usual_name(&shape).into_owned();
                let variant = if tag == Tag::None && self.byte().is_multiple_of(2) { usual } else { variant };
                if variants.iter().any(|other: &Variant| other.name() == variant) && tag == Tag::None {
                    continue;
                }
                variants.push(Variant::new(variant, number, shape));
            }
            if named {
                self.open.pop();
            }
            Union::new(name.clone(), variants, tag.clone())
        });
        self.keep(&name, Shape::Union(UnionRef::Shared(union)))
    }

    /// Returns a value of the shape, if possible.
    fn value(&mut self, shape: &Shape, depth: usize) -> Option<Value> {
        let byte = self.byte();
        Some(match shape {
            Shape::Any if depth < 3 => {
                let shape = self.scalar();
                return self.value(&shape, depth + 1);
            }
            Shape::Any | Shape::Null => Value::Null,
            Shape::Option(_) if byte.is_multiple_of(3) => Value::Null,
            Shape::Option(inner) => return self.value(inner, depth),
            Shape::Bool => Value::Bool(byte > 9),
            Shape::Int(IntWidth::Any) => Value::Int(Int::from_digits("-123456789012345678901")?.into_owned()),
            Shape::Int(_) => Value::Int(Int::I64(0)),
            Shape::Float(_) => {
                let index = usize::from(self.byte() % 6);
                Value::Float([0.1, -0.0, 1e300, 5e-324, f64::INFINITY, 3.0][index])
            }
            Shape::Text => Value::Text(Cow::Owned(if byte > 200 { "2026-02-03".to_string() } else { self.name(0) })),
            Shape::Bytes => Value::Bytes(Cow::Owned(vec![byte; self.count()])),
            Shape::Decimal => Value::Decimal(Decimal::parse("1.50e-7")?.into_owned()),
            Shape::Date => Value::Date(Date::from_days_since_epoch(byte.into())?),
            Shape::Time => Value::Time(Time::new(1, 2, 3, byte.into())?),
            Shape::DateTime => Value::DateTime(DateTime::parse("2024-05-06T07:08:09.25")?),
            Shape::Instant if byte > 128 => Value::DateTime(DateTime::parse("2024-05-06T07:08:09")?),
            Shape::Instant => Value::from(Instant::parse("2024-05-06T07:08:09.25+02:00")?),
            Shape::Duration => Value::Duration(Duration::new(byte.into(), 5)?),
            Shape::Uuid => Value::Uuid(Uuid([byte; 16])),
            Shape::List(item) if depth < 3 => {
                Value::List((0..self.count()).filter_map(|_| self.value(item, depth + 1)).collect())
            }
            Shape::Tuple(items) if depth < 3 => {
                Value::List(items.iter().map(|item| self.value(item, depth + 1)).collect::<Option<_>>()?)
            }
            Shape::Map(key, value) if depth < 3 => {
                let entry = (self.value(key, depth + 1)?, self.value(value, depth + 1)?);
                Value::Map(vec![entry])
            }
            Shape::Enum(names) if !names.is_empty() => Value::Text(Cow::Owned(names.name_at(0).to_string())),
            _ => return None,
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]
    #[test]
    fn every_shape_comes_back_from_its_text(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let shape = Maker { bytes: &bytes, open: Vec::new(), closed: Vec::new(), types: 0 }.shape(0);
        let text = shape.to_string();
        let again = parse(&text);
        prop_assert_eq!(again.to_string(), text.clone());
        prop_assert_eq!(again, shape, "{}", text);
    }
}
