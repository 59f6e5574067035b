//! Decodes datetimes and times in other forms than those of RFC 3339, if an option or the field accepts them.
//!
//! If they do not, the error names the option that would.

use super::Engine;
use crate::object::Object;
use crate::plan::{Clock, Times, Zone};
use demat_core::scalar::{DateTime, Instant, Int, Offset, Time};
use demat_core::{Error, ErrorKind, Kind, Mark, Result, Source};
use demat_formats::codec::Model;

/// A value in another form.
enum Found {
    Instant(Instant),
    /// A number.
    Number,
    /// Nothing that is accepted in any form.
    Other,
}

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    /// Returns the accepted forms: those of the field, else those of the call.
    #[inline]
    pub(super) fn times(&self, own: Option<Times>) -> Option<Times> {
        own.or(self.manner.times).or(if self.strict { None } else { Some(Times::Seconds) })
    }

    /// Whether the format has the option `times`.
    pub(super) fn has_times(&self) -> bool {
        !matches!(self.manner.model, Model::Numbered | Model::Shaped)
    }

    /// Decodes a value that is no datetime as usual, which `error` says.
    #[cold]
    #[inline(never)]
    pub(super) fn other_datetime(&mut self, clock: Clock, mark: Mark, error: Error) -> Result<Object> {
        if !is_mismatch(&error) {
            return Err(error);
        }
        self.source.reset(mark);
        let times = self.times(clock.times);
        let unit = times.and_then(Times::unit);
        match (self.other_form()?, times) {
            (Found::Instant(instant), Some(_)) => self.instant(instant, clock.zone, true, mark),
            (Found::Instant(instant), None) if self.has_times() && fits(clock.zone, instant.offset) => {
                Err(error.because("`times=\"lenient\"` reads it"))
            }
            (Found::Number, _) if unit.is_none() && self.has_times() => {
                Err(error.because("`times=\"seconds\"` and `times=\"milliseconds\"` read numbers"))
            }
            // A cell is text, whatever it looks like.
            (Found::Number | Found::Other, _) => {
                let micros = unit.map_or(Ok(None), |unit| self.unix_micros(mark, unit))?;
                match micros.and_then(from_unix) {
                    Some(instant) => self.instant(instant, clock.zone, true, mark),
                    None => Err(error),
                }
            }
            (Found::Instant(_), None) => Err(error),
        }
    }

    /// Reads a value in another form than the usual one.
    fn other_form(&mut self) -> Result<Found> {
        Ok(match self.source.peek()? {
            Kind::Text => Instant::parse_lenient(&self.source.text()?).map_or(Found::Other, Found::Instant),
            Kind::Date => Found::Instant(DateTime::new(self.source.date()?, Time::MIN).into()),
            Kind::Int | Kind::Float => Found::Number,
            _ => Found::Other,
        })
    }

    /// Decodes a value that is no time of day as usual, which `error` says.
    #[cold]
    #[inline(never)]
    pub(super) fn other_time(&mut self, zone: Zone, mark: Mark, error: Error) -> Result<Object> {
        if !is_mismatch(&error) {
            return Err(error);
        }
        self.source.reset(mark);
        if self.source.peek()? != Kind::Text {
            return Err(error);
        }
        let Some((time, offset)) = Time::parse_lenient(&self.source.text()?) else { return Err(error) };
        match (self.times(None), offset) {
            (None, _) if self.has_times() && fits(zone, offset) => Err(error.because("`times=\"lenient\"` reads it")),
            (None, _) => Err(error),
            (Some(_), Some(_)) if zone == Zone::Naive => {
                Err(self.about_zone(mark, "a `time` without an offset", "one with"))
            }
            (Some(_), None) if zone == Zone::Aware => {
                Err(self.about_zone(mark, "a `time` with an offset", "one without"))
            }
            (Some(_), offset) => self.time_object(time, offset, true, mark),
        }
    }

    #[allow(clippy::cast_precision_loss)] // the farthest date is a round number far below 2^53 seconds
    /// Reads a number of units, if there is one. Returns microseconds, below the limit for dates.
    #[cold]
    pub(super) fn unix_micros(&mut self, mark: Mark, unit: u32) -> Result<Option<i128>> {
        self.source.reset(mark);
        let kind = match self.source.peek()? {
            // A cell is text, whatever it looks like.
            Kind::Text if self.manner.model.is_text() => {
                if let Ok(int) = self.source.int() {
                    return Ok(micros(&int, unit));
                }
                self.source.reset(mark);
                Kind::Float
            }
            kind => kind,
        };
        match kind {
            Kind::Int => Ok(micros(&self.source.int()?, unit)),
            Kind::Float => {
                let micros = self.source.float().map_or(f64::INFINITY, |count| (count * f64::from(unit)).round());
                Ok((micros.abs() < FARTHEST as f64).then_some(micros as i128))
            }
            _ => Ok(None),
        }
    }
}

/// Whether the error is about a value that was read to its end.
fn is_mismatch(error: &Error) -> bool {
    error.signal().is_none() && matches!(error.kind(), ErrorKind::Type | ErrorKind::Constraint)
}

fn fits(zone: Zone, offset: Option<Offset>) -> bool {
    match zone {
        Zone::Either => true,
        Zone::Aware => offset.is_some(),
        Zone::Naive => offset.is_none(),
    }
}

/// More microseconds than between any two Python dates.
const FARTHEST: i128 = 100_000_000_000_000_000_000;

fn micros(count: &Int<'_>, unit: u32) -> Option<i128> {
    let micros = count.to_i128()?.checked_mul(unit.into())?;
    (micros.abs() < FARTHEST).then_some(micros)
}

/// Returns the instant at a number of microseconds since 1970.
fn from_unix(micros: i128) -> Option<Instant> {
    let seconds = i64::try_from(micros.div_euclid(1_000_000)).ok()?;
    let nanos = (micros.rem_euclid(1_000_000) * 1000) as u32; // below a second
    Instant::from_unix(seconds, nanos, Offset::UTC)
}
