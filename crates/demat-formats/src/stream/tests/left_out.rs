use super::{Chunks, Rejects, to_json};
use crate::json::Json;
use crate::ndjson::Ndjson;
use crate::stream::{OnError, Summary, Window};
use demat_core::{Error, ErrorKind, Field, IntWidth, Record, Result, Shape};

fn shape() -> Shape {
    let fields = vec![
        Field::new("id", 1, Shape::Int(IntWidth::Signed(64))),
        Field::new("tags", 2, Shape::Text.list()).with_required(false),
    ];
    Shape::record(Record::new("", fields).unwrap()).list()
}

#[test]
fn bad_items_of_a_json_list_are_left_out() {
    let text = r#"[{"id":1}, {"id":"x"} ,{"id":3,"tags":["a",7,"c"]}, 4,{"id":5,"tags":[]},{},{"id":7}]"#;
    for size in [1, 2, 5, 20, 64, 4096] {
        let mut rejects = Rejects::default();
        let mut window = Window::with_size(Chunks::new(text, &[1, 3]), size);
        let (out, summary) = to_json(&mut window, &mut Json::default(), &shape(), &mut rejects).unwrap();
        assert_eq!(out, r#"[{"id":1},{"id":5,"tags":[]},{"id":7}]"#, "by {size}");
        assert_eq!(summary, Summary { records: 3, rejected: 4 });
        let expected = [
            ("expected `int`, found `text` \"x\" at `$[1].id` (record 2, line 1, column 18)", r#"{"id":"x"}"#),
            (
                "expected `text`, found `int` 7 at `$[2].tags[1]` (record 3, line 1, column 44)",
                r#"{"id":3,"tags":["a",7,"c"]}"#,
            ),
            ("expected `record`, found `int` 4 at `$[3]` (record 4, line 1, column 53)", "4"),
            ("expected field `id`, found nothing at `$[5]` (record 6, line 1, column 75)", "{}"),
        ];
        let found: Vec<(&str, &str)> =
            rejects.0.iter().map(|(error, bytes)| (error.as_str(), bytes.as_str())).collect();
        assert_eq!(found, expected, "by {size}");
    }
}

#[test]
fn bad_lines_are_left_out_whatever_is_wrong_with_them() {
    let text = "{\"id\":1}\n\n{\"id\":\r\n not json \r\n{\"id\":4} {\"id\":5}\n{\"id\":6,\"tags\":[\"\u{1}\"]}\n{\"id\":7}\n{\"id\":8";
    for size in [1, 2, 5, 20, 64, 4096] {
        let mut rejects = Rejects::default();
        let mut window = Window::with_size(Chunks::new(text, &[1, 3]), size);
        let (out, summary) = to_json(&mut window, &mut Ndjson::default(), &shape(), &mut rejects).unwrap();
        assert_eq!(out, r#"[{"id":1},{"id":7}]"#, "by {size}");
        assert_eq!(summary, Summary { records: 2, rejected: 5 });
        let found: Vec<(&str, &str)> =
            rejects.0.iter().map(|(error, bytes)| (error.as_str(), bytes.as_str())).collect();
        let expected = [
            ("expected a value, found end of line at `$[1].id` (record 2, line 3, column 8)", "{\"id\":"),
            ("expected `null`, found `o` at `$[2]` (record 3, line 4, column 3)", " not json "),
            ("expected end of line, found `{` at `$[3]` (record 4, line 5, column 10)", "{\"id\":4} {\"id\":5}"),
            (
                "expected an escape in place of a control character, found `\\u{1}` at `$[4].tags[0]` (record 5, line 6, column 18)",
                "{\"id\":6,\"tags\":[\"\u{1}\"]}",
            ),
            ("expected `,` or `}`, found end of line at `$[6]` (record 7, line 8, column 8)", "{\"id\":8"),
        ];
        assert_eq!(found, expected, "by {size}");
    }
}

#[test]
fn where_the_json_itself_is_broken_nothing_can_be_left_out() {
    for (text, out) in [
        ("[{\"id\":1},{\"id\":2", 2),
        ("[{\"id\":1} {\"id\":2}]", 2),
        ("[{\"id\":1},{\"id\":nul},{\"id\":3}]", 2),
        ("{\"id\":1}", 0),
    ] {
        let mut rejects = Rejects::default();
        let error =
            to_json(&mut Window::new(text.as_bytes()), &mut Json::default(), &shape(), &mut rejects).unwrap_err();
        assert_eq!(rejects.0, []);
        assert_eq!(error.position().record, (out > 0).then_some(out), "{text}: {error}");
    }
}

#[test]
fn a_large_record_is_left_out_whole() {
    let bad = format!("{{\"id\":2,\"tags\":[{},7]}}", vec!["\"tag\""; 3000].join(","));
    let text = format!("[{{\"id\":1}},{bad},{{\"id\":3}}]");
    for size in [16, 1024, 1 << 20] {
        let mut rejects = Rejects::default();
        let mut window = Window::with_size(Chunks::new(&text, &[1000]), size);
        let (out, summary) = to_json(&mut window, &mut Json::default(), &shape(), &mut rejects).unwrap();
        assert_eq!(out, r#"[{"id":1},{"id":3}]"#);
        assert_eq!(summary, Summary { records: 2, rejected: 1 });
        assert_eq!(rejects.0[0].1, bad);
        assert!(rejects.0[0].0.contains("`$[1].tags[3000]` (record 2,"), "{}", rejects.0[0].0);
    }
}

#[test]
fn the_receiver_of_rejects_may_end_it() {
    struct Few(usize);
    impl OnError for Few {
        fn goes_on(&mut self, error: &Error) -> bool {
            error.kind() == ErrorKind::Type
        }
        fn reject(&mut self, error: Error, _: &[u8]) -> Result<()> {
            self.0 = self.0.checked_sub(1).ok_or(error)?;
            Ok(())
        }
    }
    let lines = "{\"id\":\"a\"}\n".repeat(5);
    let copy =
        |text: &str, few| to_json(&mut Window::new(text.as_bytes()), &mut Ndjson::default(), &shape(), &mut Few(few));
    assert_eq!(copy(&lines, 5).unwrap().1.rejected, 5);
    assert_eq!(copy(&lines, 3).unwrap_err().position().record, Some(4));
    assert_eq!(copy("{\"id\":1e}\n", 5).unwrap_err().kind(), ErrorKind::Syntax);
}
