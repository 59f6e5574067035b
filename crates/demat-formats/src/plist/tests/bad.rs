//! Invalid XML, and limits.

use super::*;
use demat_core::ErrorKind;

#[test]
fn what_is_wrong_has_a_line() {
    let cases = [
        (
            "<plist>\n<foo/></plist>",
            "expected one of array, data, date, dict, false, integer, key, real, string, true, found `<foo>` (line 2, column 1)",
        ),
        ("<plist><key>a</key></plist>", "expected a value, found `<key>` (line 1, column 8)"),
        ("<plist><dict><true/></dict></plist>", "expected a key, found `<true>` (line 1, column 14)"),
        (
            "<plist><dict><key>a</key></dict></plist>",
            "expected a value behind the key, found `</dict>` (line 1, column 26)",
        ),
        ("<plist><array></dict></plist>", "expected `</array>`, found another tag (line 1, column 15)"),
        ("<plist><integer>x</integer></plist>", "expected an int of at most 64 bits, found `x` (line 1, column 8)"),
        (
            "<plist><integer>18446744073709551616</integer></plist>",
            "expected an int of at most 64 bits, found `18446744073709551616` (line 1, column 8)",
        ),
        ("<plist><real>1.5x</real></plist>", "expected a number, found `1.5x` (line 1, column 8)"),
        (
            "<plist><date>2024-02-30T00:00:00Z</date></plist>",
            "expected a date as YYYY-MM-DDTHH:MM:SSZ, found `2024-02-30T00:00:00Z` (line 1, column 8)",
        ),
        (
            "<plist><date>2024-02-28T00:00:00+01:00</date></plist>",
            "expected a date as YYYY-MM-DDTHH:MM:SSZ, found `2024-02-28T00:00:00+01:00` (line 1, column 8)",
        ),
        ("<plist><data>A</data></plist>", "expected data in base64, found `A` (line 1, column 8)"),
        (
            "<plist><string>&nbsp;</string></plist>",
            "expected `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;` or the number of a character, found `&` (line 1, column 16)",
        ),
        (
            "<plist><string>&#0;</string></plist>",
            "expected `&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;` or the number of a character, found `&` (line 1, column 16)",
        ),
        (
            "<plist><string>a\u{1}</string></plist>",
            "expected a character that XML has, found the character U+0001 (line 1, column 17)",
        ),
        ("<plist><string>a</plist>", "expected the end of the element, found no `</string>` (line 1, column 17)"),
        ("<plist><string a=\"b\">a</string></plist>", "expected `>`, found `a` (line 1, column 16)"),
        ("<plist><true/><true/></plist>", "expected `</plist>`, found `<` (line 1, column 15)"),
        ("<plist></plist>", "expected a value, found `</` (line 1, column 8)"),
        ("<plist><true/></plist>x", "expected end of input, found `x` (line 1, column 23)"),
        (
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?><true/>",
            "expected the encoding UTF-8, found `utf-16` (line 1, column 1)",
        ),
        (
            "<!DOCTYPE plist [<!ENTITY a \"b\">]><true/>",
            "a document type with definitions of its own is refused (line 1, column 17)",
        ),
        (
            "<!DOCTYPE plist SYSTEM \"x\" [ ]><true/>",
            "a document type with definitions of its own is refused (line 1, column 28)",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(refusal(text.as_bytes(), "any"), message, "{text}");
    }
    assert_eq!(refusal(b"<true/>\xff", "any"), "expected text in UTF-8, found byte 0xff (line 1, column 8)");
    assert_eq!(refusal(b"\xfe\xff\0<", "any"), "expected text in UTF-8, found text in UTF-16 (line 1, column 1)");
}

#[test]
fn what_is_cut_is_refused() {
    let whole = super::written(
        &value(r#"{"a": [1, "x", true, 1.5], "b": {"c": "&<"}}"#, &Shape::Any),
        &Shape::Any,
        Variant::Xml,
    );
    let whole = whole.unwrap();
    for end in 0..whole.len() - 1 {
        assert!(read(&whole[..end], "any").is_err(), "{end}");
    }
}

#[test]
fn values_of_other_kinds_are_refused() {
    let bytes = xml("<array><integer>1</integer>\n<string>x</string></array>");
    assert_eq!(refusal(&bytes, "[int]"), "expected `int`, found `text` \"x\" at `$[1]` (line 2, column 1)");
    assert_eq!(refusal(&bytes, "{a: int}"), "expected `record`, found `list` (line 1, column 22)");
    assert_eq!(refusal(&xml("<string>1</string>"), "int"), "expected `int`, found `text` \"1\" (line 1, column 22)");
    assert_eq!(
        refusal(&xml("<date>2024-02-29T12:30:00Z</date>"), "datetime"),
        "expected `datetime`, found `instant` 2024-02-29T12:30:00Z (line 1, column 22)"
    );
}

#[test]
fn depth_has_a_limit_and_needs_no_stack() {
    for (begin, kind) in [("<array>", "xml"), ("<dict><key/>", "xml"), ("(", "old"), ("{a=", "old")] {
        let error = read(begin.repeat(200_000).as_bytes(), "any").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Limit, "{kind} {begin}");
    }
    let deep = |levels: usize| format!("{}{}", "(".repeat(levels), ")".repeat(levels));
    read(deep(512).as_bytes(), "any").unwrap();
    assert_eq!(read(deep(513).as_bytes(), "any").unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn time_is_linear() {
    // Each of these would take minutes if the parser read a part repeatedly.
    for text in [
        "<string>".to_string() + &"&amp;".repeat(400_000) + "</string>",
        "<string>".to_string() + &"<!---->".repeat(400_000) + "</string>",
        "<array>".to_string() + &"<true/>".repeat(400_000) + "</array>",
        "\"".to_string() + &"\\n".repeat(400_000) + "\"",
        "<".to_string() + &" 00".repeat(400_000) + ">",
        "<dict>".to_string() + &"<key>a</key><true/>".repeat(200_000) + "</dict>",
    ] {
        let mut format = Plist::default();
        format.whole(Part::whole(text.as_bytes())).skip().unwrap();
    }
}
