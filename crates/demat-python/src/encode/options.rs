//! The options of encoding.

use super::classes::Found;
use crate::decode::{flag, has_fields};
use crate::format::Format;
use crate::plan::{Plan, Program, any_declared_outside, epoch, plan_at};
use crate::setting::{Unset, count, setting_value};
use demat_core::Shape;
use demat_formats::Keep;
use demat_formats::codec::{Model, Setting, WriteOptions};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyType};
use pyo3::{Borrowed, PyTraverseError, PyVisit, intern};
use std::sync::atomic::{AtomicU64, Ordering};

/// The arguments of `encode` besides the value.
#[derive(Debug)]
pub(crate) struct EncodeOptions {
    /// The options of the format's writer.
    pub(crate) write: WriteOptions,
    /// The plan of the `type` argument.
    pub(super) plan: Option<Py<Plan>>,
    /// Whether values that do not match the type are refused, rather than encoded by their own class.
    pub(super) asks: bool,
    /// The shape of that type, for formats that need it in advance.
    pub(super) shape: Option<Shape>,
    /// Hooks and names for this call or encoder alone.
    pub(super) said: Option<Said>,
    /// The place whose hooks count: the format, or `sql`.
    pub(super) place: Option<&'static str>,
    /// The format that map keys are written in, to find keys with the same text; `None` if no keys are written.
    pub(super) format: Option<Format>,
    /// Called for values of unknown classes.
    pub(super) default: Option<Py<PyAny>>,
    /// Whether sets are written in order.
    pub(super) sorts_sets: bool,
    /// Whether to copy the bytes of lazy records without validation: `pickle` and `copy` turn them into views again.
    pub(super) trusts_views: bool,
}

/// The options of all formats.
const COMMON: &[&str] = &["type", "rename", "hooks", "default", "sort_sets", "depth"];
/// The options of formats that name their fields, so that any of them can be left out.
const OMITTING: &[&str] = &["omit_default", "omit_none"];

/// Returns the options that the engine knows, for a format.
fn common(format: Format) -> impl Iterator<Item = &'static str> {
    let omitting = matches!(format.about().model, Model::Nested | Model::Json | Model::JsonLines | Model::Markup);
    // A schema says which fields a record has.
    let omitting = omitting && !format.is_written_by_shape();
    COMMON.iter().chain(OMITTING.iter().filter(move |_| omitting)).copied()
}

impl Default for EncodeOptions {
    fn default() -> Self {
        let write = WriteOptions::default();
        let (plan, shape, said, default, place, format) = (None, None, None, None, None, None);
        Self { write, plan, asks: true, shape, said, place, format, default, sorts_sets: false, trusts_views: false }
    }
}

impl EncodeOptions {
    /// Parses keyword arguments.
    ///
    /// # Errors
    /// `TypeError` for an unknown option or a value of a wrong type; `ValueError` for another invalid value; the
    /// exceptions of a type that can't be described.
    pub(crate) fn parse(format: Format, given: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut options = Self { place: Some(format.name()), format: Some(format), ..Self::default() };
        let Some(given) = given else { return Ok(options) };
        for (name, value) in given {
            let name = name.cast_into::<PyString>()?;
            let name = name.to_str()?;
            if !common(format).any(|own| own == name) && format.write_setting(name).is_none() {
                let own = format.about().write.iter().map(|setting| setting.name);
                let own = own.filter(|name| !COMMON.contains(name));
                let known = common(format).chain(own).collect::<Vec<_>>().join(", ");
                let message = format!("{}.encode has no option {name:?}; it has {known}", format.name());
                return Err(PyTypeError::new_err(message));
            }
            options.set(format, name, &value)?;
        }
        // Hooks and names change the plan, so all options must be parsed before it.
        if let Some(type_) = given.get_item("type")?.filter(|type_| !type_.is_none()) {
            let plan = match &options.said {
                Some(said) => {
                    let plan = plan_at(&type_, Some(said.options.bind(given.py())), options.place)?;
                    has_fields(&plan, &type_, said.options.bind(given.py()))?;
                    Ok(plan)
                }
                None => plan_at(&type_, None, options.place),
            };
            options.plan = Some(plan?.unbind());
        } else if let Some(hooks) = given.get_item("hooks")?.filter(|hooks| !hooks.is_none()) {
            let py = given.py();
            let describe = py.import(intern!(py, "demat._describe.hooks"))?;
            describe.getattr(intern!(py, "refuse_builtins"))?.call1((hooks,))?;
        }
        if let Some(codec) = format.codec() {
            // Check that the options do not contradict each other.
            let sink = codec.sink(&options.write, Box::new(Keep)).map(drop);
            sink.map_err(|error| PyValueError::new_err(error.to_string()))?;
        }
        let py = given.py();
        if format.is_table() {
            options.shape = options.plan.as_ref().map(|plan| plan.get().program.shape(py)).transpose()?;
        } else if format.is_written_by_shape() && !format.is_numbered() {
            let shape = options.plan.as_ref().map(|plan| plan.get().program.shape_written(py).cloned());
            options.shape = shape.transpose()?;
        }
        Ok(options)
    }

    fn set(&mut self, format: Format, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        match name {
            "type" => {}
            "rename" | "hooks" | "default" if value.is_none() => {}
            "hooks" => self.say(name, checked_hooks(value)?.as_any())?,
            "rename" => self.say(name, &checked_rename(value)?)?,
            "omit_default" | "omit_none" => {
                if flag(name, value)? {
                    self.say(name, value)?;
                }
            }
            "default" if value.is_callable() => self.default = Some(value.clone().unbind()),
            "default" => return Err(wrong(name, "callable with one argument, or None", value)),
            "sort_sets" => self.sorts_sets |= flag(name, value)?,
            "depth" => self.write.depth = count(name, value)?,
            _ => {
                // Equal sets may be iterated in different orders, and must have equal bytes.
                self.sorts_sets |= name == "deterministic" && value.is_truthy()?;
                let value = |setting: &'static Setting| setting_value(setting, value).map_err(Unset::Raised);
                format.set_write(&mut self.write, name, value).map_err(PyErr::from)?;
            }
        }
        Ok(())
    }

    /// Returns the default options, for values of a type at a place; values of other types are encoded by their own
    /// class.
    ///
    /// # Errors
    /// If the type can't be described.
    pub(crate) fn of_type(type_: Option<&Bound<'_, PyAny>>, place: Option<&'static str>) -> PyResult<Self> {
        let plan = type_.map(|type_| plan_at(type_, None, place).map(Bound::unbind)).transpose()?;
        Ok(Self { plan, asks: false, place, ..Self::default() })
    }

    /// Returns the same options for no place in particular.
    #[must_use]
    pub(crate) fn anywhere(self) -> Self {
        Self { place: None, format: None, ..self }
    }

    /// Returns the default options, for a format.
    pub(crate) fn of_format(format: Format) -> Self {
        Self { format: Some(format), ..Self::default() }
    }

    /// Returns the same options, for values that are written in a format.
    #[must_use]
    pub(crate) fn written_as(self, format: Format) -> Self {
        Self { format: Some(format), ..self }
    }

    fn say(&mut self, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = value.py();
        self.said.get_or_insert_with(|| Said::nothing(py)).options.bind(py).set_item(name, value)
    }

    /// Returns whether this call or encoder has hooks of its own.
    pub(super) fn has_hooks(&self) -> bool {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        self.said.as_ref().is_some_and(|said| said.options.bind(py).contains(intern!(py, "hooks")).unwrap_or(true))
    }

    /// Returns whether dates and times are encoded as such wherever builtin scalars are: neither this call nor the program
    /// has a hook for one of their classes.
    #[inline]
    pub(super) fn leaves_moments(&self) -> bool {
        // SAFETY: engines run with the GIL held.
        let py = unsafe { Python::assume_attached() };
        (self.said.is_none() || !self.hooks_moments(py)) && !any_declared_of_moments(py)
    }

    #[cold]
    fn hooks_moments(&self, py: Python<'_>) -> bool {
        let Some(said) = &self.said else { return false };
        let hooks = said.options.bind(py).get_item(intern!(py, "hooks")).ok().flatten();
        let Some(hooks) = hooks.filter(|hooks| !hooks.is_none()) else { return false };
        moment_classes(py).is_none_or(|classes| classes.iter().any(|class| hooks.contains(class).unwrap_or(true)))
    }

    /// Returns the items of a set in order.
    ///
    /// # Errors
    /// If an item can't be encoded.
    pub(super) fn in_order<'py>(&self, set: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        let py = set.py();
        let hooks = self.said.as_ref().map(|said| said.options.bind(py).get_item(intern!(py, "hooks"))).transpose()?;
        let default = self.default.as_ref().map(|default| default.bind(py));
        let in_order = py.import(intern!(py, "demat._in_order"))?.getattr(intern!(py, "in_order"))?;
        Ok(in_order.call1((set, default, hooks.flatten()))?.cast_into()?)
    }

    /// Returns the program of the `type` argument, if any.
    pub(super) fn program(&self) -> Option<&Program> {
        self.plan.as_ref().map(|plan| &plan.get().program)
    }

    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.plan)?;
        visit.call(&self.default)?;
        if let Some(said) = &self.said {
            visit.call(&said.options)?;
            visit.call(&said.plans)?;
        }
        Ok(())
    }
}

/// The classes of dates and times, if their module was loaded.
fn moment_classes(py: Python<'_>) -> Option<[Borrowed<'_, '_, PyAny>; 3]> {
    // SAFETY: the GIL is held; the module's interface is a constant once it is imported, and null before.
    unsafe {
        let api = pyo3::ffi::PyDateTimeAPI().as_ref()?;
        Some([api.DateTimeType, api.DateType, api.TimeType].map(|class| Borrowed::from_ptr(py, class.cast())))
    }
}

/// Returns whether something was registered for the classes of dates and times. The answer is kept as long as nothing else
/// is registered for any class.
#[inline]
fn any_declared_of_moments(py: Python<'_>) -> bool {
    /// The epoch of the last answer, which is in the lowest bit.
    static LAST: AtomicU64 = AtomicU64::new(u64::MAX);
    if !any_declared_outside(py) {
        return false;
    }
    let (epoch, last) = (epoch(), LAST.load(Ordering::Relaxed));
    if last >> 1 == epoch {
        return last & 1 == 1;
    }
    let Some(classes) = moment_classes(py) else { return true };
    let any = is_declared_of(py, &classes).unwrap_or(true);
    LAST.store(epoch << 1 | u64::from(any), Ordering::Relaxed);
    any
}

#[cold]
fn is_declared_of(py: Python<'_>, classes: &[Borrowed<'_, '_, PyAny>]) -> PyResult<bool> {
    let own = py.import(intern!(py, "demat._declared"))?.getattr(intern!(py, "own"))?;
    classes.iter().try_fold(false, |found, class| Ok(found || own.call1((class,))?.is_truthy()?))
}

/// Copies a mapping of hooks, so that later changes to it have no effect.
///
/// # Errors
/// `TypeError` if it is no such mapping.
pub(crate) fn checked_hooks<'py>(hooks: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyDict>> {
    let none = || wrong("hooks", "a mapping of classes to demat.Hook", hooks);
    let own = PyDict::new(hooks.py());
    own.update(hooks.cast().map_err(|_| none())?)?;
    for (class, hook) in &own {
        let is_hook = ["encode", "decode", "wire"].into_iter().all(|part| hook.hasattr(part).unwrap_or(false));
        if !class.is_instance_of::<PyType>() || !is_hook {
            return Err(none());
        }
    }
    Ok(own)
}

/// Parses how to rename fields.
///
/// # Errors
/// `TypeError` and `ValueError` if it is no valid way.
pub(crate) fn checked_rename<'py>(rename: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = rename.py();
    py.import(intern!(py, "demat._configure"))?.getattr(intern!(py, "_rename"))?.call1((rename,))
}

/// Hooks and names for this call or encoder alone, and the class plans that depend on them.
#[derive(Debug)]
pub(super) struct Said {
    /// The options with which classes are described.
    options: Py<PyDict>,
    /// The plan of each class.
    plans: Py<PyDict>,
}

impl Said {
    fn nothing(py: Python<'_>) -> Self {
        Self { options: PyDict::new(py).unbind(), plans: PyDict::new(py).unbind() }
    }

    /// Returns how to encode a class.
    ///
    /// # Errors
    /// As [`Found::search`].
    pub(super) fn found(&self, class: Borrowed<'_, '_, PyType>, place: Option<&str>) -> PyResult<Found> {
        let py = class.py();
        let plans = self.plans.bind(py);
        if let Some(plan) = plans.get_item(class)? {
            return Ok(Found::Plan(crate::object::Object::of(&plan)));
        }
        let found = Found::search(class, Some(self.options.bind(py)), place)?;
        if let Found::Plan(plan) = &found {
            plans.set_item(class, plan.clone().into_bound(py))?;
        }
        Ok(found)
    }
}

fn wrong(name: &str, expected: &str, value: &Bound<'_, PyAny>) -> PyErr {
    let found = value.get_type().name().map(|name| name.to_string()).unwrap_or_default();
    PyTypeError::new_err(format!("{name} must be {expected}, not {found}"))
}
