use super::super::xorshift::Xorshift;
use super::{DateTime, Instant, Offset, Time, Uuid};

#[test]
fn other_forms() {
    for (text, strict) in [
        ("2024-05-06", "2024-05-06T00:00:00"),
        ("2024-05-06T07:08", "2024-05-06T07:08:00"),
        ("2024-05-06 07:08Z", "2024-05-06T07:08:00Z"),
        ("2024-05-06 07:08:09 z", "2024-05-06T07:08:09Z"),
        ("2024-05-06t07:08:09+0100", "2024-05-06T07:08:09+01:00"),
        ("2024-05-06T07:08:09 -1130", "2024-05-06T07:08:09-11:30"),
        ("2024-05-06T07:08:09-05", "2024-05-06T07:08:09-05:00"),
        ("2024-05-06T07:08:09.1234567899999Z", "2024-05-06T07:08:09.123456789Z"),
        ("2024-05-06T07:08:09.0000000000+00:00", "2024-05-06T07:08:09Z"),
    ] {
        assert_eq!(Instant::parse(text), None, "{text}");
        assert_eq!(Instant::parse_lenient(text).map(|instant| instant.to_string()).as_deref(), Some(strict), "{text}");
    }
}

#[test]
fn what_no_form_is() {
    for text in [
        "",
        " ",
        "2024",
        "2024-05",
        "2024-05-06T",
        "2024-05-06 ",
        "2024-05-06T07",
        "2024-05-06T07:",
        "2024-05-06T7:08",
        "2024-05-06T07:08:",
        "2024-05-06T07:08:09.",
        "2024-05-06T07:08:09.Z",
        "2024-05-06T07:08:09,5",
        "2024-05-06T24:00",
        "2024-05-06T07:60",
        "2024-05-06T23:59:60",
        "2024-02-30",
        "0000-01-01",
        "2024-05-06T07:08:09+",
        "2024-05-06T07:08:09+1",
        "2024-05-06T07:08:09+010",
        "2024-05-06T07:08:09+01000",
        "2024-05-06T07:08:09+2400",
        "2024-05-06T07:08:09+0060",
        "2024-05-06T07:08:09  +0100",
        "2024-05-06T07:08:09 ",
        "2024-05-06  07:08:09",
        "2024-05-06+0100",
        " 2024-05-06",
        "2024-05-06T07:08:09 UTC",
        "20240506T070809Z",
        "2024-05-06T07:08:09+ü",
        "٢٠٢٤-05-06",
    ] {
        assert_eq!(Instant::parse_lenient(text), None, "{text}");
    }
}

#[test]
fn times() {
    let noon = Time::new(12, 0, 0, 0).unwrap();
    assert_eq!(Time::parse_lenient("12:00"), Some((noon, None)));
    assert_eq!(Time::parse_lenient("12:00:00.00000000000 -0030"), Some((noon, Offset::new(-1_800))));
    assert_eq!(Time::parse_lenient("12"), None);
}

#[test]
fn uuids() {
    let digits = "f81d4fae7dec11d0a76500a0c91e6bf6";
    let uuid = Uuid::parse(digits);
    for text in [digits.to_owned(), format!("{{{digits}}}"), format!("urn:uuid:{digits}"), format!("URN:UUID:{digits}")]
    {
        assert_eq!(Uuid::parse_lenient(&text), uuid, "{text}");
    }
    for text in [
        "",
        "{",
        "{}",
        "urn:uuid:",
        &format!("{{{digits}"),
        &format!("{digits}}}"),
        &format!("urn:{digits}"),
        "ürn:uuid:",
    ] {
        assert_eq!(Uuid::parse_lenient(text), None, "{text}");
    }
}

/// All that is read strictly is read leniently, as the same.
#[test]
fn random_instants_are_read_alike() {
    let mut random = Xorshift::new(7);
    for _ in 0..20_000 {
        let seconds = (random.next() % 315_537_897_600).cast_signed() - 62_135_596_800;
        let at = DateTime::from_wall(seconds, random.next() as u32 % 1_000_000_000).unwrap();
        let offset = Offset::new((random.next() as u32 % 172_799).cast_signed() - 86_399).unwrap();
        for instant in [Instant::from(at), at.with_offset(offset)] {
            let text = instant.to_string();
            assert_eq!(Instant::parse_lenient(&text), Instant::parse(&text), "{text}");
        }
    }
}
