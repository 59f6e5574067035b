use super::*;
use core::cmp::Ordering;
use proptest::prelude::*;

/// The slow twin: the order of parts by their meaning.
fn compare(one: &Part<'_>, other: &Part<'_>) -> Ordering {
    fn rank(part: &Part<'_>) -> u8 {
        match part {
            Part::Null => 0,
            Part::Int(_) => 1,
            Part::Float(_) => 2,
            Part::Bool(_) => 3,
            Part::Bytes(_) => 4,
            Part::Text(_) => 5,
            Part::Uuid(_) => 6,
            Part::Date(_) => 7,
            Part::DateTime(_) => 8,
            Part::Instant(_) => 9,
        }
    }
    match (one, other) {
        (Part::Int(one), Part::Int(other)) => {
            one.to_i128().zip(other.to_i128()).map_or_else(|| big(one, other), |(one, other)| one.cmp(&other))
        }
        (Part::Float(one), Part::Float(other)) => one.total_cmp(other),
        (Part::Bool(one), Part::Bool(other)) => one.cmp(other),
        (Part::Bytes(one), Part::Bytes(other)) => one.cmp(other),
        (Part::Text(one), Part::Text(other)) => one.chars().cmp(other.chars()),
        (Part::Uuid(one), Part::Uuid(other)) => one.0.cmp(&other.0),
        (Part::Date(one), Part::Date(other)) => one.days_since_epoch().cmp(&other.days_since_epoch()),
        (Part::DateTime(one), Part::DateTime(other)) => one.wall_nanos().cmp(&other.wall_nanos()),
        (Part::Instant(one), Part::Instant(other)) => one.unix_nanos().cmp(&other.unix_nanos()),
        _ => rank(one).cmp(&rank(other)),
    }
}

fn big(one: &Int<'_>, other: &Int<'_>) -> Ordering {
    let signed = |int: &Int<'_>| {
        let text = int.to_string();
        let negative = text.starts_with('-');
        (!negative, text.trim_start_matches('-').to_string())
    };
    let ((one_positive, one), (other_positive, other)) = (signed(one), signed(other));
    let magnitude = one.len().cmp(&other.len()).then(one.cmp(&other));
    one_positive.cmp(&other_positive).then(if one_positive { magnitude } else { magnitude.reverse() })
}

fn ints() -> Vec<Int<'static>> {
    let mut ints = Vec::new();
    for bits in 0..=130 {
        for near in -1..=1i32 {
            let power = magnitude(bits);
            let value = add(&power, near);
            ints.push(Int::from_digits(&value).unwrap().into_owned());
            if value != "0" && !value.starts_with('-') {
                ints.push(Int::from_digits(&format!("-{value}")).unwrap().into_owned());
            }
        }
    }
    for value in [-67_824, 67_824, -824, -256, -255, -65_536, i64::MIN, i64::MAX] {
        ints.push(value.into());
    }
    ints
}

/// 2 to the power, in digits.
fn magnitude(bits: u32) -> String {
    let mut digits = vec![1u8];
    for _ in 0..bits {
        let mut carry = 0;
        for digit in &mut digits {
            let value = *digit * 2 + carry;
            (*digit, carry) = (value % 10, value / 10);
        }
        if carry > 0 {
            digits.push(carry);
        }
    }
    digits.iter().rev().map(|digit| char::from(b'0' + digit)).collect()
}

fn add(digits: &str, near: i32) -> String {
    let wide: Option<i128> = digits.parse().ok();
    if let Some(sum) = wide.and_then(|wide| wide.checked_add(near.into())) {
        return sum.to_string();
    }
    // Beyond 128 bits the last digit is 2, 4, 6 or 8, so nothing carries.
    let (head, last) = digits.split_at(digits.len() - 1);
    format!("{head}{}", last.parse::<i32>().unwrap() + near)
}

fn borders() -> Vec<Part<'static>> {
    let mut parts = vec![Part::Null, Part::Bool(false), Part::Bool(true)];
    parts.extend(ints().into_iter().map(Part::Int));
    for value in [
        f64::NEG_INFINITY,
        f64::MIN,
        -1.5,
        -1.0,
        -f64::MIN_POSITIVE,
        -5e-324,
        -0.0,
        0.0,
        5e-324,
        f64::MIN_POSITIVE,
        1.0,
        1.5,
        f64::MAX,
        f64::INFINITY,
    ] {
        parts.push(Part::Float(value));
    }
    for bytes in
        [&b""[..], b"\0", b"\0\0", b"\0\xFF", b"\0a", b"\x01", b"a", b"a\0", b"a\0\0", b"ab", b"\xFF", b"\xFF\0"]
    {
        parts.push(Part::Bytes(bytes.into()));
        if let Ok(text) = core::str::from_utf8(bytes) {
            parts.push(Part::Text(text.into()));
        }
    }
    for text in ["ä", "\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}"] {
        parts.push(Part::Text(text.into()));
    }
    parts.push(Part::Uuid(Uuid([0; 16])));
    parts.push(Part::Uuid(Uuid([0xFF; 16])));
    for date in ["0001-01-01", "1969-12-31", "1970-01-01", "1970-01-02", "2024-02-29", "9999-12-31"] {
        parts.push(Part::Date(Date::parse(date).unwrap()));
        for time in ["00:00:00", "00:00:00.000000001", "23:59:59.999999999"] {
            parts.push(Part::DateTime(DateTime::parse(&format!("{date}T{time}")).unwrap()));
            parts.push(Part::Instant(Instant::parse(&format!("{date}T{time}Z")).unwrap()));
        }
    }
    parts
}

fn key(parts: &[Part<'_>]) -> Vec<u8> {
    key_of(parts).unwrap()
}

#[test]
fn every_border_has_its_order_and_no_prefix() {
    let parts = borders();
    let keys: Vec<_> = parts.iter().map(|part| key(core::slice::from_ref(part))).collect();
    for (one, one_key) in parts.iter().zip(&keys) {
        for (other, other_key) in parts.iter().zip(&keys) {
            assert_eq!(compare(one, other), one_key.cmp(other_key), "{one:?} against {other:?}");
            assert!(one_key == other_key || !other_key.starts_with(one_key), "{one:?} begins {other:?}");
        }
    }
}

#[test]
fn every_border_comes_back() {
    for part in borders() {
        let bytes = key(core::slice::from_ref(&part));
        let read: Vec<_> = Parts::new(&bytes).map(Result::unwrap).collect();
        assert_eq!(read.len(), 1);
        assert_eq!(compare(&read[0], &part), Ordering::Equal, "{part:?}");
        assert_eq!(key(&read), bytes);
    }
}

#[test]
fn bytes_are_as_documented() {
    let cases: &[(Part<'_>, &str)] = &[
        (Part::Null, "10"),
        (Part::Int(0.into()), "29"),
        (Part::Int(1.into()), "2A01"),
        (Part::Int(255.into()), "2AFF"),
        (Part::Int(256.into()), "2B0100"),
        (Part::Int((-1).into()), "28FE"),
        (Part::Int((-67_824).into()), "26FEF70F"),
        (Part::Int(i64::MIN.into()), "217FFFFFFFFFFFFFFF"),
        (Part::Int(u64::MAX.into()), "31FFFFFFFFFFFFFFFF"),
        (Part::Int(Int::from_digits("18446744073709551616").unwrap()), "3200010000000000000000"),
        (Part::Int(Int::from_digits("-18446744073709551616").unwrap()), "20FFFEFFFFFFFFFFFFFFFF"),
        (Part::Float(1.5), "40BFF8000000000000"),
        (Part::Float(-1.5), "404007FFFFFFFFFFFF"),
        (Part::Bool(false), "50"),
        (Part::Bool(true), "51"),
        (Part::Bytes((&b"a\0b"[..]).into()), "606100FF620000"),
        (Part::Text("ä".into()), "70C3A40000"),
        (Part::Date(Date::parse("1969-12-31").unwrap()), "907FFFFFFF"),
        (Part::DateTime(DateTime::parse("1970-01-01T00:00:00").unwrap()), "91800000000000000000000000"),
        (Part::Instant(Instant::parse("1970-01-01T01:00:00.5+01:00").unwrap()), "9280000000000000001DCD6500"),
    ];
    for (part, expected) in cases {
        assert_eq!(hexadecimal(&key(core::slice::from_ref(part))), *expected, "{part:?}");
    }
}

#[test]
fn other_encodings_are_refused() {
    for bytes in [
        &b"\x00"[..],
        b"\x1F",
        b"\x33",
        b"\x2A",
        b"\x2A\x00",
        b"\x2B\x00\x01",
        b"\x28\xFF",
        b"\x32\x00\x00\0\0\0\0\0\0\0\0",
        b"\x40\0",
        b"\x40\xFF\xF8\0\0\0\0\0\0",
        b"\x60a",
        b"\x60a\0",
        b"\x60a\0\x01",
        b"\x70\xFF\0\0",
        b"\x80\0",
        b"\x90\0\0\0\0",
        b"\x91\x80\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF",
    ] {
        let error = Parts::new(bytes).find_map(Result::err).unwrap_or_else(|| panic!("{bytes:02X?} was accepted"));
        assert_eq!(error.kind(), ErrorKind::Syntax);
    }
}

#[test]
fn what_has_no_order_is_no_key() {
    assert_eq!(key_of(&[Part::Float(f64::NAN)]).unwrap_err().kind(), ErrorKind::Encode);
    let naive = Instant::parse("2024-01-01T00:00:00").unwrap();
    assert_eq!(key_of(&[Part::Instant(naive)]).unwrap_err().kind(), ErrorKind::Encode);
    let huge = "9".repeat(641);
    assert_eq!(key_of(&[Part::Int(Int::from_digits(&huge).unwrap())]).unwrap_err().kind(), ErrorKind::Limit);
}

#[test]
fn behind_a_prefix_stands_nothing_of_it() {
    assert_eq!(behind(b"a"), Some(b"b".to_vec()));
    assert_eq!(behind(b"a\xFF\xFF"), Some(b"b".to_vec()));
    assert_eq!(behind(b"\xFF"), None);
    assert_eq!(behind(b""), None);
}

#[test]
fn a_beginning_is_a_prefix_of_longer_texts_only() {
    let begin = beginning(&Part::Text("ab".into())).unwrap();
    for (text, begins) in [("ab", true), ("abc", true), ("ab\0", true), ("a", false), ("aB", false)] {
        assert_eq!(key(&[text.into()]).starts_with(&begin), begins, "{text:?}");
    }
}

#[test]
fn keys_are_shown() {
    assert_eq!(shown(&key(&["a".into(), (-824).into()])), "(\"a\", -824)");
    assert_eq!(shown(&key(&[7.into()])), "7");
    assert_eq!(shown(b"\xFF\0"), "FF00");
}

fn part() -> impl Strategy<Value = Part<'static>> {
    prop_oneof![
        Just(Part::Null),
        any::<bool>().prop_map(Part::Bool),
        any::<i64>().prop_map(|value| Part::Int(value.into())),
        (-70_000..70_000i64).prop_map(|value| Part::Int(value.into())),
        any::<i128>().prop_map(|value| Part::Int(Int::from_digits(&value.to_string()).unwrap().into_owned())),
        any::<f64>().prop_filter("NaN has no order", |value| !value.is_nan()).prop_map(Part::Float),
        proptest::collection::vec(prop_oneof![Just(0u8), Just(255), any::<u8>()], 0..6)
            .prop_map(|bytes| Part::Bytes(bytes.into())),
        "\\PC{0,4}".prop_map(|text| Part::Text(text.into())),
        "[\\x00a]{0,4}".prop_map(|text| Part::Text(text.into())),
        any::<[u8; 16]>().prop_map(|bytes| Part::Uuid(Uuid(bytes))),
        (-700_000..2_900_000i32)
            .prop_filter_map("a year from 1", |days| Some(Part::Date(Date::from_days_since_epoch(days)?))),
        (-60_000_000_000..250_000_000_000i64, 0..1_000_000_000u32)
            .prop_filter_map("a year from 1", |(seconds, nanos)| {
                Some(Part::DateTime(DateTime::from_wall(seconds, nanos)?))
            }),
        (-60_000_000_000..250_000_000_000i64, 0..1_000_000_000u32)
            .prop_filter_map("a year from 1", |(seconds, nanos)| {
                Some(Part::Instant(Instant::from_unix(seconds, nanos, Offset::UTC)?))
            }),
    ]
}

proptest! {
    #[test]
    fn bytes_have_the_order_of_tuples(
        one in proptest::collection::vec(part(), 0..4),
        other in proptest::collection::vec(part(), 0..4),
    ) {
        let by_parts = one.iter().zip(&other).map(|(one, other)| compare(one, other)).find(|order| order.is_ne());
        let expected = by_parts.unwrap_or_else(|| one.len().cmp(&other.len()));
        prop_assert_eq!(key(&one).cmp(&key(&other)), expected);
        let begins = one.len() <= other.len() && by_parts.is_none();
        prop_assert_eq!(key(&other).starts_with(&key(&one)), begins);
    }

    #[test]
    fn tuples_come_back(parts in proptest::collection::vec(part(), 0..5)) {
        let bytes = key(&parts);
        let read: Vec<_> = Parts::new(&bytes).map(Result::unwrap).collect();
        prop_assert_eq!(read.len(), parts.len());
        prop_assert!(read.iter().zip(&parts).all(|(one, other)| compare(one, other).is_eq()));
        prop_assert_eq!(key(&read), bytes);
    }

    #[test]
    fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let parts: Result<Vec<_>> = Parts::new(&bytes).collect();
        if let Ok(parts) = parts {
            prop_assert_eq!(key(&parts), bytes);
        }
    }
}
