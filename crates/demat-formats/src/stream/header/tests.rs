use crate::json::{Json, ReadOptions, RepeatedKeys};
use crate::ndjson::Ndjson;
use crate::stream::{Header, RecordPath, RecordPaths, Walk, Window, Windowed};
use demat_core::{ErrorKind, Result, Signal, Source};
use std::io::Read;

/// A reader that returns at most three bytes at a time.
struct Few<R>(R);

impl<R: Read> Read for Few<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let len = buffer.len().min(3);
        self.0.read(&mut buffer[..len])
    }
}

/// Returns the header at each record and at the end.
fn headers<R: Read, F: Windowed>(
    mut window: Window<R>,
    mut format: F,
    at: &RecordPath,
    (shape, limit): (&str, usize),
) -> Result<(Vec<String>, usize)> {
    let mut walk = Walk::of(RecordPaths::one(at)).with_header(shape.parse()?, limit);
    let (mut header, mut seen) = (Header::default(), Vec::new());
    loop {
        let mut source = format.source(window.part());
        if let Some(mark) = walk.mark() {
            source.reset(mark);
        }
        let error = loop {
            let came = walk.next(&mut source);
            walk.header_changes().into_iter().for_each(|change| header.apply(change));
            match came {
                Err(error) => break walk.within(error, false),
                Ok(_) => seen.push(String::from_utf8(crate::json::encode(&header.value())?).unwrap()),
            }
            if !came.is_ok_and(|more| more) {
                return Ok((seen, window.capacity()));
            }
            if let Err(error) = source.skip() {
                seen.pop();
                break error;
            }
            walk.taken(&source);
        };
        drop(source);
        if error.signal() != Some(Signal::Incomplete) {
            return Err(error);
        }
        let passed = walk.passed();
        window.consume(passed);
        walk.moved(passed);
        if passed > 0 || !walk.deepen(window.part().bytes.len()) {
            window.fill(passed == 0)?;
        }
    }
}

fn seen(document: &str, at: &str, shape: &str) -> Vec<String> {
    let at = at.parse().unwrap();
    let whole = headers(Window::new(document.as_bytes()), Json::default(), &at, (shape, 1000)).unwrap().0;
    let pieces = headers(Window::with_size(Few(document.as_bytes()), 4), Json::default(), &at, (shape, 1000));
    assert_eq!(pieces.unwrap().0, whole);
    whole
}

#[test]
fn it_has_what_was_passed_around_the_records() {
    let page = r#"{"total": 2, "next": "…", "users": [1, 2], "took": 3}"#;
    let before = r#"{"total":2,"next":"…"}"#;
    assert_eq!(seen(page, "$.users[*]", "any"), [before, before, r#"{"total":2,"next":"…","took":3}"#]);
    assert_eq!(seen("[1]", "$[*]", "any"), ["{}", "{}"]);
    assert_eq!(seen("7", "$", "any"), ["{}", "{}"]);
    assert_eq!(seen(r#"{"a": {"x": 1, "v": {"y": 2}}}"#, "$.a.v", "any"), [r#"{"a":{"x":1}}"#, r#"{"a":{"x":1}}"#]);
    assert_eq!(seen(r#"{"a": [0, {"x": 1, "v": 2}, 3]}"#, "$.a[1].v", "any").last().unwrap(), r#"{"a":{"x":1}}"#);
    assert_eq!(seen(r#"{"a": 1, "a": 2, "v": 0, "a": 3}"#, "$.v", "any"), [r#"{"a":2}"#, r#"{"a":3}"#]);
}

#[test]
fn an_item_on_the_way_is_in_the_place_of_its_list() {
    let users =
        r#"{"n": 2, "users": [{"id": 1, "tasks": ["a", "b"], "x": []}, {"id": 2, "tasks": ["c"]}], "end": null}"#;
    let one = r#"{"n":2,"users":{"id":1}}"#;
    let two = r#"{"n":2,"users":{"id":2}}"#;
    let end = r#"{"n":2,"users":{"id":2},"end":null}"#;
    assert_eq!(seen(users, "$.users[*].tasks[*]", "any"), [one, one, two, end]);
    let users = r#"{"users": {"ada": {"id": 1, "tasks": [1]}, "alan": {"tasks": [2], "id": 2}}}"#;
    assert_eq!(
        seen(users, "$.users.*.tasks[*]", "any"),
        [r#"{"users":{"ada":{"id":1}}}"#, r#"{"users":{"alan":{}}}"#, r#"{"users":{"alan":{"id":2}}}"#]
    );
    assert_eq!(seen(r#"{"n": 1, "v": {"a": 1, "b": 2}}"#, "$.v.*", "any"), [r#"{"n":1}"#; 3]);
}

#[test]
fn each_line_has_its_own() {
    let lines = "{\"id\": 1, \"t\": [1]}\n{\"t\": [2], \"id\": 2}\n";
    let at = "$.t[*]".parse::<RecordPath>().unwrap().in_each();
    let (seen, _) = headers(Window::new(lines.as_bytes()), Ndjson::default(), &at, ("any", 1000)).unwrap();
    assert_eq!(seen, [r#"{"id":1}"#, "{}", r#"{"id":2}"#]);
}

#[test]
fn a_record_says_which_fields_are_wanted() {
    let page = r#"{"big": [[[1]]], "total": 2, "at": "2020-01-01", "users": [1]}"#;
    assert_eq!(seen(page, "$.users[*]", "{total: int, at: date}")[0], r#"{"total":2,"at":"2020-01-01"}"#);
    let at = "$.users[*]".parse().unwrap();
    let wrong = headers(Window::new(page.as_bytes()), Json::default(), &at, ("{total: text}", 1000)).unwrap_err();
    assert_eq!(wrong.to_string(), "expected `text`, found `int` 2 at `$.total` (line 1, column 27)");
}

#[test]
fn it_is_bounded() {
    let at = "$.v[*]".parse().unwrap();
    let read = |document: &str, limit, size| {
        headers(Window::with_size(document.as_bytes(), size), Json::default(), &at, ("any", limit))
    };
    let long = format!("{{\"a\": [{}0], \"v\": [1]}}", "0,".repeat(100_000));
    for size in [16, 1000, 1_000_000] {
        let error = read(&long, 500, size).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
        assert!(error.to_string().contains("at `$.a`"), "{error}");
    }
    let many: String = (0..1000).map(|index| format!("\"k{index}\": {index}, ")).collect::<Vec<_>>().concat();
    let many = format!("{{{many}\"v\": [1]}}");
    assert_eq!(read(&many, 500, 64).unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(read(&many, 50_000, 64).unwrap().1, 64);

    // What was left does not count.
    let users: String = (0..1000)
        .map(|id| format!("{{\"id\": {id}, \"x\": \"{}\", \"t\": [1]}},", "x".repeat(50)))
        .collect::<Vec<_>>()
        .concat();
    let users = format!("{{\"users\": [{users}{{\"t\": []}}]}}");
    let at = "$.users[*].t[*]".parse().unwrap();
    let (seen, capacity) =
        headers(Window::with_size(users.as_bytes(), 256), Json::default(), &at, ("any", 100)).unwrap();
    assert_eq!((seen.len(), capacity), (1001, 256));
}

#[test]
fn repeated_fields_are_refused_where_keys_are() {
    let options = ReadOptions { repeated_keys: RepeatedKeys::Refuse, ..ReadOptions::default() };
    let at = "$.v[*]".parse().unwrap();
    let document: &[u8] = br#"{"a": 1, "a": 2, "v": []}"#;
    let error = headers(Window::new(document), Json::new(options), &at, ("any", 100)).unwrap_err();
    assert_eq!(error.to_string(), "the key `a` stands here again at `$.a` (line 1, column 10)");
}
