//! Anchors, aliases and merge keys.

use super::*;
use std::fmt::Write as _;

#[test]
fn aliases_are_what_they_stand_for() {
    let text = "a: &x {b: &y [1, 2]}\nc: *x\nd: *y\n&k e: *k\n";
    let expected = r#"{"a": {"b": [1, 2]}, "c": {"b": [1, 2]}, "d": [1, 2], "e": "e"}"#;
    assert_eq!(read(text, "any").unwrap(), json(expected));
    assert_eq!(read("- &a 1\n- &a 2\n- *a\n", "[int]").unwrap(), json("[1, 2, 2]"));
    assert_eq!(read("- &a x\n- *a : 1\n", "any").unwrap(), json(r#"["x", {"x": 1}]"#));
}

#[test]
fn unknown_and_cyclic_aliases_are_refused() {
    let message = "expected an alias of an anchor before it, found `*a` (line 1, column 1)";
    assert_eq!(refusal("*a", "any"), message);
    assert!(refusal("--- &a 1\n--- *a\n", "any").starts_with("expected an alias of an anchor"));
    for text in ["&a [*a]", "&a {b: *a}", "&a [[1, {x: *a}]]", "&a {*a : 1}"] {
        assert!(refusal(text, "any").starts_with("an alias stands inside the value"), "{text}");
    }
}

/// Ten lists, each of which refers to the one before nine times.
fn laughs() -> String {
    let mut text = "a: &a [lol]\n".to_string();
    for (one, next) in "abcdefghij".chars().zip("bcdefghijk".chars()) {
        writeln!(text, "{next}: &{next} [{}]", vec![format!("*{one}"); 9].join(", ")).unwrap();
    }
    text
}

#[test]
fn a_billion_laughs_are_refused() {
    let error = read(&laughs(), "any").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Limit);
    assert!(error.to_string().starts_with("what aliases add exceeds the limit of 16777216 bytes (line "), "{error}");
    let merges = format!("a: &a {{k: 1}}\nb: {{<<: [{}]}}\n", "*a, ".repeat(2_000_000));
    assert_eq!(read(&merges, "any").unwrap_err().kind(), ErrorKind::Limit);
    // Few values, but much text.
    let texts = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), "*a, ".repeat(10_000));
    assert_eq!(read(&texts, "any").unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn the_limit_of_aliases_is_an_option() {
    let text = "- &a [1, 2]\n- *a\n- *a\n";
    let options = |alias_limit| ReadOptions { alias_limit, ..ReadOptions::default() };
    assert!(read_with(text, "any", options(0)).is_err());
    assert!(read_with(text, "any", options(2 * (4 * 32 + 2))).is_ok());
    assert!(read_with(text, "any", options(2 * (4 * 32 + 2) - 1)).is_err());
    assert!(read_with("a: 1", "any", options(0)).is_ok());
}

#[test]
fn merge_keys_add_what_is_not_there() {
    let text = "base: &base {a: 1, b: 2}\nother: &other {b: 3, c: 4}\none:\n  <<: *base\n  b: 5\n\
                two:\n  a: 0\n  <<: [*other, *base]\nthree: {<<: {x: 1}}\nfour: {<<: *four_base}\n";
    let text = text.replace("four: ", "four_base: &four_base {<<: *base, d: 6}\nfour: ");
    let expected = r#"{"base": {"a": 1, "b": 2}, "other": {"b": 3, "c": 4}, "one": {"b": 5, "a": 1},
        "two": {"a": 0, "b": 3, "c": 4}, "three": {"x": 1}, "four_base": {"d": 6, "a": 1, "b": 2},
        "four": {"d": 6, "a": 1, "b": 2}}"#;
    assert_eq!(read(&text, "any").unwrap(), json(expected));
    let typed = read(&text, "{one: {a: int, b: int}}").unwrap();
    assert_eq!(typed, json(r#"{"one": {"b": 5, "a": 1}}"#));
    assert!(refusal("<<: 1", "any").starts_with("expected a map, or a list of maps, to be merged"));
    assert!(refusal("<<: [1]", "any").starts_with("expected a map, or a list of maps, to be merged"));
    assert!(refusal("<<: {}\n<<: {}", "any").starts_with("the key `<<` stands here again"));
    assert_eq!(read("'<<': 1", "any").unwrap(), json(r#"{"<<": 1}"#));
    assert_eq!(read("x: {<<: &m {a: 1}}\ny: *m\n", "any").unwrap(), json(r#"{"x": {"a": 1}, "y": {"a": 1}}"#));
    let options = ReadOptions { merge_keys: false, ..ReadOptions::default() };
    assert_eq!(read_with("<<: {a: 1}", "any", options).unwrap(), json(r#"{"<<": {"a": 1}}"#));
}

#[test]
fn aliases_do_not_nest_deeper_than_the_limit() {
    let options = ReadOptions { depth: 4, ..ReadOptions::default() };
    assert!(read_with("- &a [[1]]\n- [*a]\n", "any", options).is_ok());
    assert!(read_with("- &a [[1]]\n- [[*a]]\n", "any", options).unwrap_err().kind() == ErrorKind::Limit);
}
