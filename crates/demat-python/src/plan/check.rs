use pyo3::prelude::*;

/// The constraints of a value besides its type.
#[derive(Debug, Default)]
pub(crate) struct Checks {
    pub(crate) ge: Option<Py<PyAny>>,
    pub(crate) gt: Option<Py<PyAny>>,
    pub(crate) le: Option<Py<PyAny>>,
    pub(crate) lt: Option<Py<PyAny>>,
    pub(crate) multiple_of: Option<Py<PyAny>>,
    /// In characters, bytes or items.
    pub(crate) min_length: Option<usize>,
    pub(crate) max_length: Option<usize>,
    /// The `search` method of the compiled pattern, and its text.
    pub(crate) pattern: Option<(Py<PyAny>, String)>,
}
