use super::super::xorshift::Xorshift;
use super::{Duration, SECOND};

#[test]
fn printed_as_expected_and_read_back() {
    for (seconds, nanos, text) in [
        (0, 0, "PT0S"),
        (1, 0, "PT1S"),
        (59, 999_999_999, "PT59.999999999S"),
        (60, 0, "PT1M"),
        (3_723, 500_000_000, "PT1H2M3.5S"),
        (3_600, 1, "PT1H0.000000001S"),
        (86_400, 0, "P1D"),
        (90_000, 0, "P1DT1H"),
        (86_400, 10_000_000, "P1DT0.01S"),
        (604_800, 0, "P7D"),
        (-1, 0, "-PT1S"),
        (-1, 999_999_999, "-PT0.000000001S"),
        (-1, 500_000_000, "-PT0.5S"),
        (-2, 500_000_000, "-PT1.5S"),
        (-86_401, 500_000_000, "-P1DT0.5S"),
        (i64::MAX, SECOND - 1, "P106751991167300DT15H30M7.999999999S"),
        (i64::MIN, 0, "-P106751991167300DT15H30M8S"),
        (i64::MIN, 1, "-P106751991167300DT15H30M7.999999999S"),
    ] {
        let duration = Duration::new(seconds, nanos).unwrap();
        assert_eq!(duration.to_string(), text);
        assert_eq!(Duration::parse(text), Some(duration), "{text}");
    }
    assert_eq!(format!("[{:<6}]", Duration::ZERO), "[PT0S  ]");
}

#[test]
fn other_spellings() {
    for (text, seconds) in [
        ("-PT0S", 0),
        ("P0D", 0),
        ("P0W", 0),
        ("P2W", 1_209_600),
        ("P1W1D", 691_200),
        ("P1WT1M", 604_860),
        ("PT36H", 129_600),
        ("PT90M", 5_400),
        ("PT007S", 7),
        ("PT1.000S", 1),
        ("PT00000000000000000000000000000001S", 1),
    ] {
        assert_eq!(Duration::parse(text), Duration::new(seconds, 0), "{text}");
    }
}

#[test]
fn refuses_what_is_no_duration_of_fixed_length() {
    for text in [
        "",
        "-",
        "P",
        "-P",
        "PT",
        "P1",
        "PT1",
        "1S",
        "P1Y",
        "P1M",
        "P1Y1D",
        "P1DT",
        "P1WT",
        "PTT1S",
        "PT1ST",
        "PT1M1M",
        "PT1S1M",
        "PT1M1H",
        "P1D1W",
        "P1H",
        "P1S",
        "PT1D",
        "PT1W",
        "PT.5S",
        "PT1.S",
        "PT1,5S",
        "PT0.5M",
        "PT1.0H",
        "P0.5D",
        "PT1.0000000000S",
        "+PT1S",
        "--PT1S",
        "P-1D",
        "PT-1S",
        "pt1s",
        "PT1s",
        " PT1S",
        "PT1S ",
        "PT1S.5",
        "PTS",
        "PT٣S",
        "PT9223372036854775808S",
        "-PT9223372036854775808.1S",
        "PT99999999999999999999S",
        "P106751991167301D",
        "P18446744073709551615WT18446744073709551615H18446744073709551615M18446744073709551615S",
    ] {
        assert_eq!(Duration::parse(text), None, "{text:?}");
    }
    assert_eq!(Duration::parse(&format!("PT{}S", "9".repeat(100_000))), None);
}

#[test]
fn random_durations_go_there_and_back() {
    let mut random = Xorshift::new(13);
    let mut last = Duration::ZERO;
    for _ in 0..50_000 {
        let mut seconds = random.sized().cast_signed();
        if random.below(2) == 0 {
            seconds = seconds.wrapping_neg();
        }
        let zeros = 10u32.pow(random.below(10) as u32);
        let duration = Duration::new(seconds, random.next() as u32 % SECOND / zeros * zeros).unwrap();
        assert_eq!(Duration::parse(&duration.to_string()), Some(duration), "{duration}");
        assert_eq!(Duration::from_nanos(duration.total_nanos()), Some(duration));
        assert_eq!(duration.cmp(&last), duration.total_nanos().cmp(&last.total_nanos()));
        last = duration;
    }
}

#[test]
fn borders_of_nanoseconds() {
    assert_eq!(Duration::new(0, SECOND), None);
    assert_eq!(Duration::from_nanos(Duration::MAX.total_nanos()), Some(Duration::MAX));
    assert_eq!(Duration::from_nanos(Duration::MAX.total_nanos() + 1), None);
    assert_eq!(Duration::from_nanos(Duration::MIN.total_nanos()), Some(Duration::MIN));
    assert_eq!(Duration::from_nanos(Duration::MIN.total_nanos() - 1), None);
    assert_eq!(Duration::from_nanos(i128::MIN), None);
}

#[test]
fn spoiled_texts_never_panic_and_what_passes_goes_round() {
    let mut random = Xorshift::new(14);
    for _ in 0..30_000 {
        let text = random.spoil("-P1W2DT3H4M5.25S");
        if let Some(duration) = Duration::parse(&text) {
            assert_eq!(Duration::parse(&duration.to_string()), Some(duration), "{text:?}");
        }
    }
}
