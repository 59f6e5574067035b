use super::super::xorshift::Xorshift;
use super::Date;

/// Every date, counted day by day by the calendar's rules.
#[test]
fn every_day_goes_there_and_back() {
    let mut days = -719_162;
    let mut last = None;
    for year in 1..=9_999 {
        let leap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0;
        for (month, length) in (1..).zip([31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
            for day in 1..=length {
                let date = Date::new(year, month, day).unwrap();
                assert_eq!(date.days_since_epoch(), days, "{date}");
                assert_eq!(Date::from_days_since_epoch(days), Some(date));
                assert!(last < Some(date));
                last = Some(date);
                days += 1;
            }
            assert_eq!(Date::new(year, month, length + 1), None);
            assert_eq!(Date::new(year, month, 0), None);
        }
    }
    assert_eq!(days, 2_932_897);
    assert_eq!(last, Some(Date::MAX));
    assert_eq!(Date::new(1970, 1, 1).map(Date::days_since_epoch), Some(0));
}

#[test]
fn text_goes_there_and_back() {
    for days in (Date::MIN.days_since_epoch()..=Date::MAX.days_since_epoch()).step_by(7) {
        let date = Date::from_days_since_epoch(days).unwrap();
        assert_eq!(Date::parse(&date.to_string()), Some(date));
    }
    assert_eq!(Date::MIN.to_string(), "0001-01-01");
    assert_eq!(format!("[{:>12}]", Date::MAX), "[  9999-12-31]");
}

#[test]
fn refuses_what_is_no_date() {
    for text in [
        "",
        "2024",
        "2024-01",
        "2024-1-1",
        "2024-01-1",
        "24-01-01",
        "2024-00-01",
        "2024-13-01",
        "2024-01-00",
        "2024-01-32",
        "2024-04-31",
        "1900-02-29",
        "2100-02-29",
        "2024/01/01",
        "20240101",
        "2024-01-01 ",
        " 2024-01-01",
        "+2024-01-01",
        "-001-01-01",
        "10000-01-01",
        "0000-01-01",
        "0000-12-31",
        "2024-01-01T",
        "2024-01-0x",
        "２024-01-01",
        "2024-01-0٣",
    ] {
        assert_eq!(Date::parse(text), None, "{text:?}");
    }
    assert!(Date::parse("2000-02-29").is_some());
}

#[test]
fn refuses_days_out_of_range() {
    for days in [i32::MIN, i32::MIN + 1, -719_163, 2_932_897, i32::MAX - 1, i32::MAX] {
        assert_eq!(Date::from_days_since_epoch(days), None, "{days}");
    }
    for year in [i32::MIN, -1, 0, 10_000, 65_536, i32::MAX] {
        assert_eq!(Date::new(year, 1, 1), None, "{year}");
    }
}

#[test]
fn spoiled_texts_never_panic_and_what_passes_prints_the_same() {
    let mut random = Xorshift::new(7);
    for _ in 0..20_000 {
        let text = random.spoil("2024-10-19");
        if let Some(date) = Date::parse(&text) {
            assert_eq!(date.to_string(), text);
        }
    }
}
