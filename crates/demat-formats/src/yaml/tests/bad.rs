//! Invalid documents and limits.

use super::*;

#[test]
fn errors_have_lines_and_columns() {
    for (text, line, column) in [
        ("a: [1, 2", 1, 4),
        ("a: 1\n b: 2", 2, 3),
        ("a: 'x", 1, 4),
        ("- a\nb: 1", 2, 1),
        ("{a: 1]", 1, 1),
        ("a: b: c", 1, 5),
        ("\"\\x\"", 1, 1),
        ("%YAML 9.0\n---\na", 1, 1),
    ] {
        let error = read(text, "any").unwrap_err();
        let position = error.position();
        assert_eq!(error.kind(), ErrorKind::Syntax, "{text}: {error}");
        assert_eq!((position.line, position.column), (Some(line), Some(column)), "{text}: {error}");
    }
}

#[test]
fn repeated_keys_are_refused() {
    for (text, key) in
        [("a: 1\nb: 2\na: 3", "a"), ("{1: a, 0x1: b}", "1"), ("{~: 1, null: 2}", "null"), ("{x: {a: 1, 'a': 2}}", "a")]
    {
        assert!(refusal(text, "any").starts_with(&format!("the key `{key}` stands here again")), "{text}");
        assert!(YamlSource::new(text.as_bytes()).skip().is_err());
    }
    assert!(refusal("a: 1\na: 2", "{b: int?}").ends_with("(line 2, column 1)"));
    assert!(read("{1: a, '1': b}", "any").is_ok(), "an int and a text");
    assert!(read("{1: a, 1.0: b}", "any").is_ok(), "an int and a float");
}

#[test]
fn text_is_utf8() {
    let error = YamlSource::new(b"a: 1\nb: \xff").skip().unwrap_err();
    assert_eq!(error.to_string(), "expected text in UTF-8, found byte 0xff (line 2, column 4)");
    assert!(YamlSource::new(b"\xff\xfea\0").skip().is_err(), "UTF-16");
    assert_eq!(read("\u{feff}a: 1", "any").unwrap(), json(r#"{"a": 1}"#));
}

/// Parses a document in a thread with a small stack.
fn on_a_small_stack(text: String, depth: u32) -> Result<()> {
    let options = ReadOptions { depth, ..ReadOptions::default() };
    let work = move || YamlSource::over(Part::whole(text.as_bytes()), options).skip();
    std::thread::Builder::new().stack_size(128 * 1024).spawn(work).unwrap().join().unwrap()
}

#[test]
fn depth_has_a_limit_and_needs_no_stack() {
    for text in ["[".repeat(1_000_000), "{a: ".repeat(100_000), "- ".repeat(100_000), "? ".repeat(100_000)] {
        let error = on_a_small_stack(text, 1024).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    }
    on_a_small_stack(format!("{}{}", "[".repeat(1024), "]".repeat(1024)), 1024).unwrap();
    on_a_small_stack("- ".repeat(1024), 1024).unwrap();
    let error = on_a_small_stack("[[[1]]]".to_string(), 2).unwrap_err();
    assert_eq!(error.to_string(), "the depth of nesting exceeds the limit of 2 (line 1, column 3)");
    let mixed = format!("{}{}1{}", "- ".repeat(600), "[".repeat(600), "]".repeat(600));
    assert_eq!(on_a_small_stack(mixed, 1024).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn an_int_in_another_base_has_a_limit() {
    assert!(refusal(&format!("0x{}", "f".repeat(40)), "any").starts_with("expected an int of 128 bits"));
    assert!(read(&"9".repeat(10_000), "any").is_ok());
}

#[test]
fn lenient_indentation_is_an_option() {
    let text = "a: [\n  1\n]\n";
    let error = read(text, "any").unwrap_err().to_string();
    assert!(error.contains("invalid indentation: `lenient_indentation=True` reads it (line 3, column 1)"), "{error}");
    // It is not named where it would not help.
    let error = read("a: [\n  1\n]\nb: [", "any").unwrap_err().to_string();
    assert!(!error.contains("lenient"), "{error}");
    let options = ReadOptions { lenient_indentation: true, ..ReadOptions::default() };
    assert_eq!(read_with(text, "any", options).unwrap(), json(r#"{"a": [1]}"#));
}
