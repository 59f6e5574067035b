//! Checks the constraints of a value besides its type.

use super::Engine;
use crate::object::{self, Object};
use crate::plan::{Checks, Node};
use demat_core::excerpt;
use demat_core::{Error, ErrorKind, Result, Source};
use pyo3::prelude::*;
use pyo3::{ffi, intern};

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    #[inline(never)]
    pub(super) fn checked(&mut self, checked: &'e (Node, Checks)) -> Result<Object> {
        let mark = self.source.mark();
        let gathered = self.gathered();
        let value = self.value(&checked.0)?;
        // `None` of an optional value is not checked, nor is the placeholder of a refused value.
        if value.as_ptr() == Object::none().as_ptr() || self.gathered() > gathered {
            return Ok(value);
        }
        match self.broken(&checked.1, &value) {
            Ok(None) => Ok(value),
            Ok(Some(expected)) => {
                let value = value.into_bound(self.py);
                let found = match value.len() {
                    Ok(len) if expected.starts_with("a length") => format!("a length of {len}"),
                    _ => shortened(&value),
                };
                let error = Error::mismatch(ErrorKind::Constraint, expected, found);
                Err(self.about_last(mark, error))
            }
            Err(raised) => Err(self.raised(raised)),
        }
    }

    /// Returns the first constraint that the value violates, as text.
    pub(super) fn broken(&self, checks: &Checks, value: &Object) -> PyResult<Option<String>> {
        let bounds = [
            (&checks.ge, ffi::Py_GE, ">="),
            (&checks.gt, ffi::Py_GT, ">"),
            (&checks.le, ffi::Py_LE, "<="),
            (&checks.lt, ffi::Py_LT, "<"),
        ];
        for (bound, operator, sign) in bounds {
            let Some(bound) = bound else { continue };
            // SAFETY: live objects.
            let passed = unsafe { ffi::PyObject_RichCompareBool(value.as_ptr(), bound.as_ptr(), operator) };
            if passed < 0 {
                return Err(object::fetch());
            }
            if passed == 0 {
                return Ok(Some(format!("a value {sign} {}", bound.bind(self.py))));
            }
        }
        let value = value.clone().into_bound(self.py);
        if let Some(factor) = &checks.multiple_of {
            let exact =
                self.py.import(intern!(self.py, "demat._multiple"))?.getattr(intern!(self.py, "is_multiple"))?;
            if !exact.call1((&value, factor.bind(self.py)))?.is_truthy()? {
                return Ok(Some(format!("a multiple of {}", factor.bind(self.py))));
            }
        }
        if checks.min_length.is_some() || checks.max_length.is_some() {
            let len = value.len()?;
            if checks.min_length.is_some_and(|least| len < least) {
                return Ok(Some(format!("a length of at least {}", checks.min_length.unwrap_or(0))));
            }
            if checks.max_length.is_some_and(|most| len > most) {
                return Ok(Some(format!("a length of at most {}", checks.max_length.unwrap_or(0))));
            }
        }
        if let Some((search, pattern)) = &checks.pattern
            && search.bind(self.py).call1((&value,))?.is_none()
        {
            return Ok(Some(format!("text that matches `{pattern}`")));
        }
        Ok(None)
    }
}

/// Returns the text of a value for an error message, truncated to 40 characters.
fn shortened(value: &Bound<'_, PyAny>) -> String {
    let text = value.str().map_or_else(|_| "?".to_string(), |text| text.to_string_lossy().into_owned());
    excerpt::name(&text)
}
