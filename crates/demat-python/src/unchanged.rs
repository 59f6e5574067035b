//! Scalars of the standard library that are the same object before and after a conversion.

use crate::encode::ObjectRef;
use crate::known;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::{ffi, intern};

/// The classes of such scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Same {
    Bytes,
    Date,
    /// Without a zone, naming a point of the clock once.
    NaiveDatetime,
    /// With the zone `timezone.utc`.
    UtcDatetime,
    /// Without a zone.
    Time,
    Timedelta,
    Uuid,
    /// A finite one.
    Decimal,
}

impl Same {
    /// Returns the class of a scalar that stays what it is. Others, and instances of subclasses, are `None`. No user code
    /// runs.
    #[inline]
    pub(crate) fn of(py: Python<'_>, value: ObjectRef) -> Option<Self> {
        let (class, object) = (value.class(), value.as_ptr());
        // SAFETY: the GIL is held. The module's interface is a constant once it is imported; before, there is no instance of
        // its classes. Each class is compared before the object is read as one.
        unsafe {
            if class == &raw mut ffi::PyBytes_Type {
                return Some(Self::Bytes);
            }
            if let Some(api) = ffi::PyDateTimeAPI().as_ref() {
                if class == api.DateTimeType {
                    let zone = ffi::PyDateTime_DATE_GET_TZINFO(object);
                    return match ffi::PyDateTime_DATE_GET_FOLD(object) {
                        0 if zone == ffi::Py_None() => Some(Self::NaiveDatetime),
                        0 if zone == api.TimeZone_UTC => Some(Self::UtcDatetime),
                        _ => None,
                    };
                }
                if class == api.DateType {
                    return Some(Self::Date);
                }
                if class == api.TimeType {
                    let zone = ffi::PyDateTime_TIME_GET_TZINFO(object);
                    let is_naive = zone == ffi::Py_None() && ffi::PyDateTime_TIME_GET_FOLD(object) == 0;
                    return is_naive.then_some(Self::Time);
                }
                if class == api.DeltaType {
                    return Some(Self::Timedelta);
                }
            }
        }
        let is = |known: PyResult<&Bound<'_, _>>| known.is_ok_and(|known| known.as_ptr() == class.cast());
        if is(known::uuid(py)) {
            return Some(Self::Uuid);
        }
        (is(known::decimal(py)) && is_finite(py, value)).then_some(Self::Decimal)
    }
}

/// Whether a `Decimal` is a number. Its class is exactly that one, so no user code runs.
fn is_finite(py: Python<'_>, decimal: ObjectRef) -> bool {
    static KNOWN_LAYOUT: PyOnceLock<bool> = PyOnceLock::new();
    if *KNOWN_LAYOUT.get_or_init(py, || has_flags(py).unwrap_or(false)) {
        // SAFETY: instances were seen to have their flags there.
        return unsafe { flags(decimal.as_ptr()) } & SPECIAL == 0;
    }
    let found = decimal.hold().into_bound(py).call_method0(intern!(py, "is_finite"));
    found.is_ok_and(|found| found.is_truthy().unwrap_or(false))
}

/// `MPD_SPECIAL` of libmpdec: infinity, a NaN, or a signalling one.
const SPECIAL: u8 = 2 | 4 | 8;

/// Returns the flags of a `Decimal` of the interpreter's `_decimal`: behind the object's header there are its hash and the
/// number, which begins with them.
///
/// # Safety
/// The object has these parts.
unsafe fn flags(decimal: *mut ffi::PyObject) -> u8 {
    // SAFETY: as the caller guarantees.
    unsafe { decimal.add(1).cast::<ffi::Py_hash_t>().add(1).cast::<u8>().read() }
}

/// Whether numbers have their flags where they are expected.
fn has_flags(py: Python<'_>) -> PyResult<bool> {
    let class = known::decimal(py)?;
    let least = size_of::<ffi::PyObject>() + size_of::<ffi::Py_hash_t>() + size_of::<usize>();
    let size: usize = class.getattr(intern!(py, "__basicsize__"))?.extract()?;
    if cfg!(Py_GIL_DISABLED) || size < least {
        return Ok(false);
    }
    let special = |text: &str| {
        let number = class.call1((text,))?;
        // SAFETY: an instance, which is large enough.
        PyResult::Ok(unsafe { flags(number.as_ptr()) } & SPECIAL != 0)
    };
    for text in ["0", "-0", "1", "-1.50", "1E+300", "-123456789012345678901234567890.123456789"] {
        if special(text)? {
            return Ok(false);
        }
    }
    for text in ["NaN", "-NaN", "sNaN", "NaN123", "Infinity", "-Infinity"] {
        if !special(text)? {
            return Ok(false);
        }
    }
    Ok(true)
}
