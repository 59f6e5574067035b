//! Numbers: no digit is lost, floats are rounded correctly, and numbers that are too large are refused.

use super::{accepted, copied, decode, refused, skip, streamed};
use crate::json;
use demat_core::scalar::{Decimal, Int};
use demat_core::{ErrorKind, FloatWidth, IntWidth, Shape, Value};

const FLOAT: Shape = Shape::Float(FloatWidth::F64);
const FLOAT32: Shape = Shape::Float(FloatWidth::F32);
const INT: Shape = Shape::Int(IntWidth::Any);

#[test]
fn the_grammar_is_kept() {
    for text in ["0", "-0.0", "10", "0.5", "-0.25", "1e+300", "1e-300", "123456789.125", "-1.0"] {
        accepted(text, text);
    }
    let digit = "expected a digit, found";
    refused("-", &format!("{digit} end of input (line 1, column 2)"));
    refused("[-]", &format!("{digit} `]` at `$[0]` (line 1, column 3)"));
    refused("--1", &format!("{digit} `-` (line 1, column 2)"));
    refused("-a", &format!("{digit} `a` (line 1, column 2)"));
    refused("[1.]", &format!("{digit} `]` at `$[0]` (line 1, column 4)"));
    refused("1.e1", &format!("{digit} `e` (line 1, column 3)"));
    refused("1e", &format!("{digit} end of input (line 1, column 3)"));
    refused("1e+", &format!("{digit} end of input (line 1, column 4)"));
    refused("[1E-]", &format!("{digit} `]` at `$[0]` (line 1, column 5)"));
    refused("-.5", &format!("{digit} `.` (line 1, column 2)"));
    let zero = "expected no digit after a leading `0`, found";
    refused("01", &format!("{zero} `1` (line 1, column 2)"));
    refused("-012", &format!("{zero} `1` (line 1, column 3)"));
    refused("[00]", &format!("{zero} `0` at `$[0]` (line 1, column 3)"));
    refused("012345678901234567890", &format!("{zero} `1` (line 1, column 2)"));
    for text in ["+1", ".5", "e1"] {
        refused(text, &format!("expected a value, found `{}` (line 1, column 1)", &text[..1]));
    }
    for (text, column) in [("0x10", 2), ("1_000", 2), ("1.2.3", 4), ("1e1.5", 4), ("1-2", 2), ("1L", 2), ("0b1", 2)] {
        let found = &text[column - 1..column];
        refused(text, &format!("expected end of input, found `{found}` (line 1, column {column})"));
    }
}

#[test]
fn typed_ints_are_as_strict() {
    for text in
        ["01", "-01", "00", "1.", "1.0", "1e3", "-", "+1", "1a", "\"1\"", "", " ", "0000000000000000000001", "1_0"]
    {
        let text = text.as_bytes();
        assert!(json::decode::<i64>(text).is_err(), "{}", text.escape_ascii());
        assert!(json::decode::<u64>(text).is_err(), "{}", text.escape_ascii());
        assert!(json::decode::<i8>(text).is_err(), "{}", text.escape_ascii());
        assert!(json::decode::<Int<'_>>(text).is_err(), "{}", text.escape_ascii());
        assert!(json::decode::<i128>(text).is_err(), "{}", text.escape_ascii());
    }
    let error = json::decode::<i64>(b"1.5").unwrap_err();
    assert_eq!(error.to_string(), "expected `int`, found `float` 1.5 (line 1, column 1)");
    // With enough bytes behind for the words that are read ahead, too.
    for text in ["[01,0000000000000000]", "[1.0,0000000000000000]", "[1e3,000000000000000]", "[1E3,000000000000000]"] {
        assert!(json::decode::<Vec<i64>>(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn whole_numbers_are_exact_at_every_border() {
    let mut borders: Vec<i128> = vec![0, 1, 9, 10, 99, 9_999_999, 10_000_000, 99_999_999, 100_000_000];
    for bits in [7u32, 8, 15, 16, 31, 32, 53, 63, 64] {
        let power = 1i128 << bits;
        borders.extend([power - 2, power - 1, power, power + 1]);
    }
    borders.extend([10i128.pow(15), 10i128.pow(16), 10i128.pow(18), 10i128.pow(19), i128::MAX]);
    for size in borders {
        for number in [size, -size] {
            let text = number.to_string();
            let bytes = text.as_bytes();
            assert_eq!(json::decode::<i64>(bytes).ok(), i64::try_from(number).ok(), "{text}");
            assert_eq!(json::decode::<u64>(bytes).ok(), u64::try_from(number).ok(), "{text}");
            assert_eq!(json::decode::<i32>(bytes).ok(), i32::try_from(number).ok(), "{text}");
            assert_eq!(json::decode::<u8>(bytes).ok(), u8::try_from(number).ok(), "{text}");
            assert_eq!(json::decode::<i128>(bytes).unwrap(), number);
            assert_eq!(json::decode::<Int<'_>>(bytes).unwrap(), Int::from(number));
            assert_eq!(decode(bytes).unwrap(), Value::Int(Int::from(number)));
            accepted(bytes, &text);
            for (shape, fits) in [
                (Shape::Int(IntWidth::Signed(64)), i64::try_from(number).is_ok()),
                (Shape::Int(IntWidth::Unsigned(64)), u64::try_from(number).is_ok()),
                (Shape::Int(IntWidth::Signed(8)), i8::try_from(number).is_ok()),
                (Shape::Int(IntWidth::Unsigned(16)), u16::try_from(number).is_ok()),
                (Shape::Int(IntWidth::Unsigned(127)), number >= 0),
                (Shape::Int(IntWidth::Signed(128)), true),
            ] {
                match copied(bytes, &shape) {
                    Ok(out) => assert!(fits && out == text, "{text} as {shape:?}: {out}"),
                    Err(error) => assert!(!fits && error.kind() == ErrorKind::Constraint, "{text}: {error:?}"),
                }
            }
        }
    }
    assert_eq!(json::decode::<i128>(i128::MIN.to_string().as_bytes()).unwrap(), i128::MIN);
    assert_eq!(json::decode::<u128>(u128::MAX.to_string().as_bytes()).unwrap(), u128::MAX);
    let error = json::decode::<Vec<u8>>(b"[255, 256]").unwrap_err();
    assert_eq!(error.to_string(), "expected `uint8`, found `256` at `$[1]` (line 1, column 7)");
}

#[test]
fn a_million_digits_come_through_whole() {
    let digits = format!("-{}", "1234567890".repeat(100_000));
    accepted(format!(" {digits} "), &digits);
    assert_eq!(json::decode::<Int<'_>>(digits.as_bytes()).unwrap().to_string(), digits);
    assert_eq!(copied(digits.as_bytes(), &INT).unwrap(), digits);
    assert_eq!(streamed(digits.as_bytes(), &INT, 4096).unwrap(), digits);
    let fraction = format!("0.{digits}", digits = &digits[1..]);
    assert_eq!(copied(fraction.as_bytes(), &Shape::Decimal).unwrap(), fraction);
    assert_eq!(json::decode::<f64>(fraction.as_bytes()).unwrap().to_bits(), fraction.parse::<f64>().unwrap().to_bits());
    let error = json::decode::<f64>(digits.as_bytes()).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Constraint);
    assert!(error.to_string().len() < 200, "an error of {} bytes", error.to_string().len());
}

#[test]
fn floats_are_nearest_and_signed() {
    for (text, bits) in [
        ("-0", 1 << 63),
        ("-0.0", 1 << 63),
        ("0e999999999", 0),
        ("-0e-999999999", 1 << 63),
        ("5e-324", 1),
        ("2.4703282292062327e-324", 0),
        ("2.4703282292062328e-324", 1),
        ("2.2250738585072011e-308", 0x000f_ffff_ffff_ffff),
        ("2.2250738585072014e-308", 0x0010_0000_0000_0000),
        ("1.7976931348623157e308", f64::MAX.to_bits()),
        ("1.7976931348623158e308", f64::MAX.to_bits()),
        ("9007199254740993", 0x4340_0000_0000_0000),
        ("9007199254740993.00000000000000000001", 0x4340_0000_0000_0001),
        ("1e-99999999999999999999", 0),
        ("0.1", 0.1f64.to_bits()),
        ("1E2", 100f64.to_bits()),
        ("123456789012345678901234567890", 1.234_567_890_123_456_8e29_f64.to_bits()),
    ] {
        assert_eq!(json::decode::<f64>(text.as_bytes()).unwrap().to_bits(), bits, "{text}");
        let again = copied(text.as_bytes(), &FLOAT).unwrap();
        assert_eq!(again.parse::<f64>().unwrap().to_bits(), bits, "{text}: {again}");
        assert!(again.contains(['.', 'e']), "{again} is no float");
    }
    // As an int, -0 is 0, since an int has no signed zero. Without a shape, a whole number is an int.
    accepted("-0", "0");
    accepted("-0.0", "-0.0");
    assert_eq!(json::decode::<f32>(b"16777217.000000001").unwrap().to_bits(), 16_777_218f32.to_bits());
    assert_eq!(copied(b"0.1", &FLOAT32).unwrap(), "0.1");
}

#[test]
fn numbers_too_large_for_a_float_are_refused_and_not_infinite() {
    for text in ["1e400", "-1e400", "1e99999999", "1.7976931348623159e308", "123123e100000"] {
        let error = json::decode::<f64>(text.as_bytes()).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Constraint, "{text}");
        assert_eq!(error.to_string(), format!("expected `float64`, found `{text}` (line 1, column 1)"));
        assert_eq!(decode(text.as_bytes()).unwrap_err().kind(), ErrorKind::Constraint, "{text}");
        // Skipping the number, or reading a decimal, needs no float.
        skip(text.as_bytes()).unwrap();
        assert_eq!(copied(text.as_bytes(), &Shape::Decimal).unwrap(), text);
        assert_eq!(json::decode::<Decimal<'_>>(text.as_bytes()).unwrap().as_str(), text);
    }
    let error = json::decode::<f32>(b"3.5e38").unwrap_err();
    assert_eq!(error.to_string(), "expected `float32`, found `3.5e38` (line 1, column 1)");
    assert_eq!(copied(b"[1, 3.5e38]", &FLOAT32.list()).unwrap_err().path(), "$[1]");
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(json::encode(&float).unwrap_err().kind(), ErrorKind::Encode);
        assert_eq!(json::encode(&vec![float]).unwrap_err().path(), "$[0]");
    }
    assert_eq!(json::encode(&f32::NAN).unwrap_err().kind(), ErrorKind::Encode);
}

#[test]
fn decimals_keep_every_digit() {
    for text in ["1.50", "0.10", "-0.00", "1e2", "1E+2", "100", "123456789012345678901234567890.123456789"] {
        assert_eq!(copied(text.as_bytes(), &Shape::Decimal).unwrap(), text);
        assert_eq!(copied(format!("\"{text}\"").as_bytes(), &Shape::Decimal).unwrap(), text);
    }
    for text in ["\"\"", "\"1 \"", "\"01\"", "\"x\"", "true", "01", "\"+1\"", "\"1.\"", "\"NaN\""] {
        assert!(copied(text.as_bytes(), &Shape::Decimal).is_err(), "{text}");
    }
}

#[test]
fn ints_stand_where_floats_may_and_not_the_other_way() {
    assert_eq!(copied(b"[1, -2, 3.0]", &FLOAT.list()).unwrap(), "[1.0,-2.0,3.0]");
    for text in ["1.0", "1e3", "10E-1", "0.0"] {
        let error = copied(text.as_bytes(), &INT).unwrap_err();
        assert_eq!(error.to_string(), format!("expected `int`, found `float` {text} (line 1, column 1)"));
    }
}
