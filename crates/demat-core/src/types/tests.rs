//! Round trips through [`Value`], which keeps each kind.

use crate::{Decode, Encode, ErrorKind, Value, ValueSource};
use core::fmt::Debug;
use core::num::NonZero;
use proptest::prelude::*;
use std::collections::{BTreeSet, HashSet, VecDeque};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// Encodes a value and decodes it; returns what it was encoded to, as text.
fn trip<T: Encode + for<'a> Decode<'a> + PartialEq + Debug>(value: &T) -> Value {
    let encoded = Value::build(|sink| value.encode(sink)).unwrap();
    assert_eq!(&T::decode(&mut ValueSource::new(&encoded)).unwrap(), value);
    encoded
}

fn refused<T: for<'a> Decode<'a> + Debug>(value: &Value) -> String {
    let error = T::decode(&mut ValueSource::new(value)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Constraint);
    error.reason()
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string().into())
}

#[test]
fn pointers_hold_texts_and_lists() {
    assert_eq!(trip(&Box::<str>::from("a")), text("a"));
    assert_eq!(trip(&Rc::<str>::from("a")), text("a"));
    assert_eq!(trip(&Arc::<str>::from("é")), text("é"));
    let list = Value::List(vec![Value::Int(1.into()), Value::Int(2.into())]);
    assert_eq!(trip(&Box::<[u8]>::from([1, 2])), list);
    assert_eq!(trip(&Rc::<[i64]>::from([1, 2])), list);
    assert_eq!(trip(&Arc::<[u128]>::from([1, 2])), list);
    assert_eq!(trip(&Arc::<[Arc<str>]>::from([Arc::from("a")])), Value::List(vec![text("a")]));
}

#[test]
fn sets_and_queues_are_lists() {
    let list = Value::List(vec![Value::Int(1.into()), Value::Int(2.into())]);
    assert_eq!(trip(&BTreeSet::from([2, 1])), list);
    assert_eq!(trip(&VecDeque::from([1, 2])), list);
    assert_eq!(trip(&HashSet::<i32>::from([7])), Value::List(vec![Value::Int(7.into())]));
    let twice = Value::List(vec![Value::Int(1.into()), Value::Int(1.into())]);
    assert_eq!(BTreeSet::<u8>::decode(&mut ValueSource::new(&twice)).unwrap().len(), 1);
    let error = HashSet::<u8>::decode(&mut ValueSource::new(&Value::List(vec![Value::Null]))).unwrap_err();
    assert_eq!(error.path(), "$[0]");
}

#[test]
fn tuples_have_up_to_twelve_items() {
    let twelve = (1_u8, 2_u8, 3_u8, 4_u8, 5_u8, 6_u8, 7_u8, 8_u8, 9_u8, 10_u8, 11_u8, "twelve".to_string());
    let Value::List(items) = trip(&twelve) else { panic!("a list") };
    assert_eq!(items.len(), 12);
}

#[test]
fn zero_is_refused_where_it_may_not_be() {
    assert_eq!(trip(&NonZero::<u8>::MAX), Value::Int(255.into()));
    assert_eq!(trip(&NonZero::new(-1_i128).unwrap()), Value::Int((-1).into()));
    assert_eq!(refused::<NonZero<u64>>(&Value::Int(0.into())), "expected an int other than 0, found `0`");
    assert!(refused::<NonZero<i8>>(&Value::Int(128.into())).contains("int8"));
}

#[test]
fn paths_are_text() {
    assert_eq!(trip(&PathBuf::from("a/b.csv")), text("a/b.csv"));
    let boxed: Box<Path> = PathBuf::from("x").into();
    assert_eq!(Value::build(|sink| boxed.encode(sink)).unwrap(), text("x"));
    assert_eq!(<&Path>::decode(&mut ValueSource::new(&text("x"))).unwrap(), Path::new("x"));
}

#[cfg(unix)]
#[test]
fn a_path_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    let path = Path::new(std::ffi::OsStr::from_bytes(b"a\xFF"));
    let error = Value::build(|sink| path.encode(sink)).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Encode);
    assert_eq!(error.reason(), "the path `a\u{FFFD}` is not UTF-8");
}

#[test]
fn lengths_of_time_are_not_negative() {
    let long = Duration::new(i64::MAX as u64, 999_999_999);
    for duration in [Duration::ZERO, Duration::from_millis(1500), long] {
        assert!(matches!(trip(&duration), Value::Duration(_)));
    }
    assert!(Value::build(|sink| Duration::new(1 << 63, 0).encode(sink)).is_err());
    assert_eq!(refused::<Duration>(&text("-PT1S")), "expected a duration that is not negative, found `-PT1S`");
}

#[test]
fn points_of_time_are_instants_in_utc() {
    for nanos in [0, 1, 999_999_999] {
        for seconds in [0, 1, 62_135_596_800, 1_800_000_000] {
            let after = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos);
            trip(&after);
            if seconds < 62_135_596_800 || nanos == 0 {
                trip(&(SystemTime::UNIX_EPOCH - Duration::new(seconds, nanos)));
            }
        }
    }
    let before = SystemTime::UNIX_EPOCH - Duration::from_millis(250);
    let Value::Instant(at, offset) = trip(&before) else { panic!("an instant") };
    assert_eq!(at.with_offset(offset).to_string(), "1969-12-31T23:59:59.750Z");
    let shifted = text("2026-01-02T03:04:05+02:00");
    let utc = text("2026-01-02T01:04:05Z");
    let time = |value: &Value| SystemTime::decode(&mut ValueSource::new(value)).unwrap();
    assert_eq!(time(&shifted), time(&utc));
    assert!(SystemTime::decode(&mut ValueSource::new(&text("2026-01-02T03:04:05"))).is_err());
    assert!(Value::build(|sink| (SystemTime::UNIX_EPOCH + Duration::from_secs(1 << 40)).encode(sink)).is_err());
}

#[cfg(feature = "uuid")]
#[test]
fn uuids_are_uuids() {
    let uuid = uuid::Uuid::from_u128(0x0123_4567_89ab_cdef_0123_4567_89ab_cdef);
    let Value::Uuid(own) = trip(&uuid) else { panic!("a UUID") };
    assert_eq!(own.to_string(), uuid.to_string());
}

#[cfg(feature = "rust_decimal")]
#[test]
fn decimals_keep_their_digits() {
    use rust_decimal::Decimal;
    for digits in ["0", "-1.50", "79228162514264337593543950335", "0.0000000000000000000000000001"] {
        let Value::Decimal(own) = trip(&digits.parse::<Decimal>().unwrap()) else { panic!("a decimal") };
        assert_eq!(own.as_str(), digits);
    }
    let decimal = |digits: &str| Decimal::decode(&mut ValueSource::new(&text(digits)));
    assert_eq!(decimal("1.5e3").unwrap().to_string(), "1500");
    assert_eq!(decimal("125e-4").unwrap().to_string(), "0.0125");
    for digits in ["79228162514264337593543950336", "0.00000000000000000000000000011", "1e40", "1.1e-28"] {
        assert_eq!(decimal(digits).unwrap_err().kind(), ErrorKind::Constraint, "{digits}");
    }
}

#[cfg(feature = "chrono")]
#[test]
fn chronos_types_are_dates_and_times() {
    use chrono::{DateTime, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Utc};
    for date in ["0001-01-01", "1969-12-31", "2024-02-29", "9999-12-31"] {
        let Value::Date(own) = trip(&date.parse::<NaiveDate>().unwrap()) else { panic!("a date") };
        assert_eq!(own.to_string(), date);
    }
    let last = NaiveTime::from_hms_nano_opt(23, 59, 59, 999_999_999).unwrap();
    assert_eq!(trip(&last), Value::Time(crate::scalar::Time::MAX));
    assert!(matches!(trip(&"2026-01-02T03:04:05.5".parse::<NaiveDateTime>().unwrap()), Value::DateTime(_)));
    let at: DateTime<FixedOffset> = "2026-01-02T03:04:05.25+05:30".parse().unwrap();
    let Value::Instant(own, offset) = trip(&at) else { panic!("an instant") };
    assert_eq!(own.with_offset(offset).to_string(), "2026-01-02T03:04:05.250+05:30");
    trip(&at.to_utc());
    let utc = DateTime::<Utc>::decode(&mut ValueSource::new(&text("2026-01-02T03:04:05.25+05:30"))).unwrap();
    assert_eq!(utc, at);
    for nanos in [0, 1, -1, 1_500_000_000, -1_500_000_000, i64::MAX, i64::MIN] {
        trip(&TimeDelta::nanoseconds(nanos));
    }
    assert!(DateTime::<Utc>::decode(&mut ValueSource::new(&text("2026-01-02T03:04:05"))).is_err());
    let leap = NaiveTime::from_hms_nano_opt(23, 59, 59, 1_000_000_000).unwrap();
    assert!(Value::build(|sink| leap.encode(sink)).is_err());
    assert!(Value::build(|sink| NaiveDate::MAX.encode(sink)).is_err());
    let east = FixedOffset::east_opt(3600).unwrap();
    assert!(Value::build(|sink| DateTime::<Utc>::MAX_UTC.with_timezone(&east).encode(sink)).is_err());
}

#[cfg(feature = "jiff")]
#[test]
fn jiffs_types_are_dates_and_times() {
    use jiff::civil::{Date, DateTime, Time};
    use jiff::{SignedDuration, Timestamp};
    for date in ["0001-01-01", "1969-12-31", "2024-02-29", "9999-12-31"] {
        let Value::Date(own) = trip(&date.parse::<Date>().unwrap()) else { panic!("a date") };
        assert_eq!(own.to_string(), date);
    }
    assert_eq!(trip(&Time::MAX), Value::Time(crate::scalar::Time::MAX));
    assert!(matches!(trip(&"2026-01-02T03:04:05.5".parse::<DateTime>().unwrap()), Value::DateTime(_)));
    for nanos in [0, 1, -1, 1_500_000_000, -1_500_000_000, i128::from(i64::MAX)] {
        trip(&Timestamp::from_nanosecond(nanos).unwrap());
        trip(&SignedDuration::from_nanos_i128(nanos));
    }
    let shifted = Timestamp::decode(&mut ValueSource::new(&text("2026-01-02T03:04:05+02:00"))).unwrap();
    assert_eq!(shifted.to_string(), "2026-01-02T01:04:05Z");
    assert!(Timestamp::decode(&mut ValueSource::new(&text("2026-01-02T03:04:05"))).is_err());
    assert!(Value::build(|sink| Date::MIN.encode(sink)).is_err());
}

proptest! {
    /// What is in the years 1 to 9999 makes the trip, in whatever type.
    #[test]
    fn points_and_lengths_of_time_make_the_trip(seconds in -62_135_596_800_i64..=253_402_300_799, nanos in 0..1_000_000_000_u32) {
        let length = Duration::new(seconds.unsigned_abs(), nanos);
        trip(&length);
        if seconds >= 0 {
            trip(&(SystemTime::UNIX_EPOCH + length));
        } else {
            trip(&(SystemTime::UNIX_EPOCH - Duration::from_secs(seconds.unsigned_abs()) + Duration::from_nanos(nanos.into())));
        }
        #[cfg(feature = "chrono")]
        {
            let at = chrono::DateTime::from_timestamp(seconds, nanos).unwrap();
            trip(&at);
            trip(&at.naive_utc());
            trip(&at.date_naive());
            trip(&at.time());
            trip(&chrono::TimeDelta::new(seconds, nanos).unwrap());
        }
        #[cfg(feature = "jiff")]
        {
            // Its timestamps end some hours before those of the last day.
            if let Ok(at) = jiff::Timestamp::new(seconds, 0) {
                trip(&(at + jiff::SignedDuration::from_nanos(nanos.into())));
            }
            trip(&jiff::SignedDuration::new(seconds, 0));
        }
    }
}
