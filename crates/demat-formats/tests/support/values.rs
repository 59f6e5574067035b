//! Random values for a shape, in the form that an untyped source returns: records as maps, variants with their tags.

use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{FloatWidth, IntWidth, Record, Shape, Tag, Unknown, Value};
use proptest::prelude::*;
use proptest::test_runner::RngAlgorithm;
use proptest::test_runner::TestRng;
use std::collections::HashSet;

/// A shape and a value of it. A failing test prints them on one line.
#[derive(Clone)]
pub(crate) struct Shaped(pub(crate) Shape, pub(crate) Value);

impl std::fmt::Debug for Shaped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&format!("{:?} of {:?}", self.1, self.0))
    }
}

/// A shape and a value of it.
pub(crate) fn shaped() -> impl Strategy<Value = Shaped> {
    (super::shapes::shape(), any::<u64>()).prop_map(|(shape, seed)| {
        let value = Random::new(seed).value(&shape, 0);
        Shaped(shape, value)
    })
}

/// Makes values; the same seed gives the same values.
pub(crate) struct Random(TestRng);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        Self(TestRng::from_seed(RngAlgorithm::XorShift, &bytes))
    }

    pub(crate) fn below(&mut self, count: u64) -> u64 {
        self.0.next_u64() % count.max(1)
    }

    pub(crate) fn one<'t, T>(&mut self, of: &'t [T]) -> &'t T {
        &of[self.below(of.len() as u64) as usize]
    }

    fn text_of(&mut self, of: &[&'static str]) -> &'static str {
        of[self.below(of.len() as u64) as usize]
    }

    pub(crate) fn text(&mut self) -> String {
        const PARTS: [&str; 20] = [
            "",
            "a",
            "text",
            "ä",
            "€",
            "😀",
            "\"",
            "\\",
            "/",
            "\n",
            "\r\n",
            "\t",
            "\0",
            "\u{1f}",
            "\u{7f}",
            "\u{feff}",
            "\u{2028}",
            ",",
            "a plain part of more than sixteen bytes",
            "{\"a\":1}",
        ];
        (0..self.below(4)).map(|_| *self.one(&PARTS)).collect()
    }

    fn int(&mut self, width: IntWidth) -> Int<'static> {
        let bits = match width {
            IntWidth::Any => 127,
            IntWidth::Signed(bits) => u32::from(bits) - 1,
            IntWidth::Unsigned(bits) => u32::from(bits),
        };
        if width == IntWidth::Any && self.below(20) == 0 {
            let digits: String = (0..40 + self.below(60)).map(|_| char::from(b'1' + self.below(9) as u8)).collect();
            return Int::from_digits(&digits).unwrap().into_owned();
        }
        let wide = u128::from(self.0.next_u64()) << 64 | u128::from(self.0.next_u64());
        let few = self.below(u64::from(bits) + 1) as u32;
        let size = if few == 0 { 0 } else { wide >> (128 - few) };
        let largest = if few == 0 { 0 } else { u128::MAX >> (128 - few) };
        let size = if self.below(8) == 0 { largest } else { size };
        if matches!(width, IntWidth::Unsigned(_)) || self.below(2) == 0 {
            return Int::from(size);
        }
        Int::from(-size.cast_signed() - i128::from(few == bits && self.below(2) == 0 && size == largest))
    }

    fn float(&mut self, width: FloatWidth) -> f64 {
        const SOME: [f64; 10] =
            [0.0, -0.0, 1.0, -1.5, 0.1, 1e300, 5e-324, f64::MAX, f64::MIN_POSITIVE, 9_007_199_254_740_993.0];
        loop {
            let float = match self.below(3) {
                0 => *self.one(&SOME),
                1 => f64::from_bits(self.0.next_u64()),
                _ => f64::from(self.below(100_000) as u32) / 100.0,
            };
            let float = if width == FloatWidth::F32 { f64::from(float as f32) } else { float };
            if float.is_finite() {
                return float;
            }
        }
    }

    /// Returns a value that JSON can represent without a shape.
    fn any(&mut self, depth: u32) -> Value {
        match self.below(if depth > 4 { 5 } else { 8 }) {
            0 => Value::Null,
            1 => Value::Bool(self.below(2) == 0),
            2 => Value::Int(self.int(IntWidth::Any)),
            3 => Value::Float(self.float(FloatWidth::F64)),
            4 | 5 => Value::Text(self.text().into()),
            6 => Value::List((0..self.below(4)).map(|_| self.any(depth + 1)).collect()),
            _ => {
                let count = if self.below(10) == 0 { 40 } else { self.below(4) };
                self.entries(count, &Shape::Text, |random| random.any(depth + 1))
            }
        }
    }

    fn entries(&mut self, count: u64, key: &Shape, value: impl Fn(&mut Self) -> Value) -> Value {
        let mut seen = HashSet::new();
        let mut entries = Vec::new();
        for _ in 0..count {
            let key = match key {
                Shape::Any => Value::Text(self.text().into()),
                key => self.value(key, 9),
            };
            if seen.insert(format!("{key:?}")) {
                entries.push((key, value(self)));
            }
        }
        Value::Map(entries)
    }

    /// Returns a value of the shape.
    pub(crate) fn value(&mut self, shape: &Shape, depth: u32) -> Value {
        match shape {
            Shape::Any => self.any(depth),
            Shape::Null => Value::Null,
            Shape::Bool => Value::Bool(self.below(2) == 0),
            Shape::Int(width) => Value::Int(self.int(*width)),
            Shape::Float(width) => Value::Float(self.float(*width)),
            Shape::Text => Value::Text(self.text().into()),
            Shape::Bytes => {
                Value::Bytes((0..self.below(20)).map(|_| self.0.next_u64() as u8).collect::<Vec<u8>>().into())
            }
            Shape::Decimal => {
                const SOME: [&str; 8] = ["0", "-0.0", "1.50", "1e400", "-12345678901234567890.5", "1E-7", "100", "0.1"];
                Value::Decimal(Decimal::parse(self.text_of(&SOME)).unwrap())
            }
            Shape::Date => Value::Date(Date::parse(self.text_of(&["0001-01-01", "9999-12-31", "2024-02-29"])).unwrap()),
            Shape::Time => {
                Value::Time(Time::parse(self.text_of(&["00:00:00", "23:59:59.999999999", "12:30:00.5"])).unwrap())
            }
            Shape::DateTime => {
                const SOME: [&str; 3] = ["0001-01-01T00:00:00", "2024-02-29T23:59:59.123456789", "9999-12-31T23:59:59"];
                Value::DateTime(DateTime::parse(self.text_of(&SOME)).unwrap())
            }
            Shape::Instant => {
                const SOME: [&str; 3] =
                    ["1969-07-20T20:17:40Z", "2024-02-29T23:59:59.123456789+05:30", "2000-01-01T00:00:00"];
                Value::from(Instant::parse(self.text_of(&SOME)).unwrap())
            }
            Shape::Duration => {
                Value::Duration(Duration::parse(self.text_of(&["PT0S", "-P1DT2H", "PT0.000000001S"])).unwrap())
            }
            Shape::Uuid => Value::Uuid(Uuid::parse("f81d4fae-7dec-11d0-a765-00a0c91e6bf6").unwrap()),
            Shape::Option(inner) => match self.below(3) {
                0 => Value::Null,
                _ => self.value(inner, depth),
            },
            Shape::List(item) => Value::List((0..self.below(5)).map(|_| self.value(item, depth + 1)).collect()),
            Shape::Tuple(items) => Value::List(items.iter().map(|item| self.value(item, depth + 1)).collect()),
            Shape::Map(key, value) => {
                let count = self.below(5);
                self.entries(count, key, |random| random.value(value, depth + 1))
            }
            Shape::Record(record) => Value::Map(self.fields(&record.get(), depth)),
            Shape::Enum(names) => {
                Value::Text(names.name_at(self.below(names.len() as u64) as usize).to_string().into())
            }
            Shape::Union(union) => {
                let union = union.get();
                let variant = self.one(union.variants());
                let name = Value::Text(variant.name().to_string().into());
                let content = self.value(variant.shape(), depth + 1);
                let empty = *variant.shape() == Shape::Null;
                match union.tag() {
                    Tag::Field(_) | Tag::None => content,
                    Tag::Key if empty => name,
                    Tag::Key => Value::Map(vec![(name, content)]),
                    Tag::Pair(pair) => {
                        let key = |index: usize| Value::Text(pair.fields()[index].key().to_string().into());
                        let mut entries = vec![(key(0), name)];
                        if !empty {
                            entries.push((key(1), content));
                        }
                        Value::Map(entries)
                    }
                }
            }
        }
    }

    fn fields(&mut self, record: &Record, depth: u32) -> Vec<(Value, Value)> {
        let mut entries = Vec::new();
        for (index, field) in record.fields().iter().enumerate() {
            let rest = record.unknown() == Unknown::Keep(index);
            if !rest && (field.required() || self.below(3) > 0) {
                entries.push((Value::Text(field.key().to_string().into()), self.value(field.shape(), depth + 1)));
            }
            if rest && self.below(2) == 0 {
                entries.push((Value::Text("kept".into()), self.any(depth + 1)));
            }
        }
        // Fields may come in any order.
        for at in (1..entries.len()).rev() {
            let other = self.below(at as u64 + 1) as usize;
            entries.swap(at, other);
        }
        entries
    }
}
