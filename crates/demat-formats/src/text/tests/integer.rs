use super::super::*;
use super::{ROUNDS, Random};

fn written(write: impl Fn(&mut Vec<u8>)) -> String {
    let mut out = b"before ".to_vec();
    write(&mut out);
    String::from_utf8(out).unwrap().strip_prefix("before ").unwrap().to_owned()
}

/// Calls `check` with all numbers next to a power of ten or of two, and with random ones.
fn each_number(mut check: impl FnMut(u64)) {
    let tens = (0..20).map(|power| 10_u64.pow(power));
    let twos = (0..64).map(|power| 1_u64 << power);
    for number in tens.chain(twos).chain([0, u64::MAX]) {
        check(number.wrapping_sub(1));
        check(number);
        check(number.wrapping_add(1));
    }
    let mut random = Random(17);
    for _ in 0..ROUNDS {
        check(random.number());
    }
}

#[test]
fn integers_are_written_as_std_writes_them() {
    each_number(|number| {
        assert_eq!(written(|out| write_u64(out, number)), number.to_string());
        let signed = number.cast_signed();
        assert_eq!(written(|out| write_i64(out, signed)), signed.to_string());
        assert_eq!(written(|out| write_i64(out, signed.wrapping_neg())), signed.wrapping_neg().to_string());
    });
}

#[test]
fn small_integers_are_all_written_right() {
    for number in 0..if cfg!(miri) { 20 } else { 100_000 } {
        assert_eq!(written(|out| write_u64(out, number)), number.to_string());
        assert_eq!(written(|out| write_u64(out, number * 1000)), (number * 1000).to_string());
    }
}

#[test]
fn integers_are_read_back_wherever_they_stand() {
    let mut random = Random(23);
    each_number(|number| {
        let text = number.to_string();
        let before = "7".repeat(random.below(20));
        let after =
            random.pick(&["", ",", "}", "/", ":", ".5", "e", "\u{0}1234567", " 1234567890123456", "\u{ff}", "p"]);
        let bytes = format!("{before}{text}{after}");
        let expected = Digits { value: number, count: text.len(), exact: true };
        assert_eq!(parse_digits(bytes.as_bytes(), before.len()), expected, "{bytes}");
        assert_eq!(parse_u64(text.as_bytes()), Some(number));
        let signed = number.cast_signed();
        assert_eq!(parse_i64(signed.to_string().as_bytes()), Some(signed));
    });
}

#[test]
fn any_digits_are_read_as_std_reads_them() {
    let mut random = Random(29);
    for _ in 0..ROUNDS {
        let text = random.pieces(&[b"0", b"1", b"9", b"00", b"18446744073709551615", b"99999", b"x", b"-"], 6);
        let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let std = std::str::from_utf8(&text[..count]).unwrap().parse::<u64>().ok();
        let found = parse_digits(&text, 0);
        assert_eq!(found.count, count, "{text:?}");
        assert_eq!(found.exact.then_some(found.value), std.or((count == 0).then_some(0)), "{text:?}");
        let whole = std::str::from_utf8(&text).unwrap();
        assert_eq!(parse_u64(&text), whole.parse().ok(), "{whole}");
        assert_eq!(parse_i64(&text), whole.parse().ok(), "{whole}");
    }
}

#[test]
fn no_byte_but_a_digit_is_read_as_one() {
    for byte in 0..=255_u8 {
        for place in (0..25).step_by(if cfg!(miri) { 6 } else { 1 }) {
            let mut bytes = [b'1'; 25];
            bytes[place] = byte;
            let count = if byte.is_ascii_digit() { 25 } else { place };
            assert_eq!(parse_digits(&bytes, 0).count, count, "{byte} at {place}");
        }
    }
}

#[test]
fn what_a_u64_cannot_hold_is_said_to_be_inexact() {
    for text in ["18446744073709551616", "99999999999999999999", "100000000000000000000", &"9".repeat(1000)] {
        let found = parse_digits(text.as_bytes(), 0);
        assert_eq!((found.count, found.exact), (text.len(), false));
        assert_eq!(parse_u64(text.as_bytes()), None);
    }
    let zeros = format!("{}{}", "0".repeat(1000), u64::MAX);
    assert_eq!(parse_digits(zeros.as_bytes(), 0), Digits { value: u64::MAX, count: 1020, exact: true });
}

#[test]
fn positions_past_the_end_have_no_digits() {
    for from in [2, 3, usize::MAX] {
        assert_eq!(parse_digits(b"12", from).count, 0);
    }
}
