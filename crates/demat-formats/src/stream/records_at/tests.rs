use super::{RecordsAt, Selection};
use crate::json::Json;
use crate::ndjson::Ndjson;
use crate::stream::{OnError, RecordPath, Window};
use crate::xml::Xml;
use demat_core::{Error, Result, Value};
use std::io::Read;

/// A reader that returns one byte at a time.
struct Trickle<'a>(&'a [u8]);

impl Read for Trickle<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let Some((first, rest)) = self.0.split_first() else { return Ok(0) };
        buffer[0] = *first;
        self.0 = rest;
        Ok(1)
    }
}

#[derive(Debug, PartialEq, Clone)]
enum Event {
    Number(i64),
    Text(String),
}

fn at(path: &str) -> RecordPath {
    path.parse().unwrap()
}

fn events<'r>(numbers: &str, texts: &str) -> Selection<'r, Event> {
    Selection::new().at(at(numbers), Event::Number).at(at(texts), Event::Text)
}

fn number(number: i64) -> Event {
    Event::Number(number)
}

fn text(text: &str) -> Event {
    Event::Text(text.to_string())
}

#[test]
fn records_of_several_types_come_in_the_order_of_the_document() {
    let document = br#"{"x": {"t": ["a"], "n": [1, 2]}, "skip": {"n": [9]}, "y": [{"k": 3}, {"k": 4}]}"#;
    for size in [1, 3, 20, 1000] {
        let selection = events("$.x.n[*]", "$.x.t[*]").at(at("$.y[*].k"), Event::Number);
        let window = Window::with_size(Trickle(document), size);
        let records = RecordsAt::new(window, Json::default(), selection).unwrap();
        let found = records.collect::<Result<Vec<_>>>().unwrap();
        assert_eq!(found, [text("a"), number(1), number(2), number(3), number(4)], "{size}");
    }
}

#[test]
fn records_of_two_paths_alternate_within_each_item() {
    let document: String =
        (0..500).map(|id| format!("{{\"name\": \"{id}\", \"tasks\": [{id}, {id}]}}\n")).collect::<Vec<_>>().concat();
    for size in [1, 64, 100_000] {
        let selection =
            Selection::new().at(at("$.tasks[*]").in_each(), Event::Number).at(at("$.name").in_each(), Event::Text);
        let window = Window::with_size(Trickle(document.as_bytes()), size);
        let found: Vec<_> = RecordsAt::new(window, Ndjson::default(), selection).unwrap().map(Result::unwrap).collect();
        assert_eq!(found.len(), 1500);
        assert_eq!(found[1497..], [text("499"), number(499), number(499)]);
    }
}

#[test]
fn elements_of_several_names_are_records() {
    let of = |text| RecordPath::of_elements(text).unwrap();
    let document = b"<c><n>1</n><x><n>7</n></x><s><t>a</t><u/><t>b</t></s><n>2</n></c>";
    for size in [1, 10, 1000] {
        let selection = Selection::new().at(of("c/n"), Event::Number).at(of("c/s/t"), Event::Text);
        let window = Window::with_size(Trickle(document), size);
        let records = RecordsAt::new(window, Xml::default(), selection).unwrap();
        assert_eq!(records.collect::<Result<Vec<_>>>().unwrap(), [number(1), text("a"), text("b"), number(2)]);
    }
}

#[test]
fn each_path_must_be_there() {
    let document: &[u8] = br#"{"n": [1]}"#;
    let mut records = RecordsAt::new(Window::new(document), Json::default(), events("$.n[*]", "$.t[*]")).unwrap();
    assert_eq!(records.next().unwrap().unwrap(), number(1));
    let error = records.next().unwrap().unwrap_err();
    assert_eq!(error.to_string(), "expected field `t`, found nothing (line 1, column 10)");
    assert!(records.next().is_none());
    let refused = RecordsAt::new(Window::new(document), Json::default(), events("$.n[*]", "$.n")).unwrap_err();
    assert_eq!(refused.to_string(), "`$.n[*]` lies within `$.n`, whose values are records");
}

/// Keeps what is refused.
#[derive(Default)]
struct Kept(Vec<(String, Option<u64>, Vec<u8>)>);

impl OnError for &mut Kept {
    fn goes_on(&mut self, _: &Error) -> bool {
        true
    }

    fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()> {
        self.0.push((error.path(), error.position().record, bytes.to_vec()));
        Ok(())
    }
}

#[test]
fn refused_records_of_either_type_are_left_out() {
    let document = br#"{"n": [1, "x", 2], "t": ["a", 5]}"#;
    for size in [1, 1000] {
        let mut kept = Kept::default();
        let window = Window::with_size(Trickle(document), size);
        let records = RecordsAt::new(window, Json::default(), events("$.n[*]", "$.t[*]")).unwrap().or_else(&mut kept);
        assert_eq!(records.collect::<Result<Vec<_>>>().unwrap(), [number(1), number(2), text("a")]);
        let expected =
            [("$.n[1]".to_string(), Some(2), b"\"x\"".to_vec()), ("$.t[1]".to_string(), Some(5), b"5".to_vec())];
        assert_eq!(kept.0, expected);
    }
}

#[test]
fn the_header_is_that_of_the_record() {
    let document = br#"{"total": 2, "m": {"next": "p", "n": [1, 2], "last": [0]}, "t": ["a"], "took": 3}"#;
    for size in [1, 30, 1000] {
        let window = Window::with_size(Trickle(document), size);
        let mut records = RecordsAt::new(window, Json::default(), events("$.m.n[*]", "$.t[*]")).unwrap().with_header();
        assert_eq!(json(&records.header()), "{}");
        let mut seen = Vec::new();
        while let Some(record) = records.next() {
            record.unwrap();
            seen.push(json(&records.header()));
        }
        let before = r#"{"total":2,"m":{"next":"p"}}"#;
        assert_eq!(seen, [before, before, r#"{"total":2,"m":{"next":"p","last":[0]}}"#], "{size}");
        assert_eq!(json(&records.header()), r#"{"total":2,"m":{"next":"p","last":[0]},"took":3}"#);
    }
}

fn json(value: &Value) -> String {
    String::from_utf8(crate::json::encode(value).unwrap()).unwrap()
}

#[test]
fn many_paths_take_linear_time() {
    let mut selection = Selection::new();
    let mut document = String::from("{");
    let count = 20_000;
    for index in 0..count {
        selection = selection.at(at(&format!("$.k{index}[*]")), Event::Number);
        document.extend([format!("\"k{index}\": [{index}],")]);
    }
    document += "\"end\": 0}";
    let started = std::time::Instant::now();
    let records = RecordsAt::new(Window::new(document.as_bytes()), Json::default(), selection).unwrap();
    assert_eq!(records.map(Result::unwrap).last(), Some(number(count - 1)));
    assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
}
