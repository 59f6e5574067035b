use super::super::xorshift::Xorshift;
use super::Offset;

#[test]
fn every_offset_goes_there_and_back() {
    for seconds in -86_399..=86_399 {
        let offset = Offset::new(seconds).unwrap();
        assert_eq!(offset.seconds(), seconds);
        assert_eq!(Offset::parse(&offset.to_string()), Some(offset), "{offset}");
    }
}

#[test]
fn borders() {
    for (seconds, text) in [
        (0, "Z"),
        (1, "+00:00:01"),
        (-1, "-00:00:01"),
        (60, "+00:01"),
        (-34_200, "-09:30"),
        (86_399, "+23:59:59"),
        (-86_340, "-23:59"),
    ] {
        assert_eq!(Offset::new(seconds).unwrap().to_string(), text);
    }
    for text in ["Z", "z", "+00:00", "-00:00", "+00:00:00"] {
        assert_eq!(Offset::parse(text), Some(Offset::UTC), "{text}");
    }
    for seconds in [86_400, -86_400, i32::MAX, i32::MIN] {
        assert_eq!(Offset::new(seconds), None);
    }
}

#[test]
fn refuses_what_is_no_offset() {
    for text in [
        "",
        "+",
        "-",
        "+1",
        "+01",
        "+0100",
        "+1:00",
        "+01:0",
        "+01:00:",
        "+01:00:0",
        "+24:00",
        "+00:60",
        "+00:00:60",
        "01:00",
        "Z ",
        "ZZ",
        " Z",
        "UTC",
        "+01:00Z",
        "−01:00",
        "+01:00:00.5",
        "+-1:00",
        "+0٣:00",
    ] {
        assert_eq!(Offset::parse(text), None, "{text:?}");
    }
}

#[test]
fn spoiled_texts_never_panic_and_what_passes_goes_round() {
    let mut random = Xorshift::new(10);
    for _ in 0..20_000 {
        let text = random.spoil("+01:30:10");
        if let Some(offset) = Offset::parse(&text) {
            assert_eq!(Offset::parse(&offset.to_string()), Some(offset), "{text:?}");
        }
    }
}
