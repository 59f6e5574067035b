//! Random shapes and records: all ways to columns give the same, and all ways back restore the input.

use super::columns;
use super::round::json_of;
use crate::whole::of_parts;
use crate::{Batches, Columns, ColumnsSink, Options, shape};
use arrow_array::RecordBatch;
use demat_core::{Result, Shape};
use demat_formats::json::{Json, JsonSink, JsonSource, WriteOptions};
use demat_formats::stream::Window;
use demat_formats::{Keep, Output};
use proptest::prelude::*;

/// A deterministic pseudo-random generator.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn pick<'p>(&mut self, all: &[&'p str]) -> &'p str {
        all[self.roll(all.len())]
    }
}

const SCALARS: [&str; 22] = [
    "null",
    "bool",
    "int8",
    "int",
    "uint64",
    "int100",
    "float",
    "text",
    "bytes",
    "decimal",
    "date",
    "time",
    "datetime",
    "instant",
    "duration",
    "uuid",
    "any",
    "enum(x, y, z)",
    "uint5",
    "int33",
    "int500",
    "float32",
];

/// Returns the text of a random shape.
fn shape_of(dice: &mut Dice, depth: usize) -> String {
    let own = match dice.roll(if depth > 2 { 8 } else { 16 }) {
        0..=7 => dice.pick(&SCALARS).to_string(),
        8 | 9 => format!("[{}]", shape_of(dice, depth + 1)),
        10 | 11 => format!("{{{}}}", fields_of(dice, depth + 1)),
        12 => format!("map({}, {})", dice.pick(&["text", "int", "date", "uuid", "uint8"]), shape_of(dice, depth + 1)),
        13 => {
            let item = shape_of(dice, depth + 1);
            format!("({item}, {item})")
        }
        14 => format!("({}, {})", shape_of(dice, depth + 1), shape_of(dice, depth + 1)),
        _ => format!("union(p:{}, q)", shape_of(dice, depth + 1)),
    };
    if dice.roll(3) == 0 && own != "null" && own != "any" { format!("{own}?") } else { own }
}

fn fields_of(dice: &mut Dice, depth: usize) -> String {
    let count = 1 + dice.roll(3);
    (0..count).map(|index| format!("f{index}:{}", shape_of(dice, depth))).collect::<Vec<_>>().join(", ")
}

/// Returns a random value of the shape as JSON.
fn value_of(dice: &mut Dice, own: &Shape) -> String {
    if own.allows_null() && dice.roll(3) == 0 {
        return "null".to_string();
    }
    let scalar = match own.inner() {
        Shape::Null => "null",
        Shape::Bool => dice.pick(&["true", "false"]),
        Shape::Int(width) if *width == demat_core::IntWidth::Unsigned(5) => dice.pick(&["0", "31", "7"]),
        Shape::Int(demat_core::IntWidth::Unsigned(_)) => dice.pick(&["0", "18446744073709551615", "127"]),
        Shape::Int(demat_core::IntWidth::Signed(100 | 500)) => dice.pick(&["-5", "123456789012345678901234", "0"]),
        Shape::Int(_) => dice.pick(&["0", "-128", "127", "-1"]),
        Shape::Float(_) => dice.pick(&["0.5", "-1e10", "3", "-0.0", "1.25"]),
        Shape::Text => {
            dice.pick(&[r#""""#, r#""plain""#, r#""\u00e9\n\"""#, r#""a longer text that no view holds in place""#])
        }
        Shape::Bytes => dice.pick(&[r#""""#, r#""AAEC""#]),
        Shape::Decimal => dice.pick(&["1.50", "0", "-1e300", "12345678901234567890.1"]),
        Shape::Date => dice.pick(&[r#""1969-12-31""#, r#""9999-12-31""#]),
        Shape::Time => dice.pick(&[r#""00:00:00""#, r#""23:59:59.999999""#]),
        Shape::DateTime => dice.pick(&[r#""0001-01-01T00:00:00""#, r#""2024-02-29T12:00:00.000001""#]),
        Shape::Instant => dice.pick(&[r#""0001-01-01T00:00:00Z""#, r#""2024-02-29T12:00:00.000001Z""#]),
        Shape::Duration => dice.pick(&[r#""PT0S""#, r#""-P1DT0.000001S""#]),
        Shape::Uuid => dice.pick(&[r#""00112233-4455-6677-8899-aabbccddeeff""#]),
        Shape::Enum(_) => dice.pick(&[r#""x""#, r#""z""#]),
        Shape::Any => dice.pick(&["1", r#"{"a":[1,null]}"#, "[]", r#""t""#, "2.5"]),
        _ => "",
    };
    if !scalar.is_empty() {
        return scalar.to_string();
    }
    let list = |values: Vec<String>| format!("[{}]", values.join(","));
    match own.inner() {
        Shape::List(item) => {
            let count = dice.roll(4);
            list((0..count).map(|_| value_of(dice, item)).collect())
        }
        Shape::Tuple(items) => list(items.iter().map(|item| value_of(dice, item)).collect()),
        Shape::Map(key, value) => {
            let keys = match **key {
                Shape::Text => ["a", "b", ""],
                Shape::Date => ["2020-01-01", "1969-12-31", "0001-01-01"],
                Shape::Uuid => [
                    "00112233-4455-6677-8899-aabbccddeeff",
                    "ffffffff-ffff-ffff-ffff-ffffffffffff",
                    "00000000-0000-0000-0000-000000000000",
                ],
                _ => ["0", "7", "255"],
            };
            let count = dice.roll(4);
            let entries = keys[..count].iter().map(|key| format!("\"{key}\":{}", value_of(dice, value)));
            format!("{{{}}}", entries.collect::<Vec<_>>().join(","))
        }
        Shape::Record(record) => {
            let record = record.get();
            let mut fields: Vec<String> = Vec::new();
            for field in record.fields() {
                if field.required() || dice.roll(4) > 0 {
                    fields.push(format!("\"{}\":{}", field.key(), value_of(dice, field.shape())));
                }
            }
            if dice.roll(4) == 0 {
                fields.reverse();
            }
            format!("{{{}}}", fields.join(","))
        }
        Shape::Union(union) => match dice.roll(2) {
            0 => r#""q""#.to_string(),
            _ => format!("{{\"p\":{}}}", value_of(dice, union.get().variants()[0].shape())),
        },
        _ => "null".to_string(),
    }
}

/// Returns the document as its shape writes it, with all nullable fields.
fn normal(json: &str, own: &Shape) -> Result<String> {
    let value = demat_core::Value::decode_as(&mut JsonSource::new(json.as_bytes()), own)?;
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    demat_core::copy(&mut demat_core::ValueSource::new(&value), own, &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

/// Removes nulls of fields, since columns do not distinguish them from absent fields.
fn without_nulls(json: &str) -> demat_core::Value {
    use demat_core::{Decode, Value};
    fn strip(value: &mut Value) {
        match value {
            Value::List(items) => items.iter_mut().for_each(strip),
            Value::Map(entries) => {
                entries.retain(|(_, value)| *value != Value::Null);
                for (_, value) in entries.iter_mut() {
                    strip(value);
                }
                entries.sort_by_key(|(key, _)| format!("{key:?}"));
            }
            _ => {}
        }
    }
    let mut value = Value::decode(&mut JsonSource::new(json.as_bytes())).unwrap();
    strip(&mut value);
    value
}

fn batch_through_windows(own: &Shape, json: &str, size: usize) -> Result<RecordBatch> {
    let batches = Batches::new(Window::with_size(json.as_bytes(), size), Json::default(), Columns::new(own)?);
    let batches: Vec<RecordBatch> = batches.with_batches(usize::MAX, usize::MAX).collect::<Result<_>>()?;
    assert_eq!(batches.len(), 1);
    Ok(batches.into_iter().next().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 300 } else { 5000 }))]

    #[test]
    fn every_way_to_columns_and_back_is_the_same(seed in 1u64.., size in 1usize..200, parts in 2usize..6) {
        let dice = &mut Dice(seed);
        let text = fields_of(dice, 0);
        let own: Shape = text.parse().unwrap();
        let rows: Vec<String> = (0..=dice.roll(7)).map(|_| value_of(dice, &own)).collect();
        let json = format!("[{}]", rows.join(", "));
        let listed = own.clone().list();
        let whole = columns(&text, &json).unwrap_or_else(|error| panic!("{text}\n{json}\n{error}"));
        prop_assert_eq!(&shape(whole.schema_ref()).unwrap(), &listed);

        let back = json_of(vec![whole.clone()], &listed).unwrap();
        prop_assert_eq!(without_nulls(&back), without_nulls(&normal(&json, &listed).unwrap()), "{} {}", text, json);
        let untyped = json_of(vec![whole.clone()], &Shape::Any);
        prop_assert!(untyped.is_ok(), "{} {}: {:?}", text, json, untyped);

        let mut sink = ColumnsSink::new(Vec::new());
        demat_core::copy(&mut JsonSource::new(json.as_bytes()), &listed, &mut sink).unwrap();
        prop_assert_eq!(sink.into_drain(), vec![whole.clone()], "told: {} {}", text, json);
        prop_assert_eq!(&batch_through_windows(&own, &json, size).unwrap(), &whole);
        let parts = of_parts(json.as_bytes(), &Json::default(), &own, &Options::default(), parts).unwrap();
        prop_assert_eq!(json_of(parts, &listed).unwrap(), back);
    }
}
