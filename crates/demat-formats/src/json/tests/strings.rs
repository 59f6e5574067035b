//! Strings: escapes, surrogates, control characters, UTF-8 at every position.

use super::{accepted, copied, decode, refused, skip, streamed};
use crate::json;
use demat_core::{ErrorKind, Field, Record, Shape};
use std::borrow::Cow;
use std::collections::HashMap;

#[test]
fn escapes_are_json_s_nine() {
    accepted(r#""\"\\\/\b\f\n\r\t""#, r#""\"\\/\b\f\n\r\t""#);
    accepted(r#""\u0041\u00e4\u20AC\uD83d\uDe00\u0000\u001f\u007f""#, "\"Aä€😀\\u0000\\u001f\u{7f}\"");
    accepted("\"\u{7f}\u{80}\u{2028}\u{ffff}\u{10ffff}\"", "\"\u{7f}\u{80}\u{2028}\u{ffff}\u{10ffff}\"");
    let escape = "expected an escape that JSON has, found `\\` (line 1, column 3)";
    for text in [
        r#""a\x41""#,
        r#""a\'""#,
        r#""a\0""#,
        r#""a\U0041""#,
        r#""a\a""#,
        r#""a\u00g0""#,
        r#""a\u004""#,
        "\"a\\\n\"",
        "\"a\\é\"",
        r#""a\u 041""#,
        r#""a\u+041""#,
    ] {
        refused(text, escape);
    }
}

#[test]
fn surrogates_come_in_pairs() {
    let pair = |column| format!("expected a pair of surrogates, found `\\` (line 1, column {column})");
    for text in [
        r#""\ud800""#,
        r#""\udbff x""#,
        r#""\udc00""#,
        r#""\udfff\ud800""#,
        r#""\ud800\n""#,
        r#""\ud800A""#,
        r#""\ud800\ud800""#,
        r#""\ud800\ue000""#,
    ] {
        refused(text, &pair(2));
    }
    refused(r#""\ud83d\ude00\ude00""#, &pair(14));
    refused(r#""\ud800\u12x4""#, "expected an escape that JSON has, found `\\` (line 1, column 8)");
    accepted(r#""\ud800\udc00\udbff\udfff\ud7ff\ue000""#, "\"\u{10000}\u{10ffff}\u{d7ff}\u{e000}\"");
}

#[test]
fn control_characters_must_be_escaped() {
    for byte in 0..0x20u8 {
        for filler in [0, 1, 14, 15, 16, 17, 40, 200] {
            let mut text = vec![b'"'];
            text.resize(filler + 1, b'x');
            text.push(byte);
            text.push(b'"');
            let found = char::from(byte).escape_debug();
            let column = filler + 2;
            refused(
                &text,
                &format!(
                    "expected an escape in place of a control character, found `{found}` (line 1, column {column})"
                ),
            );
        }
    }
}

/// Invalid UTF-8: stray bytes, overlong forms, surrogates, beyond the last character, cut characters.
const NOT_UTF8: [&[u8]; 18] = [
    b"\x80",
    b"\xbf",
    b"\xc0\xaf",
    b"\xc1\xbf",
    b"\xc3",
    b"\xe0\x80\xaf",
    b"\xe0\x9f\xbf",
    b"\xed\xa0\x80",
    b"\xed\xbf\xbf",
    b"\xef\xbf",
    b"\xf0\x80\x80\xaf",
    b"\xf0\x8f\xbf\xbf",
    b"\xf4\x90\x80\x80",
    b"\xf0\x9f\x98",
    b"\xf8\x88\x80\x80\x80",
    b"\xfe",
    b"\xff",
    b"\xe2\x28\xa1",
];

#[test]
fn what_is_not_utf8_is_refused_at_its_byte_wherever_it_stands() {
    let shape = Shape::record(Record::new("", vec![Field::new("k", 1, Shape::Text)]).unwrap());
    for bad in NOT_UTF8 {
        for filler in [0usize, 1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 130] {
            for (front, back) in [("", ""), ("ä", "é"), ("", "\\n"), ("\\t", ""), ("€", "\\u0041")] {
                let inside = [front.as_bytes(), &vec![b'x'; filler], bad, back.as_bytes(), b"yz"].concat();
                let at = front.len() + filler;
                // Alone, in a list, as a value and as a key; skipped and decoded.
                for (before, after) in [
                    ("\"", "\""),
                    ("[1,\"", "\"]"),
                    ("{\"k\":\"", "\"}"),
                    ("{\"", "\":1}"),
                    ("{\"k\":\"\",\"u\":[{\"", "\":2}]}"),
                ] {
                    let text = [before.as_bytes(), &inside, after.as_bytes()].concat();
                    let offset = Some((before.len() + at) as u64);
                    let expected = format!("byte 0x{:02x}", bad[0]);
                    let errors = [
                        decode(&text).unwrap_err(),
                        skip(&text).unwrap_err(),
                        copied(&text, &Shape::Any).unwrap_err(),
                        streamed(&text, &Shape::Any, 1).unwrap_err(),
                        streamed(&text, &Shape::Any, 33).unwrap_err(),
                    ];
                    let typed = if before.starts_with('{') {
                        vec![copied(&text, &shape).unwrap_err(), streamed(&text, &shape, 5).unwrap_err()]
                    } else {
                        vec![]
                    };
                    for error in errors.iter().chain(&typed) {
                        let name = text.escape_ascii();
                        assert_eq!(error.kind(), ErrorKind::Syntax, "{name}: {error}");
                        assert_eq!(
                            (error.position().offset, error.found()),
                            (offset, Some(expected.as_str())),
                            "{name}: {error}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn nothing_beyond_ascii_stands_outside_of_strings() {
    refused(b"[1\xff]", "expected `,` or `]`, found byte 0xff (line 1, column 3)");
    refused(b"\xff", "expected a value, found byte 0xff (line 1, column 1)");
    refused(b"{\xe4:1}", "expected a key in quotes, found byte 0xe4 (line 1, column 2)");
    refused("[ä]", "expected a value, found `ä` at `$[0]` (line 1, column 2)");
    refused("[1😀]", "expected `,` or `]`, found `😀` (line 1, column 3)");
    refused(b"[1\xf0\x9f\x98", "expected `,` or `]`, found byte 0xf0 (line 1, column 3)");
}

#[test]
fn text_is_borrowed_where_it_stands_as_it_is() {
    let borrowed: Vec<Cow<'_, str>> =
        json::decode("[\"a\", \"ä\", \"\", \"0123456789abcdef0123456789abcdef\"]".as_bytes()).unwrap();
    assert!(borrowed.iter().all(|text| matches!(text, Cow::Borrowed(_))));
    let owned: Vec<Cow<'_, str>> = json::decode(br#"["\n", "a\u0041"]"#).unwrap();
    assert_eq!(owned, ["\n", "aA"]);
    assert_eq!(json::decode::<&str>(b"\"plain\"").unwrap(), "plain");
    let error = json::decode::<Vec<&str>>(br#"["a", "\n"]"#).unwrap_err();
    assert_eq!(
        error.to_string(),
        "expected text without escapes, to borrow it, found text with escapes at `$[1]` (line 1, column 7)"
    );
}

#[test]
fn keys_are_the_same_however_they_are_escaped() {
    let record =
        Record::new("", vec![Field::new("title", 1, Shape::Text), Field::new("ä\"\n", 2, Shape::Bool)]).unwrap();
    let shape = Shape::record(record);
    let compact = r#"{"title":"t","ä\"\n":true}"#;
    for text in [
        compact,
        r#"{"\u0074itle":"t","\u00e4\u0022\u000A":true}"#,
        r#"{"tit\u006ce" : "t" , "ä\"\n" : true }"#,
        r#"{"ti\u0074l\u0065":"\u0074","\u00E4\"\n":true}"#,
    ] {
        assert_eq!(copied(text.as_bytes(), &shape).unwrap(), compact, "{text}");
        for size in [1, 2, 5, 40] {
            assert_eq!(streamed(text.as_bytes(), &shape, size).unwrap(), compact, "{text}");
        }
        let map: HashMap<String, demat_core::Value> = json::decode(text.as_bytes()).unwrap();
        assert!(map.contains_key("title") && map.contains_key("ä\"\n"), "{text}");
    }
    // A prefix of a key is another key; so is a longer key, and one that looks alike.
    for text in [
        r#"{"titl":"x","title":"t"}"#,
        r#"{"titles":"x","title":"t"}"#,
        r#"{"":"x","title":"t"}"#,
        r#"{"Title":"x","title":"t"}"#,
        r#"{"title\u0000":"x","title":"t"}"#,
    ] {
        let shape = Shape::record(Record::new("", vec![Field::new("title", 1, Shape::Text)]).unwrap());
        assert_eq!(copied(text.as_bytes(), &shape).unwrap(), r#"{"title":"t"}"#, "{text}");
    }
}

#[test]
fn long_strings_come_through_in_every_length() {
    for len in (0..200).chain([255, 256, 257, 1000, 4095, 4096, 4097]) {
        for mark in ["", "ä", "\\n", "\\u0041", "\\\\", "\\\""] {
            let text = format!("\"{}{mark}{}\"", "a".repeat(len), "b".repeat(len % 37));
            let value: String = json::decode(text.as_bytes()).unwrap();
            let plain = match mark {
                "\\n" => "\n",
                "\\u0041" => "A",
                "\\\\" => "\\",
                "\\\"" => "\"",
                other => other,
            };
            assert_eq!(value, format!("{}{plain}{}", "a".repeat(len), "b".repeat(len % 37)));
            skip(text.as_bytes()).unwrap();
            assert_eq!(json::decode::<String>(&json::encode(&value).unwrap()).unwrap(), value);
        }
    }
}
