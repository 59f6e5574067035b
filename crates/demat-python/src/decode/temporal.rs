//! Decodes dates and times, and other values that formats mostly write as text: bytes, decimals, UUIDs.

use super::Engine;
use crate::known;
use crate::object::Object;
use crate::plan::{BytesKind, Clock, Zone};
use demat_core::scalar::{Date, Decimal, Instant, Offset, Time};
use demat_core::{Error, ErrorKind, Kind, Mark, Result, Source};
use pyo3::ffi;
use pyo3::prelude::*;

impl<'a, S: Source<'a>, const ALL: bool> Engine<'_, 'a, S, ALL> {
    pub(super) fn datetime(&mut self, clock: Clock) -> Result<Object> {
        let mark = self.source.mark();
        let read = if clock.zone == Zone::Naive { self.naive(mark) } else { self.source.instant() };
        match read {
            Ok(instant) => self.instant(instant, clock.zone, self.times(clock.times).is_some(), mark),
            Err(error) => self.other_datetime(clock, mark, error),
        }
    }

    /// Decodes a date and time without an offset. A value with an offset is also returned, so that the error can name
    /// it.
    fn naive(&mut self, mark: Mark) -> Result<Instant> {
        self.source.date_time().map(Instant::from).or_else(|error| {
            self.source.reset(mark);
            self.source.instant().map_err(|_| error)
        })
    }

    /// Creates the object of an instant. `cuts`: nanoseconds are cut, not refused.
    pub(super) fn instant(&mut self, instant: Instant, zone: Zone, cuts: bool, mark: Mark) -> Result<Object> {
        match (zone, instant.offset) {
            (Zone::Aware, None) => return Err(self.about_zone(mark, "a `datetime` with an offset", "one without")),
            (Zone::Naive, Some(_)) => return Err(self.about_zone(mark, "a `datetime` without an offset", "one with")),
            _ => {}
        }
        let Instant { date, time, offset } = instant;
        let Some((year, micro)) = self.fitting(date, time, cuts, mark)? else {
            return Err(self.about_zone(mark, "a year from 1 to 9999", &date.year().to_string()));
        };
        let zone = self.zone(offset, mark)?;
        // SAFETY: the C API of `datetime` is imported, all parts are within their ranges, the zone is `None` or a
        // timezone.
        let object = unsafe {
            let api = &*ffi::PyDateTimeAPI();
            (api.DateTime_FromDateAndTime)(
                year,
                i32::from(date.month()),
                i32::from(date.day()),
                i32::from(time.hour()),
                i32::from(time.minute()),
                i32::from(time.second()),
                micro,
                zone.as_ptr(),
                api.DateTimeType,
            )
        };
        self.made(object)
    }

    /// Returns the year and the microseconds, if Python's types can represent them.
    fn fitting(&mut self, date: Date, time: Time, cuts: bool, mark: Mark) -> Result<Option<(i32, i32)>> {
        if !ensure_api() {
            return Err(self.raised(crate::object::fetch()));
        }
        let micro = self.micros(time, cuts, mark)?;
        Ok((1..=9999).contains(&date.year()).then_some((date.year(), micro)))
    }

    /// Returns the microseconds of a time. More digits are an error unless `cuts` is set.
    fn micros(&mut self, time: Time, cuts: bool, mark: Mark) -> Result<i32> {
        if !time.nanosecond().is_multiple_of(1000) && !cuts {
            return Err(self.nanoseconds(mark));
        }
        Ok((time.nanosecond() / 1000) as i32)
    }

    /// Returns `None`, or the timezone of an offset, which has whole minutes: RFC 3339 has no others, and none is written.
    fn zone(&mut self, offset: Option<Offset>, mark: Mark) -> Result<Object> {
        match offset.map(Offset::seconds) {
            None => Ok(Object::none()),
            // SAFETY: the C API is imported; its UTC object lives as long as the interpreter.
            Some(0) => Ok(unsafe { Object::shared(ffi::PyDateTime_TimeZone_UTC()) }),
            Some(seconds) if seconds % 60 != 0 => {
                Err(self.about_zone(mark, "an offset from UTC in whole minutes", "one with seconds"))
            }
            Some(seconds) => {
                let zone = super::zones::zone(seconds);
                self.made(zone)
            }
        }
    }

    #[cold]
    fn nanoseconds(&mut self, mark: Mark) -> Error {
        let found = if self.has_times() {
            "nanoseconds, which Python's types do not hold and `times=\"lenient\"` cuts"
        } else {
            "nanoseconds, which Python's types do not hold"
        };
        self.about_zone(mark, "at most microseconds", found)
    }

    #[cold]
    pub(super) fn about_zone(&mut self, mark: Mark, expected: &'static str, found: &str) -> Error {
        let error = Error::mismatch(ErrorKind::Constraint, expected, found.to_string());
        self.about_last(mark, error)
    }

    pub(super) fn date(&mut self) -> Result<Object> {
        let mark = self.source.mark();
        let date = self.source.date()?;
        self.date_object(date, mark)
    }

    pub(super) fn date_object(&mut self, date: Date, mark: Mark) -> Result<Object> {
        if !ensure_api() {
            return Err(self.raised(crate::object::fetch()));
        }
        if !(1..=9999).contains(&date.year()) {
            return Err(self.about_zone(mark, "a year from 1 to 9999", &date.year().to_string()));
        }
        // SAFETY: the C API is imported, and all parts are within their ranges.
        self.made(unsafe { ffi::PyDate_FromDate(date.year(), i32::from(date.month()), i32::from(date.day())) })
    }

    pub(super) fn time(&mut self, zone: Zone) -> Result<Object> {
        let mark = self.source.mark();
        match self.source.time() {
            Ok(_) if zone == Zone::Aware => Err(self.about_zone(mark, "a `time` with an offset", "one without")),
            Ok(time) => self.time_object(time, None, self.times(None).is_some(), mark),
            Err(error) if zone == Zone::Naive => self.other_time(zone, mark, error),
            Err(error) => self.time_with_offset(zone, mark, error),
        }
    }

    /// Decodes a time of day with an offset from its text, as the contract has no kind for it.
    fn time_with_offset(&mut self, zone: Zone, mark: Mark, error: Error) -> Result<Object> {
        self.source.reset(mark);
        if self.source.peek()? != Kind::Text {
            return Err(error);
        }
        let text = self.source.text()?;
        let at = text.find(['+', '-', 'Z', 'z']).unwrap_or(text.len());
        let parsed =
            text.split_at_checked(at).and_then(|(time, offset)| Some((Time::parse(time)?, Offset::parse(offset)?)));
        match parsed {
            Some((time, offset)) => self.time_object(time, Some(offset), self.times(None).is_some(), mark),
            None => self.other_time(zone, mark, error),
        }
    }

    pub(super) fn time_object(&mut self, time: Time, offset: Option<Offset>, cuts: bool, mark: Mark) -> Result<Object> {
        if !ensure_api() {
            return Err(self.raised(crate::object::fetch()));
        }
        let micro = self.micros(time, cuts, mark)?;
        let zone = self.zone(offset, mark)?;
        // SAFETY: the C API is imported, all parts are within their ranges, the zone is `None` or a timezone.
        let object = unsafe {
            let api = &*ffi::PyDateTimeAPI();
            let (hour, minute, second) = (i32::from(time.hour()), i32::from(time.minute()), i32::from(time.second()));
            (api.Time_FromTime)(hour, minute, second, micro, zone.as_ptr(), api.TimeType)
        };
        self.made(object)
    }

    pub(super) fn timedelta(&mut self) -> Result<Object> {
        let mark = self.source.mark();
        match self.source.duration() {
            Ok(duration) => self.duration(duration.total_nanos(), mark),
            Err(error) if self.strict => Err(error),
            Err(error) => match self.unix_micros(mark, 1_000_000)? {
                Some(micros) => self.duration(micros * 1000, mark),
                None => Err(error),
            },
        }
    }

    pub(super) fn duration(&mut self, nanos: i128, mark: Mark) -> Result<Object> {
        if !ensure_api() {
            return Err(self.raised(crate::object::fetch()));
        }
        if nanos % 1000 != 0 && self.strict {
            return Err(self.about_zone(mark, "at most microseconds", "nanoseconds, which Python's types do not hold"));
        }
        let micros = nanos.div_euclid(1000);
        let (days, rest) = (micros.div_euclid(86_400_000_000), micros.rem_euclid(86_400_000_000));
        if days.abs() > 999_999_999 {
            return Err(self.about_zone(mark, "a timedelta of less than 1000000000 days", "more"));
        }
        let (seconds, micros) = ((rest / 1_000_000) as i32, (rest % 1_000_000) as i32);
        // SAFETY: the C API is imported, and all parts are within their ranges.
        self.made(unsafe { ffi::PyDelta_FromDSU(days as i32, seconds, micros) })
    }

    pub(super) fn decimal(&mut self) -> Result<Object> {
        let decimal = self.source.decimal()?;
        self.decimal_object(&decimal)
    }

    pub(super) fn decimal_object(&mut self, decimal: &Decimal<'_>) -> Result<Object> {
        let text = super::text::object(decimal.as_str());
        let text = self.made(text)?;
        let class = known::decimal(self.py).map_err(|raised| self.raised(raised))?;
        // The class only refuses numbers whose exponent it can't represent.
        let made = class.call1((text.into_bound(self.py),));
        made.map(|made| Object::of(&made)).map_err(|_| {
            let expected = "a number whose exponent Python's `Decimal` holds";
            Error::mismatch(ErrorKind::Constraint, expected, "a larger one").at(self.source.position())
        })
    }

    pub(super) fn uuid(&mut self) -> Result<Object> {
        let mark = self.source.mark();
        match self.source.uuid() {
            Ok(uuid) => self.uuid_object(uuid.0),
            Err(error) if self.strict => Err(error),
            Err(error) => self.lax_uuid(mark, error),
        }
    }

    pub(super) fn uuid_object(&mut self, bytes: [u8; 16]) -> Result<Object> {
        super::uuid::uuid_object(self.py, bytes).map_err(|raised| self.raised(raised))
    }

    pub(super) fn bytes(&mut self, kind: BytesKind) -> Result<Object> {
        let bytes = self.source.bytes()?;
        self.bytes_object(&bytes, kind)
    }

    pub(super) fn bytes_object(&mut self, bytes: &[u8], kind: BytesKind) -> Result<Object> {
        let (data, len) = (bytes.as_ptr().cast(), bytes.len() as ffi::Py_ssize_t);
        // SAFETY: `len` bytes at `data`, which are copied.
        let object = unsafe {
            match kind {
                BytesKind::Bytearray => ffi::PyByteArray_FromStringAndSize(data, len),
                BytesKind::Bytes | BytesKind::Memoryview => ffi::PyBytes_FromStringAndSize(data, len),
            }
        };
        let object = self.made(object)?;
        if kind == BytesKind::Memoryview {
            // SAFETY: an object with a buffer.
            return self.made(unsafe { ffi::PyMemoryView_FromObject(object.as_ptr()) });
        }
        Ok(object)
    }

    /// Decodes a value that keeps its input unparsed.
    pub(super) fn raw(&mut self) -> Result<Object> {
        let span = self.source.span()?;
        let raw = crate::raw::Raw::of_span(self.py, &span, self.manner.format);
        match Bound::new(self.py, raw) {
            Ok(raw) => Ok(Object::of(raw.as_any())),
            Err(raised) => Err(self.raised(raised)),
        }
    }
}

/// Imports the C API of `datetime` if needed; false if the import fails.
#[inline]
fn ensure_api() -> bool {
    // SAFETY: the GIL is held.
    unsafe { !ffi::PyDateTimeAPI().is_null() || imported() }
}

#[cold]
unsafe fn imported() -> bool {
    // SAFETY: the GIL is held.
    unsafe {
        ffi::PyDateTime_IMPORT();
        !ffi::PyDateTimeAPI().is_null()
    }
}
