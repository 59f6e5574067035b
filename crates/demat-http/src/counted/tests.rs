use super::Counted;
use demat_core::{Encode as _, Sink as _, Value};

fn counted(json: &str) -> Option<u64> {
    let value: Value = demat_formats::json::decode(json.as_bytes()).unwrap();
    let mut sink = Counted::default();
    value.encode(&mut sink).unwrap();
    sink.finish().unwrap();
    sink.items()
}

#[test]
fn items_of_the_list_are_counted_and_nothing_within() {
    assert_eq!(counted("[]"), Some(0));
    assert_eq!(counted(r#"[1,"a",null,2.5,true]"#), Some(5));
    assert_eq!(counted(r#"[[1,2],{"a":[1,2,3]},[[[]]],{}]"#), Some(4));
    for other in ["1", "null", r#""a""#, "{}", r#"{"a":[1,2]}"#] {
        assert_eq!(counted(other), None, "{other}");
    }
}

#[test]
fn what_was_taken_back_does_not_count() {
    let mut sink = Counted::default();
    sink.begin_list(None).unwrap();
    sink.item().unwrap();
    sink.null().unwrap();
    sink.commit().unwrap();
    sink.item().unwrap();
    sink.begin_map(None).unwrap();
    sink.rollback().unwrap();
    sink.item().unwrap();
    sink.null().unwrap();
    sink.end_list().unwrap();
    assert_eq!(sink.items(), Some(2));
}
