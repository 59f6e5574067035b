use super::super::xorshift::Xorshift;
use super::Int;
use core::cmp::Ordering;
use std::borrow::Cow;
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

fn hash(int: &Int<'_>) -> u64 {
    BuildHasherDefault::<DefaultHasher>::default().hash_one(int)
}

#[test]
fn borders_take_the_smallest_variant() {
    for (text, variant) in [
        ("0", "I64"),
        ("-0", "I64"),
        ("-9223372036854775808", "I64"),
        ("-9223372036854775809", "Big"),
        ("9223372036854775807", "I64"),
        ("9223372036854775808", "U64"),
        ("18446744073709551615", "U64"),
        ("18446744073709551616", "Big"),
        ("-18446744073709551616", "Big"),
        ("99999999999999999999", "Big"),
    ] {
        let int = Int::from_digits(text).unwrap();
        assert!(format!("{int:?}").starts_with(variant), "{text}: {int:?}");
        assert_eq!(int.to_string(), if text == "-0" { "0" } else { text });
    }
}

#[test]
fn refuses_what_is_not_canonical() {
    for text in ["", "-", "+1", "--1", "00", "01", "-01", "-00", "1.0", "1e3", " 1", "1 ", "1_0", "0x1", "٣", "1\0"] {
        assert_eq!(Int::from_digits(text), None, "{text:?}");
    }
    let long = format!("{}x", "9".repeat(1000));
    assert_eq!(Int::from_digits(&long), None);
}

#[test]
fn every_std_integer_goes_in_and_comes_out() {
    let mut random = Xorshift::new(1);
    for _ in 0..20_000 {
        let wide = (u128::from(random.sized()) << 64 | u128::from(random.sized())) >> random.below(128);
        let signed = wide.cast_signed() >> random.below(64);
        let (a, b) = (Int::from(wide), Int::from(signed));
        assert_eq!((a.to_u128(), b.to_i128()), (Some(wide), Some(signed)));
        assert_eq!((a.to_i128(), b.to_u128()), (wide.try_into().ok(), signed.try_into().ok()));
        assert_eq!((a.to_u64(), a.to_i64()), (wide.try_into().ok(), wide.try_into().ok()));
        assert_eq!((b.to_u64(), b.to_i64()), (signed.try_into().ok(), signed.try_into().ok()));
        let text = signed.to_string();
        assert_eq!(b.to_string(), text);
        assert_eq!(Int::from_digits(&text).unwrap(), b);
        assert_eq!(hash(&Int::from_digits(&text).unwrap()), hash(&b));
    }
    assert_eq!(Int::from(-1i8), Int::from(-1isize));
    assert_eq!(Int::from(255u8), Int::from(255usize));
    assert_eq!(Int::from(u128::MAX).to_string(), u128::MAX.to_string());
}

#[test]
fn order_is_numeric() {
    let ascending: Vec<Int<'_>> = [
        "-100000000000000000000",
        "-99999999999999999999",
        "-9223372036854775809",
        "-9223372036854775808",
        "-1",
        "0",
        "1",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "20000000000000000000",
        "100000000000000000000",
    ]
    .map(|text| Int::from_digits(text).unwrap())
    .into();
    for (i, one) in ascending.iter().enumerate() {
        for (j, two) in ascending.iter().enumerate() {
            assert_eq!(one.cmp(two), i.cmp(&j), "{one} against {two}");
        }
    }
}

#[test]
fn equal_ints_hash_alike_even_made_by_hand() {
    assert_eq!(Int::U64(5), Int::I64(5));
    assert_eq!(hash(&Int::U64(5)), hash(&Int::I64(5)));
    let owned = Int::Big(Cow::Owned("18446744073709551616".to_owned()));
    let borrowed = Int::from_digits("18446744073709551616").unwrap();
    assert_eq!(owned, borrowed);
    assert_eq!(hash(&owned), hash(&borrowed));
    assert!(matches!(borrowed.into_owned(), Int::Big(Cow::Owned(_))));
}

#[test]
#[expect(clippy::cast_precision_loss, reason = "to round is what is tested")]
fn nearest_float() {
    let mut random = Xorshift::new(2);
    for _ in 0..5_000 {
        let wide = (u128::from(random.next()) << 64 | u128::from(random.next())) >> random.below(128);
        assert_eq!(Int::from(wide).to_f64().to_bits(), (wide as f64).to_bits(), "{wide}");
    }
    let huge = "9".repeat(400);
    assert!(Int::from_digits(&huge).unwrap().to_f64().is_infinite());
}

#[test]
fn pads_like_an_integer() {
    let big = Int::from_digits("-18446744073709551616").unwrap();
    assert_eq!(format!("{big:>24}"), "   -18446744073709551616");
    assert_eq!(format!("{big:024}"), "-00018446744073709551616");
    assert_eq!(format!("{:+04}", Int::from(7)), "+007");
}

#[test]
fn a_million_digits_are_nothing() {
    let long = "1".repeat(1_000_000);
    let int = Int::from_digits(&long).unwrap();
    assert_eq!(int.to_i128(), None);
    assert!(int > Int::from(u128::MAX));
}

#[test]
fn spoiled_texts_never_panic_and_what_passes_is_canonical() {
    let mut random = Xorshift::new(3);
    for _ in 0..20_000 {
        let text = Int::from(random.sized()).to_string();
        let text = random.spoil(&text);
        if let Some(int) = Int::from_digits(&text) {
            assert!(int.to_string() == text || text == "-0", "{text:?}");
        }
    }
}

#[test]
fn floats_compare_by_their_exact_value() {
    let ints = [
        "0",
        "1",
        "-1",
        "9007199254740991",
        "9007199254740992",
        "9007199254740993",
        "-9007199254740993",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "-9223372036854775808",
        "-9223372036854775809",
        "100000000000000000000",
        "340282366920938463463374607431768211456",
    ];
    let floats = [
        0.0,
        -0.0,
        0.5,
        -0.5,
        1.0,
        1.5,
        -1.5,
        9_007_199_254_740_992.0,
        9_007_199_254_740_994.0,
        9_223_372_036_854_775_808.0,
        18_446_744_073_709_551_616.0,
        -9_223_372_036_854_775_808.0,
        1e20,
        99_999_999_999_999_983_222.0,
        3.402_823_669_209_385e38,
        1e300,
        -1e300,
        f64::MIN_POSITIVE,
    ];
    for text in ints {
        let int = Int::from_digits(text).unwrap();
        for float in floats {
            let wanted =
                crate::scalar::Decimal::from_int(int.clone()).cmp(&crate::scalar::Decimal::from_f64(float).unwrap());
            assert_eq!(int.compare_f64(float), Some(wanted), "{text} {float}");
        }
        assert_eq!(int.compare_f64(f64::INFINITY), Some(Ordering::Less));
        assert_eq!(int.compare_f64(f64::NEG_INFINITY), Some(Ordering::Greater));
        assert_eq!(int.compare_f64(f64::NAN), None);
    }
}
