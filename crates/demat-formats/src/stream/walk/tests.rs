use super::Walk;
use crate::json::{Json, ReadOptions};
use crate::ndjson::Ndjson;
use crate::stream::{RecordPath, Window, Windowed};
use demat_core::{Error, Result, Signal, Source};
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

/// A reader that returns `[` and then the same item again and again.
struct Endless {
    head: &'static [u8],
    item: &'static [u8],
    left: usize,
    tail: &'static [u8],
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.head.is_empty() && self.left > 0 {
            self.left -= 1;
            self.head = self.item;
        }
        if self.head.is_empty() {
            self.head = std::mem::take(&mut self.tail);
        }
        let len = self.head.len().min(buffer.len());
        buffer[..len].copy_from_slice(&self.head[..len]);
        self.head = &self.head[len..];
        Ok(len)
    }
}

/// Returns the spans that a path selects, and the final capacity of the window.
fn walk<R: Read, F: Windowed>(window: Window<R>, mut format: F, at: &str) -> (Vec<String>, Result<usize>) {
    let mut window = window.with_end(format.end());
    let mut walk = Walk::new(&at.parse().unwrap());
    let mut found = Vec::new();
    loop {
        let error = {
            let mut source = format.source(window.part());
            if let Some(mark) = walk.mark() {
                source.reset(mark);
            }
            loop {
                match walk.next(&mut source) {
                    Ok(false) => return (found, Ok(window.capacity())),
                    Ok(true) => {}
                    Err(error) => break walk.within(error, false),
                }
                match source.span() {
                    Ok(span) => found.push(String::from_utf8_lossy(&span).into_owned()),
                    Err(error) => break walk.within(error, true),
                }
                walk.taken(&source);
            }
        };
        if error.signal() != Some(Signal::Incomplete) {
            return (found, Err(error));
        }
        let passed = walk.passed();
        window.consume(passed);
        walk.moved(passed);
        if passed == 0 && walk.deepen(window.part().bytes.len()) {
            continue;
        }
        if let Err(error) = window.fill(passed == 0) {
            return (found, Err(error));
        }
    }
}

fn json(text: &str, at: &str) -> (Vec<String>, Result<()>) {
    let (whole, result) = walk(Window::new(text.as_bytes()), Json::default(), at);
    for size in [1, 3, 20] {
        let (pieces, other) = walk(Window::with_size(Trickle(text.as_bytes()), size), Json::default(), at);
        assert_eq!(pieces, whole, "{text} {at}");
        let message = |result: &Result<usize>| result.as_ref().err().map(ToString::to_string);
        assert_eq!(message(&other), message(&result), "{text} {at}");
    }
    (whole, result.map(drop))
}

fn selected(text: &str, at: &str) -> Vec<String> {
    let (found, result) = json(text, at);
    result.unwrap();
    found
}

fn refused(text: &str, at: &str) -> (usize, String) {
    let (found, result) = json(text, at);
    (found.len(), result.unwrap_err().to_string())
}

const DOCUMENT: &str = r#"{"meta": {"x": [1, {"y": "]}"}], "items": 0}, "data": {"n": 2, "items": [{"a": 1}, 2, [3]], "z": null},
 "users": [{"id": 1, "tasks": ["a", "b"]}, {"tasks": [], "id": 2}, {"tasks": ["c"]}], "a b": [[1, 2], [3]]}"#;

#[test]
fn records_are_where_the_path_says() {
    assert_eq!(selected("[1, [2], {}]", "$[*]"), ["1", "[2]", "{}"]);
    assert_eq!(selected(DOCUMENT, "$.data.items[*]"), [r#"{"a": 1}"#, "2", "[3]"]);
    assert_eq!(selected(DOCUMENT, "$.users[*].tasks[*]"), [r#""a""#, r#""b""#, r#""c""#]);
    assert_eq!(selected(DOCUMENT, r#"$["a b"][*]"#), ["[1, 2]", "[3]"]);
    assert_eq!(selected(DOCUMENT, r#"$["a b"][*][*]"#), ["1", "2", "3"]);
    assert_eq!(selected(DOCUMENT, r#"$["a b"][1][*]"#), ["3"]);
    assert_eq!(selected(DOCUMENT, "$.users[1].tasks[*]"), [""; 0]);
    assert_eq!(selected(r#"[{"x": [1]}]"#, "$[0].x[*]"), ["1"]);
}

#[test]
fn each_value_of_a_map_is_a_record() {
    assert_eq!(selected(r#"{"a": 1, "b c": [2], "": {}}"#, "$.*"), ["1", "[2]", "{}"]);
    assert_eq!(selected("{}", "$.*"), [""; 0]);
    assert_eq!(selected(DOCUMENT, "$.data.*"), ["2", r#"[{"a": 1}, 2, [3]]"#, "null"]);
    assert_eq!(selected(r#"{"a": {"x": [1, 2]}, "b": {"y": 0, "x": [3]}}"#, "$.*.x[*]"), ["1", "2", "3"]);
    assert_eq!(selected(r#"[{"a": 1}, {}, {"b": 2, "c": 3}]"#, "$[*].*"), ["1", "2", "3"]);
    // Each value of a key that comes again is a record.
    assert_eq!(selected(r#"{"a": 1, "a": 2}"#, "$.*"), ["1", "2"]);
    assert_eq!(
        refused(DOCUMENT, "$.users.*"),
        (0, "expected `record`, found `list` at `$.users` (line 2, column 11)".into())
    );
    assert_eq!(
        refused(r#"{"a": {"x": 1}, "b": {"y": 2}}"#, "$.*.x"),
        (1, "expected field `x`, found nothing at `$.b` (line 1, column 29)".into())
    );
    assert_eq!(refused(r#"{"a": 1, "b" 2}"#, "$.*"), (1, "expected `:`, found `2` (line 1, column 14)".into()));
}

#[test]
fn a_single_value_is_the_one_record() {
    assert_eq!(selected("{\"a\": 1}", "$"), ["{\"a\": 1}"]);
    assert_eq!(selected("7 ", "$"), ["7"]);
    assert_eq!(selected(DOCUMENT, "$.data.n"), ["2"]);
    assert_eq!(selected(DOCUMENT, "$.users[2].tasks[0]"), ["\"c\""]);
}

#[test]
fn what_is_not_there_is_said() {
    assert_eq!(
        refused(DOCUMENT, "$.data.tasks[*]"),
        (0, "expected field `tasks`, found nothing at `$.data` (line 1, column 102)".into())
    );
    assert_eq!(
        refused(DOCUMENT, "$.users[3]"),
        (0, "expected item 3, found a list of 3 at `$.users` (line 2, column 84)".into())
    );
    assert_eq!(
        refused(DOCUMENT, "$.data[*]"),
        (0, "expected `list`, found `record` at `$.data` (line 1, column 55)".into())
    );
    assert_eq!(
        refused(DOCUMENT, "$.users.x"),
        (0, "expected `record`, found `list` at `$.users` (line 2, column 11)".into())
    );
    assert_eq!(
        refused(DOCUMENT, "$.users[*].id[*]").1,
        "expected `list`, found `int` 1 at `$.users[0].id` (line 2, column 19)"
    );
    assert_eq!(
        refused(r#"[{"x": [1]}, {"y": 2}]"#, "$[*].x[*]").1,
        "expected field `x`, found nothing at `$[1]` (line 1, column 21)"
    );
    assert_eq!(refused("{}", "$[*]"), (0, "expected `list`, found `record` (line 1, column 1)".into()));
}

#[test]
fn the_rest_of_the_document_is_read_too() {
    assert_eq!(
        refused(r#"{"a": [1, 2], "b": [3,]}"#, "$.a[*]"),
        (2, "expected a value, found `]` (line 1, column 23)".into())
    );
    assert_eq!(
        refused(r#"{"a": [1, 2]} x"#, "$.a[*]"),
        (2, "expected end of input, found `x` (line 1, column 15)".into())
    );
    assert_eq!(refused(r#"{"a": [1, 2"#, "$.a[*]").0, 2);
    assert_eq!(
        refused(r#"{"a": [1, 2], "a": [3]}"#, "$.a[*]").1,
        "the key `a` stands here again, and what the first one has was given (line 1, column 15)"
    );
}

#[test]
fn lines_are_a_list() {
    let text = "{\"x\": [1, 2]}\n\n{\"y\": {}, \"x\": [3]}\n";
    for size in [1, 5, 100] {
        let window = || Window::with_size(Trickle(text.as_bytes()), size);
        let (lines, end) = walk(window(), Ndjson::default(), "$[*]");
        assert_eq!((lines.len(), end.is_ok()), (2, true));
        let at: RecordPath = "$.x[*]".parse().unwrap();
        let (found, end) = walk(window(), Ndjson::default(), &at.in_each().to_string());
        assert_eq!((found, end.is_ok()), (vec!["1".to_string(), "2".into(), "3".into()], true));
        let (found, end) = walk(window(), Ndjson::default(), "$[*].y");
        assert!(found.is_empty());
        let message = "expected field `y`, found nothing at `$[0]` (record 1, line 1, column 13)";
        assert_eq!(end.unwrap_err().to_string(), message);
    }
}

#[test]
fn what_is_passed_over_is_not_held() {
    let deep = "[".repeat(50) + &"]".repeat(50) + ",";
    let items: [&'static [u8]; 3] = [br#"{"a": {"b": [1, 2, 3]}, "c": "text"},"#, b"12,", deep.leak().as_bytes()];
    for item in items {
        let (head, tail) = (b"{\"big\": [[" as &[u8], b"1]], \"x\": [7, 8], \"more\": 1}" as &[u8]);
        let left = 3_000_000 / item.len();
        let endless = Endless { head, item, left, tail };
        let (found, capacity) = walk(Window::with_size(endless, 4096), Json::default(), "$.x[*]");
        assert_eq!(found, ["7", "8"]);
        assert!(capacity.unwrap() <= 8192);
    }
}

#[test]
fn depth_is_limited_where_values_are_passed_over_in_parts() {
    let text = "[".repeat(30) + "1";
    let json = Json::new(ReadOptions { depth: 20, ..ReadOptions::default() });
    let (_, result) = walk(Window::with_size(Trickle(format!("{{\"a\": {text}").as_bytes()), 4), json, "$.b");
    assert!(result.is_err_and(|error: Error| error.kind() == demat_core::ErrorKind::Limit));
}

#[test]
fn a_record_is_there_when_its_bytes_are() {
    /// A reader that returns at most 1,000 bytes at a time, and `WouldBlock` after the last ones.
    struct Stops<'a>(&'a [u8]);
    impl Read for Stops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let len = self.0.len().min(buffer.len()).min(1000);
            if len == 0 {
                return Err(std::io::ErrorKind::WouldBlock.into());
            }
            buffer[..len].copy_from_slice(&self.0[..len]);
            self.0 = &self.0[len..];
            Ok(len)
        }
    }
    for length in [10, 4000, 5000, 100_000] {
        let record = format!("{{\"a\":\"{}\"}}", "x".repeat(length));
        let text = format!("[{record},{record}");
        let (found, end) = walk(Window::growing(Stops(text.as_bytes())), Json::default(), "$[*]");
        assert_eq!(found.len(), 2, "{length}");
        assert_eq!(end.unwrap_err().kind(), demat_core::ErrorKind::Io);
    }
}
