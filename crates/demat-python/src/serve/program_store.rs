//! A store that a class of the program implements.

use super::answered::shared;
use super::raised::{Origin, raised_by_store};
use super::turns::Turns;
use super::watching::{Tell, Watching};
use crate::decode::{self, DecodeOptions};
use crate::encode::{self, EncodeOptions};
use crate::plan::{Plan, plan_of};
use bytes::Bytes;
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Tape, Value, copy_any};
use demat_place::Format;
use demat_store::{
    Body, Changes, Fault, Node, Put, Query, Reference, Store, ValueBody, Verb, Verbs, Version, Watch, Watcher, When,
    fault_of, representation, within,
};
use pyo3::exceptions::PyRecursionError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString, PyTuple};
use std::cell::Cell;
use std::sync::{Arc, OnceLock};

/// A call needs that much of the stack: the interpreter's frames, and those of stores that the method calls.
const STACK: usize = 256 * 1024;
/// The number of names that are asked for at once.
const NAMES: usize = 256;

/// A store that a class of the program implements. Its Python wrapper calls the methods and checks what they return.
pub(super) struct ProgramStore {
    own: Kept,
    name: String,
    verbs: Verbs,
    has_children: bool,
    has_version: bool,
    has_watch: bool,
    /// What values are decoded as, by the verb.
    given: Vec<(Verb, Given)>,
    state: Arc<State>,
}

/// The type of a method's value.
struct Given {
    class: Kept,
    plan: Py<Plan>,
    shape: Shape,
}

/// What all stores of one instance share.
#[pyclass(frozen, module = "demat._native")]
pub(crate) struct StoreState(Arc<State>);

#[derive(Default)]
struct State {
    changes: Changes,
    turns: Turns,
}

#[pymethods]
impl StoreState {
    #[new]
    fn new() -> Self {
        Self(Arc::default())
    }

    /// A copy of the instance has a state of its own.
    #[allow(clippy::unused_self, clippy::unnecessary_wraps)] // the signature of the method
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>().into_any(), PyTuple::empty(py)))
    }
}

/// A reference that is released by the thread that drops it.
pub(super) struct Kept(Option<Py<PyAny>>);

impl Kept {
    pub(super) fn new(object: Py<PyAny>) -> Self {
        Self(Some(object))
    }

    pub(super) fn bind<'py>(&self, py: Python<'py>) -> Bound<'py, PyAny> {
        self.0.as_ref().map_or_else(|| py.None().into_bound(py), |object| object.bind(py).clone())
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some(object) = self.0.take() {
            // If the interpreter has ended, there is nothing to release.
            let _ = Python::try_attach(|_| drop(object));
        }
    }
}

impl ProgramStore {
    /// # Errors
    /// If the type of a value can't be described.
    pub(super) fn new(own: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = own.py();
        let offers: Vec<String> = own.getattr("offers")?.extract()?;
        let has = |name: &str| offers.iter().any(|own| own == name);
        let verbs = Verb::ALL.into_iter().filter(|verb| has(verb.name())).fold(Verbs::NONE, Verbs::and);
        let mut given = Vec::new();
        for verb in verbs.iter() {
            let class = own.getattr("given")?.call_method1("get", (verb.name(),))?;
            if !class.is_none() {
                let plan = plan_of(&class)?;
                plan.get().program.without_arrays("a store")?;
                let shape = plan.get().program.stored_shape(py)?;
                given.push((verb, Given { class: Kept::new(class.unbind()), plan: plan.unbind(), shape }));
            }
        }
        let state = Arc::clone(&own.getattr("state")?.cast::<StoreState>()?.get().0);
        Ok(Self {
            name: own.getattr("name")?.extract()?,
            verbs,
            has_children: has("children"),
            has_version: has("version"),
            has_watch: has("watch"),
            given,
            state,
            own: Kept::new(own.clone().unbind()),
        })
    }

    /// Calls the wrapper with the GIL held.
    fn with<T>(
        &self,
        at: &[String],
        origin: Origin,
        act: impl for<'py> FnOnce(&Bound<'py, PyAny>) -> PyResult<T>,
    ) -> Result<T> {
        Python::attach(|py| {
            let called = if stacker::remaining_stack().is_some_and(|left| left < STACK) {
                Err(PyRecursionError::new_err("the stores call each other too deeply"))
            } else {
                act(&self.own.bind(py))
            };
            called.map_err(|raised| raised_by_store(py, at, raised, origin))
        })
    }

    fn allowed(&self, verb: Verb, at: &[String]) -> Result<()> {
        if self.verbs.has(verb) { Ok(()) } else { Err(Fault::NotAllowed(verb).about(at)) }
    }

    /// Returns the parts of a value.
    fn recorded(&self, at: &[String]) -> Result<Tape> {
        self.allowed(Verb::Get, at)?;
        let tape = self.with(at, Origin::Method, |own| {
            let value = own.call_method1("get", (names(own.py(), at)?,))?;
            (!value.is_none()).then(|| encode::record(&value, writing())).transpose()
        })?;
        tape.ok_or_else(|| Fault::NotFound.about(at))
    }

    /// Decodes a value as the method's type, and calls the wrapper with it.
    fn give<T>(
        &self,
        verb: Verb,
        at: &[String],
        value: &mut dyn Body,
        when: &When,
        take: impl for<'py> Fn(Bound<'py, PyAny>) -> PyResult<T>,
    ) -> Result<(Option<bool>, T)> {
        self.allowed(verb, at)?;
        let given = self.given.iter().find(|(own, _)| *own == verb).map(|(_, given)| given);
        let sent = Sent::of(value, given.map_or(&Shape::Any, |given| &given.shape))?;
        self.change(verb, at, when, |has_begun| {
            self.with(at, Origin::Change, |own| {
                let py = own.py();
                let value = match sent.decoded(py, given) {
                    Ok(value) => value,
                    Err(raised) => return Ok(Err(raised_by_store(py, at, raised, Origin::Value))),
                };
                has_begun.set(true);
                take(own.call_method1(verb.name(), (names(py, at)?, value))?).map(Ok)
            })?
        })
    }

    /// Makes a change if its condition holds. Returns whether there was a value, if the condition depends on it.
    ///
    /// `act` sets its argument once the method is called. If it fails after that, the watchers are notified: the method
    /// may have changed something before.
    fn change<T>(
        &self,
        verb: Verb,
        at: &[String],
        when: &When,
        act: impl FnOnce(&Cell<bool>) -> Result<T>,
    ) -> Result<(Option<bool>, T)> {
        let is_free = *when == When::Always;
        let _turn = self.state.turns.wait(!is_free)?;
        let there = if is_free { None } else { Some(self.there(at)?) };
        if there.is_some_and(|there| !when.holds(there)) {
            return Err(Fault::Changed.about(at));
        }
        let has_begun = Cell::new(false);
        let acted = act(&has_begun);
        if acted.is_err() && has_begun.get() {
            self.tell(verb, at);
        }
        Ok((there.map(|there| there.is_some()), acted?))
    }

    /// Returns the version of the value, if there is a value and if it has a version.
    #[allow(clippy::option_option)] // of a value that may not exist, and may have no version
    fn there(&self, at: &[String]) -> Result<Option<Option<Version>>> {
        let found = if self.has_version { self.version(at) } else { self.recorded(at).map(|_| None) };
        match found {
            Ok(version) => Ok(Some(version)),
            Err(error) => match fault_of(&error) {
                Some(Fault::NotFound) => Ok(None),
                // Nobody knows.
                Some(Fault::NotAllowed(_)) => Err(Fault::Changed.about(at)),
                _ => Err(error),
            },
        }
    }

    /// Notifies the watchers, unless the program does.
    fn tell(&self, verb: Verb, at: &[String]) {
        if !self.has_watch {
            self.state.changes.tell(verb, at);
        }
    }
}

fn names<'py>(py: Python<'py>, at: &[String]) -> PyResult<Bound<'py, PyTuple>> {
    PyTuple::new(py, at)
}

fn writing() -> &'static EncodeOptions {
    static WRITING: OnceLock<EncodeOptions> = OnceLock::new();
    WRITING.get_or_init(|| EncodeOptions::of_format(Format::DEFAULT))
}

fn reading(py: Python<'_>) -> PyResult<&'static DecodeOptions> {
    static READING: PyOnceLock<DecodeOptions> = PyOnceLock::new();
    READING.get_or_try_init(py, || DecodeOptions::of_objects(&PyDict::new(py)))
}

/// Returns whether an exception says that a value can't be encoded, and comes from no code of the program.
fn is_of_the_format(py: Python<'_>, raised: &PyErr) -> bool {
    let Ok(family) = py.import(intern!(py, "demat._errors")) else { return false };
    let is = |name: &Bound<'_, PyString>| family.getattr(name).is_ok_and(|class| raised.is_instance(py, &class));
    is(intern!(py, "EncodeError")) || is(intern!(py, "LimitError"))
}

/// A value that was sent, before it becomes an object.
enum Sent {
    /// JSON as it was sent, so that errors have their positions and numbers all digits.
    Json(Vec<u8>),
    Parts(Tape),
}

impl Sent {
    fn of(value: &mut dyn Body, shape: &Shape) -> Result<Self> {
        if let Some((format, reader)) = value.written()
            && format == Format::DEFAULT
        {
            let mut bytes = Vec::new();
            reader.read_to_end(&mut bytes)?;
            return Ok(Self::Json(bytes));
        }
        Tape::record(|sink| value.tell(shape, sink)).map(Self::Parts)
    }

    fn decoded<'py>(&self, py: Python<'py>, given: Option<&Given>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            Self::Json(bytes) => {
                decode::bytes(py, Format::DEFAULT, bytes, given.map(|given| given.class.bind(py)).as_ref())
            }
            Self::Parts(tape) => decode::of_tape(py, tape, given.map(|given| given.plan.get()), reading(py)?),
        }
    }
}

impl Store for ProgramStore {
    fn describe(&self) -> Node {
        Node::new("program").with(self.name.clone())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let tape = self.recorded(at)?;
        if query.is_all() {
            sink.begin(&Shape::Any)?;
            copy_any(&mut tape.source(), &Shape::Any, sink)?;
            return sink.finish();
        }
        let value = Value::build(|sink| copy_any(&mut tape.source(), &Shape::Any, sink))?;
        ValueBody(&query.apply(value)?).tell(&Shape::Any, sink)
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let (there, is_new) = self.give(Verb::Put, at, value, when, |told| told.extract::<bool>())?;
        self.tell(Verb::Put, at);
        Ok(if is_new || there == Some(false) { Put::Created } else { Put::Replaced })
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        self.give(Verb::Patch, at, value, when, |_| Ok(()))?;
        self.tell(Verb::Patch, at);
        Ok(())
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.post_if(at, value, &When::Always)
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        let (_, names) = self.give(Verb::Post, at, value, when, |told| told.extract::<Vec<String>>())?;
        let reference = Reference::of(names);
        self.tell(Verb::Post, &reference);
        Ok(reference)
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        self.allowed(Verb::Delete, at)?;
        self.change(Verb::Delete, at, when, |has_begun| {
            self.with(at, Origin::Method, |own| {
                has_begun.set(true);
                own.call_method1("delete", (names(own.py(), at)?,)).map(drop)
            })
        })?;
        self.tell(Verb::Delete, at);
        Ok(())
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        if !self.has_children {
            return Err(Fault::NotFound.about(at));
        }
        let all = self
            .with(at, Origin::Method, |own| own.call_method1("children", (names(own.py(), at)?,)).map(Bound::unbind))?;
        let all = Kept::new(all);
        loop {
            let some: Vec<String> = self.with(at, Origin::Method, |own| {
                own.call_method1("some_names", (all.bind(own.py()), NAMES))?.extract()
            })?;
            if some.is_empty() {
                return Ok(());
            }
            some.iter().try_for_each(|name| each(name))?;
        }
    }

    fn allows(&self, _: &[String]) -> Verbs {
        self.verbs
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        if !self.has_version {
            return Ok(None);
        }
        let version: Option<u64> =
            self.with(at, Origin::Method, |own| own.call_method1("version", (names(own.py(), at)?,))?.extract())?;
        version.map(|version| Some(Version(version))).ok_or_else(|| Fault::NotFound.about(at))
    }

    fn exists(&self, at: &[String]) -> Result<bool> {
        let found = if self.has_version {
            self.version(at).map(|_| true)
        } else if self.verbs.has(Verb::Get) {
            self.with(at, Origin::Method, |own| Ok(!own.call_method1("get", (names(own.py(), at)?,))?.is_none()))
        } else {
            // Nobody knows. A change must not be refused for that.
            Ok(true)
        };
        match found {
            Err(error) if fault_of(&error) == Some(Fault::NotFound) => Ok(false),
            other => other,
        }
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        if !query.is_all() || !crate::format::is_module(format) {
            return representation(format, limit, |sink| self.get(at, query, sink));
        }
        self.allowed(Verb::Get, at)?;
        let encoded = self.with(at, Origin::Method, |own| {
            let py = own.py();
            let value = own.call_method1("get", (names(py, at)?,))?;
            if value.is_none() {
                return Ok(None);
            }
            match encode::encode(format, &value, writing()) {
                Ok(bytes) => Ok(Some(Ok(shared(&bytes)))),
                // Other formats have the value, so the program has no fault.
                Err(raised) if is_of_the_format(py, &raised) && encode::record(&value, writing()).is_ok() => {
                    Ok(Some(Err(Error::new(ErrorKind::Encode, raised.value(py).to_string()))))
                }
                Err(raised) => Err(raised),
            }
        })?;
        encoded.ok_or_else(|| Fault::NotFound.about(at))?.map(Some)
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        let watcher = within(at, watcher);
        if !self.has_watch {
            let changes = self.verbs.without(Verb::Get) != Verbs::NONE;
            return changes.then(|| self.state.changes.watch(watcher));
        }
        let watching = Python::attach(|py| {
            let tell = Bound::new(py, Tell::new(watcher))?.into_any();
            let end = self.own.bind(py).call_method1("watch", (names(py, at)?, &tell));
            end.map(|end| Watching { tell: Kept::new(tell.unbind()), end: Kept::new(end.unbind()) })
        });
        // Nothing can report the exception.
        watching.map_err(|raised: PyErr| Python::attach(|py| raised.display(py))).ok().map(Watch::holding)
    }
}
