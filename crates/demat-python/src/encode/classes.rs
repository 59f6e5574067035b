//! Caches how to encode the instances of each class.

use super::base::Base;
use super::{EncodeOptions, ObjectRef};
use crate::lazy::is_view_class;
use crate::object::Object;
use crate::plan::{self, Node, Plan, Program, RecordPlan};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyType};
use pyo3::{Borrowed, ffi, intern};
use std::cell::UnsafeCell;

/// How the instances of a class are encoded.
#[derive(Clone, Copy)]
pub(super) enum Known<'e> {
    /// By the class's plan.
    Plan(&'e Program),
    /// As lazy records of a class with this plan.
    View(&'e Program),
    /// As the kind of the class's base.
    Base(Base),
    /// The class is unknown.
    Nothing,
}

/// The classes found in one run of an encoder.
///
/// Entries are found by the address of a class. So this holds the classes: none can be deallocated, and its address
/// reused by another class, during the run.
pub(super) struct Classes<'e> {
    recent: [(*mut ffi::PyTypeObject, Known<'e>); RECENT],
    /// The first class: short messages contain no other, and so need no allocation.
    first: Option<Met<'e>>,
    others: Vec<Met<'e>>,
    options: &'e EncodeOptions,
}

struct Met<'e> {
    class: *mut ffi::PyTypeObject,
    known: Known<'e>,
    /// The object that keeps `known` valid.
    #[allow(dead_code)] // held only
    held: Object,
}

const RECENT: usize = 4;

/// Returns the index of a class in a small table. Addresses of classes are multiples of 16, and far apart.
#[inline(always)]
fn slot(class: *mut ffi::PyTypeObject, bits: u32) -> usize {
    ((class.addr() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize
}

impl<'e> Classes<'e> {
    pub(super) fn new(options: &'e EncodeOptions) -> Self {
        let recent = [(core::ptr::null_mut(), Known::Nothing); RECENT];
        Self { recent, first: None, others: Vec::new(), options }
    }

    /// Returns how to encode the instances of a class, if it is one of the last few. No user code runs here.
    #[inline(always)]
    pub(super) fn recent(&self, class: *mut ffi::PyTypeObject) -> Option<Known<'e>> {
        let (own, known) = self.recent[slot(class, RECENT.trailing_zeros())];
        (own == class).then_some(known)
    }

    /// Returns how to encode an object whose class is none of the usual builtin ones.
    ///
    /// User code may run here, as a class is described by evaluating its annotations: the caller holds the object if it
    /// goes on with it.
    ///
    /// # Errors
    /// If its class can't be described.
    #[inline(always)]
    pub(super) fn of(&mut self, object: ObjectRef) -> PyResult<Known<'e>> {
        match self.recent(object.class()) {
            Some(known) => Ok(known),
            None => self.look_up(object),
        }
    }

    /// Returns the record plan of a class, if the class was recently used and is a record.
    #[inline(always)]
    pub(super) fn record(&self, class: *mut ffi::PyTypeObject) -> Option<(&'e RecordPlan, &'e Program)> {
        let (own, known) = self.recent[slot(class, RECENT.trailing_zeros())];
        match known {
            Known::Plan(program) if own == class => match &program.root {
                Node::Record(index) => Some((&program.records[*index], program)),
                _ => None,
            },
            _ => None,
        }
    }

    /// As [`of`](Self::of), without user code: `None` if the class was not met by any encoder since it last changed.
    #[inline(never)]
    pub(super) fn at_hand(&mut self, object: ObjectRef) -> Option<Known<'e>> {
        let class = object.class();
        let slot = slot(class, RECENT.trailing_zeros());
        let (own, known) = self.recent[slot];
        if own == class {
            return Some(known);
        }
        let met = self.first.iter().chain(&self.others).find(|met| met.class == class);
        let known = if let Some(met) = met {
            met.known
        } else {
            let (known, held) = TABLE.get(class)?;
            self.others.push(Met { class, known, held });
            known
        };
        self.recent[slot] = (class, known);
        Some(known)
    }

    #[inline(never)]
    fn look_up(&mut self, object: ObjectRef) -> PyResult<Known<'e>> {
        let class = object.class();
        let known = match &self.first {
            Some(first) if first.class == class => first.known,
            Some(_) => match self.others.iter().find(|met| met.class == class) {
                Some(met) => met.known,
                None => self.meet(object)?,
            },
            None => self.meet(object)?,
        };
        self.recent[slot(class, RECENT.trailing_zeros())] = (class, known);
        Ok(known)
    }

    /// Inlined into the caller, so that the result stays in registers: two words that are stored separately and loaded
    /// together stall the processor.
    #[inline(always)]
    fn meet(&mut self, object: ObjectRef) -> PyResult<Known<'e>> {
        let class = object.class();
        let recent = if self.options.said.is_none() { TABLE.get(class) } else { None };
        let (known, held) = match recent {
            Some(found) => found,
            // Describing a class creates PyO3 objects, which are only dropped at once while PyO3 knows that the GIL is
            // held.
            None => Python::attach(|_| self.describe(object))?,
        };
        let met = Met { class, known, held };
        if self.first.is_none() {
            self.first = Some(met);
        } else {
            self.others.push(met);
        }
        Ok(known)
    }

    #[cold]
    fn describe(&self, object: ObjectRef) -> PyResult<(Known<'e>, Object)> {
        // Describing a class runs user code, which may also give the object another class.
        // SAFETY: a live class; the GIL is held.
        let held = unsafe { Borrowed::from_ptr(Python::assume_attached(), object.class().cast()) }.to_owned();
        let class = held.cast::<PyType>()?.as_borrowed();
        let found = match &self.options.said {
            None => TABLE.search(class, self.options.place),
            Some(own) => own.found(class, self.options.place),
        };
        Ok(found?.keep(class.as_ptr().cast()))
    }
}

/// How to encode the instances of a class, as an owned value.
#[derive(Clone)]
pub(super) enum Found {
    Plan(Object),
    Base(Base),
    Nothing,
}

impl Found {
    /// Determines how to encode the instances of a class.
    ///
    /// # Errors
    /// If the class is a record and can't be described.
    #[cold]
    pub(super) fn search(
        class: Borrowed<'_, '_, PyType>,
        options: Option<&Bound<'_, PyDict>>,
        place: Option<&str>,
    ) -> PyResult<Self> {
        let base = |class| Ok(Base::of(class)?.map_or(Self::Nothing, Self::Base));
        // SAFETY: a live class.
        let own = unsafe { ffi::PyType_HasFeature(class.as_ptr().cast(), ffi::Py_TPFLAGS_HEAPTYPE) } != 0;
        // Classes implemented in C are classified by the table of bases, unless such classes were registered with
        // hooks. A few of the others have a description.
        if !own
            && options.is_none()
            && !plan::any_declared_outside(class.py())
            && let Some(base) = Base::of(class)?
        {
            return Ok(Self::Base(base));
        }
        match plan::plan_at(class.as_any(), options, place) {
            Ok(planned) => match &planned.get().program.root {
                // The hook has no encoding function, so the value is encoded as its base type.
                Node::Hook(hook) if hook.encode.is_none() && !matches!(hook.write, Node::Hook(_)) => {
                    match Base::of(class)? {
                        Some(base) => Ok(Self::Base(base)),
                        None => Ok(Self::Plan(Object::of(planned.as_any()))),
                    }
                }
                Node::Record(_) | Node::Hook(_) | Node::Enum(_) | Node::Flag(_) => {
                    Ok(Self::Plan(Object::of(planned.as_any())))
                }
                // For other plans, the objects themselves determine how they are encoded.
                _ => base(class),
            },
            Err(error) if error.is_instance_of::<PyTypeError>(class.py()) && !is_record(class) => base(class),
            Err(error) => Err(error),
        }
    }

    /// Returns the result, and the object that must live as long as it.
    fn keep<'e>(self, class: *mut ffi::PyTypeObject) -> (Known<'e>, Object) {
        match self {
            Self::Plan(object) => {
                // SAFETY: the object is a plan, and the caller keeps it for 'e.
                let program = unsafe { program_of(object.as_ptr()) };
                (planned(class, program), object)
            }
            // SAFETY: a live class.
            Self::Base(base) => (Known::Base(base), unsafe { Object::shared(class.cast()) }),
            // SAFETY: as above.
            Self::Nothing => (Known::Nothing, unsafe { Object::shared(class.cast()) }),
        }
    }
}

/// Returns the entry of a class with a plan, or of a class of lazy records with that plan.
#[inline(always)]
fn planned(class: *mut ffi::PyTypeObject, program: &Program) -> Known<'_> {
    if is_view_class(class) { Known::View(program) } else { Known::Plan(program) }
}

/// Returns the program of a plan, which never changes.
///
/// # Safety
/// The object is a plan, and lives for 'e.
#[inline(always)]
unsafe fn program_of<'e>(plan: *mut ffi::PyObject) -> &'e Program {
    // SAFETY: as the caller guarantees; the GIL is held.
    unsafe {
        let plan = Borrowed::from_ptr(Python::assume_attached(), plan).cast_unchecked::<Plan>();
        let program: *const Program = &raw const plan.get().program;
        &*program
    }
}

/// Returns whether a class defines a record: then it is an error if it can't be described.
fn is_record(class: Borrowed<'_, '_, PyType>) -> bool {
    let py = class.py();
    let marks = [
        intern!(py, "__dataclass_fields__"),
        intern!(py, "__attrs_attrs__"),
        intern!(py, "__struct_fields__"),
        intern!(py, "__pydantic_fields__"),
        intern!(py, "__demat_encode__"),
    ];
    marks.into_iter().any(|mark| class.hasattr(mark).unwrap_or(false))
}

/// A cache of all encoded classes, consulted for the first object of each class in a run.
///
/// An entry is valid while its class is unchanged. The interpreter assigns each class a version number at its first
/// lookup, a new one after each change, and never the same twice: its own caches rely on that. A class that owns its
/// plan as an attribute owns it as long as the number stays the same.
struct Table(UnsafeCell<[Entry; 1 << TABLE_BITS]>);

// SAFETY: only used with the GIL held.
unsafe impl Sync for Table {}

#[derive(Clone, Copy)]
struct Entry {
    class: *mut ffi::PyTypeObject,
    version: u32,
    epoch: u64,
    /// The plan, or null.
    plan: *mut ffi::PyObject,
    base: Option<Base>,
}

const TABLE_BITS: u32 = 8;

static TABLE: Table = Table(UnsafeCell::new(
    [Entry { class: core::ptr::null_mut(), version: 0, epoch: 0, plan: core::ptr::null_mut(), base: None };
        1 << TABLE_BITS],
));

impl Table {
    /// Returns the entry of a class, and the object that must live as long as it.
    #[inline(always)]
    fn get<'e>(&self, class: *mut ffi::PyTypeObject) -> Option<(Known<'e>, Object)> {
        // SAFETY: the GIL is held, and no other code runs while the entry is read; the class is alive. So is the plan,
        // as the class has not changed since it was seen to own the plan.
        unsafe {
            let entry = &(*self.0.get())[slot(class, TABLE_BITS)];
            if entry.class != class || entry.version != (*class).tp_version_tag || entry.version == 0 {
                return None;
            }
            if entry.epoch != plan::epoch() {
                return None;
            }
            Some(match entry.base {
                Some(base) => (Known::Base(base), Object::shared(class.cast())),
                None => (planned(class, program_of(entry.plan)), Object::shared(entry.plan)),
            })
        }
    }

    /// Determines how to encode a class, and caches the result.
    fn search(&self, class: Borrowed<'_, '_, PyType>, place: Option<&str>) -> PyResult<Found> {
        let found = Found::search(class, None, place)?;
        self.set(class, &found);
        Ok(found)
    }

    fn set(&self, class: Borrowed<'_, '_, PyType>, found: &Found) {
        let (plan, base) = match found {
            Found::Base(base) => (core::ptr::null_mut(), Some(*base)),
            Found::Plan(object) => {
                let plan = object.clone().into_bound(class.py());
                // SAFETY: it is a plan.
                let kept = plan::is_kept(&class, unsafe { plan.cast_unchecked::<Plan>() });
                if !kept {
                    return;
                }
                (object.as_ptr(), None)
            }
            // A hook for the class may be registered at any time, without a change to the class.
            Found::Nothing => return,
        };
        let own = class.as_ptr().cast::<ffi::PyTypeObject>();
        // SAFETY: as in `get`.
        unsafe {
            let version = (*own).tp_version_tag;
            (*self.0.get())[slot(own, TABLE_BITS)] = Entry { class: own, version, epoch: plan::epoch(), plan, base };
        }
    }
}
