//! Caches plans under options: hooks, names, the handling of unknown fields and what is left out, for a single call or
//! encoder.
//!
//! They are cached like plans without options: in the class that comes first in the type, or else in the first hook. So
//! no cache outlives what its plans describe. A function that renames fields is assumed to be pure.

use super::Plan;
use super::cache::{self, OPTIONED_KEPT, OTHERS_KEPT, has_order};
use crate::known;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyDictMethods, PyFrozenSet, PyString, PyTuple};
use pyo3::{ffi, intern};

/// Returns the plan of a type for a place, a format or `sql`, under options, if there are any.
///
/// # Errors
/// If the type can't be described, or user code raises; `TypeError` if it has hooks for single places, and there is no
/// place.
pub(crate) fn plan_at<'py>(
    type_: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
    place: Option<&str>,
) -> PyResult<Bound<'py, Plan>> {
    let plan = match options {
        None => cache::plan_of_any(type_)?,
        Some(options) => plan_with(type_, options)?,
    };
    // Most types are the same in all places.
    if plan.get().placed.is_empty() {
        return Ok(plan);
    }
    let Some(place) = place else { return Err(cache::placed(type_, &plan)) };
    let options = options.map_or_else(|| Ok(PyDict::new(type_.py())), PyDictMethods::copy)?;
    options.set_item(intern!(type_.py(), "place"), place)?;
    plan_with(type_, &options)
}

/// Returns the plan of a type under the description's options: `hooks`, `rename`, `unknown`, `omit_default`, `omit_none`,
/// `place`.
///
/// # Errors
/// If the type can't be described, or user code raises.
fn plan_with<'py>(type_: &Bound<'py, PyAny>, options: &Bound<'py, PyDict>) -> PyResult<Bound<'py, Plan>> {
    let py = type_.py();
    let get = |name| options.get_item(name).map(|value| value.unwrap_or_else(|| py.None().into_bound(py)));
    let (hooks, rename) = (get(intern!(py, "hooks"))?, get(intern!(py, "rename"))?);
    let (Some(hooks_key), Some(rename_key)) = (hooks_key(&hooks)?, rename_key(&rename)?) else {
        return cache::make(type_, Some(options));
    };
    let Some((table, most)) = table(type_, &hooks, &rename)? else { return cache::make(type_, Some(options)) };
    let unknown = get(intern!(py, "unknown"))?;
    if options.contains(intern!(py, "fields"))? {
        return cache::make(type_, Some(options)); // `fields` may be an iterator, which can't be a key
    }
    let (omit_default, omit_none) = (get(intern!(py, "omit_default"))?, get(intern!(py, "omit_none"))?);
    let (names, place) = ((hooks_key, rename_key), get(intern!(py, "place"))?);
    let key = (type_, cache::epoch(), names, unknown, omit_default, omit_none, place).into_pyobject(py)?;
    cache::kept(&table, most, key, type_, Some(options))
}

/// Returns the table that caches such a plan, and its maximum size.
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
    // A function may reference any objects, which a global table would keep alive forever.
    let lasts = rename.is_none() || rename.is_instance_of::<PyString>();
    Ok(lasts.then(|| (cache::others(type_.py()), OTHERS_KEPT)))
}

/// Returns the table in a hook.
fn with_hook<'py>(hook: &Bound<'py, PyAny>) -> Option<Bound<'py, PyDict>> {
    let py = hook.py();
    let name = intern!(py, "_plans");
    if let Ok(table) = hook.getattr(name) {
        return table.cast_into().ok();
    }
    let table = PyDict::new(py);
    // SAFETY: live objects. Hooks are immutable from outside; this bypasses that, as their constructor does.
    let set = unsafe { ffi::PyObject_GenericSetAttr(hook.as_ptr(), name.as_ptr(), table.as_ptr()) };
    if set < 0 {
        drop(PyErr::take(py));
        return None;
    }
    Some(table)
}

/// Returns a key for hooks. Hooks with the same functions have the same key; wire types with a significant order are
/// compared by identity. Returns `None` for an instance of a subclass of `Hook`, as it may be mutable.
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
    // Unhashable parts can't be a key.
    Ok(PyFrozenSet::new(py, parts).ok().map(Bound::into_any))
}

/// Returns a key for how fields are renamed: a case, the contents of a dict, or a function. `None` for other mappings,
/// which may be mutable.
fn rename_key<'py>(rename: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    let py = rename.py();
    if let Ok(dict) = rename.cast_exact::<PyDict>() {
        return Ok(PyFrozenSet::new(py, dict.items()).ok().map(Bound::into_any));
    }
    let is_mapping = !rename.is_none() && !rename.is_instance_of::<PyString>() && rename.hasattr(intern!(py, "get"))?;
    Ok((!is_mapping).then(|| rename.clone()))
}
