//! Parallel parts give the same as one thread, for every split of every text.

use crate::tests::round::json_of;
use crate::whole::of_parts;
use crate::{Bordered, Options};
use core::fmt::Write as _;
use demat_core::{Result, Shape};
use demat_formats::csv::{Csv, Dialect};
use demat_formats::json::Json;
use demat_formats::ndjson::Ndjson;

fn read<F: Bordered>(text: &str, format: &F, own: &str, parts: usize) -> Result<String> {
    let own: Shape = own.parse().unwrap();
    json_of(of_parts(text.as_bytes(), format, &own, &Options::default(), parts)?, &own.list())
}

fn same<F: Bordered>(text: &str, format: &F, own: &str) {
    let whole = read(text, format, own, 1);
    for parts in 2..40 {
        match (&whole, read(text, format, own, parts)) {
            (Ok(whole), Ok(other)) => assert_eq!(whole, &other, "{parts}"),
            (Err(whole), Err(other)) => assert_eq!(whole.to_string(), other.to_string(), "{parts}"),
            (_, other) => panic!("{parts}: {whole:?} and {other:?}"),
        }
    }
}

const ROWS: usize = 60;

fn json(record: impl Fn(usize) -> String) -> String {
    format!("[{}]", (0..ROWS).map(record).collect::<Vec<_>>().join(", "))
}

#[test]
fn borders_are_found_in_json() {
    same(&json(|i| format!(r#"{{"a":{i},"b":"x"}}"#)), &Json::default(), "a:int, b:text");
    same(&json(|i| format!("{{\n  \"b\": \"x\",\n  \"a\": {i}\n}}")), &Json::default(), "a:int, b:text");
}

#[test]
fn what_only_looks_like_a_border_is_none() {
    // In texts, in nested lists of similar records, and in unwanted records.
    same(&json(|i| format!(r#"{{"a":{i},"b":"}}, {{\"a\":1,\"b\":\"\"}},{{"}}"#)), &Json::default(), "a:int, b:text");
    let nested = json(|i| format!(r#"{{"a":{i},"c":[{}{{"a":1,"c":[]}}]}}"#, r#"{"a":7,"c":[]},"#.repeat(i % 7)));
    same(&nested, &Json::default(), "a:int, c:[{a:int, c:[int]}]");
    same(&nested, &Json::default(), "a:int");
    let quoted = (0..ROWS).map(|i| format!("{i},\"x\n{i},y\n\"\n")).collect::<String>();
    same(&format!("a,b\n{quoted}"), &Csv::new(Dialect::default()).unwrap(), "a:int, b:text");
}

#[test]
fn a_part_that_begins_at_a_wrong_border_never_ends_another() {
    // Lines within quotes that look like records, of which some agree with what is around them and some do not.
    const LINES: [&str; 7] =
        ["\"\"Hello,\"\" she said.", "- \"\"A\"\", \"\"B\"\"", "He left.", "\"\"", "\"\"Yes\"\"", "", "x,\"\"y\"\""];
    let mut seed = 1_u32;
    let mut roll = |below: u32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 16) % below
    };
    let mut text = String::from("a,b\n");
    for row in 0..6_000 {
        let lines: Vec<&str> = (0..=roll(6)).map(|_| LINES[roll(7) as usize]).collect();
        writeln!(text, "{row},\"{}\"", lines.join("\n")).unwrap();
    }
    let format = Csv::new(Dialect::default()).unwrap();
    let whole = read(&text, &format, "a:int, b:text", 1).unwrap();
    for parts in 2..60 {
        let other = read(&text, &format, "a:int, b:text", parts);
        assert!(other.as_ref().is_ok_and(|other| *other == whole), "{parts}: {:?}", other.err());
    }
}

#[test]
fn lines_end_records_and_blank_ones_are_none() {
    let text = (0..ROWS).map(|i| format!("{{\"a\":{i}}}\r\n{}", "\n \n".repeat(i % 3))).collect::<String>();
    same(&text, &Ndjson::default(), "a:int");
    let text = (0..ROWS).map(|i| format!("{i},x\n{}", "\n".repeat(i % 3))).collect::<String>();
    same(&text, &Csv::new(Dialect::default().without_header()).unwrap(), "a:int, b:text");
    same(&format!("a,b\r\n{text}"), &Csv::new(Dialect::default()).unwrap(), "b:text, a:int");
}

#[test]
fn the_first_bad_record_is_the_error_with_its_number_and_place() {
    for bad in [0, 1, 29, 30, 31, 58, 59] {
        let value = |i: usize| if i == bad { "x".to_string() } else { i.to_string() };
        same(&json(|i| format!("{{\"a\":{}}}\n", value(i))), &Json::default(), "a:int");
        same(&(0..ROWS).map(|i| format!("{{\"a\":{}}}\n", value(i))).collect::<String>(), &Ndjson::default(), "a:int");
        let rows = (0..ROWS).map(|i| format!("{},b\n", value(i))).collect::<String>();
        same(&format!("a,b\n{rows}"), &Csv::new(Dialect::default()).unwrap(), "a:int, b:text");
        let error =
            read(&rows, &Csv::new(Dialect::default().without_header()).unwrap(), "a:int, b:text", 5).unwrap_err();
        assert_eq!(error.position().line, Some(bad as u64 + 1));
        assert_eq!(error.position().record, Some(bad as u64 + 1));
        assert_eq!(error.path(), format!("$[{bad}].a"));
    }
}

#[test]
fn what_is_cut_or_goes_on_is_refused_by_all() {
    for text in
        ["", "[", "[]", "{}", "{\"a\":1}", "[{\"a\":1}", "[{\"a\":1},]", "[{\"a\":1}] x", "[{\"a\":1}{\"a\":1}]", "7"]
    {
        same(text, &Json::default(), "a:int");
    }
    let good = json(|i| format!(r#"{{"a":{i}}}"#));
    same(&good[..good.len() - 1], &Json::default(), "a:int");
    same(&format!("{good} {good}"), &Json::default(), "a:int");
    same("a,b\n1,2\n3\n4,5\n", &Csv::new(Dialect::default()).unwrap(), "a:int, b:text");
    same("", &Ndjson::default(), "a:int");
}
