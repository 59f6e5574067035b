use super::{both, reads, unwritten};

#[test]
fn any_value_says_itself_what_it_is() {
    both("a:any", r#"{"a":null}"#, b"\x0a\x02\x08\0");
    both("a:any", r#"{"a":true}"#, b"\x0a\x02\x20\x01");
    both("a:any", r#"{"a":1}"#, b"\x0a\x09\x11\0\0\0\0\0\0\xf0\x3f");
    both("a:any", r#"{"a":1.5}"#, b"\x0a\x09\x11\0\0\0\0\0\0\xf8\x3f");
    both("a:any", r#"{"a":-0.0}"#, b"\x0a\x09\x11\0\0\0\0\0\0\0\x80");
    both("a:any", r#"{"a":"x"}"#, b"\x0a\x03\x1a\x01x");
    both("a:any", r#"{"a":[]}"#, b"\x0a\x02\x32\0");
    both("a:any", r#"{"a":{}}"#, b"\x0a\x02\x2a\0");
    both(
        "a:any, b:int",
        r#"{"a":[null,[false]],"b":1}"#,
        b"\x0a\x0e\x32\x0c\x0a\x02\x08\0\x0a\x06\x32\x04\x0a\x02\x20\0\x10\x01",
    );
    both("a:any", r#"{"a":{"k":"v"}}"#, b"\x0a\x0c\x2a\x0a\x0a\x08\x0a\x01k\x12\x03\x1a\x01v");
    both(
        "a:map(text, any)",
        r#"{"a":{"k":{"l":[1.5,{"m":null}]}}}"#,
        &super::written(&super::shape("a:map(text, any)"), r#"{"a":{"k":{"l":[1.5,{"m":null}]}}}"#).unwrap(),
    );
    reads("a:map(text, any)", b"\x0a\x03\x0a\x01x", r#"{"a":{"x":null}}"#);
}

#[test]
fn an_optional_list_or_map_whose_first_item_is_null_is_not_null() {
    both("a:[any]?", r#"{"a":[null,true]}"#, b"\x0a\x02\x08\0\x0a\x02\x20\x01");
    both("a:[any?]?", r#"{"a":[null]}"#, b"\x0a\x02\x08\0");
    both("a:[null]?", r#"{"a":[null,null]}"#, b"\x08\0\x08\0");
    both("a:map(text, any)?", r#"{"a":{"k":null}}"#, b"\x0a\x07\x0a\x01k\x12\x02\x08\0");
}

#[test]
fn numbers_that_a_float_does_not_have_are_refused() {
    both("a:any", r#"{"a":9007199254740992}"#, b"\x0a\x09\x11\0\0\0\0\0\0\x40\x43");
    let message = "expected a whole number that a float has exactly, found `9007199254740993` at `$.a`";
    unwritten("a:any", r#"{"a":9007199254740993}"#, message);
}
