//! `JSONTestSuite`, the UTF-8 stress test and the number suite, if their files are present.

use super::{copied, decode, skip, streamed};
use crate::json;
use demat_core::{ErrorKind, FloatWidth, Shape};
use std::path::{Path, PathBuf};

/// Returns the folder of a suite: in `DEMAT_SUITES`, or `shared/suites` beside the repository.
#[allow(clippy::print_stderr, reason = "a test that is skipped has to say so")]
fn folder(name: &str) -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(3).map(|parent| parent.join("shared/suites"));
    let suites = std::env::var_os("DEMAT_SUITES").map(PathBuf::from).or_else(beside)?;
    let found = Some(suites.join(name)).filter(|folder| folder.is_dir());
    if found.is_none() {
        eprintln!("SKIPPED: no suite `{name}`; set DEMAT_SUITES to the folder that has it");
    }
    found
}

/// The files that a parser may accept or refuse: this parser's decision, and the reason.
const DECIDED: [(&str, Decision); 35] = [
    // Well-formed, but too large for binary64; see `Range`.
    ("number_huge_exp", Decision::Range),
    ("number_neg_int_huge_exp", Decision::Range),
    ("number_pos_double_huge_exp", Decision::Range),
    ("number_real_neg_overflow", Decision::Range),
    ("number_real_pos_overflow", Decision::Range),
    // The nearest binary64 number is zero, so that is the correctly rounded result.
    ("number_double_huge_neg_exp", Decision::Accept),
    ("number_real_underflow", Decision::Accept),
    // Integers have no limit.
    ("number_too_big_neg_int", Decision::Accept),
    ("number_too_big_pos_int", Decision::Accept),
    ("number_very_big_negative_int", Decision::Accept),
    // A surrogate without its other half is no character, so no text could hold it.
    ("object_key_lone_2nd_surrogate", Decision::Refuse),
    ("string_1st_surrogate_but_2nd_missing", Decision::Refuse),
    ("string_1st_valid_surrogate_2nd_invalid", Decision::Refuse),
    ("string_incomplete_surrogate_and_escape_valid", Decision::Refuse),
    ("string_incomplete_surrogate_pair", Decision::Refuse),
    ("string_incomplete_surrogates_escape_valid", Decision::Refuse),
    ("string_invalid_lonely_surrogate", Decision::Refuse),
    ("string_invalid_surrogate", Decision::Refuse),
    ("string_inverted_surrogates_U+1D11E", Decision::Refuse),
    ("string_lone_second_surrogate", Decision::Refuse),
    // Not UTF-8, which RFC 8259 section 8.1 requires.
    ("string_UTF-16LE_with_BOM", Decision::Refuse),
    ("string_UTF-8_invalid_sequence", Decision::Refuse),
    ("string_UTF8_surrogate_U+D800", Decision::Refuse),
    ("string_invalid_utf-8", Decision::Refuse),
    ("string_iso_latin_1", Decision::Refuse),
    ("string_lone_utf8_continuation_byte", Decision::Refuse),
    ("string_not_in_unicode_range", Decision::Refuse),
    ("string_overlong_sequence_2_bytes", Decision::Refuse),
    ("string_overlong_sequence_6_bytes", Decision::Refuse),
    ("string_overlong_sequence_6_bytes_null", Decision::Refuse),
    ("string_truncated-utf-8", Decision::Refuse),
    ("string_utf16BE_no_BOM", Decision::Refuse),
    ("string_utf16LE_no_BOM", Decision::Refuse),
    // 500 lists in lists are within the limit of 1,024.
    ("structure_500_nested_arrays", Decision::Accept),
    // The RFC lets a parser ignore the mark (section 8.1), and some editors put it there.
    ("structure_UTF-8_BOM_empty_object", Decision::Accept),
];

#[derive(Debug, Clone, Copy, PartialEq)]
enum Decision {
    Accept,
    Refuse,
    /// Valid JSON with a number too large for binary64. It is refused as a float, rather than made infinite. Skipping
    /// it, or reading a decimal, works.
    Range,
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
#[allow(clippy::print_stderr, reason = "says how much was tested")]
fn json_test_suite() {
    let Some(folder) = folder("json/JSONTestSuite") else { return };
    let mut counts = [0; 3];
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".json"))
        else {
            continue;
        };
        let text = std::fs::read(&path).unwrap();
        let (index, decision) = match name.split_once('_') {
            Some(("y", _)) => (0, Decision::Accept),
            Some(("n", _)) => (1, Decision::Refuse),
            Some(("i", name)) => {
                (2, DECIDED.iter().find(|(own, _)| *own == name).unwrap_or_else(|| panic!("{name} is not decided")).1)
            }
            _ => panic!("what is {name}?"),
        };
        counts[index] += 1;
        check(name, &text, decision);
    }
    eprintln!("{} y_, {} n_ and {} i_ files", counts[0], counts[1], counts[2]);
    assert!(counts.iter().all(|count| *count > 30), "{counts:?} files");
}

fn check(name: &str, text: &[u8], decision: Decision) {
    let whole = decode(text);
    let accepted = decision == Decision::Accept;
    match &whole {
        Ok(_) => assert!(accepted, "{name} was decoded"),
        Err(error) => {
            assert!(!accepted, "{name}: {error}");
            let kind = match decision {
                Decision::Range => ErrorKind::Constraint,
                _ if name.contains("100000_opening") || name.contains("open_array_object") => ErrorKind::Limit,
                _ => ErrorKind::Syntax,
            };
            assert_eq!(error.kind(), kind, "{name}: {error}");
        }
    }
    assert_eq!(skip(text).is_ok(), decision != Decision::Refuse, "{name} skipped: {:?}", skip(text));
    let copy = copied(text, &Shape::Any);
    assert_eq!(copy.is_ok(), accepted, "{name} copied: {copy:?}");
    for size in (1..=8).chain([16, 64, 1000]) {
        let stream = streamed(text, &Shape::Any, size);
        match (&copy, &stream) {
            (Ok(one), Ok(two)) => assert_eq!(one, two, "{name} by {size}"),
            // A stream that is copied in pieces can't take back the first value of a repeated key.
            (Ok(_), Err(error)) if name.contains("duplicated_key") && size < text.len() => {
                assert_eq!(error.kind(), ErrorKind::Limit, "{name} by {size}");
            }
            (Err(one), Err(two)) => {
                assert_eq!(
                    (one.reason(), one.path(), one.position().offset),
                    (two.reason(), two.path(), two.position().offset),
                    "{name} by {size}"
                );
            }
            _ => panic!("{name} by {size}: {copy:?} and {stream:?}"),
        }
    }
    if let Ok(value) = whole {
        let again = json::encode(&value).unwrap();
        assert_eq!(decode(&again).unwrap(), value, "{name}");
        assert_eq!(again, copy.unwrap().into_bytes(), "{name}");
    }
}

/// Each line of Markus Kuhn's file as a string: refused exactly where the standard library reports invalid UTF-8.
#[test]
#[cfg_attr(miri, ignore = "reads files")]
fn utf8_stress_test() {
    let Some(folder) = folder("utf8") else { return };
    let text = std::fs::read(folder.join("kuhn-utf-8-test.txt")).unwrap();
    let (mut lines, mut invalid) = (0, 0);
    for line in text.split(|byte| *byte == b'\n') {
        lines += 1;
        // Characters that JSON requires to be escaped are not the subject of this test.
        let line: Vec<u8> =
            line.iter().map(|byte| if matches!(byte, b'"' | b'\\' | ..0x20) { b'_' } else { *byte }).collect();
        for (before, after) in [("\"", "\""), ("[\"", "\"]"), ("{\"", "\":1}"), ("{\"u\":[\"\\n", "\"]}")] {
            let json = [before.as_bytes(), &line, after.as_bytes()].concat();
            match std::str::from_utf8(&line) {
                Ok(_) => {
                    skip(&json).unwrap();
                    assert_eq!(decode(&json).unwrap(), decode(copied(&json, &Shape::Any).unwrap().as_bytes()).unwrap());
                }
                Err(wrong) => {
                    let offset = Some((before.len() + wrong.valid_up_to()) as u64);
                    for error in [
                        decode(&json).unwrap_err(),
                        skip(&json).unwrap_err(),
                        streamed(&json, &Shape::Any, 1).unwrap_err(),
                        streamed(&json, &Shape::Any, 7).unwrap_err(),
                    ] {
                        assert_eq!(
                            (error.position().offset, error.expectation()),
                            (offset, Some("text in UTF-8")),
                            "line {lines}: {error}"
                        );
                    }
                }
            }
        }
        invalid += usize::from(std::str::from_utf8(&line).is_err());
    }
    assert_eq!(invalid, 68, "of {lines} lines");
}

#[test]
#[cfg_attr(miri, ignore = "reads files")]
#[allow(clippy::print_stderr, reason = "says how much was tested")]
fn number_suite_through_the_source() {
    let Some(folder) = folder("numbers") else { return };
    let (mut numbers, mut others) = (0, 0);
    let shapes = [Shape::Float(FloatWidth::F64), Shape::Float(FloatWidth::F32)];
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "txt") {
            continue;
        }
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let text = &line.as_bytes()[31..];
            let f32_value = f32::from_bits(u32::from_str_radix(&line[5..13], 16).unwrap());
            let f64_value = f64::from_bits(u64::from_str_radix(&line[14..30], 16).unwrap());
            if skip(text).is_err() {
                // Not valid JSON, such as `1.` and `.5`; the tests of the text layer read them.
                others += 1;
                assert!(json::decode::<f64>(text).is_err());
                continue;
            }
            numbers += 1;
            let read = json::decode::<f64>(text).map(f64::to_bits).ok();
            assert_eq!(read, f64_value.is_finite().then_some(f64_value.to_bits()), "{line}");
            let read = json::decode::<f32>(text).map(f32::to_bits).ok();
            assert_eq!(read, f32_value.is_finite().then_some(f32_value.to_bits()), "{line}");
            let copies = shapes.each_ref().map(|shape| copied(text, shape).ok());
            let again = copies[0].as_ref().map(|text| text.parse::<f64>().unwrap().to_bits());
            assert_eq!(again, f64_value.is_finite().then_some(f64_value.to_bits()), "{line}");
            let again = copies[1].as_ref().map(|text| text.parse::<f32>().unwrap().to_bits());
            assert_eq!(again, f32_value.is_finite().then_some(f32_value.to_bits()), "{line}");
        }
    }
    eprintln!("{numbers} numbers read to the bit; {others} texts are no JSON");
    assert!(numbers > 10_000, "{numbers} numbers and {others} others");
}
