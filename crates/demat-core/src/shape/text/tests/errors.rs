use super::refuse;
use crate::ErrorKind;

#[test]
fn an_error_says_where_what_was_expected_and_what_was_found() {
    for (text, column, expected, found) in [
        ("", 1, "a shape", "end of the shape"),
        ("in", 1, "a kind, or the name of a type around or before it", "in"),
        ("int text", 5, "end of the shape", "text"),
        ("int??", 5, "end of the shape", "?"),
        ("[int", 5, "`]`", "end of the shape"),
        ("(int text)", 6, "`,` or `)`", "text"),
        ("id:int done:bool", 8, "`,`", "done"),
        ("{id:int; done:bool}", 8, "`,` or `}`", ";"),
        ("é:int, 7:int", 8, "a field", "7"),
        ("a@x:int", 3, "a number of 32 bits", "x"),
        ("a@99999999999:int", 3, "a number of 32 bits", "99999999999"),
        ("a:int = \"5\"", 9, "int", "\"5\""),
        ("a:uint8 = 256", 11, "int", "256"),
        ("a:date = \"5\"", 10, "date", "\"5\""),
        ("a:int = 5x", 10, "`,`", "x"),
        ("a:int = 1.2.3", 9, "int", "1.2.3"),
        ("a:enum(x) = \"y\"", 13, "enum", "\"y\""),
        ("a:int #sql", 11, "`:`", "end of the shape"),
        ("a:int #sql:", 12, "a note", "end of the shape"),
        ("a:int # :key", 9, "the name of a place", ":"),
        ("a:int = ", 9, "a value", "end of the shape"),
        ("enum(a, a)", 9, "a new name", "a"),
        ("enum(a = 9223372036854775807, b)", 32, "`=`", ")"),
        ("union(a, a)", 10, "a new name", "a"),
        ("union[](int, text)", 12, "`:`", ","),
        ("union[kind](a:int)", 15, "a record, to be tagged by a field", "int"),
        ("union[kind](a:{kind:text})", 15, "a record with `kind: enum(a)`", "another shape"),
        ("A{a:union[kind](a:A)}", 19, "a record that has the tag", "A"),
        ("...a, ...b, c:int", 7, "one field for the rest", "..."),
        ("\"a", 3, "`\"`", "end of the shape"),
        ("\"\\ud800\":int", 2, "a character", "a lone surrogate"),
        ("\"\\x\":int", 2, "an escape of JSON", "another one"),
        ("int99999", 1, "a kind, or the name of a type around or before it", "int99999"),
        ("int08", 1, "a kind, or the name of a type around or before it", "int08"),
    ] {
        let error = refuse(text);
        assert_eq!(error.kind(), ErrorKind::Syntax, "{text}");
        assert_eq!(error.position().column, Some(column), "{text}: {error}");
        assert_eq!((error.expectation(), error.found()), (Some(expected), Some(found)), "{text}");
    }
}

#[test]
fn lines_count() {
    let position = refuse("id: int,\ndone: boo").position();
    assert_eq!((position.line, position.column, position.offset), (Some(2), Some(7), Some(15)));
}

#[test]
fn names_and_numbers_of_fields_are_unique() {
    for text in ["a:int, a:int", "a:int, b@1:int", "a:int, b|a:int"] {
        assert_eq!(refuse(text).kind(), ErrorKind::Constraint, "{text}");
    }
}
