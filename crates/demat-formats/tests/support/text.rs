//! Random JSON text: valid, in many spellings, and broken.

use super::values::Random;
use demat_core::Value;

/// Spells a value in unusual ways: with whitespace, escapes and other spellings of numbers.
pub(crate) fn spelled(value: &Value, random: &mut Random) -> Vec<u8> {
    let mut out = Vec::new();
    write(value, random, &mut out);
    blanks(random, &mut out);
    out
}

fn blanks(random: &mut Random, out: &mut Vec<u8>) {
    if random.below(4) == 0 {
        for _ in 0..random.below(4) {
            out.push(*random.one(b" \t\r\n"));
        }
    }
}

fn write(value: &Value, random: &mut Random, out: &mut Vec<u8>) {
    blanks(random, out);
    match value {
        Value::List(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                write(item, random, out);
                blanks(random, out);
            }
            blanks(random, out);
            out.push(b']');
        }
        Value::Map(entries) => {
            out.push(b'{');
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    out.push(b',');
                }
                blanks(random, out);
                match key {
                    Value::Text(key) => quoted(key, random, out),
                    // Other keys are the value's text as JSON, without quotes.
                    other => {
                        let text = demat_formats::json::encode(other).unwrap();
                        let text = String::from_utf8(text).unwrap();
                        quoted(text.trim_matches('"'), random, out);
                    }
                }
                blanks(random, out);
                out.push(b':');
                write(value, random, out);
                blanks(random, out);
            }
            blanks(random, out);
            out.push(b'}');
        }
        Value::Text(text) => quoted(text, random, out),
        other => out.extend(demat_formats::json::encode(other).unwrap()),
    }
}

fn quoted(text: &str, random: &mut Random, out: &mut Vec<u8>) {
    out.push(b'"');
    for char in text.chars() {
        let must = matches!(char, '"' | '\\' | '\0'..='\u{1f}');
        if !must && random.below(8) > 0 {
            out.extend(char.encode_utf8(&mut [0; 4]).as_bytes());
        } else if matches!(char, '"' | '\\' | '/') && random.below(2) == 0 {
            out.extend([b'\\', char as u8]);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                let escape = if random.below(2) == 0 { format!("\\u{unit:04x}") } else { format!("\\u{unit:04X}") };
                out.extend(escape.bytes());
            }
        }
    }
    out.push(b'"');
}

/// Returns the text with one to three small changes, which usually make it invalid.
pub(crate) fn mutated(mut text: Vec<u8>, random: &mut Random) -> Vec<u8> {
    const BYTES: &[u8] = b"\"\"\\,,::{}[]{}[]0123456789--++..eE tfn\0\x1f\x7f\x80\xc3\xa4\xed\xa0\xff\n u\xef\xbb\xbf";
    const PARTS: [&[u8]; 12] = [
        b"null",
        b"true",
        b"\\u0041",
        b"\\ud83d",
        b"\"a\":",
        b",",
        b"1e400",
        b"-",
        b"[[[[[[[[",
        b"\"\"",
        b"\xef\xbb\xbf",
        b"01",
    ];
    for _ in 0..=random.below(3) {
        let at = random.below(text.len() as u64 + 1) as usize;
        match random.below(6) {
            0 if at < text.len() => drop(text.remove(at)),
            1 if at < text.len() => text[at] = *random.one(BYTES),
            2 => text.insert(at, *random.one(BYTES)),
            3 => text.truncate(at),
            4 => drop(text.splice(at..at, random.one(&PARTS).iter().copied())),
            _ => {
                // Repeats a part of it elsewhere, often a key.
                let from = random.below(text.len() as u64 + 1) as usize;
                let to = (from + random.below(24) as usize).min(text.len());
                let part = text[from..to].to_vec();
                text.splice(at..at, part);
            }
        }
    }
    text
}
