use super::{Items, Spot, Step, Visit, last_of_key, open, open_inside, way_to};
use crate::Format;
use crate::codec::ReadOptions;
use demat_core::{Copier, Kind, Mark, Progress, Result, Shape, Source, Value, ValueSink, copy};
use std::borrow::Cow;

/// The formats that can be looked into.
fn formats() -> impl Iterator<Item = Format> {
    Format::all().filter(|format| format.about().values_stand_alone)
}

fn encoded(format: Format, json: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let codec = format.codec().unwrap();
    let mut sink = codec.sink(&codec.write_options(), Box::new(crate::To(&mut bytes))).unwrap();
    copy(&mut crate::json::JsonSource::new(json.as_bytes()), &Shape::Any, &mut *sink).unwrap();
    drop(sink);
    bytes
}

/// The children of a container, with their steps.
struct Children;

impl Visit for Children {
    type Output = Result<Vec<(Step, bool, Mark)>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        let mut found = Vec::new();
        if source.peek()? == Kind::Map {
            source.map()?;
            while source.entry()? {
                let key = source.text()?.to_string();
                source.value()?;
                found.push((Step::Key(key), true, source.mark()));
                source.skip()?;
            }
        } else {
            source.list()?;
            while source.item()? {
                found.push((Step::Item(found.len()), false, source.mark()));
                source.skip()?;
            }
        }
        Ok(found)
    }
}

struct ValueOf(Spot);

impl Visit for ValueOf {
    type Output = Result<Value>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Result<Value> {
        self.0.reach(&mut source)?;
        let mut sink = ValueSink::default();
        let mut copier = Copier::new(Shape::Any);
        copier.begin(&source);
        while copier.run(&mut source, &mut sink)? == Progress::Unit {}
        Ok(sink.whole())
    }
}

struct WayOf(Spot);

impl Visit for WayOf {
    type Output = Result<Vec<Step>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        way_to(&mut source, self.0)
    }
}

struct SpanOf(Spot);

impl Visit for SpanOf {
    type Output = Result<Vec<u8>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        self.0.reach(&mut source)?;
        source.span().map(Cow::into_owned)
    }
}

const DOCUMENT: &str = r#" { "a" : [1, {"b": [[], {}, "é"]}, null], "c": {"a": {"a": [true, [2.5]]}}, "": "" } "#;

#[test]
fn every_spot_is_reached_and_has_its_way() {
    let options = ReadOptions::default();
    for format in formats() {
        let bytes = encoded(format, DOCUMENT);
        let mut spots = vec![(
            Spot::WHOLE,
            Vec::new(),
            open(format, &options, Spot::WHOLE, &bytes, ValueOf(Spot::WHOLE)).unwrap().unwrap(),
        )];
        let mut seen = 0;
        while let Some((spot, way, value)) = spots.pop() {
            seen += 1;
            assert_eq!(
                open(format, &options, spot, &bytes, ValueOf(spot)).unwrap().unwrap(),
                value,
                "{format} {way:?}"
            );
            assert_eq!(open(format, &options, Spot::WHOLE, &bytes, WayOf(spot)).unwrap().unwrap(), way, "{format}");
            let span = open(format, &options, spot, &bytes, SpanOf(spot)).unwrap().unwrap();
            let whole = open(format, &options, Spot::WHOLE, &span, ValueOf(Spot::WHOLE)).unwrap().unwrap();
            assert_eq!(whole, value, "{format} {way:?}");
            assert_eq!(spot.level() as usize, way.len());
            let inner: Vec<Value> = match value {
                Value::List(items) => items,
                Value::Map(entries) => entries.into_iter().map(|(_, value)| value).collect(),
                _ => continue,
            };
            let children = open_inside(format, &options, spot, &bytes, Children).unwrap().unwrap();
            assert_eq!(children.len(), inner.len());
            for ((step, is_map, mark), value) in children.into_iter().zip(inner) {
                let way = way.iter().cloned().chain([step]).collect();
                spots.push((spot.child(is_map, mark), way, value));
            }
        }
        assert_eq!(seen, 16, "{format}");
    }
}

struct ItemsOf<'i>(&'i mut Items, usize);

impl Visit for ItemsOf<'_> {
    type Output = Result<Option<i64>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        source.list()?;
        if self.0.find(&mut source, self.1)?.is_none() {
            return Ok(None);
        }
        source.i64().map(Some)
    }
}

struct CountOf<'i>(&'i mut Items);

impl Visit for CountOf<'_> {
    type Output = Result<usize>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        source.list()?;
        self.0.count(&mut source)
    }
}

#[test]
fn items_are_found_in_any_order() {
    let options = ReadOptions::default();
    for format in formats() {
        let numbers: Vec<i64> = (0..2000).map(|index| (index * 7919) % 2003 * i64::from(index % 3 != 0)).collect();
        let text = format!("[{}]", numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(","));
        let bytes = encoded(format, &text);
        let mut items = Items::default();
        for step in [1999, 1, 7, 1500, 3, 0, 2000, 1999, 2001, 1998] {
            let found = open_inside(format, &options, Spot::WHOLE, &bytes, ItemsOf(&mut items, step)).unwrap().unwrap();
            assert_eq!(found, numbers.get(step).copied(), "{format} {step}");
        }
        for index in (0..2000).rev().chain(0..2000) {
            let found =
                open_inside(format, &options, Spot::WHOLE, &bytes, ItemsOf(&mut items, index)).unwrap().unwrap();
            assert_eq!(found, Some(numbers[index]));
        }
        assert_eq!(open_inside(format, &options, Spot::WHOLE, &bytes, CountOf(&mut items)).unwrap().unwrap(), 2000);
        assert_eq!(items.known_count(), Some(2000));
        let mut fresh = Items::default();
        assert_eq!(open_inside(format, &options, Spot::WHOLE, &bytes, CountOf(&mut fresh)).unwrap().unwrap(), 2000);
        assert!(items.kept.len() < bytes.len() / 256 + 2);
        let empty = encoded(format, "[]");
        let mut none = Items::default();
        assert_eq!(open_inside(format, &options, Spot::WHOLE, &empty, CountOf(&mut none)).unwrap().unwrap(), 0);
        assert_eq!(open_inside(format, &options, Spot::WHOLE, &empty, ItemsOf(&mut none, 0)).unwrap().unwrap(), None);
    }
}

struct Keyed(&'static str);

impl Visit for Keyed {
    type Output = Result<Option<Mark>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        source.map()?;
        last_of_key(&mut source, self.0)
    }
}

#[test]
fn the_last_of_a_repeated_key_is_found() {
    let options = ReadOptions::default();
    let text = br#"{"a": 1, "b": 2, "a": 3}"#;
    let find = |key| open_inside(Format::JSON, &options, Spot::WHOLE, text, Keyed(key)).unwrap().unwrap();
    let spot = Spot::WHOLE.child(true, find("a").unwrap());
    assert_eq!(open(Format::JSON, &options, spot, text, ValueOf(spot)).unwrap().unwrap(), Value::Int(3.into()));
    assert_eq!(find("c"), None);
}

#[test]
fn levels_count_towards_the_depth() {
    let options = ReadOptions { depth: 2, ..ReadOptions::default() };
    for format in formats() {
        let bytes = encoded(format, "[[[1]]]");
        let inside = |spot: Spot| {
            let children = open_inside(format, &options, spot, &bytes, ItemsMark)?;
            children.map(|mark| spot.child(false, mark))
        };
        let second = inside(inside(Spot::WHOLE).unwrap()).unwrap();
        assert_eq!(second.level(), 2);
        assert_eq!(inside(second).unwrap_err().kind(), demat_core::ErrorKind::Limit, "{format}");
    }
}

/// The mark of the first item.
struct ItemsMark;

impl Visit for ItemsMark {
    type Output = Result<Mark>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        source.list()?;
        assert!(source.item()?);
        Ok(source.mark())
    }
}

/// Reads the text of a cell.
struct TextAt(Spot);

impl Visit for TextAt {
    type Output = Result<String>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        self.0.reach(&mut source)?;
        Ok(source.text()?.to_string())
    }
}

/// Finds the spot of a row, or of a cell in it.
struct Child<'k>(Spot, Result<usize, &'k str>);

impl Visit for Child<'_> {
    type Output = Result<Option<Spot>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        let Self(spot, step) = self;
        Ok(match step {
            Ok(index) => {
                source.list()?;
                Items::default().find(&mut source, index)?.map(|mark| spot.child(false, mark))
            }
            Err(name) => {
                source.map()?;
                last_of_key(&mut source, name)?.map(|mark| spot.child(true, mark))
            }
        })
    }
}

#[test]
fn cells_of_tables_are_found_by_row_and_name() {
    let data = b"id,note\n1,\"a\nb\"\n22,c\n333,\"d\"\"\"\n";
    let options = ReadOptions::default();
    let whole = Spot::whole(Format::CSV).unwrap();
    for (row, id, note) in [(2, "333", "d\""), (0, "1", "a\nb"), (1, "22", "c")] {
        let found = open_inside(Format::CSV, &options, whole, data, Child(whole, Ok(row))).unwrap().unwrap().unwrap();
        for (name, expected) in [("note", note), ("id", id)] {
            let cell = open_inside(Format::CSV, &options, found, data, Child(found, Err(name)));
            let cell = cell.unwrap().unwrap().unwrap();
            assert_eq!(open(Format::CSV, &options, cell, data, TextAt(cell)).unwrap().unwrap(), expected);
            let way = open_inside(Format::CSV, &options, whole, data, Way(cell)).unwrap().unwrap();
            assert_eq!(way, [Step::Item(row), Step::Key(name.to_string())]);
        }
        let none = open_inside(Format::CSV, &options, found, data, Child(found, Err("none"))).unwrap().unwrap();
        assert_eq!(none, None);
    }
    // Bytes that have changed since are refused.
    let row = open_inside(Format::CSV, &options, whole, data, Child(whole, Ok(2))).unwrap().unwrap().unwrap();
    assert!(open_inside(Format::CSV, &options, row, b"id,note\n1,2\n", Child(row, Err("id"))).unwrap().is_err());
}

/// Returns the way to a spot.
struct Way(Spot);

impl Visit for Way {
    type Output = Result<Vec<Step>>;

    fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
        way_to(&mut source, self.0)
    }
}
