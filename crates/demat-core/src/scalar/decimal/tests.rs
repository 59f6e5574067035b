use super::super::xorshift::Xorshift;
use super::{Decimal, Int};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

fn decimal(text: &str) -> Decimal<'_> {
    Decimal::parse(text).unwrap_or_else(|| panic!("{text:?} should parse"))
}

fn hash(decimal: &Decimal<'_>) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(decimal)
}

#[test]
fn reads_the_grammar_and_keeps_the_text() {
    for text in ["0", "-0", "0.0", "-0.50", "10", "1e5", "1E+05", "12.34e-00", "0e0", "0.000e-999999999999999999999"] {
        assert_eq!(decimal(text).as_str(), text);
        assert_eq!(decimal(text).to_string(), text);
    }
}

#[test]
fn refuses_all_else() {
    for text in [
        "", "-", "+1", "01", "-01", "00", ".5", "5.", "-.5", "1e", "1e+", "1e-", "1e1.0", "1.e1", "1..0", "1e1e1",
        " 1", "1 ", "NaN", "inf", "0x1", "1_0", "1,0", "٣", "1.٣", "--1",
    ] {
        assert_eq!(Decimal::parse(text), None, "{text:?}");
    }
}

#[test]
fn equal_numbers_are_equal_and_hash_alike() {
    let huge = "9".repeat(50);
    let huge_less = format!("{}8", "9".repeat(49));
    for class in [
        vec!["1.0".to_owned(), "1.00".into(), "1".into(), "10e-1".into(), "0.1e1".into(), "0.001E+0003".into()],
        vec!["0".to_owned(), "-0".into(), "0.000".into(), "-0e5".into(), "0e-99999999999999999999".into()],
        vec!["-120".to_owned(), "-1.2e2".into(), "-12e1".into(), "-120.00".into(), "-0.012e4".into()],
        vec!["1e999999999".to_owned(), "10e999999998".into(), "0.01e1000000001".into()],
        vec![format!("1e{huge}"), format!("10e{huge_less}"), format!("0.1e1{}", "0".repeat(50))],
        vec![format!("1e-{huge}"), format!("0.1e-{huge_less}"), format!("10e-1{}", "0".repeat(50))],
    ] {
        for one in &class {
            for two in &class {
                assert_eq!(decimal(one), decimal(two));
                assert_eq!(hash(&decimal(one)), hash(&decimal(two)), "{one} and {two}");
            }
        }
    }
}

#[test]
fn order_is_numeric() {
    let huge = "9".repeat(40);
    let (top, bottom) = (format!("1e{huge}"), format!("-1e{huge}"));
    let (tiny, tiny_below) = (format!("1e-{huge}"), format!("-1e-{huge}"));
    let ascending = [
        &*bottom,
        "-1e30",
        "-10.01",
        "-10",
        "-9.99",
        "-1e-5",
        &tiny_below,
        "0",
        &tiny,
        "1e-20",
        "0.001",
        "0.00101",
        "0.5",
        "0.51",
        "1",
        "1.000000000000000000000000000000000001",
        "2",
        "10",
        "1e30",
        "11e29",
        &top,
    ];
    for (i, one) in ascending.iter().enumerate() {
        for (j, two) in ascending.iter().enumerate() {
            assert_eq!(decimal(one).cmp(&decimal(two)), i.cmp(&j), "{one} against {two}");
        }
    }
}

/// The slow twin: scales both by one power of ten and compares them as integers.
#[test]
fn agrees_with_scaled_integers() {
    let mut random = Xorshift::new(4);
    let make = |random: &mut Xorshift| {
        let digits = random.below(2_000);
        let (places, tens) = (random.below(4), random.below(9));
        let exponent = format!("{:+}", tens.cast_signed() - 4);
        let text = format!("{}.{:0width$}0e{exponent}", digits / 10, digits % 10, width = places + 1);
        let (whole, fraction) = (digits / 10, digits % 10);
        // `fraction` is in the last of `places + 1` places; everything is scaled by 10^12.
        let scaled = whole as i128 * 10i128.pow((8 + tens) as u32)
            + fraction as i128 * 10i128.pow((8 + tens - places - 1) as u32);
        let negative = random.below(2) == 0;
        if negative { (format!("-{text}"), -scaled) } else { (text, scaled) }
    };
    for _ in 0..20_000 {
        let ((one, a), (two, b)) = (make(&mut random), make(&mut random));
        assert_eq!(decimal(&one).cmp(&decimal(&two)), a.cmp(&b), "{one} against {two}");
        if a == b {
            assert_eq!(hash(&decimal(&one)), hash(&decimal(&two)), "{one} and {two}");
        }
    }
}

#[test]
fn nearest_float_of_any_length() {
    for (text, float) in [
        ("0.1", 0.1),
        ("1e999999999999999999999", f64::INFINITY),
        ("-1e-999999999999999999999", -0.0),
        ("0e999999999999999999999", 0.0),
        ("9007199254740993", 9_007_199_254_740_992.0),
        ("5e-324", 5e-324),
    ] {
        assert_eq!(decimal(text).to_f64().to_bits(), f64::to_bits(float), "{text}");
    }
    // As many zeros as the exponent compensates for, on both sides of where the fast path ends and of where std stops.
    for zeros in [10_000, 32_000, 33_000, 70_000, 700_000] {
        let zero = "0".repeat(zeros);
        for (text, float) in [
            (format!("0.{zero}1e{}", zeros + 1), 1.0),
            (format!("-25{zero}.0e-{zeros}"), -25.0),
            (format!("1{zero}e{zeros}"), f64::INFINITY),
            (format!("-0.{zero}1"), -0.0),
            (format!("0.{zero}e1"), 0.0),
            // Just above the middle between two floats: the last digit decides, whatever its distance.
            (format!("9007199254740993.{zero}1"), 9_007_199_254_740_994.0),
            (format!("9007199254740993.{zero}"), 9_007_199_254_740_992.0),
        ] {
            assert_eq!(decimal(&text).to_f64().to_bits(), float.to_bits(), "{zeros} zeros, {text:.20}");
        }
    }
}

#[test]
fn the_shortened_text_has_the_same_float() {
    let mut random = Xorshift::new(5);
    for _ in 0..5_000 {
        let text = f64::from_bits(random.next());
        if text.is_finite() {
            let text = format!("{text:e}");
            assert_eq!(decimal(&text).normal().shortened().parse(), text.parse::<f64>(), "{text}");
        }
    }
}

#[test]
fn from_integers() {
    assert_eq!(Decimal::from_int(Int::from(u128::MAX)).as_str(), u128::MAX.to_string());
    assert_eq!(Decimal::from_int(Int::from(100)), decimal("1e2"));
    assert_eq!(decimal("1.5").into_owned().as_str(), "1.5");
}

#[test]
fn no_format_loses_a_digit() {
    assert_eq!(format!("{:.2}", decimal("-123.456")), "-123.456");
    assert_eq!(format!("[{:>8}]", decimal("-1.50")), "[   -1.50]");
    assert_eq!(format!("[{:08}]", decimal("-1.50")), "[-0001.50]");
}

#[test]
fn spoiled_texts_never_panic() {
    let mut random = Xorshift::new(6);
    for _ in 0..30_000 {
        let text = random.spoil("-12.50e+10");
        if let Some(one) = Decimal::parse(&text) {
            assert_eq!(text.parse::<f64>().map(f64::to_bits), Ok(one.to_f64().to_bits()), "{text:?}");
            assert_eq!(one, Decimal::parse(one.as_str()).unwrap());
            assert!(one.cmp(&decimal("1")) == decimal("1").cmp(&one).reverse());
        }
    }
}

#[test]
fn keys_sort_as_the_numbers_do() {
    let (mut random, digits) = (Xorshift::new(7), |count: u64, random: &mut Xorshift| -> String {
        (0..count).map(|_| char::from(b"0159"[random.next() as usize % 4])).collect()
    });
    let mut texts: Vec<String> =
        ["0", "-0", "0.00e5", "1", "-1", "10", "1e1", "0.1", "9.99", "10.01", "-99", "-9.9"].map(String::from).to_vec();
    for _ in 0..400 {
        let sign = if random.next() % 2 == 0 { "-" } else { "" };
        let (size, behind) = (random.next() % 5, random.next() % 6 + 1);
        let whole = digits(size, &mut random);
        let fraction = digits(behind, &mut random);
        // Exponents near zero, and around where 30 digits end, with all carries.
        let power = match random.next() % 6 {
            0 | 1 => String::new(),
            2 => format!("e{}", random.next() % 9),
            3 => format!("e-{}", random.next() % 9),
            4 => format!("e{}{}", ["", "-"][random.next() as usize % 2], "9".repeat(28 + random.next() as usize % 5)),
            _ => format!(
                "e{}1{}{}",
                ["", "-"][random.next() as usize % 2],
                "0".repeat(27 + random.next() as usize % 5),
                random.next() % 3
            ),
        };
        let whole = whole.trim_start_matches('0');
        texts.push(format!("{sign}{}.{fraction}{power}", if whole.is_empty() { "0" } else { whole }));
    }
    let long = "9".repeat(300);
    texts.extend([
        format!("1e{long}"),
        format!("10e{long}"),
        format!("-1e-{long}"),
        format!("0.1e-{long}"),
        format!("{long}.5"),
    ]);
    for one in &texts {
        for other in &texts {
            let (one, other) = (decimal(one), decimal(other));
            assert_eq!(one.sort_key().cmp(&other.sort_key()), one.cmp(&other), "{one} {other}");
        }
    }
}

#[test]
fn floats_are_exact() {
    let mut random = Xorshift::new(8);
    for _ in 0..2_000 {
        let float = f64::from_bits(random.next());
        if let Some(exact) = Decimal::from_f64(float) {
            assert_eq!(exact.to_f64().to_bits(), float.to_bits());
        }
    }
    for float in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(Decimal::from_f64(float), None);
    }
    assert_eq!(Decimal::from_f64(f64::from_bits(1)).unwrap().as_str().len(), 1076);
}

#[test]
fn lax_numbers_have_their_value() {
    for (text, number) in [
        ("+1", "1"),
        ("-.5", "-0.5"),
        ("5.", "5"),
        ("00.10", "0.10"),
        ("007e+02", "7e+02"),
        ("+00", "0"),
        ("-0", "-0"),
        (".0e-1", "0.0e-1"),
    ] {
        assert_eq!(Decimal::parse_lax(text).map(|own| own.as_str().to_string()).as_deref(), Some(number), "{text}");
    }
    for text in ["", "+", ".", "-.", "e5", ".e5", "1e", "1..2", "1.2.3", "+-1", "--1", "1 ", "inf", "0x10", "1_0", "é"]
    {
        assert_eq!(Decimal::parse_lax(text), None, "{text}");
    }
}
