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

#[test]
fn nine_bytes_and_the_last_eight_of_a_window_are_not_short() {
    assert_eq!(
        (cell::short_int(b"123456789,,,,,,,", 0, 9), cell::short_float(b"123456.89,,,,,,,", 0, 9)),
        (None, None)
    );
    assert_eq!((cell::short_int(b"1,2\n", 2, 3), cell::short_float(b"1,2\n", 2, 3)), (None, None));
    assert_eq!((cell::short_int(b"", 0, 0), cell::short_float(b"1,", u32::MAX, 0)), (None, None));
}
