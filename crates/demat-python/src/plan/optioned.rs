//! Plans under options: with hooks, names and a word on unknown fields that a call brings along.
//!
//! They are kept where plans without options are, with the class that comes first in the type; where there is none, with
//! the first hook. So nothing is kept longer than what it is about. A function that gives names is taken to give the same
//! ones each time.

use super::Plan;
use super::cache::{self, OPTIONED_KEPT, OTHERS_KEPT, has_order};
use crate::known;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyString, PyTuple};
use pyo3::{ffi, intern};

/// The plan of a type under options, as they are described: `hooks`, `rename`, `unknown`.
///
/// # Errors
/// Where the type cannot be described, or hooks of the user's raise.
pub(crate) fn plan_with<'py>(type_: &Bound<'py, PyAny>, options: &Bound<'py, PyDict>) -> PyResult<Bound<'py, Plan>> {
    let py = type_.py();
    let get = |name| options.get_item(name).map(|value| value.unwrap_or_else(|| py.None().into_bound(py)));
    let (hooks, rename) = (get(intern!(py, "hooks"))?, get(intern!(py, "rename"))?);
    let (Some(hooks_key), Some(rename_key)) = (hooks_key(&hooks)?, rename_key(&rename)?) else {
        return cache::make(type_, Some(options));
    };
    let Some((table, most)) = table(type_, &hooks, &rename)? else { return cache::make(type_, Some(options)) };
    let unknown = get(intern!(py, "unknown"))?;
    if options.contains(intern!(py, "fields"))? {
        return cache::make(type_, Some(options)); // which ones, may be said by anything that can be gone through once
    }
    let key = (type_, cache::epoch(), hooks_key, rename_key, unknown).into_pyobject(py)?;
    cache::kept(&table, most, key, type_, Some(options))
}

/// Where such a plan is kept, and how many are kept there.
fn table<'py>(
    type_: &Bound<'py, PyAny>,
    hooks: &Bound<'py, PyAny>,
    rename: &Bound<'py, PyAny>,
) -> PyResult<Option<(Bound<'py, PyDict>, usize)>> {
    if let Some(table) = cache::optioned(type_)? {
        return Ok(Some((table, OPTIONED_KEPT)));
    }
    if let Ok(hooks) = hooks.cast::<PyDict>()
        && let Some(hook) = hooks.values().iter().next()
    {
        return Ok(with_hook(&hook).map(|table| (table, OPTIONED_KEPT)));
    }
    // A function may hold anything, and would be kept for good.
    let lasts = rename.is_none() || rename.is_instance_of::<PyString>();
    Ok(lasts.then(|| (cache::others(type_.py()), OTHERS_KEPT)))
}

/// The table that a hook keeps.
fn with_hook<'py>(hook: &Bound<'py, PyAny>) -> Option<Bound<'py, PyDict>> {
    let py = hook.py();
    let name = intern!(py, "_plans");
    if let Ok(table) = hook.getattr(name) {
        return table.cast_into().ok();
    }
    let table = PyDict::new(py);
    // SAFETY: living objects. Hooks refuse to be changed from outside, which this gets past, as their own constructor does.
    let set = unsafe { ffi::PyObject_GenericSetAttr(hook.as_ptr(), name.as_ptr(), table.as_ptr()) };
    if set < 0 {
        drop(PyErr::take(py));
        return None;
    }
    Some(table)
}

/// Hooks, to be found by. Two of them are the same if they do the same, so wire types whose order counts are compared by
/// what they are. None for an instance of a subclass of `Hook`, as that may
/// change.
fn hooks_key<'py>(hooks: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = hooks.py();
    let Ok(given) = hooks.cast::<PyDict>() else { return Ok(Some(hooks.clone())) };
    let mut parts = Vec::with_capacity(given.len());
    for (class, hook) in given {
        if !hook.get_type().is(known::hook(py)?) {
            return Ok(None);
        }
        let wire = hook.getattr(intern!(py, "wire"))?;
        let ordered = if has_order(&wire, 0)? { wire.as_ptr().addr() } else { 0 };
        parts.push(PyTuple::new(py, [class, hook, ordered.into_pyobject(py)?.into_any()])?);
    }
    // What has no hash can't be found again.
    Ok(PyFrozenSet::new(py, parts).ok().map(Bound::into_any))
}

/// How fields are renamed, to be found by: a case, a dict by what is in it, a function; not a mapping of another class,
/// which may have changed.
fn rename_key<'py>(rename: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = rename.py();
    if let Ok(dict) = rename.cast_exact::<PyDict>() {
        return Ok(PyFrozenSet::new(py, dict.items()).ok().map(Bound::into_any));
    }
    let is_mapping = !rename.is_none() && !rename.is_instance_of::<PyString>() && rename.hasattr(intern!(py, "get"))?;
    Ok((!is_mapping).then(|| rename.clone()))
}
