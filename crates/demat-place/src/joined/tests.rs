use super::Joined;
use demat_core::{Shape, Sink as _, Value, ValueSink, ValueSource, copy};

fn value(text: &str) -> Value {
    demat_formats::json::decode(text.as_bytes()).unwrap()
}

fn joined(values: &[&str]) -> Value {
    let mut sink = ValueSink::default();
    let mut joined = Joined::new(&mut sink);
    for text in values {
        copy(&mut ValueSource::new(&value(text)), &Shape::Any, &mut joined).unwrap();
        joined.finish().unwrap();
    }
    joined.end().unwrap();
    sink.whole()
}

#[test]
fn lists_and_values_become_one_list() {
    for (values, wanted) in [
        (&[][..], "[]"),
        (&["[]", "[]"], "[]"),
        (&["[1,2]", "[3]"], "[1,2,3]"),
        (&["{\"a\":[1]}", "[{\"b\":{}}]", "7"], "[{\"a\":[1]},{\"b\":{}},7]"),
        (&["[[1],[]]", "[]", "[[[2]]]"], "[[1],[],[[2]]]"),
    ] {
        assert_eq!(joined(values), value(wanted), "{values:?}");
    }
}

#[test]
fn a_rollback_goes_back_to_the_last_commit() {
    let mut sink = ValueSink::default();
    let mut joined = Joined::new(&mut sink);
    joined.begin_list(Some(2)).unwrap();
    joined.commit().unwrap();
    joined.item().unwrap();
    joined.begin_map(None).unwrap();
    joined.rollback().unwrap();
    joined.item().unwrap();
    joined.bool(true).unwrap();
    joined.end_list().unwrap();
    joined.end().unwrap();
    assert_eq!(sink.whole(), value("[true]"));
}
