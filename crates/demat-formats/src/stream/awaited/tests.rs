use super::{Awaited, End};

/// Returns the bytes after which the value may be complete, if they arrive one at a time.
fn ends(end: End, text: &str) -> Vec<usize> {
    let mut awaited = Awaited::new(end);
    text.bytes().enumerate().filter(|(_, byte)| awaited.may_end(&[*byte])).map(|(at, _)| at).collect()
}

#[test]
fn a_record_ends_with_its_bracket() {
    assert_eq!(ends(End::Bracket, r#",{"a":[1,{}],"b":"}"}"#), [20]);
    assert_eq!(ends(End::Bracket, r#" {"a\"}":"\\"}"#), [14 - 1]);
    assert_eq!(ends(End::Bracket, r#", "te\"xt""#), [9]);
    assert_eq!(ends(End::Bracket, ", 12,"), [4]);
    assert_eq!(ends(End::Bracket, "12]"), [2]);
    assert_eq!(ends(End::Bracket, r#","key": {"#), [5]);
}

#[test]
fn rows_and_lines_end_with_line_ends() {
    assert_eq!(ends(End::Line, "\"a\nb\"\n"), [2, 5]);
    assert_eq!(ends(End::Row(Some(b'"')), "\"a\nb\"\"\",c\n"), [9]);
    assert_eq!(ends(End::Row(None), "\"a\nb"), [2]);
    assert_eq!(ends(End::Row(Some(b'"')), "a\r\n"), [1, 2]);
}

#[test]
fn all_bytes_at_once_say_the_same() {
    for text in [r#"{"a":[1,{}],"b":"}"#, r#"{"a":1}"#, r#""a\""#, r#""a\"""#, "12", "12 "] {
        let one_by_one = !ends(End::Bracket, text).is_empty();
        assert_eq!(Awaited::new(End::Bracket).may_end(text.as_bytes()), one_by_one, "{text}");
    }
}

#[test]
fn the_first_end_is_that_of_the_bytes_one_by_one() {
    let texts = [
        r#"{"a":[1,{}],"b":"}"},{"c":"\"}"} , 12,"x\\" null"#,
        "\"a\nb\"\"\",c\n1,\"2\r\n\"\r\n3\n",
        "a\rb\nc\r\n",
        "",
    ];
    for end in [End::Bracket, End::Line, End::Row(None), End::Row(Some(b'"'))] {
        for text in texts {
            let expected = ends(end, text);
            let (mut awaited, mut at, mut found) = (Awaited::new(end), 0, Vec::new());
            while let Some(count) = awaited.first_end(&text.as_bytes()[at..]) {
                at += count;
                found.push(at - 1);
            }
            assert_eq!(found, expected, "{end:?} {text}");
        }
    }
}
