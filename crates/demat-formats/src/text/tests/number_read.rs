use super::super::decimal_float::nearest_f64;
use super::super::*;
use super::{ROUNDS, Random};
use std::fmt::Write as _;

/// Compares both one-pass parsers with the scan and the general parsers. Returns whether each returned a number.
pub(super) fn check(text: &str) -> (bool, bool) {
    let scan = scan_number(text.as_bytes(), 0);
    let matches = |read: Option<(Number, usize)>, what: &str| {
        let Some((number, end)) = read else { return false };
        assert_eq!((scan.fault, scan.end), (None, end), "{what}: {text}");
        match number {
            Number::Int(int) => {
                assert!(scan.integer, "{what}: {text}");
                assert_eq!(parse_i64(&text.as_bytes()[..end]), Some(int), "{what}: {text}");
            }
            Number::Float(float) => {
                assert!(!scan.integer, "{what}: {text}");
                let careful = parse_f64(&text.as_bytes()[..end]).map(f64::to_bits);
                assert_eq!(careful, Some(float.to_bits()), "{what}: {text}");
                assert_eq!(text[..end].parse().map(f64::to_bits), Ok(float.to_bits()), "{what}: {text}");
            }
        }
        true
    };
    let mut padded = text.as_bytes().to_vec();
    padded.resize(padded.len().max(PLAIN), b',');
    let plain = plain_number(padded.first_chunk().unwrap());
    // The bytes that fill the block must not contribute to the number.
    let plain = plain.filter(|(_, end)| *end <= text.len());
    (matches(plain, "plain"), matches(other_number(text.as_bytes(), 0), "other"))
}

#[test]
fn numbers_of_every_length_are_read() {
    let mut random = Random(41);
    let digits = |count: usize, random: &mut Random| -> String {
        let first = char::from(b'1' + random.below(9) as u8);
        std::iter::once(first).chain((1..count).map(|_| char::from(b'0' + random.below(10) as u8))).collect()
    };
    for whole in 1..=20 {
        for places in 0..=20 {
            for _ in 0..ROUNDS / 2000 {
                let sign = random.pick(&["", "-"]);
                let mut text = format!("{sign}{}", digits(whole, &mut random));
                if places > 0 {
                    write!(text, ".{}", digits(places, &mut random)).unwrap();
                }
                let (plain, other) = check(&text);
                let (wanted, possible) = match (places, whole) {
                    (0, _) => (whole <= 18, whole <= 18 || text.parse::<i64>().is_ok()),
                    (_, ..=3) => (places <= 16, whole + places <= 19),
                    _ => (whole <= 7 && (places <= 8 || places < 16 && whole + places <= 19), whole + places <= 19),
                };
                assert_eq!((plain, other), (wanted, possible), "{text}");
                write!(text, "{}{}", random.pick(&["e", "E", "e+", "e-", "E-"]), random.below(30)).unwrap();
                let (plain, other) = check(&text);
                assert!(!plain, "{text}");
                assert!(other || whole + places > 19 || text.contains('-'), "{text}");
            }
        }
    }
}

#[test]
fn numbers_at_random_are_read_or_left() {
    const PIECES: [&[u8]; 12] =
        [b"0", b"00", b"1", b"9", b"12345678", b"-", b".", b"e", b"E", b"+", b"4503599627370497", b","];
    let mut random = Random(43);
    let mut read = 0;
    for _ in 0..ROUNDS {
        let text = String::from_utf8(random.pieces(&PIECES, 8)).unwrap();
        let (plain, other) = check(&text);
        read += usize::from(plain) + usize::from(other);
    }
    assert!(read > ROUNDS / 10, "only {read} were numbers at all");
}

#[test]
fn what_is_no_number_is_left() {
    for text in
        ["", "-", ".", "-.5", "01", "-01", "00", "1.", "1.e5", "1e", "1e+", "1.5e", "e5", "x", "+1", "012345678"]
    {
        let longer = format!("{text},123456789012345678901234567890");
        assert_eq!((check(text), check(&longer)), ((false, false), (false, false)), "{text}");
    }
}

fn check_product(number: u64, power: i32) {
    let wanted: f64 = format!("{number}e{power}").parse().unwrap();
    assert_eq!(nearest_f64(number, power).map(f64::to_bits), Some(wanted.to_bits()), "{number}e{power}");
}

#[test]
fn products_are_rounded_as_std_rounds_them() {
    let mut random = Random(47);
    for _ in 0..ROUNDS / 20 {
        for power in -27..=55 {
            check_product(random.number(), power);
            check_product(random.next(), power);
            check_product(random.number() % 100_000, power);
        }
    }
    for number in [0, 1, 2, u64::MAX, u64::MAX - 1, 1 << 53, (1 << 53) + 1, (1 << 54) - 1, (1 << 54) + 2, 1 << 63] {
        (-27..=55).for_each(|power| check_product(number, power));
    }
    for power in [i32::MIN, -28, 56, i32::MAX] {
        assert_eq!(nearest_f64(1, power), None);
    }
}

/// Numbers half way between two floats, and their neighbours on both sides.
#[test]
fn ties_go_to_the_even_float() {
    let mut random = Random(53);
    let mut ties = 0;
    let mut check = |number: u64, power| {
        ties += 1;
        for number in [number - 1, number, number + 1] {
            check_product(number, power);
        }
    };
    for _ in 0..ROUNDS / 20 {
        // An odd number of 54 bits is a tie, whatever power of two it is multiplied by.
        for power in -4..0_i32 {
            let odd = 1 << 53 | random.next() >> 11 | 1;
            check(odd * 5_u64.pow(power.unsigned_abs()), power);
        }
        for power in 0..=23 {
            let five = 5_u64.pow(power);
            let (least, most) = ((1_u64 << 53).div_ceil(five), (1_u64 << 54) / five);
            let number = (least + random.next() % (most - least).max(1)) | 1;
            if (number * five).ilog2() == 53 {
                check(number, power.cast_signed());
            }
        }
    }
    assert!(ties > ROUNDS / 2);
}
