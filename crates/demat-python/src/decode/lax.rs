//! Conversions that a decoder accepts if it is not strict.
//!
//! | type | also accepted |
//! |---|---|
//! | int | text of digits, floats without a fraction, text of one such as `3.0`, bools |
//! | float | text of a number |
//! | bool | `true`, `yes`, `on`, `1`, `false`, `no`, `off`, `0` as text in any case, the ints 1 and 0 |
//! | None, also of an optional value | the text `null`, in any case, if no other type accepts it |
//! | datetime, time | [other forms](super::lenient); for datetimes also seconds since 1970 in UTC, as a number |
//! | timedelta | seconds, as a number |
//! | UUID | the text in braces or behind `urn:uuid:` |

use super::Engine;
use crate::object::Object;
use crate::plan::Node;
use demat_core::scalar::{Int, Uuid};
use demat_core::{Error, Kind, Mark, Result, Source};
use pyo3::ffi;

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    #[cold]
    pub(super) fn lax_int(&mut self, mark: Mark, error: Error) -> Result<Object> {
        self.source.reset(mark);
        let int = match self.source.peek()? {
            Kind::Text => {
                let text = self.source.text()?.trim().to_string();
                let digits = text.strip_prefix('+').unwrap_or(&text);
                let digits = match digits.split_once('.') {
                    Some((whole, fraction)) if fraction.bytes().all(|digit| digit == b'0') => whole,
                    _ => digits,
                };
                Int::from_digits(digits).map(Int::into_owned)
            }
            Kind::Float => {
                let float = self.source.float()?;
                if float.fract() == 0.0 {
                    // SAFETY: the GIL is held; the float is finite, as sources refuse others or the fraction is not 0.
                    return self.made(unsafe { ffi::PyLong_FromDouble(float) });
                }
                None
            }
            Kind::Bool => Some(Int::I64(i64::from(self.source.bool()?))),
            _ => None,
        };
        match int {
            Some(int) => self.int_object(&int),
            None => Err(error),
        }
    }

    #[cold]
    pub(super) fn lax_float(&mut self, mark: Mark, error: Error) -> Result<Object> {
        self.source.reset(mark);
        if self.source.peek()? != Kind::Text {
            return Err(error);
        }
        let text = self.source.text()?.trim().to_string();
        match text.parse::<f64>() {
            // SAFETY: the GIL is held.
            Ok(float) if float.is_finite() => self.made(unsafe { ffi::PyFloat_FromDouble(float) }),
            _ => Err(error),
        }
    }

    #[cold]
    pub(super) fn lax_bool(&mut self, mark: Mark, error: Error) -> Result<Object> {
        self.source.reset(mark);
        match self.source.peek()? {
            Kind::Text => match self.source.text()?.trim().to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" | "1" => Ok(Object::bool(true)),
                "false" | "no" | "off" | "0" => Ok(Object::bool(false)),
                _ => Err(error),
            },
            Kind::Int => match self.source.i64() {
                Ok(int @ 0..=1) => Ok(Object::bool(int == 1)),
                _ => Err(error),
            },
            _ => Err(error),
        }
    }

    #[cold]
    pub(super) fn lax_none(&mut self, mark: Mark, error: Error) -> Result<Object> {
        self.source.reset(mark);
        if self.source.peek()? == Kind::Text && self.source.text()?.trim().eq_ignore_ascii_case("null") {
            return Ok(Object::none());
        }
        Err(error)
    }

    /// Decodes an optional value. The text `null` is `None` if the inner type refuses that text.
    #[cold]
    #[inline(never)]
    pub(super) fn lax_optional(&mut self, inner: &'e Node) -> Result<Object> {
        let mark = self.source.mark();
        let error = match self.value(inner) {
            Ok(value) => return Ok(value),
            Err(error) => self.forgive(error)?,
        };
        self.lax_none(mark, error)
    }

    #[cold]
    pub(super) fn lax_uuid(&mut self, mark: Mark, error: Error) -> Result<Object> {
        self.source.reset(mark);
        if self.source.peek()? != Kind::Text {
            return Err(error);
        }
        match Uuid::parse_lenient(self.source.text()?.trim()) {
            Some(uuid) => self.uuid_object(uuid.0),
            None => Err(error),
        }
    }
}
