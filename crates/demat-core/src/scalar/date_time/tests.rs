use super::super::short_text::ToShortText;
use super::super::xorshift::Xorshift;
use super::{Date, DateTime, Instant, Offset, SECOND, Time};

#[test]
fn random_ones_go_there_and_back() {
    let mut random = Xorshift::new(13);
    let (first, span) = (-62_135_596_800, 315_537_897_600);
    let mut last: Option<(DateTime, i128)> = None;
    for _ in 0..50_000 {
        let seconds = first + (random.next() % span).cast_signed();
        let nanos = random.sized() as u32 % SECOND;
        let at = DateTime::from_wall(seconds, nanos).unwrap();
        let wall = i128::from(seconds) * i128::from(SECOND) + i128::from(nanos);
        assert_eq!(at.wall_nanos(), wall);
        assert_eq!(DateTime::parse(&at.to_string()), Some(at), "{at}");
        assert_eq!(Instant::parse(&at.to_string()), Some(at.into()), "{at}");
        assert_eq!(at.with_offset(Offset::UTC).unix_nanos(), Some(wall));
        if let Some((other, other_wall)) = last.replace((at, wall)) {
            assert_eq!(at.cmp(&other), wall.cmp(&other_wall), "{at} {other}");
        }
    }
}

#[test]
fn borders() {
    let (least, most) = (-62_135_596_800, 253_402_300_799);
    assert_eq!(DateTime::from_wall(least, 0), Some(DateTime::new(Date::MIN, Time::MIN)));
    assert_eq!(DateTime::from_wall(most, SECOND - 1), Some(DateTime::new(Date::MAX, Time::MAX)));
    for (seconds, nanos) in [(least - 1, 0), (most + 1, 0), (0, SECOND), (i64::MIN, 0), (i64::MAX, 0)] {
        assert_eq!(DateTime::from_wall(seconds, nanos), None);
    }
    assert_eq!(DateTime::new(Date::MAX, Time::MAX).to_string(), "9999-12-31T23:59:59.999999999");
}

#[test]
fn refuses_an_offset_and_whatever_is_no_instant() {
    for text in
        ["", "2024-01-01", "12:00:00", "2024-01-01T", "2024-01-01T12:00", "2024-01-01  12:00:00", "2024-02-30T12:00:00"]
    {
        assert_eq!(DateTime::parse(text), None, "{text:?}");
    }
    for text in ["2024-01-01T12:00:00Z", "2024-01-01T12:00:00+00:00", "2024-01-01 12:00:00-09:30"] {
        assert_eq!(DateTime::parse(text), None, "{text:?}");
        assert!(Instant::parse(text).is_some(), "{text:?}");
    }
}

#[test]
fn spoiled_texts_never_panic_and_what_passes_goes_round() {
    let mut random = Xorshift::new(14);
    for _ in 0..30_000 {
        let text = random.spoil("2024-05-06T07:08:09.125");
        if let Some(at) = DateTime::parse(&text) {
            assert_eq!(DateTime::parse(&at.to_string()), Some(at), "{text:?}");
        }
    }
}

#[test]
fn words_are_those_of_the_text() {
    fn check(value: &impl ToShortText, has_words: bool) {
        let (text, words) = (value.to_short_text(), value.to_words());
        assert_eq!(words.is_some(), has_words, "{}", text.as_str());
        if let Some((words, length)) = words {
            let bytes: Vec<u8> = words.into_iter().flat_map(u64::to_le_bytes).collect();
            assert_eq!(bytes[..length], *text.as_bytes(), "{}", text.as_str());
        }
    }
    let offsets = [0, 3_600, -5_400, 86_340, -86_340].map(|seconds| Offset::new(seconds).unwrap());
    for (year, month, day) in [(1, 1, 1), (987, 10, 9), (1999, 12, 31), (2024, 2, 29), (9999, 12, 31)] {
        let date = Date::new(year, month, day).unwrap();
        check(&date, true);
        for (hour, minute, second) in [(0, 0, 0), (9, 8, 7), (23, 59, 59)] {
            for nanos in
                [0, 1, 999, 1_000, 120_000, 999_000, 1_000_000, 120_000_000, 500_000_000, 999_999_000, 999_999_999]
            {
                let time = Time::new(hour, minute, second, nanos).unwrap();
                let whole = nanos % 1_000 == 0;
                check(&time, whole);
                let at = DateTime::new(date, time);
                check(&at, whole);
                check(&Instant::from(at), whole);
                for offset in offsets {
                    check(&at.with_offset(offset), whole && offset == Offset::UTC);
                }
            }
        }
    }
}
