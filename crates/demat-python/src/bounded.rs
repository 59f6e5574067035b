//! Integer arguments of Python functions, with a range check that raises `ValueError`.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// An integer argument. An int outside the range of `T` raises a `ValueError` that names the bounds; a plain `T`
/// argument would raise an `OverflowError` about C types.
#[derive(Clone, Copy)]
pub(crate) struct Bounded<T>(pub(crate) T);

/// Integer types with bounds.
pub(crate) trait Bounds: Copy {
    /// Returns the minimum and the maximum, as text.
    fn bounds() -> (String, String);
}

macro_rules! bounds {
    ($($int:ty)*) => {$(
        impl Bounds for $int {
            fn bounds() -> (String, String) {
                (<$int>::MIN.to_string(), <$int>::MAX.to_string())
            }
        }
    )*};
}

bounds!(isize u16 u64 usize);

impl<'a, 'py, T: Bounds + FromPyObject<'a, 'py>> FromPyObject<'a, 'py> for Bounded<T> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        match object.extract::<T>().map_err(Into::<PyErr>::into) {
            Ok(int) => Ok(Self(int)),
            Err(error) if error.is_instance_of::<PyOverflowError>(py) => {
                let (least, most) = T::bounds();
                let found = object.repr().map_or_else(|_| "another".to_string(), |repr| repr.to_string());
                Err(PyValueError::new_err(format!("expected an int from {least} to {most}, found {found}")))
            }
            Err(error) => Err(error),
        }
    }
}
