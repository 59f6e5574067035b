//! Invalid documents and limits.

use super::*;
use std::fmt::Write as _;

#[test]
fn errors_have_lines_and_columns() {
    for (text, message) in [
        ("a = 1\na = 2", "the key `a` stands here again (line 2, column 1)"),
        ("[a]\n[a]", "the key `a` stands here again (line 2, column 2)"),
        ("a = {b = 1}\n[a.c]", "the value of `a` can't be extended here (line 2, column 2)"),
        ("a = 1\na.b = 2", "the value of `a` can't be extended here (line 2, column 1)"),
        ("a = 9223372036854775808", "an int of more than 64 bits (line 1, column 5)"),
    ] {
        assert_eq!(refusal(text, "any"), message, "{text}");
    }
    for text in ["a = ", "a", "[a", "a = [1", "a = \"x", "= 1", "a = 1 b = 2", "a = {", "a = 01", "a = tru", "\u{0}"] {
        let error = read(text, "any").unwrap_err();
        assert_eq!((error.kind(), error.position().line), (ErrorKind::Syntax, Some(1)), "{text}: {error}");
    }
}

#[test]
fn text_is_utf8() {
    let mut source = TomlSource::new(b"a = 1\nb = '\xff'");
    let error = source.skip().unwrap_err();
    assert_eq!(error.to_string(), "expected text in UTF-8, found byte 0xff (line 2, column 6)");
}

#[test]
fn a_document_is_a_table() {
    assert!(refusal("a = 1", "[int]").starts_with("expected `list`, found `record`"));
    assert!(refusal("a = 1", "int").starts_with("expected `int`, found `record`"));
}

/// Skips a document in a thread with a small stack. The parser recurses up to 128 times, and an unoptimised build has
/// frames of several KiB.
fn on_a_small_stack(text: String) -> Result<()> {
    let work = move || TomlSource::new(text.as_bytes()).skip();
    std::thread::Builder::new().stack_size(1 << 20).spawn(work).unwrap().join().unwrap()
}

#[test]
fn depth_has_a_limit_and_needs_no_stack() {
    let mut tables = String::new();
    for _ in 0..80 {
        write!(tables, "{}={{", ["a"; 80].join(".")).unwrap();
    }
    let deep = [
        format!("a={}", "[".repeat(1_000_000)),
        format!("a={}", "{a=".repeat(1_000_000)),
        format!("a={}{}", "[".repeat(129), "]".repeat(129)),
        format!("{}=1", vec!["a"; 1_000_000].join(".")),
        format!("[{}]", vec!["a"; 1_000_000].join(".")),
        format!("{tables}1{}", "}".repeat(80)),
    ];
    for text in deep {
        let error = on_a_small_stack(text).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{error}");
    }
    on_a_small_stack(format!("a={}{}", "[".repeat(128), "]".repeat(128))).unwrap();
    on_a_small_stack(format!("{}=1", vec!["a"; 1024].join("."))).unwrap();
    let options = ReadOptions { depth: 2 };
    let mut source = TomlSource::over(Part::whole(b"a = [1]\nb = [[1]]"), options);
    assert_eq!(
        source.skip().unwrap_err().to_string(),
        "the depth of nesting exceeds the limit of 2 (line 2, column 6)"
    );
}

#[test]
fn broken_documents_end_soon() {
    for text in [
        "[",
        "{",
        "\"",
        "a=[",
        "a={b=",
        "a.",
        "]",
        "a=1,",
        "[[",
        "a={b=1,b=",
        "a=[{",
        "a=1\na={a.a.a.a.a.a.a.a.a.a=",
        "'''",
    ] {
        let _ = on_a_small_stack(text.repeat(20_000)).map_err(|error| error.to_string());
    }
}
