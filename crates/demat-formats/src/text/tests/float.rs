use super::super::*;
use super::{ROUNDS, Random};

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = b"before ".to_vec();
    write(&mut out);
    String::from_utf8(out).unwrap().strip_prefix("before ").unwrap().to_owned()
}

/// The written text must be JSON, look like a float, parse to the same float here and with `std`, and be no longer than
/// the text of `std`.
fn check_f64(number: f64) {
    let text = written(|out| write_f64(out, number));
    let scan = scan_number(text.as_bytes(), 0);
    assert_eq!((scan.end, scan.integer, scan.fault), (text.len(), false, None), "{text}");
    assert_eq!(parse_f64(text.as_bytes()).map(f64::to_bits), Some(number.to_bits()), "{text}");
    assert_eq!(text.parse().map(f64::to_bits), Ok(number.to_bits()), "{text}");
    assert!(significant(&text) <= significant(&format!("{number:e}")), "{text} for {number:e}");
}

fn check_f32(number: f32) {
    let text = written(|out| write_f32(out, number));
    let scan = scan_number(text.as_bytes(), 0);
    assert_eq!((scan.end, scan.integer, scan.fault), (text.len(), false, None), "{text}");
    assert_eq!(parse_f32(text.as_bytes()).map(f32::to_bits), Some(number.to_bits()), "{text}");
    assert_eq!(text.parse().map(f32::to_bits), Ok(number.to_bits()), "{text}");
    assert!(significant(&text) <= significant(&format!("{number:e}")), "{text} for {number:e}");
}

/// Returns the number of significant digits in a number's text.
fn significant(text: &str) -> usize {
    let digits = text.split(['e', 'E']).next().unwrap_or_default().replace(['-', '.'], "");
    digits.trim_matches('0').len()
}

#[test]
fn floats_survive_their_text() {
    let mut random = Random(31);
    for _ in 0..ROUNDS {
        let number = f64::from_bits(random.next());
        if number.is_finite() {
            check_f64(number);
        }
        let number = f32::from_bits(random.next() as u32);
        if number.is_finite() {
            check_f32(number);
        }
        // Numbers as people write them: a few digits on either side of the point.
        let (whole, part) = (f64::from(random.next() as u16), f64::from(random.next() as u8));
        check_f64(whole + part / 100.0);
    }
}

#[test]
fn floats_are_written_as_others_write_them() {
    let mut random = Random(32);
    let check = |number: f64| {
        check_f64(number);
        let mut buffer = zmij::Buffer::new();
        for number in [number, -number, number.next_up(), number.next_down()] {
            assert_eq!(written(|out| write_f64(out, number)), buffer.format_finite(number));
        }
    };
    for round in 0..ROUNDS {
        let bits = random.next();
        // All exponents whose floats are written without an exponent, and more; few bits and many.
        let exponent = 1000 + round as u64 % 60;
        check(f64::from_bits(exponent << 52 | bits >> 12));
        check(f64::from_bits(exponent << 52 | bits >> 12 & u64::MAX << (bits % 52)));
        // Few digits and many.
        let digits = 10_f64.powi((bits % 17) as i32);
        check(f64::from(bits as u32) / digits);
        check(f64::from(bits as u16) / digits);
        check(f64::from(bits as u8) - 1.0 / digits);
    }
}

#[test]
fn borders_survive_their_text() {
    let two53 = 9_007_199_254_740_992.0;
    let numbers =
        [0.0, 1.0, 0.1, 1e15, 1e16, 1e17, 1e21, 1e22, 1e23, 1e300, 1e-5, 1e-7, 5e-324, f64::MAX, f64::EPSILON];
    for number in numbers.into_iter().chain([f64::MIN_POSITIVE, two53 - 1.0, two53, two53 + 2.0, 0.3, 123_456.789]) {
        check_f64(number);
        check_f64(-number);
    }
    for number in [0.0, 1.0, 0.1, 1e10, 1e20, 16_777_216.0, f32::MAX, f32::MIN_POSITIVE, f32::EPSILON, 1e-45] {
        check_f32(number);
        check_f32(-number);
    }
}

#[test]
fn floats_look_like_floats() {
    for (number, text) in
        [(0.0, "0.0"), (-0.0, "-0.0"), (1.0, "1.0"), (1e300, "1e+300"), (1e-7, "1e-7"), (0.25, "0.25")]
    {
        assert_eq!(written(|out| write_f64(out, number)), text);
    }
}

#[test]
fn decimal_text_is_read_as_std_reads_it() {
    let mut random = Random(37);
    for _ in 0..ROUNDS {
        let (whole, part) = (random.number(), random.number());
        let exponent = random.below(700).cast_signed() - 350;
        for text in [format!("{whole}.{part}"), format!("-{whole}.{part}e{exponent}"), format!("{whole}E{exponent}")] {
            assert_eq!(parse_f64(text.as_bytes()), text.parse().ok(), "{text}");
            assert_eq!(parse_f32(text.as_bytes()), text.parse().ok(), "{text}");
        }
    }
}

#[test]
fn ends_of_the_range_are_infinity_and_zero() {
    for text in ["1e400", "1e99999999", "1e999999999999999999999"] {
        assert_eq!(parse_f64(text.as_bytes()), Some(f64::INFINITY), "{text}");
        assert_eq!(parse_f64(format!("-{text}").as_bytes()), Some(f64::NEG_INFINITY), "{text}");
    }
    for text in ["-1e-400", "-1e-99999999", "-0", "-0.0", "-0e5"] {
        assert_eq!(parse_f64(text.as_bytes()).map(f64::to_bits), Some((-0.0_f64).to_bits()), "{text}");
    }
}

#[test]
fn what_is_no_number_is_none() {
    for text in
        ["", "-", "inf", "-inf", "nan", "NaN", "infinity", "+1", "1.", "1e", "1e+", ".", "0x10", "1_0", "1 ", " 1"]
    {
        assert_eq!(parse_f64(text.as_bytes()), None, "{text}");
        assert_eq!(parse_f32(text.as_bytes()), None, "{text}");
    }
}
