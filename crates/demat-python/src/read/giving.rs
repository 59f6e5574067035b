//! Iterates over the records of a place, decoding many at a time.

use super::bar::Meter;
use super::header::{self, HeaderReader};
use super::on_error::{OnError, Refused};
use super::options::ReadOptions;
use super::pipe::Pipe;
use super::place::Open;
use super::raised::Raised;
use super::ready::{Aside, Ready};
use super::records::{Came, RecordDecoding, Records, Windowing};
use super::recycle_pool::RecyclePool;
use crate::decode::{DecodeOptions, untyped};
use crate::error::exception;
use crate::object::Object;
use crate::plan::Plan;
use demat_core::Error;
use demat_formats::codec::Visitor;
use demat_formats::stream::{Bordered, HeaderChange, RecordPaths, Walk};
use demat_place::Progress;
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit, ffi};

/// An open place, and its decoded records.
#[allow(clippy::struct_excessive_bools)] // each is a fact of its own
pub(crate) struct Giving {
    pub(crate) ready: Ready,
    /// `None` after all was read, or when it is closed.
    records: Option<Box<dyn Records>>,
    plan: Option<Py<Plan>>,
    /// The plans of the records of several paths; empty if there is one.
    several: Vec<Option<Py<Plan>>>,
    /// The fields around the records, if they are kept.
    header: Option<HeaderReader>,
    options: DecodeOptions,
    ring: Option<RecyclePool>,
    on_error: OnError,
    /// The number of records left out, whose turn has come.
    pub(crate) rejected: u64,
    /// The exception to raise after the decoded records.
    failed: Option<PyErr>,
    batch: Option<usize>,
    /// The number of records to decode next.
    ahead: usize,
    at_unsaid: bool,
    keys: bool,
    at_hand: bool,
    raised: Raised,
    /// Whether the last attempt to read found no input.
    starved: bool,
    meter: Meter,
    total: Option<u64>,
    /// The number of records returned.
    pub(crate) given: u64,
    /// The number of bytes read.
    pub(crate) read: u64,
}

/// The next step of the iteration.
pub(crate) enum Next {
    /// A new reference, which the caller owns.
    Object(*mut ffi::PyObject),
    Nothing,
    /// More input must be fed first.
    Starved,
}

/// The maximum number of records to decode in advance: few enough that they stay in the CPU cache until they are
/// released, and that their number triggers no garbage collection.
const AHEAD: usize = 128;

/// The types of what a reader gives.
pub(crate) struct Plans<'py> {
    /// That of the records, if they have one.
    pub(crate) plan: Option<Bound<'py, Plan>>,
    /// Those of the records of several paths.
    pub(crate) several: Vec<Option<Py<Plan>>>,
    pub(crate) header: Option<HeaderReader>,
}

/// Creates the records of a reader.
struct MakeRecords {
    pipe: Pipe,
    walk: Walk,
    limit: usize,
}

impl Visitor for MakeRecords {
    type Output = Box<dyn Records>;

    fn visit<F: Bordered + 'static>(self, reader: F) -> Box<dyn Records> {
        Box::new(Windowing::new(self.pipe, reader, self.walk, self.limit))
    }
}

impl Giving {
    pub(crate) fn new(
        open: Open,
        plans: Plans<'_>,
        options: DecodeOptions,
        ring: Option<RecyclePool>,
        own: ReadOptions,
    ) -> PyResult<Self> {
        let Open { pipe, total, at_hand, raised } = open;
        let ReadOptions { at, at_unsaid, keys, batch, progress, limit, on_error, .. } = own;
        let Plans { plan, several, header } = plans;
        let invalid = |error: Error| PyValueError::new_err(error.to_string());
        let reader = options.reader().map_err(invalid)?;
        let mut walk = Walk::of(RecordPaths::new(&at).map_err(invalid)?);
        if let Some(header) = &header {
            walk = walk.with_header(header.shape(), header::LIMIT);
        }
        let records = reader.visit(MakeRecords { pipe, walk, limit });
        let meter = Meter::of(progress);
        Ok(Self {
            ready: Ready::default(),
            records: Some(records),
            plan: plan.map(Bound::unbind),
            several,
            header,
            options,
            ring,
            on_error,
            rejected: 0,
            failed: None,
            batch,
            ahead: 1,
            at_unsaid,
            keys,
            at_hand,
            raised,
            starved: false,
            meter,
            total,
            given: 0,
            read: 0,
        })
    }

    /// Iterates over the rows of a database.
    pub(crate) fn of_rows(
        records: Box<dyn Records>,
        plan: Option<Bound<'_, Plan>>,
        options: DecodeOptions,
        ring: Option<RecyclePool>,
    ) -> Self {
        Self {
            ready: Ready::default(),
            records: Some(records),
            plan: plan.map(Bound::unbind),
            several: Vec::new(),
            header: None,
            options,
            ring,
            on_error: OnError::Stop,
            rejected: 0,
            failed: None,
            batch: None,
            ahead: 1,
            at_unsaid: false,
            keys: false,
            at_hand: true,
            raised: Raised::default(),
            starved: false,
            meter: Meter::None,
            total: None,
            given: 0,
            read: 0,
        }
    }

    /// Returns the next record, or the next list of records.
    ///
    /// # Errors
    /// Errors of the next record, or of reading the place. The iteration has then ended.
    pub(crate) fn next(&mut self, py: Python<'_>, starves: impl Fn() -> bool) -> PyResult<Next> {
        let batch = loop {
            if self.ready.len() == 0 || self.batch.is_some() {
                if self.gather(py, &starves) {
                    return Ok(Next::Starved);
                }
                if self.ready.len() == 0 {
                    return self.failed.take().map_or(Ok(Next::Nothing), Err);
                }
            }
            if let Some(batch) = self.batch {
                break batch;
            }
            let object = self.ready.pop();
            if !object.is_null() {
                self.given += 1;
                return Ok(Next::Object(object));
            }
            match self.ready.pop_aside() {
                Some(Aside::Refused(refused)) => {
                    if !self.leave_out(py, refused) {
                        self.ready = Ready::default();
                    }
                    py.check_signals()?;
                }
                Some(Aside::Header(change)) => self.apply(change),
                None => {}
            }
        };
        let len = self.ready.len().min(batch);
        // SAFETY: the GIL is held; unset slots are null, which the collector allows; each slot is set once.
        let list = unsafe {
            let list = Object::new(ffi::PyList_New(len as ffi::Py_ssize_t))?;
            for index in 0..len {
                ffi::PyList_SET_ITEM(list.as_ptr(), index as ffi::Py_ssize_t, self.ready.pop());
            }
            list
        };
        self.given += len as u64;
        Ok(Next::Object(list.into_ptr()))
    }

    /// Decodes until some records are ready, or all that are wanted. Returns true if more input must be fed first.
    fn gather(&mut self, py: Python<'_>, starves: &impl Fn() -> bool) -> bool {
        let ring = self.ring.as_ref().map(|ring| ring.ahead);
        let most = self.batch.unwrap_or_else(|| self.ahead.min(ring.unwrap_or(AHEAD)));
        self.ahead = (self.ahead * 2).min(AHEAD);
        // A record that was incomplete when the input paused is not decoded again with each piece of it.
        let mut resumes = std::mem::take(&mut self.starved);
        while self.ready.len() < most && self.failed.is_none() {
            self.ready.tidy();
            let Some(records) = &mut self.records else { return false };
            if std::mem::take(&mut resumes) && records.awaits_end() {
                if self.fill(py, starves) {
                    return true;
                }
                continue;
            }
            let program = match &self.plan {
                Some(plan) => &plan.get().program,
                None => untyped(),
            };
            let (several, options, on_error) = (&*self.several, &self.options, &self.on_error);
            let (at_unsaid, keys) = (self.at_unsaid, self.keys);
            let given = self.given + self.rejected;
            let told = RecordDecoding { program, several, options, most, given, at_unsaid, keys, on_error };
            let before = self.ready.len();
            let came = records.decode(py, &told, self.ring.as_mut(), &mut self.ready);
            if self.batch.is_some() && self.ready.has_asides() && !self.sort_out(py, before) {
                return false;
            }
            match came {
                // Of a batch, what is no record was taken out.
                Came::Full if self.batch.is_some() && self.ready.len() < most => {
                    if let Err(raised) = py.check_signals() {
                        self.failed = Some(raised);
                        return false;
                    }
                    continue;
                }
                Came::Full => return false,
                Came::Ended => {
                    self.end();
                    return false;
                }
                Came::Failed(failure) => {
                    self.failed = Some(exception(py, failure));
                    self.end();
                    return false;
                }
                // Returns the records that are there before it waits for more input.
                Came::Empty if self.ready.len() > 0 && (self.batch.is_none() || !self.at_hand) => return false,
                Came::Empty => {}
            }
            // A loop in C, such as `list(reader)`, handles no signals. The reader itself continues after one that
            // raised nothing.
            if let Err(raised) = py.check_signals() {
                self.failed = Some(raised);
                return false;
            }
            if self.fill(py, starves) {
                return true;
            }
        }
        false
    }

    /// Reads more of the place. Returns true if more input must be fed first.
    fn fill(&mut self, py: Python<'_>, starves: &impl Fn() -> bool) -> bool {
        let Some(records) = &mut self.records else { return false };
        let filled = records.fill(py);
        let read = records.read();
        if let Err(error) = filled {
            self.starved = starves();
            if !self.starved {
                let raised = self.raised.take().unwrap_or_else(|| exception(py, error.into()));
                self.failed = Some(raised);
                self.end();
            }
            return self.starved;
        }
        if read != self.read {
            self.read = read;
            if let Err(raised) = self.meter.show(py, Progress { read, total: self.total }) {
                self.failed = Some(raised);
                self.end();
            }
        }
        false
    }

    /// Hands over a refused record, whose turn has come. If that raises, ends the reading and returns false.
    #[cold]
    fn leave_out(&mut self, py: Python<'_>, refused: Refused) -> bool {
        self.rejected += 1;
        if let Err(raised) = self.on_error.hand_over(py, refused) {
            self.failed = Some(raised);
            self.end();
            return false;
        }
        true
    }

    #[cold]
    fn apply(&mut self, change: HeaderChange) {
        if let Some(header) = &mut self.header {
            header.apply(change);
        }
    }

    /// Returns the fields around the records that were passed so far.
    ///
    /// # Errors
    /// `AttributeError` if they are not kept; what decoding as the type raises.
    pub(crate) fn header<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let Some(header) = &mut self.header else {
            let message = "this reader keeps no header: read with header=True, or with a type of it";
            return Err(PyAttributeError::new_err(message));
        };
        header.value(py, &self.options)
    }

    /// Hands over what stands behind the next `len` objects of a batch: refused records and fields around them. If that
    /// raises, ends the reading and returns false.
    #[cold]
    fn sort_out(&mut self, py: Python<'_>, len: usize) -> bool {
        let mut decoded = self.ready.split_off(len);
        loop {
            let object = decoded.pop();
            if !object.is_null() {
                // SAFETY: a reference of the queue's, which is ours now.
                self.ready.push(unsafe { Object::owned(object) });
                continue;
            }
            match decoded.pop_aside() {
                Some(Aside::Refused(refused)) => {
                    if !self.leave_out(py, refused) {
                        return false;
                    }
                }
                Some(Aside::Header(change)) => self.apply(change),
                None => return true,
            }
        }
    }

    /// Ends the reading, and releases the place.
    fn end(&mut self) {
        self.records = None;
        self.ring = None;
        self.meter.clear();
    }

    /// Closes the place; returns the parts for the caller to drop.
    pub(crate) fn close(&mut self) -> (Ready, Option<Box<dyn Records>>, Option<RecyclePool>, OnError) {
        self.meter.clear();
        self.failed = None;
        (std::mem::take(&mut self.ready), self.records.take(), self.ring.take(), std::mem::take(&mut self.on_error))
    }

    /// Returns whether the iteration has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.records.is_none() && self.ready.len() == 0 && self.failed.is_none()
    }

    pub(crate) fn has_batches(&self) -> bool {
        self.batch.is_some()
    }

    pub(crate) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.plan)?;
        self.several.iter().try_for_each(|plan| visit.call(plan))?;
        if let Some(header) = &self.header {
            header.traverse(visit)?;
        }
        visit.call(&self.options.describe)?;
        self.on_error.traverse(visit)?;
        if let Meter::Function(function) = &self.meter {
            visit.call(function)?;
        }
        if let Some(ring) = &self.ring {
            ring.traverse(visit)?;
        }
        if let Some(records) = &self.records {
            records.traverse(visit)?;
        }
        self.ready.traverse(visit)
    }
}
