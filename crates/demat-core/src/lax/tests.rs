use super::Lax;
use crate::scalar::{Decimal, Duration, Instant};
use crate::{Error, ErrorKind, Result, Source as _, Value, ValueSource, copy};
use proptest::prelude::*;

type Sourced<'a> = Lax<ValueSource<'a>>;

fn read<T>(value: &Value, read: impl FnOnce(&mut Sourced<'_>) -> Result<T>) -> Result<T> {
    read(&mut Lax::new(ValueSource::new(value)))
}

fn text(text: &str) -> Value {
    Value::Text(text.to_string().into())
}

#[test]
fn ints_are_taken_from_text_whole_numbers_and_bools() {
    let int = |value: &Value| read(value, |source| source.int().map(|int| int.to_string()));
    for (given, wanted) in
        [("12", "12"), (" +7 ", "7"), ("-3.000", "-3"), ("340282366920938463463374607431768211456", "")]
    {
        let wanted = if wanted.is_empty() { given } else { wanted };
        assert_eq!(int(&text(given)).unwrap(), wanted, "{given}");
    }
    assert_eq!(int(&Value::Float(1e20)).unwrap(), "100000000000000000000");
    assert_eq!(int(&Value::Bool(true)).unwrap(), "1");
    for refused in ["", "+", "+-1", "1.5", "x", "1e3", "0x1"] {
        assert_eq!(int(&text(refused)).unwrap_err().kind(), ErrorKind::Type, "{refused}");
    }
    assert!(int(&Value::Float(1.5)).is_err());
    // Exact numbers keep all their digits.
    let exact = |digits: &str| int(&Value::Decimal(Decimal::parse(digits).unwrap().into_owned()));
    assert_eq!(exact("9007199254740993.0").unwrap(), "9007199254740993");
    assert!(exact("4503599627370497.25").is_err());
    assert!(int(&Value::Float(f64::INFINITY)).is_err());
}

#[test]
fn ints_of_a_width_are_checked() {
    let big = text("9223372036854775808");
    assert_eq!(read(&big, |source| source.u64()).unwrap(), 1 << 63);
    assert!(read(&big, |source| source.i64()).is_err());
    // It is too large for the one, and the caller may ask for the other.
    let both = |source: &mut Sourced<'_>| Ok((source.try_i64()?, source.int()?.to_string()));
    assert_eq!(read(&big, both).unwrap(), (None, "9223372036854775808".to_string()));
}

#[test]
fn floats_and_bools_are_taken_from_text() {
    assert_eq!(read(&text(" 1.5e3 "), |source| source.float()).unwrap().to_bits(), 1500.0_f64.to_bits());
    assert_eq!(read(&text("0.1"), |source| source.float32()).unwrap().to_bits(), 0.1_f32.to_bits());
    for refused in ["", "nan", "inf", "1e999", "1,5"] {
        assert!(read(&text(refused), |source| source.float()).is_err(), "{refused}");
        assert!(read(&text(refused), |source| source.float32()).is_err(), "{refused}");
    }
    for (given, wanted) in [("TRUE", true), ("yes", true), ("On", true), (" 1", true), ("false", false), ("No", false)]
    {
        assert_eq!(read(&text(given), |source| source.bool()).unwrap(), wanted, "{given}");
    }
    assert!(!read(&Value::Int(0.into()), |source| source.bool()).unwrap());
    assert!(read(&Value::Int(2.into()), |source| source.bool()).is_err());
    assert!(read(&text("maybe"), |source| source.bool()).is_err());
}

#[test]
fn numbers_are_seconds() {
    let instant = |value: &Value| read(value, |source| source.instant());
    assert_eq!(Some(instant(&Value::Int((-1).into())).unwrap()), Instant::parse("1969-12-31T23:59:59Z"));
    assert_eq!(Some(instant(&Value::Float(0.25)).unwrap()), Instant::parse("1970-01-01T00:00:00.25Z"));
    assert_eq!(Some(instant(&text("2026-01-02T03:04:05Z")).unwrap()), Instant::parse("2026-01-02T03:04:05Z"));
    assert!(instant(&Value::Int(i64::MAX.into())).is_err());
    assert!(instant(&Value::Float(1e300)).is_err());
    let duration = |value: &Value| read(value, |source| source.duration());
    assert_eq!(Some(duration(&Value::Float(1.5)).unwrap()), Duration::new(1, 500_000_000));
    assert_eq!(duration(&Value::Int(i64::MAX.into())).unwrap().seconds(), i64::MAX);
}

#[test]
fn what_is_not_converted_is_refused_as_without() {
    let strict = |value: &Value| -> Error { ValueSource::new(value).i64().unwrap_err() };
    for value in [text("x"), Value::Null, Value::List(Vec::new()), Value::Float(0.5)] {
        let lax = read(&value, |source| source.i64()).unwrap_err();
        assert_eq!(lax.to_string(), strict(&value).to_string());
    }
}

#[test]
fn a_copy_converts_by_its_shape() {
    let shape = "[{id: int, part: float?, done: bool, any: any}]".parse().unwrap();
    let record = |id: Value, part: Value, done: Value| {
        let fields = [("id", id), ("part", part), ("done", done), ("any", text("1"))];
        Value::Map(fields.into_iter().map(|(key, value)| (text(key), value)).collect())
    };
    let given = Value::List(vec![
        record(text("1"), text("0.5"), text("no")),
        record(Value::Float(2.0), Value::Null, text("ON")),
    ]);
    let copied = Value::build(|sink| copy(&mut Lax::new(ValueSource::new(&given)), &shape, sink)).unwrap();
    let wanted = Value::List(vec![
        record(Value::Int(1.into()), Value::Float(0.5), Value::Bool(false)),
        record(Value::Int(2.into()), Value::Null, Value::Bool(true)),
    ]);
    assert_eq!(copied, wanted);
}

proptest! {
    /// What is of the kind is read as without.
    #[test]
    fn what_fits_is_unchanged(int in any::<i64>(), float in -1e300..1e300_f64, truth in any::<bool>()) {
        prop_assert_eq!(read(&Value::Int(int.into()), |source| source.i64()).unwrap(), int);
        prop_assert_eq!(read(&Value::Float(float), |source| source.float()).unwrap().to_bits(), float.to_bits());
        prop_assert_eq!(read(&Value::Bool(truth), |source| source.bool()).unwrap(), truth);
    }

    /// A number and its text are read alike.
    #[test]
    fn text_is_read_as_the_number_in_it(int in any::<i64>(), float in -1e300..1e300_f64) {
        prop_assert_eq!(read(&text(&int.to_string()), |source| source.i64()).unwrap(), int);
        prop_assert_eq!(read(&text(&float.to_string()), |source| source.float()).unwrap().to_bits(), float.to_bits());
    }
}

#[test]
fn what_is_no_number_is_no_time() {
    for value in [Value::Float(f64::NAN), Value::Float(f64::INFINITY), text("NaN"), text("-inf")] {
        assert!(read(&value, |source| source.instant()).is_err(), "{value:?}");
        assert!(read(&value, |source| source.duration()).is_err(), "{value:?}");
    }
    let nanos = read(&Value::Float(1e-7), |source| source.duration()).unwrap();
    assert_eq!(nanos.to_string(), Duration::parse("PT0.0000001S").unwrap().to_string());
}
