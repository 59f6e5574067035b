use super::super::*;
use super::{ROUNDS, Random};
use std::fmt::Write;

/// The slow twin: one character at a time.
fn naive(text: &str, ascii: bool) -> String {
    let mut out = String::from('"');
    for character in text.chars() {
        match character {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            '\u{8}' => out += "\\b",
            '\u{c}' => out += "\\f",
            '\0'..='\x1f' => write!(out, "\\u{:04x}", u32::from(character)).unwrap(),
            _ if ascii && !character.is_ascii() => {
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(out, "\\u{unit:04x}").unwrap();
                }
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

fn check(text: &str) {
    for (ascii, write) in [
        (false, write_json_string as fn(&mut Vec<u8>, &str)),
        (true, write_json_string_ascii as fn(&mut Vec<u8>, &str)),
    ] {
        let mut out = b"before".to_vec();
        write(&mut out, text);
        assert_eq!(std::str::from_utf8(&out), Ok(&*format!("before{}", naive(text, ascii))));
        let mut back = String::new();
        assert_eq!(unescape(&out, 7, &mut back), Ok(out.len()));
        assert_eq!(back, text);
    }
}

#[test]
fn strings_are_written_as_the_twin_writes_them_and_read_back() {
    let mut random = Random(43);
    let choice: [&str; 16] = [
        "a",
        "word ",
        "twenty characters, in",
        "\"",
        "\\",
        "\n",
        "\r\t",
        "\u{8}\u{c}",
        "\0",
        "\x1f",
        "\x7f",
        "ä",
        "€",
        "😀",
        "\u{ffff}",
        "/",
    ];
    for _ in 0..ROUNDS / 4 {
        let bytes = random.pieces(&choice.map(str::as_bytes), 12);
        check(std::str::from_utf8(&bytes).unwrap());
    }
}

#[test]
fn every_length_is_written_with_each_kind_at_each_place() {
    for len in 0..if cfg!(miri) { 4 } else { 70 } {
        let plain = "x".repeat(len);
        check(&plain);
        for place in 0..len {
            for odd in ["\"", "\\", "\u{0}", "\u{1f}", "\u{7f}", "é", "\u{10ffff}"] {
                check(&format!("{}{odd}{}", &plain[..place], &plain[place + 1..]));
            }
        }
    }
}

#[test]
fn every_character_survives() {
    for character in ('\0'..=char::MAX).step_by(if cfg!(miri) { 50_021 } else { 7 }) {
        check(character.encode_utf8(&mut [0; 4]));
    }
}
