//! Dates and times of the crate `chrono`.
//!
//! | type | kind |
//! |---|---|
//! | `NaiveDate`, `NaiveTime`, `NaiveDateTime` | date, time, date and time without an offset |
//! | `DateTime<Utc>` | an instant; another offset is converted |
//! | `DateTime<FixedOffset>` | an instant, with its offset |
//! | `TimeDelta` | a duration |
//!
//! Years are from 1 to 9999. A leap second of `chrono` can't be encoded.

use super::{no_offset, unencodable};
use crate::scalar::{self, Instant, Offset};
use crate::{Decode, Encode, Error, ErrorKind, Result, Shape, Shaped, Sink, Source};
use chrono::{
    DateTime, Datelike as _, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike as _, Utc,
};

macro_rules! kinds {
    ($($type:ty: $shape:ident, |$value:ident, $sink:ident| $encoded:expr, |$source:ident| $decoded:expr;)*) => {$(
        impl Shaped for $type {
            const SHAPE: &'static Shape = &Shape::$shape;
        }

        impl Encode for $type {
            fn encode<S: Sink + ?Sized>(&self, $sink: &mut S) -> Result<()> {
                let $value = self;
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
    NaiveDate: Date, |value, sink| sink.date(date(*value)?), |source| their_date(source.date()?);
    NaiveTime: Time, |value, sink| sink.time(time(*value)?), |source| their_time(source.time()?);
    NaiveDateTime: DateTime, |value, sink| sink.date_time(date_time(value)?), |source| their_date_time(source.date_time()?);
    DateTime<Utc>: Instant,
        |value, sink| sink.instant(date_time(&value.naive_utc())?, Offset::UTC),
        |source| their_instant(source).map(|at| at.to_utc());
    DateTime<FixedOffset>: Instant,
        |value, sink| {
            let seconds = value.offset().local_minus_utc();
            let offset = Offset::new(seconds).ok_or_else(|| unencodable("the offset is a day or more"))?;
            // `naive_local` panics where there is none.
            let local = value.naive_utc().checked_add_offset(*value.offset());
            let local = local.ok_or_else(|| unencodable("the year is not from 1 to 9999"))?;
            sink.instant(date_time(&local)?, offset)
        },
        |source| their_instant(source);
    TimeDelta: Duration,
        |value, sink| sink.duration(duration(*value)?),
        |source| {
            let own = source.duration()?;
            TimeDelta::new(own.seconds(), own.nanos()).ok_or_else(|| {
                Error::mismatch(ErrorKind::Constraint, "a duration of at most 2^63 milliseconds", own.to_string())
                    .at(source.position())
            })
        };
}

fn date(value: NaiveDate) -> Result<scalar::Date> {
    let parts = u8::try_from(value.month()).ok().zip(u8::try_from(value.day()).ok());
    let own = parts.and_then(|(month, day)| scalar::Date::new(value.year(), month, day));
    own.ok_or_else(|| unencodable(format!("the year of {value} is not from 1 to 9999")))
}

fn time(value: NaiveTime) -> Result<scalar::Time> {
    let own = scalar::Time::from_second_of_day(value.num_seconds_from_midnight(), value.nanosecond());
    own.ok_or_else(|| unencodable(format!("{value} is a leap second")))
}

fn date_time(value: &NaiveDateTime) -> Result<scalar::DateTime> {
    Ok(scalar::DateTime::new(date(value.date())?, time(value.time())?))
}

fn duration(value: TimeDelta) -> Result<scalar::Duration> {
    let (seconds, nanos) = (value.num_seconds(), value.subsec_nanos());
    let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
    scalar::Duration::from_nanos(total).ok_or_else(|| unencodable("the duration is too long"))
}

/// All of Demat's dates are dates of `chrono`.
fn their_date(own: scalar::Date) -> Result<NaiveDate> {
    let date = NaiveDate::from_ymd_opt(own.year(), own.month().into(), own.day().into());
    date.ok_or_else(|| Error::new(ErrorKind::Internal, "chrono lacks a date"))
}

fn their_time(own: scalar::Time) -> Result<NaiveTime> {
    let time = NaiveTime::from_num_seconds_from_midnight_opt(own.second_of_day(), own.nanosecond());
    time.ok_or_else(|| Error::new(ErrorKind::Internal, "chrono lacks a time"))
}

fn their_date_time(own: scalar::DateTime) -> Result<NaiveDateTime> {
    Ok(NaiveDateTime::new(their_date(own.date)?, their_time(own.time)?))
}

fn their_instant<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<DateTime<FixedOffset>> {
    let own = source.instant()?;
    let Instant { date, time, offset: Some(offset) } = own else {
        return Err(no_offset(own).at(source.position()));
    };
    let local = their_date_time(scalar::DateTime::new(date, time))?;
    let offset = FixedOffset::east_opt(offset.seconds());
    let at = offset.and_then(|offset| local.and_local_timezone(offset).single());
    at.ok_or_else(|| Error::new(ErrorKind::Internal, "chrono lacks an instant"))
}
