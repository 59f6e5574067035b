//! The old text form.

use super::*;

fn expect(text: &str, of: &str, json: &str) {
    assert_eq!(read(text.as_bytes(), of).unwrap(), value(json, &shape(of)), "{text}");
}

#[test]
fn texts_are_what_is_asked_for() {
    expect("{ a = 1; \"b c\" = (x, \"y z\",); }", "any", r#"{"a": "1", "b c": ["x", "y z"]}"#);
    expect(
        "// one\n{ id = -7; /* two */ done = YES; size = 1.5; }",
        "{id: int, done: bool, size: float}",
        r#"{"id": -7, "done": true, "size": 1.5}"#,
    );
    expect("()", "[int]", "[]");
    expect("{}", "any", "{}");
    expect("<0fbd 77>", "bytes", "\"D713\"");
    expect("<>", "bytes", "\"\"");
    expect("com.example.app/x-y_z$1:2", "text", "\"com.example.app/x-y_z$1:2\"");
    expect(r#""a\"\\\n\t\U20ac\Ud83d\Ude00\101""#, "text", r#""a\"\\\n\t€😀A""#);
    expect("'single'", "text", "\"single\"");
    expect("\"2024-02-29\"", "date", "\"2024-02-29\"");
    expect("\"kä\"", "text", "\"kä\"");
}

#[test]
fn what_is_wrong_has_a_line() {
    let cases = [
        ("", "expected a value, found end of input (line 1, column 1)"),
        ("{ a = 1 }", "expected `;`, found `}` (line 1, column 9)"),
        ("{ a 1; }", "expected `=`, found `1` (line 1, column 5)"),
        ("{ a = ; }", "expected a value, found `;` (line 1, column 7)"),
        ("(a\nb)", "expected `,` or `)`, found `b` (line 2, column 1)"),
        ("(a,,b)", "expected a value, found `,` (line 1, column 4)"),
        ("<0f0>", "expected two digits for each byte, found one digit (line 1, column 1)"),
        ("<0g>", "expected hexadecimal digits or `>`, found `g` (line 1, column 3)"),
        ("\"a", "expected the end of the text, found end of input (line 1, column 3)"),
        ("\"\\q\"", "expected an escape, found another one (line 1, column 2)"),
        ("\"\\Ud83d\"", "expected an escape, found another one (line 1, column 2)"),
        ("\"\\377\"", "expected an escape, found another one (line 1, column 2)"),
        ("a b", "expected end of input, found `b` (line 1, column 3)"),
        ("/* x", "expected `*/`, found end of input (line 1, column 5)"),
    ];
    for (text, message) in cases {
        assert_eq!(refusal(text.as_bytes(), "any"), message, "{text}");
    }
}
