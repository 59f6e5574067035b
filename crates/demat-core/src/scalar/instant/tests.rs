use super::super::xorshift::Xorshift;
use super::{Date, DateTime, Instant, Offset, SECOND, Time};

#[test]
fn the_examples_of_rfc_3339() {
    for (text, nanos) in [
        ("1985-04-12T23:20:50.52Z", 482_196_050_520_000_000),
        ("1996-12-19T16:39:57-08:00", 851_042_397_000_000_000),
        ("1937-01-01T12:00:27.87+00:20", -1_041_337_172_130_000_000),
        ("1970-01-01t00:00:00z", 0),
        ("0001-01-01T00:00:00Z", -62_135_596_800_000_000_000),
    ] {
        assert_eq!(Instant::parse(text).unwrap().unix_nanos(), Some(nanos), "{text}");
    }
    // Section 5.8 has two leap seconds, which no host can represent.
    assert_eq!(Instant::parse("1990-12-31T23:59:60Z"), None);
    assert_eq!(Instant::parse("1990-12-31T15:59:60-08:00"), None);
}

#[test]
fn random_instants_go_there_and_back() {
    let mut random = Xorshift::new(11);
    let (first, span) = (-62_135_596_800 + 86_400, 315_537_897_600 - 2 * 86_400);
    for _ in 0..50_000 {
        let seconds = first + (random.next() % span).cast_signed();
        let nanos = random.sized() as u32 % SECOND;
        let offset = Offset::new((random.next() as u32 % 172_799).cast_signed() - 86_399).unwrap();
        let aware = Instant::from_unix(seconds, nanos, offset).unwrap();
        assert_eq!(aware.unix_nanos(), Some(i128::from(seconds) * i128::from(SECOND) + i128::from(nanos)));
        assert_eq!(aware.offset, Some(offset));
        assert_eq!(Instant::parse(&aware.to_string()), Some(aware), "{aware}");

        let naive = Instant::from(DateTime::from_wall(seconds, nanos).unwrap());
        assert_eq!(naive.unix_nanos(), None);
        assert_eq!(naive.split().0.wall_nanos(), i128::from(seconds) * i128::from(SECOND) + i128::from(nanos));
        assert_eq!(Instant::parse(&naive.to_string()), Some(naive), "{naive}");
    }
}

#[test]
fn borders() {
    let (least, most) = (-62_135_596_800, 253_402_300_799);
    let utc = Offset::UTC;
    let (east, west) = (Offset::new(3_600).unwrap(), Offset::new(-3_600).unwrap());
    assert_eq!(Instant::from_unix(least, 0, utc), Some(Instant::new(Date::MIN, Time::MIN, Some(utc))));
    assert_eq!(Instant::from_unix(most, SECOND - 1, utc), Some(Instant::new(Date::MAX, Time::MAX, Some(utc))));
    assert_eq!(Instant::from_unix(least - 1, 0, utc), None);
    assert_eq!(Instant::from_unix(most + 1, 0, utc), None);
    assert_eq!(Instant::from_unix(least, 0, west), None);
    assert!(Instant::from_unix(least - 3_600, 0, east).is_some());
    assert_eq!(Instant::from_unix(most, 0, east), None);
    assert_eq!(Instant::from_unix(0, SECOND, utc), None);
    assert_eq!(Instant::from_unix(i64::MAX, 0, east), None);
    assert_eq!(Instant::from_unix(i64::MIN, 0, west), None);
    let longest = Instant::new(Date::MAX, Time::MAX, Offset::new(86_399));
    assert_eq!(longest.to_string(), "9999-12-31T23:59:59.999999999+23:59:59");
    // Outside of the years in UTC only because of the offset: still a point in time.
    assert_eq!(Instant::parse("0001-01-01T00:00:00+01:00").unwrap().unix_nanos(), Some(-62_135_600_400_000_000_000));
}

#[test]
fn the_same_point_at_another_offset_is_another_value() {
    let [one, two] = ["2024-01-01T00:00:00Z", "2024-01-01T01:00:00+01:00"].map(|text| Instant::parse(text).unwrap());
    assert_ne!(one, two);
    assert_eq!(one.unix_nanos(), two.unix_nanos());
}

#[test]
fn refuses_what_is_no_instant() {
    for text in [
        "",
        "2024-01-01",
        "12:00:00",
        "2024-01-01T",
        "2024-01-01T12:00",
        "2024-01-01T12:00Z",
        "2024-01-01  12:00:00",
        "2024-01-01_12:00:00",
        "2024-01-0112:00:00",
        "2024-01-01T12:00:00 Z",
        "2024-01-01T12:00:00ZZ",
        "2024-01-01T12:00:00+01",
        "2024-01-01T12:00:00.Z",
        "2024-01-01T24:00:00Z",
        "20240101T120000Z",
        "2024-01-01T12:00:00Z[UTC]",
        " 2024-01-01T12:00:00Z",
        "2024-01-01T12:00:00Z\n",
        "2024-02-30T12:00:00Z",
    ] {
        assert_eq!(Instant::parse(text), None, "{text:?}");
    }
}

#[test]
fn spoiled_texts_never_panic_and_what_passes_goes_round() {
    let mut random = Xorshift::new(12);
    for _ in 0..30_000 {
        let text = random.spoil("2024-05-06T07:08:09.125+01:30");
        if let Some(instant) = Instant::parse(&text) {
            assert_eq!(Instant::parse(&instant.to_string()), Some(instant), "{text:?}");
        }
    }
}
