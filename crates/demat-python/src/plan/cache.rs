//! Caches plans in the classes that they describe.
//!
//! A plan references the classes that it creates, so a global table of plans would keep every class of the program
//! alive. Instead, each class has an attribute with the plans in which it comes first. The collector detects that cycle
//! and frees the plans together with the class.

use super::{Plan, Program};
use crate::object::Object;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple, PyType};
use pyo3::{ffi, intern};
use std::cell::UnsafeCell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Incremented when hooks or options of classes are registered; plans of earlier epochs are not used any more.
static EPOCH: AtomicU64 = AtomicU64::new(0);

/// The plans of types that contain no user class, such as `list[int]`, and of classes that accept no attribute.
static OTHERS: PyOnceLock<Py<PyDict>> = PyOnceLock::new();

/// The maximum depth to which types are inspected; for deeper ones, the slower but correct way is taken.
const DEEPEST: u32 = 8;

/// The maximum number of plans in [`OTHERS`].
pub(super) const OTHERS_KEPT: usize = 256;

/// The maximum number of plans under options per class.
pub(super) const OPTIONED_KEPT: usize = 64;

/// The plans in which a class comes first.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct Plans {
    /// The address of the class, to distinguish its own attribute from an inherited one.
    owner: usize,
    epoch: u64,
    /// The plan of the class itself.
    own: OnceLock<Py<Plan>>,
    /// The plans of types that contain the class, such as `list[Task]`.
    others: Py<PyDict>,
    /// The plans of the class and of types that contain it, under options.
    optioned: OnceLock<Py<PyDict>>,
}

#[pymethods]
impl Plans {
    /// Creates plans that belong to no class. Code that copies a class with its attributes also copies this; the copy
    /// is replaced at its first use.
    #[new]
    fn none(py: Python<'_>) -> Self {
        Self { owner: 0, epoch: 0, own: OnceLock::new(), others: PyDict::new(py).unbind(), optioned: OnceLock::new() }
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> (Bound<'py, PyType>, Bound<'py, PyTuple>) {
        (slf.get_type(), PyTuple::empty(slf.py()))
    }

    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        visit.call(&self.others)?;
        self.optioned.get().map_or(Ok(()), |optioned| visit.call(optioned))?;
        self.own.get().map_or(Ok(()), |own| visit.call(own))
    }
}

/// Invalidates all plans, as hooks or options of a class were registered.
#[pyfunction]
pub(crate) fn forget_plans() {
    EPOCH.fetch_add(1, Ordering::Relaxed);
}

/// The epoch in which [`any_declared_outside`] was answered last, and the answer in the lowest bit.
static OUTSIDE: AtomicU64 = AtomicU64::new(u64::MAX);

/// Returns whether anything was registered for classes that can't have attributes, such as those implemented in C.
pub(crate) fn any_declared_outside(py: Python<'_>) -> bool {
    let (epoch, last) = (epoch(), OUTSIDE.load(Ordering::Relaxed));
    if last >> 1 == epoch {
        return last & 1 == 1;
    }
    let any = look_outside(py);
    OUTSIDE.store(epoch << 1 | u64::from(any), Ordering::Relaxed);
    any
}

#[cold]
fn look_outside(py: Python<'_>) -> bool {
    let look = || -> PyResult<bool> {
        let modules = py.import(intern!(py, "sys"))?.getattr(intern!(py, "modules"))?;
        let declared = modules.call_method1(intern!(py, "get"), (intern!(py, "demat._declared"),))?;
        Ok(!declared.is_none() && !declared.getattr(intern!(py, "_others"))?.is_none())
    };
    look().unwrap_or(false)
}

/// Returns the current epoch: it changes whenever plans are invalidated.
pub(crate) fn epoch() -> u64 {
    EPOCH.load(Ordering::Relaxed)
}

/// Returns whether a class owns its own plan: then the plan lives as long as the class is unchanged.
pub(crate) fn is_kept(class: &Bound<'_, PyType>, plan: &Bound<'_, Plan>) -> bool {
    let py = class.py();
    // SAFETY: the attribute is looked up with `type`'s own function, which runs no user code of a metaclass.
    let found = unsafe {
        let look = ffi::PyType_Type.tp_getattro;
        look.map(|look| look(class.as_ptr(), intern!(py, "__demat_plans__").as_ptr()))
    };
    // SAFETY: a new reference, or null with an exception.
    let found = found.and_then(|found| unsafe { Bound::from_owned_ptr_or_opt(py, found) });
    let Some(found) = found else {
        // SAFETY: the GIL is held.
        unsafe { ffi::PyErr_Clear() };
        return false;
    };
    found.cast_into::<Plans>().is_ok_and(|plans| {
        let plans = plans.get();
        plans.owner == class.as_ptr() as usize && plans.own.get().is_some_and(|own| own.is(plan))
    })
}

/// Returns the plan of a type without options, for no place in particular.
///
/// # Errors
/// If the type can't be described, or user code raises; `TypeError` if it has hooks for single places.
pub(crate) fn plan_of<'py>(type_: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Plan>> {
    let plan = plan_of_any(type_)?;
    if plan.get().placed.is_empty() { Ok(plan) } else { Err(placed(type_, &plan)) }
}

/// Returns the error for a type with hooks for single places, where the place is none of them.
#[cold]
pub(super) fn placed(type_: &Bound<'_, PyAny>, plan: &Bound<'_, Plan>) -> PyErr {
    let describe = || {
        let py = type_.py();
        let refuse = py.import(intern!(py, "demat._describe"))?.getattr(intern!(py, "placed"))?;
        refuse.call1((type_, plan.get().placed.to_vec()))
    };
    describe().map_or_else(|raised| raised, PyErr::from_value)
}

/// Returns whether a type has hooks for single places.
///
/// # Errors
/// If the type can't be described, or user code raises.
pub(crate) fn has_places(type_: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(!plan_of_any(type_)?.get().placed.is_empty())
}

/// Returns the plan of a type without options, which may have to be used for no place.
///
/// # Errors
/// If the type can't be described, or user code raises.
pub(super) fn plan_of_any<'py>(type_: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Plan>> {
    let py = type_.py();
    let epoch = EPOCH.load(Ordering::Relaxed);
    if let Ok(class) = type_.cast::<PyType>()
        && let Some(plans) = plans_of(class, epoch)?
    {
        if let Some(plan) = plans.get().own.get() {
            return Ok(plan.bind(py).clone());
        }
        let plan = make(type_, None)?;
        let _ = plans.get().own.set(plan.clone().unbind()); // another thread may have been faster: either is right
        return Ok(plan);
    }
    let (table, most) = match plans_at_home(type_, epoch)? {
        Some(plans) => (plans.get().others.bind(py).clone(), usize::MAX),
        None => (others(py), OTHERS_KEPT),
    };
    // Types are compared by value: each evaluation of `list[int]` creates a new object.
    let key = PyTuple::new(py, [type_.clone(), epoch.into_pyobject(py)?.into_any()])?;
    kept(&table, most, key, type_, None)
}

/// Returns the table of types that contain no user class.
pub(super) fn others(py: Python<'_>) -> Bound<'_, PyDict> {
    OTHERS.get_or_init(py, || PyDict::new(py).unbind()).bind(py).clone()
}

/// Returns the table of plans under options in the class that owns a type's plans, if there is such a class.
///
/// # Errors
/// Never fails in practice.
pub(super) fn optioned<'py>(type_: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyDict>>> {
    let py = type_.py();
    let plans = plans_at_home(type_, epoch())?;
    Ok(plans.map(|plans| plans.get().optioned.get_or_init(|| PyDict::new(py).unbind()).bind(py).clone()))
}

/// Returns the plans in the first user class that a type contains.
fn plans_at_home<'py>(type_: &Bound<'py, PyAny>, epoch: u64) -> PyResult<Option<Bound<'py, Plans>>> {
    match home(type_, 0)? {
        Some(class) => plans_of(&class, epoch),
        None => Ok(None),
    }
}

/// Returns the plan at a key, which includes the type; creates and caches it if there is none.
///
/// # Errors
/// As [`plan_of`].
pub(super) fn kept<'py>(
    table: &Bound<'py, PyDict>,
    most: usize,
    mut key: Bound<'py, PyTuple>,
    type_: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, Plan>> {
    let py = type_.py();
    if key.hash().is_err() {
        return make(type_, options);
    }
    while let Some(found) = table.get_item(&key)? {
        let found = match found.cast_into::<Plan>() {
            Ok(plan) => return Ok(plan),
            Err(error) => error.into_inner().cast_into::<PyTuple>()?,
        };
        let plan = found.get_item(1)?.cast_into::<Plan>()?;
        if is_same(&found.get_item(0)?, type_)? && plan.get().counts(py)? {
            return Ok(plan);
        }
        // The key has the same types in another order, or names that mean something else here; tries the next key.
        key = PyTuple::new(py, key.iter().chain([py.None().into_bound(py)]).collect::<Vec<_>>())?;
    }
    let plan = make(type_, options)?;
    if table.len() >= most {
        table.clear();
    }
    if plan.get().caller.is_some() || has_order(type_, 0)? {
        table.set_item(&key, (type_, &plan))?;
    } else {
        table.set_item(&key, &plan)?;
    }
    Ok(plan)
}

/// Returns the plan of a class that owns it, if it was recently used: see [`remember`].
///
/// # Safety
/// The GIL is held, and the object is alive.
#[inline(always)]
pub(crate) unsafe fn recent(type_: *mut ffi::PyObject) -> Option<Object> {
    // SAFETY: the GIL is held, and no other code runs while the entry is read. An object at the address of a class,
    // with the entry's version number, is that class, and it has not changed since it was seen to own the plan.
    unsafe {
        let entry = *RECENT.slot(type_);
        if entry.class != type_ || entry.version == 0 || entry.epoch != epoch() {
            return None;
        }
        // The address may have been reused for another object.
        if ffi::PyType_Check(type_) == 0 || (*type_.cast::<ffi::PyTypeObject>()).tp_version_tag != entry.version {
            return None;
        }
        Some(Object::shared(entry.plan))
    }
}

/// Enters the plan of a class into the table of [`recent`], if the class owns the plan.
///
/// The interpreter assigns each class a version number at its first lookup, a new one after each change, and never the
/// same twice: its own caches rely on that. A class that owns its plan as an attribute owns it as long as the number
/// stays the same.
pub(crate) fn remember(type_: &Bound<'_, PyAny>, plan: &Bound<'_, Plan>) {
    let Ok(class) = type_.cast::<PyType>() else { return };
    if !is_kept(class, plan) {
        return;
    }
    // SAFETY: a live class; otherwise as above.
    unsafe {
        let version = (*class.as_ptr().cast::<ffi::PyTypeObject>()).tp_version_tag;
        *RECENT.slot(class.as_ptr()) = Recent { class: class.as_ptr(), version, epoch: epoch(), plan: plan.as_ptr() };
    }
}

/// A table of plans by the addresses of their classes.
struct Table(UnsafeCell<[Recent; 1 << RECENT_BITS]>);

// SAFETY: only used with the GIL held.
unsafe impl Sync for Table {}

#[derive(Clone, Copy)]
struct Recent {
    class: *mut ffi::PyObject,
    version: u32,
    epoch: u64,
    plan: *mut ffi::PyObject,
}

const RECENT_BITS: u32 = 6;

static RECENT: Table = Table(UnsafeCell::new(
    [Recent { class: core::ptr::null_mut(), version: 0, epoch: 0, plan: core::ptr::null_mut() }; 1 << RECENT_BITS],
));

impl Table {
    #[inline(always)]
    fn slot(&self, class: *mut ffi::PyObject) -> *mut Recent {
        let place = (class.addr() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - RECENT_BITS);
        // SAFETY: the index has `RECENT_BITS` bits, as many as the table's size.
        unsafe { self.0.get().cast::<Recent>().add(place as usize) }
    }
}

/// Returns whether `==` on a type ignores a significant order of its parts: that of a union, or of literals.
pub(super) fn has_order(type_: &Bound<'_, PyAny>, depth: u32) -> PyResult<bool> {
    let Some(parts) = parts(type_) else { return Ok(false) };
    let name = type_.get_type().name()?;
    let name = name.to_str()?;
    if depth >= DEEPEST || ["Union", "Literal", "Annotated"].iter().any(|blind| name.contains(blind)) {
        return Ok(true);
    }
    parts.iter().try_fold(false, |found, part| Ok(found || has_order(&part, depth + 1)?))
}

/// Returns whether two equal types have their parts in the same order.
fn is_same(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
    if one.is(other) {
        return Ok(true);
    }
    match (parts(one), parts(other)) {
        (Some(ones), Some(others)) if ones.len() == others.len() => {
            ones.iter().zip(others).try_fold(true, |same, (one, other)| Ok(same && is_same(&one, &other)?))
        }
        (None, None) => Ok(one.get_type().is(other.get_type()) && one.eq(other)?),
        _ => Ok(false),
    }
}

/// Returns the arguments of a type: `int` and `str` for `dict[int, str]`.
fn parts<'py>(type_: &Bound<'py, PyAny>) -> Option<Bound<'py, PyTuple>> {
    if type_.is_instance_of::<PyType>() {
        return None;
    }
    type_.getattr(intern!(type_.py(), "__args__")).ok()?.cast_into().ok()
}

/// Describes and compiles a type.
///
/// # Errors
/// As [`plan_of`].
pub(super) fn make<'py>(type_: &Bound<'py, PyAny>, options: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, Plan>> {
    let py = type_.py();
    let describe = py.import(intern!(py, "demat._describe"))?.getattr(intern!(py, "described"))?;
    let (description, placed, caller): (Bound<'_, PyAny>, Vec<String>, Option<Py<PyAny>>) =
        describe.call1((type_, options))?.extract()?;
    let program = Program::compile(&description)?;
    let (description, views) = (description.unbind(), OnceLock::new());
    Bound::new(py, Plan { program, description, placed: placed.into(), caller, views })
}

/// Returns the plans in a class, creating them if there are none. `None` for classes that can't have the attribute.
fn plans_of<'py>(class: &Bound<'py, PyType>, epoch: u64) -> PyResult<Option<Bound<'py, Plans>>> {
    let py = class.py();
    // SAFETY: a live class.
    if unsafe { ffi::PyType_HasFeature(class.as_ptr().cast(), ffi::Py_TPFLAGS_HEAPTYPE) } == 0 {
        return Ok(None);
    }
    let name = intern!(py, "__demat_plans__");
    let owner = class.as_ptr() as usize;
    if let Ok(found) = class.getattr(name)
        && let Ok(plans) = found.cast_into::<Plans>()
        && (plans.get().owner, plans.get().epoch) == (owner, epoch)
    {
        return Ok(Some(plans));
    }
    let own = OnceLock::new();
    let plans = Plans { owner, epoch, own, others: PyDict::new(py).unbind(), optioned: OnceLock::new() };
    let plans = Bound::new(py, plans)?;
    // Enums and classes with a metaclass may refuse.
    Ok(class.setattr(name, &plans).is_ok().then_some(plans))
}

/// Returns the first user class that a type contains.
fn home<'py>(type_: &Bound<'py, PyAny>, depth: u32) -> PyResult<Option<Bound<'py, PyType>>> {
    if let Ok(class) = type_.cast::<PyType>() {
        // SAFETY: as above.
        let own = unsafe { ffi::PyType_HasFeature(class.as_ptr().cast(), ffi::Py_TPFLAGS_HEAPTYPE) } != 0;
        return Ok(own.then(|| class.clone()));
    }
    if depth < DEEPEST {
        for part in ["__origin__", "__args__"] {
            let Ok(found) = type_.getattr(part) else { continue };
            if let Ok(args) = found.cast::<PyTuple>() {
                for arg in args {
                    if let Some(class) = home(&arg, depth + 1)? {
                        return Ok(Some(class));
                    }
                }
            } else if let Some(class) = home(&found, depth + 1)? {
                return Ok(Some(class));
            }
        }
    }
    Ok(None)
}
