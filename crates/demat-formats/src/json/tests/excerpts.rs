//! Errors show the value that stands there, cut to a constant length.

use super::JsonSource;
use crate::json::ReadOptions;
use crate::stream::Part;
use demat_core::{Error, Signal, Source, excerpt};
use proptest::prelude::*;

/// Returns the error of a source that is asked for another kind.
fn refusal(text: &[u8]) -> Error {
    JsonSource::new(text).mismatch("date")
}

fn message(text: &str) -> String {
    refusal(text.as_bytes()).reason()
}

#[test]
fn scalars_are_shown() {
    assert_eq!(message(r#""12a""#), r#"expected `date`, found `text` "12a""#);
    assert_eq!(message(" -1.50e3 "), "expected `date`, found `float` -1.50e3");
    assert_eq!(message("12]"), "expected `date`, found `int` 12");
    assert_eq!(message("true"), "expected `date`, found `bool` true");
    assert_eq!(message("null"), "expected `date`, found `null`");
    assert_eq!(message("[1]"), "expected `date`, found `list`");
    assert_eq!(message(r#""\u0041\n\"\\""#), r#"expected `date`, found `text` "A\n\"\\""#);
    assert_eq!(message(r#""""#), r#"expected `date`, found `text` """#);
}

#[test]
fn long_ones_are_cut_between_characters() {
    let (sixty, digits) = ("é".repeat(60), "7".repeat(60));
    assert_eq!(message(&format!("\"{sixty}\"")), format!("expected `date`, found `text` \"{sixty}\""));
    assert_eq!(message(&format!("\"{sixty}é\"")), format!("expected `date`, found `text` \"{sixty}…\""));
    assert_eq!(message(&digits), format!("expected `date`, found `int` {digits}"));
    assert_eq!(message(&format!("{digits}7")), format!("expected `date`, found `int` {digits}…"));
    let faces = r"\ud83d\ude00".repeat(61);
    assert_eq!(message(&format!("\"{faces}\"")), format!("expected `date`, found `text` \"{}…\"", "😀".repeat(60)));
}

#[test]
fn a_huge_text_needs_only_its_start() {
    let start = format!("\"{}", "a".repeat(1000));
    let error =
        JsonSource::over(Part { last: false, ..Part::whole(start.as_bytes()) }, ReadOptions::default()).mismatch("int");
    assert_eq!(error.value(), Some(excerpt::text(&"a".repeat(61)).as_str()));
}

#[test]
fn what_is_no_text_is_not_shown() {
    for text in ["\"abc", "\"\\x\"", "\"\u{1}\""] {
        assert_eq!(message(text), "expected `date`, found `text`");
    }
    assert_eq!(refusal(b"\"\xff\"").reason(), "expected `date`, found `text`");
}

proptest! {
    /// The same of numbers, also of those that the text ends in a wrong way.
    #[test]
    fn windows_do_not_change_what_is_shown_of_a_number(text in "-?[0-9]{1,30}(\\.[0-9]{0,3})?([eE][+-]?[0-9]{0,3})?[-+.:e]?[0-9]{0,40}") {
        let json = format!("{text} ,").into_bytes();
        let whole = refusal(&json);
        for len in 1..=json.len() {
            let part = Part { last: false, ..Part::whole(&json[..len]) };
            let error = JsonSource::over(part, ReadOptions::default()).mismatch("date");
            if error.signal() != Some(Signal::Incomplete) {
                prop_assert_eq!(error.value(), whole.value(), "{} bytes", len);
            }
        }
    }

    /// A window that is too short asks for more; any other gives the same message.
    #[test]
    fn windows_do_not_change_a_message(text in "\\PC{0,80}|[\"\\\\\n😀]{0,70}", escape in any::<bool>()) {
        let mut json = crate::json::encode(&text).unwrap();
        if escape {
            let units: Vec<_> = text.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
            json = format!("\"{}\"", units.concat()).into_bytes();
        }
        let whole = refusal(&json);
        let expected = excerpt::text(&text);
        prop_assert_eq!(whole.value(), Some(expected.as_str()));
        for len in 1..=json.len() {
            let part = Part { last: false, ..Part::whole(&json[..len]) };
            let error = JsonSource::over(part, ReadOptions::default()).mismatch("date");
            if error.signal() != Some(Signal::Incomplete) {
                prop_assert_eq!(error.value(), whole.value(), "{} bytes", len);
            }
        }
    }
}
