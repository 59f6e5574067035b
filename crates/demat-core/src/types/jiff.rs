//! Dates and times of the crate `jiff`.
//!
//! | type | kind |
//! |---|---|
//! | `civil::Date`, `civil::Time`, `civil::DateTime` | date, time, date and time without an offset |
//! | `Timestamp` | an instant in UTC; another offset is converted |
//! | `SignedDuration` | a duration |
//!
//! Years are from 1 to 9999. A `Zoned` has the name of a zone, which no kind holds; its timestamp is encoded.

use super::{no_offset, unencodable};
use crate::scalar::{self, Instant, Offset};
use crate::{Decode, Encode, Error, ErrorKind, Result, Shape, Shaped, Sink, Source};
use jiff::civil::{Date, DateTime, Time};
use jiff::{SignedDuration, Timestamp};

macro_rules! kinds {
    ($($type:ty: $shape:ident, |$value:ident, $sink:ident| $encoded:expr, |$source:ident| $decoded:expr;)*) => {$(
        impl Shaped for $type {
            const SHAPE: &'static Shape = &Shape::$shape;
        }

        impl Encode for $type {
            fn encode<S: Sink + ?Sized>(&self, $sink: &mut S) -> Result<()> {
                let $value = *self;
                $encoded
            }
        }

        impl<'a> Decode<'a> for $type {
            fn decode<S: Source<'a> + ?Sized>($source: &mut S) -> Result<Self> {
                $decoded
            }
        }
    )*};
}

kinds! {
    Date: Date, |value, sink| sink.date(date(value)?), |source| their_date(source.date()?);
    Time: Time, |value, sink| sink.time(time(value)?), |source| their_time(source.time()?);
    DateTime: DateTime,
        |value, sink| sink.date_time(scalar::DateTime::new(date(value.date())?, time(value.time())?)),
        |source| {
            let own = source.date_time()?;
            Ok(DateTime::from_parts(their_date(own.date)?, their_time(own.time)?))
        };
    Timestamp: Instant,
        |value, sink| {
            let nanos = value.as_nanosecond();
            let own = scalar::Duration::from_nanos(nanos)
                .and_then(|after| Instant::from_unix(after.seconds(), after.nanos(), Offset::UTC));
            let (at, _) = own.ok_or_else(|| unencodable(format!("the year of {value} is not from 1 to 9999")))?.split();
            sink.instant(at, Offset::UTC)
        },
        |source| {
            let own = source.instant()?;
            let Some(nanos) = own.unix_nanos() else { return Err(no_offset(own).at(source.position())) };
            Timestamp::from_nanosecond(nanos).map_err(|_| {
                Error::mismatch(ErrorKind::Constraint, "a timestamp of jiff", own.to_string()).at(source.position())
            })
        };
    SignedDuration: Duration,
        |value, sink| {
            let own = scalar::Duration::from_nanos(value.as_nanos());
            sink.duration(own.ok_or_else(|| unencodable("the duration has more than 2^63 seconds"))?)
        },
        |source| Ok(SignedDuration::from_nanos_i128(source.duration()?.total_nanos()));
}

fn date(value: Date) -> Result<scalar::Date> {
    let parts = u8::try_from(value.month()).ok().zip(u8::try_from(value.day()).ok());
    let own = parts.and_then(|(month, day)| scalar::Date::new(value.year().into(), month, day));
    own.ok_or_else(|| unencodable(format!("the year of {value} is not from 1 to 9999")))
}

fn time(value: Time) -> Result<scalar::Time> {
    let parts = [value.hour(), value.minute(), value.second()].map(i8::unsigned_abs);
    let nanos = value.subsec_nanosecond().unsigned_abs();
    let own = scalar::Time::new(parts[0], parts[1], parts[2], nanos);
    own.ok_or_else(|| Error::new(ErrorKind::Internal, "a time of jiff is none"))
}

/// All of Demat's dates are dates of `jiff`.
fn their_date(own: scalar::Date) -> Result<Date> {
    let parts = (i16::try_from(own.year()), i8::try_from(own.month()), i8::try_from(own.day()));
    let (Ok(year), Ok(month), Ok(day)) = parts else { return Err(lacking()) };
    Date::new(year, month, day).map_err(|_| lacking())
}

fn their_time(own: scalar::Time) -> Result<Time> {
    let parts = [own.hour(), own.minute(), own.second()].map(i8::try_from);
    let ([Ok(hour), Ok(minute), Ok(second)], Ok(nanos)) = (parts, i32::try_from(own.nanosecond())) else {
        return Err(lacking());
    };
    Time::new(hour, minute, second, nanos).map_err(|_| lacking())
}

#[cold]
fn lacking() -> Error {
    Error::new(ErrorKind::Internal, "jiff lacks a date or a time")
}
