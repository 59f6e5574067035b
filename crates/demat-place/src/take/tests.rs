use super::Take;
use demat_formats::json::{Json, JsonSink, WriteOptions};
use demat_formats::stream::{Stop, Window, copy};
use demat_formats::{Keep, Output};

fn first(limit: u64, json: &str, window: usize) -> (String, u64, bool) {
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let mut take = Take::new(&mut sink, limit);
    let mut window = Window::with_size(json.as_bytes(), window);
    let copied = copy(&mut window, &mut Json::default(), &demat_core::Shape::Any, &mut take, &mut Stop);
    let enough = take.has_enough();
    if enough {
        take.end_early().unwrap();
    } else {
        copied.unwrap();
    }
    let items = take.items();
    (String::from_utf8(sink.into_output().into_parts().0).unwrap(), items, enough)
}

#[test]
fn the_first_items_whatever_the_window() {
    let json = r#"[[1,[2]],{"a":[3,4]},5,"never"]"#;
    for window in 1..40 {
        assert_eq!(first(0, json, window), ("[]".to_string(), 0, true));
        assert_eq!(first(1, json, window), ("[[1,[2]]]".to_string(), 1, true));
        assert_eq!(first(2, json, window), (r#"[[1,[2]],{"a":[3,4]}]"#.to_string(), 2, true));
        assert_eq!(first(4, json, window), (json.to_string(), 4, true));
        assert_eq!(first(5, json, window), (json.to_string(), 4, false));
        assert_eq!(first(1, r#"{"a":[1,2]}"#, window).0, r#"{"a":[1,2]}"#, "a document is one record");
    }
}

#[test]
fn what_follows_is_not_looked_at() {
    assert_eq!(first(2, "[1,2,nonsense", 64).0, "[1,2]");
}
