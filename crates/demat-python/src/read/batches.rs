//! A reader of a server's rows.

use super::giving::Giving;
use super::reader::Reader;
use super::ready::Ready;
use super::records::{Came, RecordDecoding, Records};
use super::recycle_pool::RecyclePool;
use crate::collector::Paused;
use crate::decode::{DecodeOptions, Engine, Stopped};
use crate::format::Format;
use crate::plan::Plan;
use demat_core::{Error, Source};
use demat_postgres::{RowBatch, RowSource, Rows};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit, intern};

/// Returns a reader of rows. It reads batches without the GIL, and holds the lock of the connection meanwhile.
///
/// # Errors
/// `TypeError` if instances of the type can't be recycled.
pub(crate) fn reader(
    rows: Box<dyn Rows + Send>,
    plan: Option<Bound<'_, Plan>>,
    recycle: bool,
    lock: &Bound<'_, PyAny>,
) -> PyResult<Reader> {
    let ring = recycle.then(|| RecyclePool::of(plan.as_ref(), None)).transpose()?;
    let source = RowSource::new(RowBatch::new(rows.columns().to_vec()));
    let records = RowRecords { rows: Some(rows), source, in_list: false, lock: lock.clone().unbind(), failure: None };
    Ok(Reader::new(Giving::of_rows(Box::new(records), plan, DecodeOptions::new(Format::DEFAULT), ring)))
}

/// Rows of a statement, with a batch in memory.
struct RowRecords {
    /// `None` once all rows were read.
    rows: Option<Box<dyn Rows + Send>>,
    source: RowSource<RowBatch>,
    in_list: bool,
    lock: Py<PyAny>,
    /// The error behind the rows of the batch.
    failure: Option<Error>,
}

impl Drop for RowRecords {
    fn drop(&mut self) {
        // The end of a statement may wait for the server.
        if let Some(rows) = self.rows.take() {
            Python::try_attach(|py| py.detach(|| drop(rows)));
        }
    }
}

impl Records for RowRecords {
    fn decode(
        &mut self,
        py: Python<'_>,
        told: &RecordDecoding<'_>,
        ring: Option<&mut RecyclePool>,
        ready: &mut Ready,
    ) -> Came {
        if !self.in_list {
            self.in_list = true;
            if let Err(error) = self.source.list() {
                return Came::Failed(error.into());
            }
        }
        let paused = Paused::for_input(usize::MAX);
        let came = decode(py, &mut self.source, told, ring, ready);
        drop(paused);
        match came {
            Ok(Came::Ended) if self.rows.is_some() || self.failure.is_some() => Came::Empty,
            Ok(came) => came,
            Err(Stopped::Failed(failure)) => Came::Failed(failure),
            // A batch only holds whole rows.
            Err(Stopped::Incomplete) => Came::Ended,
        }
    }

    fn fill(&mut self, py: Python<'_>) -> demat_core::Result<()> {
        if let Some(error) = self.failure.take() {
            return Err(error);
        }
        let (source, Some(rows)) = (&mut self.source, &mut self.rows) else { return Ok(()) };
        // A signal's handler may raise while another thread has the lock.
        self.lock.call_method0(py, intern!(py, "acquire")).map_err(crate::signals::stopped)?;
        let filled = py.detach(|| source.rows().fill(&mut **rows));
        if !matches!(filled, Ok(true)) {
            // Its end may be a request of its own, and so needs the lock, too.
            let ended = self.rows.take();
            py.detach(|| drop(ended));
        }
        let _ = self.lock.call_method0(py, intern!(py, "release")); // acquired above
        source.go_on();
        // The rows before an error come first.
        self.failure = filled.err();
        Ok(())
    }

    fn awaits_end(&mut self) -> bool {
        false
    }

    fn read(&self) -> u64 {
        0
    }

    fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.lock)
    }
}

/// Decodes rows of the batch, up to `most`.
fn decode(
    py: Python<'_>,
    source: &mut RowSource<RowBatch>,
    told: &RecordDecoding<'_>,
    mut ring: Option<&mut RecyclePool>,
    ready: &mut Ready,
) -> Result<Came, Stopped> {
    let RecordDecoding { program, options, most, given, .. } = *told;
    let source: &mut dyn Source<'_> = source;
    let mut engine = Engine::<&mut dyn Source<'_>, false>::new(py, source, program, &options.manner);
    let located = |stopped, ready: &Ready| match stopped {
        Stopped::Failed(failure) => {
            let index = given + ready.len() as u64;
            Stopped::Failed(failure.map(|error| error.within_item(index as usize).in_record(index + 1)))
        }
        Stopped::Incomplete => Stopped::Incomplete,
    };
    loop {
        if ready.len() >= most {
            return Ok(Came::Full);
        }
        match engine.source.item() {
            Ok(true) => {}
            Ok(false) => return Ok(Came::Ended),
            Err(error) => return Err(engine.stopped(error)),
        }
        let again = ring.as_deref_mut().and_then(|ring| ring.take(&mut engine.ints));
        match engine.each(again) {
            Ok(object) => {
                if let Some(ring) = ring.as_deref_mut() {
                    ring.put(&object);
                }
                ready.push(object);
            }
            Err(stopped) => return Err(located(stopped, ready)),
        }
    }
}
