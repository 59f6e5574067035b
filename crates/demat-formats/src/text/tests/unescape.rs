use super::super::*;
use super::{ROUNDS, Random};
use EscapeCause::*;

/// The slow twin: one byte at a time, with the UTF-8 checked by `std` afterwards.
fn naive(bytes: &[u8], from: usize) -> Result<(Vec<u8>, usize), EscapeFault> {
    let mut out = Vec::new();
    let mut at = from;
    let hex = |at: usize| -> Result<u32, EscapeCause> {
        let mut unit = 0;
        for place in at + 2..at + 6 {
            let digit = bytes.get(place).ok_or(End).and_then(|&byte| char::from(byte).to_digit(16).ok_or(Escape))?;
            unit = unit * 16 + digit;
        }
        Ok(unit)
    };
    loop {
        let fault = |at, cause| Err(EscapeFault { at: if cause == End { bytes.len() } else { at }, cause });
        let Some(&byte) = bytes.get(at) else { return fault(at, End) };
        match byte {
            b'"' => return Ok((out, at + 1)),
            b'\\' => {
                let simple = bytes
                    .get(at + 1)
                    .and_then(|&mark| b"\"\"\\\\//n\nr\rt\tb\x08f\x0c".chunks(2).find(|pair| pair[0] == mark));
                if let Some(pair) = simple {
                    out.push(pair[1]);
                    at += 2;
                    continue;
                }
                match bytes.get(at + 1) {
                    None => return fault(at, End),
                    Some(b'u') => {}
                    Some(_) => return fault(at, Escape),
                }
                let mut units = match hex(at) {
                    Ok(unit) => vec![unit as u16],
                    Err(cause) => return fault(at, cause),
                };
                if (0xd800..0xdc00).contains(&units[0]) {
                    match (bytes.get(at + 6), bytes.get(at + 7)) {
                        (None, _) | (Some(b'\\'), None) => return fault(at, End),
                        (Some(b'\\'), Some(b'u')) => {}
                        _ => return fault(at, Surrogate),
                    }
                    match hex(at + 6) {
                        Ok(unit) => units.push(unit as u16),
                        Err(cause) => return fault(at + 6, cause),
                    }
                }
                let Ok(text) = String::from_utf16(&units) else { return fault(at, Surrogate) };
                if text.chars().count() != 1 {
                    return fault(at, Surrogate);
                }
                out.extend_from_slice(text.as_bytes());
                at += units.len() * 6;
            }
            0..0x20 => return fault(at, Control),
            0x20..0x80 => {
                out.push(byte);
                at += 1;
            }
            _ => {
                let len =
                    (1..=4).find(|len| bytes.get(at..at + len).is_some_and(|bytes| std::str::from_utf8(bytes).is_ok()));
                let Some(len) = len else {
                    let cut = std::str::from_utf8(&bytes[at..]).is_err_and(|wrong| wrong.error_len().is_none());
                    return fault(at, if cut { End } else { Utf8 });
                };
                out.extend_from_slice(&bytes[at..at + len]);
                at += len;
            }
        }
    }
}

fn check(bytes: &[u8], from: usize) {
    let mut out = String::from("before");
    let found = unescape(bytes, from, &mut out);
    match naive(bytes, from) {
        Ok((text, end)) => {
            assert_eq!(found, Ok(end), "{bytes:?}");
            assert_eq!(out.as_bytes()[6..], text, "{bytes:?}");
        }
        Err(fault) => assert_eq!(found, Err(fault), "{bytes:?}"),
    }
}

const PIECES: [&[u8]; 27] = [
    b"a",
    b"plain text",
    b"\"",
    b"\\n",
    b"\\\\",
    b"\\\"",
    b"\\/",
    b"\\u0041",
    b"\\u00E4",
    b"\\ud83d\\ude00",
    b"\\ud83d",
    b"\\ude00",
    b"\\u12",
    b"\\uzzzz",
    b"\\x",
    b"\\",
    b"\n",
    b"\x00",
    b"\x7f",
    "ä".as_bytes(),
    "€".as_bytes(),
    "😀".as_bytes(),
    b"\xc3",
    b"\xed\xa0\x80",
    b"\xff",
    b"\xe2\x82",
    b"\xf0\x9f",
];

#[test]
fn any_bytes_are_read_as_the_twin_reads_them() {
    let mut random = Random(47);
    for _ in 0..ROUNDS {
        let bytes = random.pieces(&PIECES, 6);
        check(&bytes, random.below(bytes.len() + 1));
    }
}

/// Whole strings, so long that the output grows on the way.
#[test]
fn long_strings_are_read_as_the_twin_reads_them() {
    let whole: Vec<&[u8]> =
        PIECES.iter().copied().filter(|piece| naive(&[piece, &b"\""[..]].concat(), 0).is_ok()).collect();
    let whole: Vec<&[u8]> = whole.into_iter().filter(|piece| *piece != b"\"").collect();
    assert!(whole.len() > 10);
    let mut random = Random(59);
    for _ in 0..ROUNDS / 100 {
        let mut bytes = random.pieces(&whole, 400);
        bytes.extend_from_slice(if random.below(2) == 0 { b"\"" } else { b"\\x" });
        bytes.extend((0..random.below(64)).map(|_| b' '));
        check(&bytes, 0);
    }
}

#[test]
fn noise_is_read_as_the_twin_reads_it() {
    let mut random = Random(53);
    for _ in 0..ROUNDS / 10 {
        let bytes: Vec<u8> = (0..random.below(80)).map(|_| random.next() as u8).collect();
        check(&bytes, 0);
    }
}

/// For streams: as long as only the rest is missing, the fault is `End`.
#[test]
fn a_cut_string_is_only_cut() {
    let whole = "plain \\n \\u00e4 ä € 😀 \\ud83d\\ude00 and more than sixteen bytes of it\"".as_bytes();
    assert!(unescape(whole, 0, &mut String::new()).is_ok());
    for len in 0..whole.len() {
        let found = unescape(&whole[..len], 0, &mut String::new());
        assert_eq!(found, Err(EscapeFault { at: len, cause: End }), "{len}");
    }
}

#[test]
fn faults_are_named_where_they_are() {
    for (bytes, at, cause) in [
        (&b"ab\n\""[..], 2, Control),
        (b"ab\\x\"", 2, Escape),
        (b"ab\\u00g0\"", 2, Escape),
        (b"ab\\u00\"", 2, Escape),
        (b"ab\\udc00\"", 2, Surrogate),
        (b"ab\\ud800\"", 2, Surrogate),
        (b"ab\\ud800x\"", 2, Surrogate),
        (b"ab\\ud800\\n\"", 2, Surrogate),
        (b"ab\\ud800\\ud800\"", 2, Surrogate),
        (b"ab\\ud800\\u0041\"", 2, Surrogate),
        (b"ab\\ud800\\uffff\"", 2, Surrogate),
        (b"ab\\ud800\\u00x\"", 8, Escape),
        (b"ab\xc3\"", 2, Utf8),
        (b"ab\xc3\xa4\x80\"", 4, Utf8),
        (b"ab\xed\xa0\x80\"", 2, Utf8),
        (b"ab\xc0\x80\"", 2, Utf8),
        (b"ab", 2, End),
    ] {
        assert_eq!(unescape(bytes, 0, &mut String::new()), Err(EscapeFault { at, cause }), "{bytes:?}");
    }
    assert_eq!(unescape(b"ab", usize::MAX, &mut String::new()), Err(EscapeFault { at: 2, cause: End }));
}
