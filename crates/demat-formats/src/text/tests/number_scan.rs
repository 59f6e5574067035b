use super::super::*;
use super::{ROUNDS, Random};

/// The grammar as a state machine, one byte at a time. Returns whether all of `text` is an integer; `None` if it is no
/// number.
fn is_number(text: &[u8]) -> Option<bool> {
    let mut state = "start";
    for byte in text {
        state = match (state, byte) {
            ("start", b'-') => "minus",
            ("start" | "minus", b'0') => "zero",
            ("start" | "minus" | "whole", b'0'..=b'9') => "whole",
            ("zero" | "whole", b'.') => "point",
            ("point" | "fraction", b'0'..=b'9') => "fraction",
            ("zero" | "whole" | "fraction", b'e' | b'E') => "e",
            ("e", b'+' | b'-') => "sign",
            ("e" | "sign" | "exponent", b'0'..=b'9') => "exponent",
            _ => return None,
        }
    }
    match state {
        "zero" | "whole" => Some(true),
        "fraction" | "exponent" => Some(false),
        _ => None,
    }
}

/// Compares the scan with the state machine: it must find the longest prefix of the bytes that is a number, or a fault.
fn check(bytes: &[u8], from: usize) {
    let found = scan_number(bytes, from);
    let rest = &bytes[from..];
    match found.fault {
        None => {
            assert_eq!(is_number(&bytes[from..found.end]), Some(found.integer), "{rest:?}");
            assert_eq!(
                is_number(&bytes[from..bytes.len().min(found.end + 1)]).filter(|_| found.end < bytes.len()),
                None
            );
        }
        // A number that is cut off at the end can be completed; one with another fault can't.
        Some(NumberFault::End) => {
            assert_eq!(found.end, bytes.len());
            assert_eq!(is_number(rest), None, "{rest:?}");
            assert!(is_number(&[rest, b"1"].concat()).is_some(), "{rest:?}");
        }
        Some(_) => {
            let wrong = &bytes[from..=found.end];
            assert_eq!(is_number(wrong), None, "{rest:?}");
            assert_eq!(is_number(&[wrong, b"1"].concat()), None, "{rest:?}");
        }
    }
}

#[test]
fn the_scan_agrees_with_its_twin() {
    let mut random = Random(41);
    let choice: [&[u8]; 14] = [
        b"0",
        b"1",
        b"9",
        b"12345678",
        b"1234567890123456789012345678901234567890",
        b"-",
        b"+",
        b".",
        b"e",
        b"E",
        b",",
        b" ",
        b"x",
        b"\xff",
    ];
    for _ in 0..ROUNDS {
        let bytes = random.pieces(&choice, 7);
        check(&bytes, random.below(bytes.len() + 1));
    }
}

#[test]
fn every_short_text_is_judged_right() {
    let alphabet = b"01-+.e ";
    for code in 0..if cfg!(miri) { 50 } else { 7_usize.pow(6) } {
        let text: Vec<u8> = (0..6).map(|place| alphabet[code / 7_usize.pow(place) % 7]).collect();
        check(&text, 0);
    }
}

#[test]
fn faults_are_named_where_they_are() {
    use NumberFault::*;
    for (text, end, fault) in [
        ("", 0, End),
        ("-", 1, End),
        ("x", 0, Digit),
        ("-x", 1, Digit),
        ("+1", 0, Digit),
        (".5", 0, Digit),
        ("00", 1, LeadingZero),
        ("-01.5", 2, LeadingZero),
        ("1.", 2, End),
        ("1.e5", 2, Fraction),
        ("1.,", 2, Fraction),
        ("1e", 2, End),
        ("1e-", 3, End),
        ("1ex", 2, Exponent),
        ("1e+,", 3, Exponent),
    ] {
        assert_eq!(scan_number(text.as_bytes(), 0), NumberScan { end, integer: false, fault: Some(fault) }, "{text}");
    }
    assert_eq!(scan_number(b"1", usize::MAX).fault, Some(End));
}

#[test]
fn what_follows_a_number_is_not_its_business() {
    for (text, end, integer) in
        [("0x", 1, true), ("-0", 2, true), ("1-2", 1, true), ("0.0.0", 3, false), ("1e5e5", 3, false)]
    {
        assert_eq!(scan_number(text.as_bytes(), 0), NumberScan { end, integer, fault: None }, "{text}");
    }
}
