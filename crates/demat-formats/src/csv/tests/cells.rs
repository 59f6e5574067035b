//! The fast number parsers against the general ones.

use crate::csv::cell;
use crate::text::{parse_f64, parse_u64};

/// Calls `check` with every text of up to `most` bytes from an alphabet.
fn each_text(alphabet: &[u8], most: u32, mut check: impl FnMut(&[u8])) {
    for len in 0..=most {
        for number in 0..alphabet.len().pow(len) {
            let digit = |place| alphabet[number / alphabet.len().pow(place) % alphabet.len()];
            check(&(0..len).map(digit).collect::<Vec<u8>>());
        }
    }
}

fn check_short(text: &[u8]) {
    for behind in [b',', b'\n', b'"', b'5', 0xff] {
        let mut bytes = b"7,".to_vec();
        bytes.extend_from_slice(text);
        bytes.extend_from_slice(&[behind; 8]);
        let end = 2 + text.len() as u32;
        let short = cell::short_float(&bytes, 2, end);
        let long = parse_f64(text).filter(|_| matches!(text.first(), Some(b'0'..=b'9')) && !text.contains(&b'e'));
        assert_eq!(short.map(f64::to_bits), long.map(f64::to_bits), "{text:?}");
        assert_eq!(cell::short_int(&bytes, 2, end).map(u64::from), parse_u64(text), "{text:?}");
    }
}

#[test]
fn short_numbers_are_what_the_long_way_makes_of_them() {
    each_text(b"019.-:", if cfg!(miri) { 2 } else { 6 }, check_short);
    each_text(b"3.e\x00\x8a\xfe", if cfg!(miri) { 2 } else { 5 }, check_short);
    for number in (0..100_000_000_u64).step_by(if cfg!(miri) { 10_000_019 } else { 997 }) {
        let mut text = number.to_string().into_bytes();
        check_short(&text);
        if text.len() < 8 {
            text.insert(1 + number as usize % text.len(), b'.');
            check_short(&text);
        }
    }
}

fn check_plain(text: &[u8]) -> bool {
    let mut found = None;
    for behind in [b',', b'\n', b'"', b'5', b'e', 0xff] {
        let mut bytes = b"7,".to_vec();
        bytes.extend_from_slice(text);
        bytes.extend_from_slice(&[behind; 32]);
        found = cell::plain_float(&bytes, 2, 2 + text.len() as u32).map(f64::to_bits);
        if found.is_some() {
            assert_eq!(found, parse_f64(text).map(f64::to_bits), "{text:?}");
        }
    }
    found.is_some()
}

#[test]
fn plain_floats_are_what_the_long_way_makes_of_them() {
    each_text(b"019.-e", if cfg!(miri) { 2 } else { 5 }, |text| {
        check_plain(text);
    });
    for text in [&b"1234.56789012345"[..], b"-0.12345678901", b"123456789012", b"-7.5", b"1234567.123456"] {
        assert!(check_plain(text), "{text:?}");
    }
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut plain = 0;
    for _ in 0..if cfg!(miri) { 50 } else { 50_000 } {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let scale = 10_f64.powi((state % 16) as i32 - 8);
        plain += usize::from(check_plain((f64::from_bits(state >> 12 | 1023 << 52) * scale).to_string().as_bytes()));
    }
    assert!(cfg!(miri) || plain > 10_000, "{plain}");
    assert_eq!(cell::plain_float(b"1.5,", 0, 3), None);
}

#[test]
fn nine_bytes_and_the_last_eight_of_a_window_are_not_short() {
    assert_eq!(
        (cell::short_int(b"123456789,,,,,,,", 0, 9), cell::short_float(b"123456.89,,,,,,,", 0, 9)),
        (None, None)
    );
    assert_eq!((cell::short_int(b"1,2\n", 2, 3), cell::short_float(b"1,2\n", 2, 3)), (None, None));
    assert_eq!((cell::short_int(b"", 0, 0), cell::short_float(b"1,", u32::MAX, 0)), (None, None));
}
