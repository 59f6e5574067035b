use super::super::xorshift::Xorshift;
use super::{DAY, SECOND, Time};

#[test]
fn every_second_goes_there_and_back() {
    let mut random = Xorshift::new(8);
    let mut last = None;
    for second in 0..DAY {
        let digits = [SECOND, 1_000_000, 1_000, 1][random.below(4)];
        let nanosecond = (random.next() as u32 % SECOND) / digits * digits;
        let time = Time::from_second_of_day(second, nanosecond).unwrap();
        assert_eq!((time.second_of_day(), time.nanosecond()), (second, nanosecond));
        assert_eq!(Time::parse(&time.to_string()), Some(time), "{time}");
        assert!(last < Some(time));
        last = Some(time);
    }
}

#[test]
fn fractions_of_every_length() {
    let digits = "123456789";
    for length in 1..=9 {
        let time = Time::parse(&format!("00:00:00.{}", &digits[..length])).unwrap();
        assert_eq!(time.nanosecond(), 123_456_789 / 10u32.pow(9 - length as u32) * 10u32.pow(9 - length as u32));
        assert_eq!(time.to_string().len(), 9 + length.div_ceil(3) * 3);
    }
    for (text, printed) in [
        ("01:02:03.000000000", "01:02:03"),
        ("01:02:03.000000001", "01:02:03.000000001"),
        ("01:02:03.1", "01:02:03.100"),
        ("01:02:03.0001", "01:02:03.000100"),
        ("23:59:59.999999999", "23:59:59.999999999"),
    ] {
        assert_eq!(Time::parse(text).unwrap().to_string(), printed);
    }
    assert_eq!(Time::parse("23:59:59.999999999"), Some(Time::MAX));
    assert_eq!(format!("{:.2}", Time::MAX), "23:59:59.999999999");
    assert_eq!(Time::parse("00:00:00"), Some(Time::MIN));
}

#[test]
fn refuses_what_is_no_time() {
    for text in [
        "",
        "12",
        "12:00",
        "12:0:00",
        "1:00:00",
        "24:00:00",
        "12:60:00",
        "12:00:60",
        "23:59:60",
        "12:00:00.",
        "12:00:00.1234567890",
        "12:00:00.0000000000",
        "12:00:00,5",
        "12:00:00Z",
        " 12:00:00",
        "12:00:00 ",
        "120000",
        "12-00-00",
        "-1:00:00",
        "12:00:00.-1",
        "12:00:00.+1",
        "12:00:0٣",
    ] {
        assert_eq!(Time::parse(text), None, "{text:?}");
    }
    assert_eq!(Time::new(0, 0, 0, SECOND), None);
    assert_eq!(Time::from_second_of_day(0, SECOND), None);
    assert_eq!(Time::from_second_of_day(u32::MAX, 0), None);
}

#[test]
fn spoiled_texts_never_panic_and_what_passes_goes_round() {
    let mut random = Xorshift::new(9);
    for _ in 0..20_000 {
        let text = random.spoil("12:34:56.789");
        if let Some(time) = Time::parse(&text) {
            assert_eq!(Time::parse(&time.to_string()), Some(time), "{text:?}");
        }
    }
}

/// Eight bytes at once are what they are one by one.
#[test]
fn pairs_of_digits_are_those_that_stand_there() {
    use super::super::front;
    for pattern in [*b"00:00:00", *b"0000-00-"] {
        for place in 0..8 {
            for byte in 0..=255 {
                let mut text = pattern.map(|byte| if byte == b'0' { b'7' } else { byte });
                text[place] = byte;
                let fits =
                    |at: usize| if pattern[at] == b'0' { text[at].is_ascii_digit() } else { text[at] == pattern[at] };
                let found = front::eight(&text, pattern).map(|(pairs, _)| pairs.to_le_bytes());
                assert_eq!(found.is_some(), (0..8).all(fits), "{text:?}");
                for (at, found) in found.into_iter().flat_map(|found| found.into_iter().enumerate()).take(7) {
                    if pattern[at] == b'0' && pattern[at + 1] == b'0' {
                        assert_eq!(found, (text[at] - b'0') * 10 + (text[at + 1] - b'0'), "{text:?}");
                    }
                }
            }
        }
    }
    assert!(front::eight(b"12:34:5", *b"00:00:00").is_none());
}
