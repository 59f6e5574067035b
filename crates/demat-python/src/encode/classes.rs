//! What is known about the classes of objects.

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

/// What is done with the instances of a class.
#[derive(Clone, Copy)]
pub(super) enum Known<'e> {
    /// It has a plan of its own.
    Plan(&'e Program),
    /// They are lazy records, of a class with this plan.
    View(&'e Program),
    /// They are written as what the class stands on.
    Base(Base),
    /// Nothing.
    Nothing,
}

/// The classes that one encoder's run has met.
///
/// It holds them, so that none can go away, and another one come to stand in its memory, as long as it looks them up by
/// their addresses.
pub(super) struct Classes<'e> {
    recent: [(*mut ffi::PyTypeObject, Known<'e>); RECENT],
    /// The first that was met: short messages have no other, and get along without more memory.
    first: Option<Met<'e>>,
    others: Vec<Met<'e>>,
    options: &'e EncodeOptions,
}

struct Met<'e> {
    class: *mut ffi::PyTypeObject,
    known: Known<'e>,
    /// What keeps it alive.
    #[allow(dead_code)] // nobody looks at it
    held: Object,
}

const RECENT: usize = 4;

/// Where a class stands in a small table: addresses of classes are multiples of 16, and far apart.
#[inline(always)]
fn slot(class: *mut ffi::PyTypeObject, bits: u32) -> usize {
    ((class.addr() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize
}

impl<'e> Classes<'e> {
    pub(super) fn new(options: &'e EncodeOptions) -> Self {
        let recent = [(core::ptr::null_mut(), Known::Nothing); RECENT];
        Self { recent, first: None, others: Vec::new(), options }
    }

    /// What is done with an object that is of none of the classes that data is made of.
    ///
    /// # Errors
    /// Where its class can't be described.
    #[inline(always)]
    pub(super) fn of(&mut self, object: ObjectRef) -> PyResult<Known<'e>> {
        let class = object.class();
        let (own, known) = self.recent[slot(class, RECENT.trailing_zeros())];
        if own == class { Ok(known) } else { self.look_up(object) }
    }

    /// The record that a class is, if it was met lately and is one.
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

    /// Part of the caller, so that what it gives stays in registers: two words that are stored one by one and loaded together
    /// at once keep the processor waiting.
    #[inline(always)]
    fn meet(&mut self, object: ObjectRef) -> PyResult<Known<'e>> {
        let class = object.class();
        let recent = if self.options.said.is_none() { TABLE.get(class) } else { None };
        let (known, held) = match recent {
            Some(found) => found,
            // To describe a class makes objects of PyO3's kind, which are let go at once only where it knows that it may.
            None => Python::attach(|_| self.describe(object))?.keep(class),
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
    fn describe(&self, object: ObjectRef) -> PyResult<Found> {
        // Describing a class runs code of the user's.
        let _held = object.hold();
        // SAFETY: a living class; the GIL is held.
        let class = unsafe { Borrowed::from_ptr(Python::assume_attached(), object.class().cast()) };
        let class = class.cast::<PyType>()?;
        match &self.options.said {
            None => TABLE.search(class),
            Some(own) => own.found(class),
        }
    }
}

/// What was found out about a class.
#[derive(Clone)]
pub(super) enum Found {
    Plan(Object),
    Base(Base),
    Nothing,
}

impl Found {
    /// Finds out what is to be done with the instances of a class.
    ///
    /// # Errors
    /// Where it can't be described though it should.
    #[cold]
    pub(super) fn search(class: Borrowed<'_, '_, PyType>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let base = |class| Ok(Base::of(class)?.map_or(Self::Nothing, Self::Base));
        // SAFETY: a living class.
        let own = unsafe { ffi::PyType_HasFeature(class.as_ptr().cast(), ffi::Py_TPFLAGS_HEAPTYPE) } != 0;
        // Classes made in C are what the table of bases says, unless somebody has said something about such classes.
        if !own && options.is_none() && !plan::any_declared_outside(class.py()) {
            return base(class);
        }
        let planned = match options {
            None => plan::plan_of(class.as_any()),
            Some(options) => plan::plan_with(class.as_any(), options),
        };
        match planned {
            Ok(planned) => match &planned.get().program.root {
                // No hook says how to write it, so it is written as its base type.
                Node::Hook(hook) if hook.encode.is_none() && !matches!(hook.write, Node::Hook(_)) => {
                    match Base::of(class)? {
                        Some(base) => Ok(Self::Base(base)),
                        None => Ok(Self::Plan(Object::of(planned.as_any()))),
                    }
                }
                Node::Record(_) | Node::Hook(_) | Node::Enum(_) | Node::Flag(_) => {
                    Ok(Self::Plan(Object::of(planned.as_any())))
                }
                // Nothing is to be known about these that the objects don't say themselves.
                _ => base(class),
            },
            Err(error) if error.is_instance_of::<PyTypeError>(class.py()) && !is_record(class) => base(class),
            Err(error) => Err(error),
        }
    }

    /// The same for as long as the object lives that comes with it.
    fn keep<'e>(self, class: *mut ffi::PyTypeObject) -> (Known<'e>, Object) {
        match self {
            Self::Plan(object) => {
                // SAFETY: it is a plan, and the caller keeps the object as long as 'e.
                let program = unsafe { program_of(object.as_ptr()) };
                (planned(class, program), object)
            }
            // SAFETY: a living class.
            Self::Base(base) => (Known::Base(base), unsafe { Object::shared(class.cast()) }),
            // SAFETY: as above.
            Self::Nothing => (Known::Nothing, unsafe { Object::shared(class.cast()) }),
        }
    }
}

/// A class with a plan, or one of lazy records of such a class.
#[inline(always)]
fn planned(class: *mut ffi::PyTypeObject, program: &Program) -> Known<'_> {
    if is_view_class(class) { Known::View(program) } else { Known::Plan(program) }
}

/// What a plan says, which never changes.
///
/// # Safety
/// It is a plan, and lives as long as 'e.
#[inline(always)]
unsafe fn program_of<'e>(plan: *mut ffi::PyObject) -> &'e Program {
    // SAFETY: as the caller says; the GIL is held.
    unsafe {
        let plan = Borrowed::from_ptr(Python::assume_attached(), plan).cast_unchecked::<Plan>();
        let program: *const Program = &raw const plan.get().program;
        &*program
    }
}

/// Whether a class means its instances to be records: then it is an error, and no ignorance, where it can't be described.
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

/// What is known about the classes that the program has encoded: for the first object of each run.
///
/// An entry is good as long as the class is as it was. The interpreter gives each class a number when it is first looked
/// into, another one after any change to it, and none twice: its own caches, for which these were made, trust in it. A
/// class that keeps its plan as an attribute has that plan as long as its number stays the same.
struct Table(UnsafeCell<[Entry; 1 << TABLE_BITS]>);

// SAFETY: it is only used with the GIL held.
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
    /// What is known about a class, as long as the object lives that comes with it.
    #[inline(always)]
    fn get<'e>(&self, class: *mut ffi::PyTypeObject) -> Option<(Known<'e>, Object)> {
        // SAFETY: the GIL is held, and nothing else is done while the entry is read; the class lives. The plan lives, as
        // the class has not changed since it was seen to keep it.
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

    /// Finds out about a class, and remembers it.
    fn search(&self, class: Borrowed<'_, '_, PyType>) -> PyResult<Found> {
        let found = Found::search(class, None)?;
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
            // A class can be declared to be something at any time, without a change to it.
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
