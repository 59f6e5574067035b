//! The grammar, rule by rule, and the errors where it is violated.

use super::{accepted, refused};
use demat_core::ErrorKind;

#[test]
fn every_kind_of_value_stands_alone() {
    for text in ["null", "true", "false", "0", "-1", "1.5", "\"\"", "\"a\"", "[]", "{}", "[[]]", "[{}]", "{\"a\":[]}"] {
        accepted(text, text);
        accepted(format!(" \t\r\n{text} \t\r\n"), text);
    }
}

#[test]
fn blanks_stand_between_tokens_and_are_four() {
    accepted("\n[\t1 ,\r2\n, { \"a\" : 3 , \"b\"\n:\t[ ] } ]\t", "[1,2,{\"a\":3,\"b\":[]}]");
    let blank = "expected a value, found ";
    refused("\u{b}1", &format!("{blank}`\\u{{b}}` (line 1, column 1)"));
    refused("[\u{c}1]", &format!("{blank}`\\u{{c}}` at `$[0]` (line 1, column 2)"));
    refused("[\u{a0}1]", &format!("{blank}`\\u{{a0}}` at `$[0]` (line 1, column 2)"));
    refused("[\u{85}1]", &format!("{blank}`\\u{{85}}` at `$[0]` (line 1, column 2)"));
    refused("[\u{2028}1]", &format!("{blank}`\\u{{2028}}` at `$[0]` (line 1, column 2)"));
    refused("[1\0]", "expected `,` or `]`, found `\\0` (line 1, column 3)");
}

#[test]
fn nothing_stands_for_nothing() {
    refused("", "expected a value, found end of input (line 1, column 1)");
    refused(" \n\t\r\n ", "expected a value, found end of input (line 3, column 2)");
    refused("\u{feff}", "expected a value, found end of input (line 1, column 1)");
}

#[test]
fn one_value_and_no_more() {
    refused("1 2", "expected end of input, found `2` (line 1, column 3)");
    refused("[] x", "expected end of input, found `x` (line 1, column 4)");
    refused("{}}", "expected end of input, found `}` (line 1, column 3)");
    refused("\"a\"\"b\"", "expected end of input, found `\"` (line 1, column 4)");
    refused("null,", "expected end of input, found `,` (line 1, column 5)");
    refused("nullx", "expected end of input, found `x` (line 1, column 5)");
}

#[test]
fn lists_have_commas_between_items_and_nowhere_else() {
    refused("[,1]", "expected a value, found `,` at `$[0]` (line 1, column 2)");
    refused("[1,]", "expected a value, found `]` at `$[1]` (line 1, column 4)");
    refused("[1,,2]", "expected a value, found `,` at `$[1]` (line 1, column 4)");
    refused("[1 2]", "expected `,` or `]`, found `2` (line 1, column 4)");
    refused("[1", "expected `,` or `]`, found end of input (line 1, column 3)");
    refused("[", "expected a value or `]`, found end of input (line 1, column 2)");
    refused("[1}", "expected `,` or `]`, found `}` (line 1, column 3)");
    refused("]", "expected a value, found `]` (line 1, column 1)");
    refused("[[1],[2]", "expected `,` or `]`, found end of input (line 1, column 9)");
    refused("[1;2]", "expected `,` or `]`, found `;` (line 1, column 3)");
}

#[test]
fn objects_have_keys_in_quotes_colons_and_commas() {
    refused("{1:2}", "expected a key in quotes, found `1` (line 1, column 2)");
    refused("{a:2}", "expected a key in quotes, found `a` (line 1, column 2)");
    refused("{'a':2}", "expected a key in quotes, found `'` (line 1, column 2)");
    refused("{,}", "expected a key in quotes, found `,` (line 1, column 2)");
    refused("{\"a\":1,}", "expected a key in quotes, found `}` (line 1, column 8)");
    refused("{\"a\":1,,\"b\":2}", "expected a key in quotes, found `,` (line 1, column 8)");
    refused("{\"a\" 1}", "expected `:`, found `1` (line 1, column 6)");
    refused("{\"a\"}", "expected `:`, found `}` (line 1, column 5)");
    refused("{\"a\"::1}", "expected a value, found `:` at `$.a` (line 1, column 6)");
    refused("{\"a\":}", "expected a value, found `}` at `$.a` (line 1, column 6)");
    refused("{\"a\":1 \"b\":2}", "expected `,` or `}`, found `\"` (line 1, column 8)");
    refused("{\"a\":1]", "expected `,` or `}`, found `]` (line 1, column 7)");
    refused("{\"a\":1", "expected `,` or `}`, found end of input (line 1, column 7)");
    refused("{", "expected a key or `}`, found end of input (line 1, column 2)");
    refused("{\"a\":1,", "expected a key in quotes, found end of input (line 1, column 8)");
    refused("{\"a\"", "expected `:`, found end of input (line 1, column 5)");
    refused("{\"a\":", "expected a value, found end of input at `$.a` (line 1, column 6)");
    refused("}", "expected a value, found `}` (line 1, column 1)");
}

#[test]
fn literals_are_three_and_in_lower_case() {
    refused("nul", "expected `null`, found end of input (line 1, column 4)");
    refused("[nUll]", "expected `null`, found `U` at `$[0]` (line 1, column 3)");
    refused("[tru e]", "expected `true`, found ` ` at `$[0]` (line 1, column 5)");
    refused("falsy", "expected `false`, found `y` (line 1, column 5)");
    for text in ["NaN", "Infinity", "None", "True", "undefined", "'a'", "/**/1", "//\n1", "#1", "`a`", "\\", "\u{e4}"] {
        let first = text.chars().next().unwrap();
        refused(text, &format!("expected a value, found `{first}` (line 1, column 1)"));
    }
    refused("-Infinity", "expected a digit, found `I` (line 1, column 2)");
    refused("[1]//", "expected end of input, found `/` (line 1, column 4)");
}

#[test]
fn a_byte_order_mark_stands_in_front_or_not_at_all() {
    accepted("\u{feff}[1]", "[1]");
    accepted("\u{feff} {}", "{}");
    refused(" \u{feff}1", "expected a value, found `\\u{feff}` (line 1, column 2)");
    refused("\u{feff}\u{feff}1", "expected a value, found `\\u{feff}` (line 1, column 1)");
    refused("[\u{feff}]", "expected a value, found `\\u{feff}` at `$[0]` (line 1, column 2)");
    refused(b"\xef\xbb", "expected a value, found byte 0xef (line 1, column 1)");
    refused(b"\xfe\xff\0[", "expected a value, found byte 0xfe (line 1, column 1)");
    accepted("\"\u{feff}\"", "\"\u{feff}\"");
}

#[test]
fn errors_say_where_in_words_and_numbers() {
    let error = refused(
        "{\"tasks\": [\n  {\"title\": \"käse\"},\n  {\"title\": \"ä\", \"a b\": nope}\n]}",
        "expected `null`, found `o` at `$.tasks[1][\"a b\"]` (line 3, column 26)",
    );
    assert_eq!(error.kind(), ErrorKind::Syntax);
    assert_eq!(error.position().offset, Some(60));
    assert_eq!((error.expectation(), error.found()), (Some("null"), Some("`o`")));
    refused("[1,\r\n2,\r\n x]", "expected a value, found `x` at `$[2]` (line 3, column 2)");
    refused(
        "[{\"a\":{\"b\":[[],[[0,{\"c\":tru}]]]}}]",
        "expected `true`, found `}` at `$[0].a.b[1][0][1].c` (line 1, column 28)",
    );
    // The fault belongs to the container, and so does the path, whatever the number of children before it.
    refused("[[1,2],[3 4]]", "expected `,` or `]`, found `4` at `$[1]` (line 1, column 11)");
    refused("{\"a\":{\"b\":1 2}}", "expected `,` or `}`, found `2` at `$.a` (line 1, column 13)");
}
