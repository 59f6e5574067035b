//! Sorted keys: by their bytes, at every level, for every kind of key; through streams as well.

use super::output::written;
use super::{Few, JsonSource};
use crate::json::{Json, JsonSink, NonFinite, ReadOptions, UuidForm, WriteOptions};
use crate::stream::{Stop, Window, copy as copy_stream};
use crate::{Keep, Output, To};
use demat_core::{Field, IntWidth, Record, Ref, Shape, copy};

const SORTED: WriteOptions = WriteOptions {
    indent: None,
    sorted_keys: true,
    ascii: false,
    depth: 1024,
    nonfinite: NonFinite::Refuse,
    decimal_text: false,
    uuids: UuidForm::Text,
};

#[test]
fn keys_stand_in_the_order_of_their_bytes_at_every_level() {
    assert_eq!(written(r#"{"b":1,"a":2}"#, SORTED), r#"{"a":2,"b":1}"#);
    assert_eq!(
        written(r#"{"b":{"d":1,"c":[{"z":1,"y":2}]},"a":2,"aa":3,"":4,"B":5}"#, SORTED),
        r#"{"":4,"B":5,"a":2,"aa":3,"b":{"c":[{"y":2,"z":1}],"d":1}}"#
    );
    assert_eq!(written(r#"{"😀":1,"～":2,"ä":3,"z":4}"#, SORTED), r#"{"z":4,"ä":3,"～":2,"😀":1}"#);
    // By the keys' text, not by its escaped form.
    assert_eq!(written(r#"{"a\"":1,"a!":2,"a#":3}"#, SORTED), r#"{"a!":2,"a\"":1,"a#":3}"#);
    let ascii = WriteOptions { ascii: true, ..SORTED };
    assert_eq!(written(r#"{"ä":1,"z":2,"€":3}"#, ascii), r#"{"z":2,"\u00e4":1,"\u20ac":3}"#);
    let pretty = WriteOptions { indent: Some(1), ..SORTED };
    assert_eq!(
        written(r#"{"b":[],"a":{"d":1,"c":2}}"#, pretty),
        "{\n \"a\": {\n  \"c\": 2,\n  \"d\": 1\n },\n \"b\": []\n}"
    );
}

#[test]
fn keys_that_are_no_text_are_sorted_as_text() {
    let map = |key| Shape::Map(Ref::new(key), Ref::new(Shape::Any));
    for (key, text, expected) in [
        (Shape::Int(IntWidth::Any), r#"{"2":0,"10":0,"-1":0,"1":0}"#, r#"{"-1":0,"1":0,"10":0,"2":0}"#),
        (Shape::Int(IntWidth::Signed(64)), r#"{"2":0,"10":0}"#, r#"{"10":0,"2":0}"#),
        (Shape::Date, r#"{"2020-01-02":0,"2020-01-01":0}"#, r#"{"2020-01-01":0,"2020-01-02":0}"#),
        (Shape::Bool, r#"{"true":0,"false":0}"#, r#"{"false":0,"true":0}"#),
        (Shape::Decimal, r#"{"2.5":0,"1.50":0}"#, r#"{"1.50":0,"2.5":0}"#),
        (Shape::Bytes, r#"{"/w==":0,"AA==":0}"#, r#"{"/w==":0,"AA==":0}"#),
    ] {
        let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), SORTED);
        copy(&mut JsonSource::new(text.as_bytes()), &map(key), &mut sink).unwrap();
        assert_eq!(String::from_utf8(sink.into_output().into_parts().0).unwrap(), expected);
    }
    let record = Record::new("", vec![Field::new("zeta", 1, Shape::Any), Field::new("alpha", 2, Shape::Any)]).unwrap();
    let mut sink = JsonSink::new(Output::new(Vec::new(), Keep), SORTED);
    copy(&mut JsonSource::new(br#"{"zeta":1,"alpha":2}"#), &Shape::record(record), &mut sink).unwrap();
    assert_eq!(sink.into_output().into_parts().0, br#"{"alpha":2,"zeta":1}"#);
}

#[test]
fn streams_are_sorted_too_and_lists_are_not_held_for_it() {
    let record = r#"{"b":{"z":1,"y":[2]},"a":"text"}"#;
    let sorted = r#"{"a":"text","b":{"y":[2],"z":1}}"#;
    let list = |record: &str| format!("[{}]", vec![record; 500].join(","));
    for (text, expected) in [
        (list(record), list(sorted)),
        (format!("{{\"rows\":{},\"n\":1}}", list(record)), format!("{{\"n\":1,\"rows\":{}}}", list(sorted))),
    ] {
        for size in [1, 7, 100, 5000] {
            let mut out = Vec::new();
            let mut sink = JsonSink::new(Output::new(Vec::new(), To(&mut out)), SORTED);
            let mut window = Window::with_size(Few(text.as_bytes(), size), size);
            copy_stream(&mut window, &mut Json::new(ReadOptions::default()), &Shape::Any, &mut sink, &mut Stop)
                .unwrap();
            drop(sink);
            assert_eq!(String::from_utf8(out).unwrap(), expected, "by {size}");
        }
    }
}
