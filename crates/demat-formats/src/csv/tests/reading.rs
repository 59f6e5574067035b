use super::*;
use crate::csv::Ragged;
use demat_core::{ErrorKind, Source};

#[track_caller]
fn gives(text: &str, expected: &str) {
    assert_eq!(shown(&untyped(text).unwrap()), expected, "{text:?}");
}

#[track_caller]
fn gives_bare(text: &str, expected: &str) {
    assert_eq!(shown(&read_in(bare(), text.as_bytes(), &Shape::Any).unwrap()), expected, "{text:?}");
}

#[track_caller]
fn refuses(text: &str, expected: &str) {
    assert_eq!(error(untyped(text)).to_string(), expected, "{text:?}");
}

#[test]
fn rfc_4180_in_its_own_examples() {
    gives_bare("aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n", r#"[["aaa" "bbb" "ccc"] ["zzz" "yyy" "xxx"]]"#);
    gives_bare("aaa,bbb,ccc\r\nzzz,yyy,xxx", r#"[["aaa" "bbb" "ccc"] ["zzz" "yyy" "xxx"]]"#);
    gives_bare("\"aaa\",\"b \r\nbb\",\"ccc\"\r\nzzz,yyy,xxx", r#"[["aaa" "b \r\nbb" "ccc"] ["zzz" "yyy" "xxx"]]"#);
    gives_bare("\"aaa\",\"b\"\"bb\",\"ccc\"", r#"[["aaa" "b\"bb" "ccc"]]"#);
    gives("field_name,b\r\naaa, bbb\r\n", r#"[{field_name:"aaa" b:" bbb"}]"#);
}

#[test]
fn rows_end_three_ways_even_mixed() {
    gives("a,b\n1,2\r\n3,4\r5,6", r#"[{a:"1" b:"2"} {a:"3" b:"4"} {a:"5" b:"6"}]"#);
    gives("a\r1\r2\r", r#"[{a:"1"} {a:"2"}]"#);
}

#[test]
fn empty_cells_are_null_and_quoted_ones_text() {
    gives("a,b,c\n,\"\",\n", r#"[{a:null b:"" c:null}]"#);
}

#[test]
fn empty_lines_are_nothing_but_in_a_table_of_one_column() {
    gives("\n\na,b\n\n1,2\n\r\n\r3,4\n\n", r#"[{a:"1" b:"2"} {a:"3" b:"4"}]"#);
    gives("\n\na\n1\n\n\r\n2\n", r#"[{a:"1"} {a:null} {a:null} {a:"2"}]"#);
    gives_bare("\n1\n\n2\n", r#"[["1"] [null] ["2"]]"#);
    gives_bare("\n1,2\n\n3,4\n", r#"[["1" "2"] ["3" "4"]]"#);
}

#[test]
fn places_with_nothing_in_them() {
    gives("", "[]");
    gives("\u{feff}", "[]");
    gives("\n\r\n", "[]");
    gives("a,b", "[]");
    gives_bare("", "[]");
    let required = rows_of(record(&[("a", Shape::Text)]));
    assert_eq!(shown(&read("", &required).unwrap()), "[]");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_first_name() {
    gives("\u{feff}a,b\n1,2\n", r#"[{a:"1" b:"2"}]"#);
    gives("\u{feff}\"a\"\n1\n", r#"[{a:"1"}]"#);
    gives("a\n\u{feff}\n", "[{a:\"\u{feff}\"}]".escape_debug().to_string().replace("\\\"", "\"").as_str());
}

#[test]
fn quotes_within_unquoted_cells_are_bytes_like_others() {
    gives("a,b\n5\" pipe,x\"\n6\"\"y,z\n", r#"[{a:"5\" pipe" b:"x\""} {a:"6\"\"y" b:"z"}]"#);
    gives("a,b\n \"x\",y\n", r#"[{a:" \"x\"" b:"y"}]"#);
}

#[test]
fn text_after_a_closing_quote_is_refused() {
    let expected = "expected a delimiter or a line break after the closing quote, found other text";
    refuses("a,b\n1,2\n\"x\"y,z\n", &format!("{expected} at `$[1]` (record 2, line 3, column 4)"));
    refuses("a,\"b\"c\n1,2\n", &format!("{expected} (line 1, column 6)"));
}

#[test]
fn a_quote_that_is_never_closed_is_an_error_where_it_opens() {
    let error = error(untyped("a,b\n1,2\nx,\"y\nz,1\n"));
    assert_eq!(error.reason(), "expected a closing quote, found end of input");
    let position = error.position();
    assert_eq!((position.record, position.line, position.column), (Some(2), Some(3), Some(3)));
    let long = format!("a\n\"{}", "x,\n".repeat(100_000));
    let error = super::error(untyped(&long));
    assert_eq!((error.position().offset, error.kind()), (Some(2), ErrorKind::Syntax));
}

#[test]
fn columns_of_one_name_are_refused() {
    refuses("a,b,a\n", "the columns 1 and 3 have the same name `a` (line 1, column 5)");
    refuses("a,,\n", "the columns 2 and 3 have the same name `` (line 1, column 4)");
}

#[test]
fn ragged_rows_are_refused_or_padded() {
    refuses("a,b\n1,2\n3\n", "expected 2 cells, found 1 cell at `$[1]` (record 2, line 3, column 1)");
    refuses("a\n1,2\n", "expected 1 cell, found 2 cells at `$[0]` (record 1, line 2, column 1)");
    refuses(
        "a;b\n1,5;2\n",
        "expected 1 cell, as the header is the one cell `a;b` (is its delimiter another?), found 2 cells at `$[0]` \
         (record 1, line 2, column 1)",
    );
    refuses("a,b\n1,2,3\n", "expected 2 cells, found 3 cells at `$[0]` (record 1, line 2, column 1)");
    let pad = Dialect { ragged: Ragged::Pad, ..Dialect::default() };
    let padded = |text: &str| read_in(pad, text.as_bytes(), &Shape::Any).map(|value| shown(&value));
    assert_eq!(padded("a,b\n1\n1,2,,\n\"\"\n").unwrap(), r#"[{a:"1"} {a:"1" b:"2"} {a:""}]"#);
    assert!(padded("a,b\n1,2,3\n").is_err());
    assert!(padded("a,b\n1,2,\"\"\n").is_err(), "a quoted cell is text, be it empty");
    let bare = Dialect { header: false, ..pad };
    assert_eq!(shown(&read_in(bare, b"1,2\n3\n", &Shape::Any).unwrap()), r#"[["1" "2"] ["3"]]"#);
}

#[test]
fn other_dialects() {
    let value = read_in(Dialect::tsv(), b"a\tb\n1,5\t\"x\ty\"\n", &Shape::Any).unwrap();
    assert_eq!(shown(&value), r#"[{a:"1,5" b:"x\ty"}]"#);
    let unquoted = Dialect { quote: None, ..Dialect::tsv() };
    assert_eq!(shown(&read_in(unquoted, b"a\tb\n\"x\ty\"\n", &Shape::Any).unwrap()), r#"[{a:"\"x" b:"y\""}]"#);
    let single = Dialect { delimiter: b';', quote: Some(b'\''), ..Dialect::default() };
    assert_eq!(shown(&read_in(single, b"a;b\n'it''s';\"\n", &Shape::Any).unwrap()), r#"[{a:"it's" b:"\""}]"#);
    for delimiter in [b'"', b'\n', b'\r', b'0', b'e', b'-', b'.', b'+', 0xC3] {
        assert!(Csv::new(Dialect { delimiter, ..Dialect::default() }).is_err(), "{delimiter}");
    }
}

#[test]
fn text_is_utf8_or_refused_at_the_byte_also_where_nobody_reads_it() {
    let shape = rows_of(record(&[("b", Shape::Text)]));
    let bytes = b"a,b\n\xff,caf\xc3\xa9\n1,\"x\xff\"\n";
    let error = error(read_in(Dialect::default(), bytes, &shape));
    assert_eq!(error.to_string(), "expected `UTF-8`, found other bytes at `$[0]` (record 1, line 2, column 1)");
    assert_eq!(error.position().offset, Some(4));
    let quoted = read_in(Dialect::default(), b"b\n1\n\"x\xff\"\n", &shape).unwrap_err();
    assert_eq!(quoted.to_string(), "expected `UTF-8`, found other bytes at `$[1].b` (record 2, line 3, column 3)");
    assert!(read_in(Dialect::default(), b"a,\xff\n", &Shape::Any).is_err());
}

#[test]
fn spans_and_skips() {
    let mut csv = Csv::default();
    let mut source = csv.source(Part::whole(b"a,b\n1,\"x\ny\"\r\nbad\n3,4"));
    source.list().unwrap();
    assert!(source.item().unwrap());
    assert_eq!(&*source.span().unwrap(), b"1,\"x\ny\"");
    assert!(source.item().unwrap());
    let mark = source.mark();
    assert!(source.skip().is_err());
    source.reset(mark);
    assert_eq!(&*source.span().unwrap(), b"bad");
    assert!(source.item().unwrap());
    source.skip().unwrap();
    assert!(!source.item().unwrap());
    source.end().unwrap();
}
