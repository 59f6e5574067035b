//! Encodes dates, times and durations.

use super::{Engine, ObjectRef};
use crate::object::Object;
use demat_core::scalar::{Date, DateTime, Duration, Offset, Time};
use demat_core::{Error, ErrorKind, Result, Sink};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDelta, PyTzInfo};
use std::sync::atomic::{AtomicU8, Ordering};

/// Reads a date from the object's memory. `None` if there is no such date.
///
/// # Safety
/// The pointer is to a live instance of `datetime.date` or a subclass.
#[inline(always)]
pub(super) unsafe fn date_of(object: ObjectRef) -> Option<Date> {
    let object = object.as_ptr();
    // SAFETY: as the caller guarantees.
    let (year, month, day) = unsafe {
        (ffi::PyDateTime_GET_YEAR(object), ffi::PyDateTime_GET_MONTH(object), ffi::PyDateTime_GET_DAY(object))
    };
    Date::new(year, small(month), small(day))
}

/// Reads a date and time from the object's memory, and its `tzinfo`. `None` if there is no such time.
///
/// # Safety
/// The pointer is to a live instance of `datetime.datetime` or a subclass.
#[inline(always)]
pub(super) unsafe fn datetime_of(object: ObjectRef) -> (Option<DateTime>, *mut ffi::PyObject) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let date = date_of(object);
        let object = object.as_ptr();
        let time = Time::new(
            small(ffi::PyDateTime_DATE_GET_HOUR(object)),
            small(ffi::PyDateTime_DATE_GET_MINUTE(object)),
            small(ffi::PyDateTime_DATE_GET_SECOND(object)),
            ffi::PyDateTime_DATE_GET_MICROSECOND(object).unsigned_abs() * MICRO,
        );
        (date.zip(time).map(|(date, time)| DateTime::new(date, time)), ffi::PyDateTime_DATE_GET_TZINFO(object))
    }
}

/// Reads a time from the object's memory, and its `tzinfo`. `None` if there is no such time.
///
/// # Safety
/// The pointer is to a live instance of `datetime.time` or a subclass.
#[inline(always)]
pub(super) unsafe fn time_of(object: ObjectRef) -> (Option<Time>, *mut ffi::PyObject) {
    // SAFETY: as the caller guarantees.
    unsafe {
        let object = object.as_ptr();
        let time = Time::new(
            small(ffi::PyDateTime_TIME_GET_HOUR(object)),
            small(ffi::PyDateTime_TIME_GET_MINUTE(object)),
            small(ffi::PyDateTime_TIME_GET_SECOND(object)),
            ffi::PyDateTime_TIME_GET_MICROSECOND(object).unsigned_abs() * MICRO,
        );
        (time, ffi::PyDateTime_TIME_GET_TZINFO(object))
    }
}

#[cold]
fn no_such(what: &str) -> Error {
    Error::new(ErrorKind::Encode, format!("there is no such {what}"))
}

/// Converts a part of a date or time. Out-of-range values stay invalid.
fn small(part: core::ffi::c_int) -> u8 {
    u8::try_from(part).unwrap_or(u8::MAX)
}

/// Nanoseconds per microsecond.
const MICRO: u32 = 1_000;

impl<K: Sink> Engine<'_, K> {
    /// # Safety
    /// The pointer is to a live instance of `datetime.date` or a subclass.
    pub(super) unsafe fn date(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: as the caller guarantees.
        match unsafe { date_of(object) } {
            Some(date) => self.sink.date(date),
            None => Err(no_such("date")),
        }
    }

    /// # Safety
    /// The pointer is to a live instance of `datetime.datetime` or a subclass.
    pub(super) unsafe fn datetime(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: as the caller guarantees.
        let (at, zone) = unsafe { datetime_of(object) };
        let at = at.ok_or_else(|| no_such("date and time"))?;
        match self.offset(object, zone)? {
            Some(offset) => self.sink.instant(at, offset),
            None => self.sink.date_time(at),
        }
    }

    /// # Safety
    /// The pointer is to a live instance of `datetime.time` or a subclass.
    pub(super) unsafe fn time(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: as the caller guarantees.
        let (time, zone) = unsafe { time_of(object) };
        let time = time.ok_or_else(|| no_such("time"))?;
        match self.offset(object, zone)? {
            None => self.sink.time(time),
            // The contract's times have no offset; a time with one is encoded as its ISO 8601 text.
            Some(offset) => self.sink.text(&format!("{time}{offset}")),
        }
    }

    /// Returns the UTC offset of a `datetime` or `time` with this `tzinfo`.
    #[inline(always)]
    fn offset(&mut self, object: ObjectRef, zone: *mut ffi::PyObject) -> Result<Option<Offset>> {
        // SAFETY: the GIL is held; the module is loaded, as an instance of it exists.
        let (none, utc) = unsafe { (ffi::Py_None(), ffi::PyDateTime_TimeZone_UTC()) };
        if zone == none {
            return Ok(None);
        }
        if zone == utc {
            return Ok(Some(Offset::UTC));
        }
        // SAFETY: the zone belongs to the object; no user code runs.
        if let Some(offset) = unsafe { fixed_offset(ObjectRef::new(zone)) } {
            return Ok(Some(offset));
        }
        self.offset_of(&object.hold())
    }

    /// Returns the UTC offset that the `tzinfo` of a `datetime` or `time` says.
    #[inline(never)]
    fn offset_of(&mut self, object: &Object) -> Result<Option<Offset>> {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        let found = object.clone().into_bound(py).call_method0(pyo3::intern!(py, "utcoffset"));
        let found = found.map_err(|raised| self.no_scalar(raised))?;
        if found.is_none() {
            return Ok(None);
        }
        // SAFETY: the interpreter ensures that the result is None or a timedelta; the check excludes others.
        let delta = unsafe {
            if ffi::PyDelta_Check(found.as_ptr()) == 0 {
                return Err(no_such("offset from UTC"));
            }
            span(ObjectRef::new(found.as_ptr()))
        };
        let whole = delta.filter(|delta| delta.nanos() == 0).and_then(|delta| i32::try_from(delta.seconds()).ok());
        // RFC 3339 allows only whole minutes.
        let offset = whole.filter(|seconds| seconds % 60 == 0).and_then(Offset::new);
        let refused = || {
            let shown = found.str().map_or_else(|_| "?".to_string(), |text| text.to_string_lossy().into_owned());
            Error::mismatch(ErrorKind::Encode, "an offset from UTC in whole minutes, less than a day", shown)
        };
        offset.map(Some).ok_or_else(refused)
    }

    /// # Safety
    /// The pointer is to a live instance of `datetime.timedelta` or a subclass.
    pub(super) unsafe fn timedelta(&mut self, object: ObjectRef) -> Result<()> {
        // SAFETY: as the caller guarantees.
        let span = unsafe { span(object) }.ok_or_else(|| no_such("timedelta"))?;
        self.sink.duration(span)
    }
}

/// Returns the offset of a zone that is exactly a `datetime.timezone`, in whole minutes: it is the same at all times. `None`
/// for other zones.
///
/// # Safety
/// The object is alive.
#[inline(always)]
pub(super) unsafe fn fixed_offset(zone: ObjectRef) -> Option<Offset> {
    // SAFETY: as the caller guarantees; the GIL is held. The module is loaded, as an instance of it exists.
    unsafe {
        if !zone.is_exactly(ffi::Py_TYPE(ffi::PyDateTime_TimeZone_UTC())) || !knows_zones() {
            return None;
        }
        let delta = span(ObjectRef::new(zone_delta(zone.as_ptr())))?;
        let seconds = i32::try_from(delta.seconds()).ok().filter(|_| delta.nanos() == 0)?;
        if seconds % 60 == 0 { Offset::new(seconds) } else { None }
    }
}

/// Returns the `timedelta` of a `datetime.timezone`, which comes first behind the object's header.
///
/// # Safety
/// A live `datetime.timezone`, whose layout is known.
unsafe fn zone_delta(zone: *mut ffi::PyObject) -> *mut ffi::PyObject {
    // SAFETY: as the caller guarantees.
    unsafe { *zone.add(1).cast() }
}

/// Whether a `datetime.timezone` is laid out as expected: found out with some of them at the first use.
#[inline(always)]
fn knows_zones() -> bool {
    static KNOWN: AtomicU8 = AtomicU8::new(UNKNOWN);
    const UNKNOWN: u8 = 2;
    match KNOWN.load(Ordering::Relaxed) {
        UNKNOWN => {
            let known = are_laid_out().unwrap_or(false);
            KNOWN.store(u8::from(known), Ordering::Relaxed);
            known
        }
        known => known == 1,
    }
}

#[cold]
#[inline(never)]
fn are_laid_out() -> PyResult<bool> {
    // SAFETY: engines run with the GIL held.
    let py = unsafe { Python::assume_attached() };
    for seconds in [-86_340, -1, 60, 7_200, 86_340] {
        let delta = PyDelta::new(py, 0, seconds, 0, true)?;
        let zone = PyTzInfo::fixed_offset(py, delta.clone())?;
        let least = size_of::<ffi::PyObject>() + size_of::<*mut ffi::PyObject>();
        let size: usize = zone.get_type().getattr(pyo3::intern!(py, "__basicsize__"))?.extract()?;
        // SAFETY: a pointer-sized part of a live object, which is only compared.
        if size < least || unsafe { zone_delta(zone.as_ptr()) } != delta.as_ptr() {
            return Ok(false);
        }
    }
    Ok(true)
}

/// # Safety
/// The pointer is to a live instance of `datetime.timedelta` or a subclass.
unsafe fn span(object: ObjectRef) -> Option<Duration> {
    let object = object.as_ptr();
    // SAFETY: as the caller guarantees.
    let (days, seconds, micros) = unsafe {
        (
            ffi::PyDateTime_DELTA_GET_DAYS(object),
            ffi::PyDateTime_DELTA_GET_SECONDS(object),
            ffi::PyDateTime_DELTA_GET_MICROSECONDS(object),
        )
    };
    Duration::new(i64::from(days) * 86_400 + i64::from(seconds), micros.unsigned_abs() * MICRO)
}
