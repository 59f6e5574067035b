//! A reader of database rows.

use super::giving::Giving;
use super::reader::Reader;
use super::ready::Ready;
use super::records::{Came, RecordDecoding, Records};
use super::recycle_pool::RecyclePool;
use crate::collector::Paused;
use crate::decode::{DecodeOptions, Engine, Stopped};
use crate::plan::Plan;
use demat_core::Source;
use demat_sqlite::scan::PagedRows;
use demat_sqlite::{Batch, RowSource, Rows, Stored};
use pyo3::prelude::*;
use pyo3::{PyTraverseError, PyVisit, intern};

/// Returns a reader of rows. It reads batches without the GIL, and holds the lock of the connection meanwhile.
///
/// # Errors
/// `TypeError` if instances of the type can't be recycled.
pub(crate) fn reader(
    rows: PagedRows,
    stored: &[Stored],
    plan: Option<Bound<'_, Plan>>,
    recycle: bool,
    lock: &Bound<'_, PyAny>,
) -> PyResult<Reader> {
    let ring = recycle.then(|| RecyclePool::of(plan.as_ref(), None)).transpose()?;
    let batch = Batch::new(rows.columns().into());
    let source = Some(RowSource::new(batch, stored));
    let records = RowRecords { rows: Some(rows), source, in_list: false, lock: lock.clone().unbind() };
    Ok(Reader::new(Giving::of_rows(Box::new(records), plan, DecodeOptions::of_rows(), ring)))
}

/// Rows of a statement, with a batch in memory.
struct RowRecords {
    /// `None` once all rows were read.
    rows: Option<PagedRows>,
    /// Taken out while the engine reads it.
    source: Option<RowSource<Batch>>,
    in_list: bool,
    lock: Py<PyAny>,
}

impl Records for RowRecords {
    fn decode(
        &mut self,
        py: Python<'_>,
        told: &RecordDecoding<'_>,
        ring: Option<&mut RecyclePool>,
        ready: &mut Ready,
    ) -> Came {
        let Some(mut source) = self.source.take() else { return Came::Ended };
        if !self.in_list {
            self.in_list = true;
            if let Err(error) = source.list() {
                return Came::Failed(error.into());
            }
        }
        let paused = Paused::for_input(usize::MAX);
        let (source, came) = decode(py, source, told, ring, ready);
        drop(paused);
        self.source = Some(source);
        match came {
            Ok(Came::Ended) if self.rows.is_some() => Came::Empty,
            Ok(came) => came,
            Err(Stopped::Failed(failure)) => Came::Failed(failure),
            // A batch only holds whole rows.
            Err(Stopped::Incomplete) => Came::Ended,
        }
    }

    fn fill(&mut self, py: Python<'_>) -> demat_core::Result<()> {
        let (Some(source), Some(rows)) = (&mut self.source, &mut self.rows) else { return Ok(()) };
        let taken = self.lock.call_method0(py, intern!(py, "acquire"));
        let filled = py.detach(|| source.rows().fill(rows));
        if taken.is_ok() {
            let _ = self.lock.call_method0(py, intern!(py, "release")); // acquired above
        }
        source.go_on();
        let number = source.row();
        if !filled.map_err(|error| error.in_record(number + source.rows().rows() as u64 + 1))? {
            self.rows = None;
        }
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
    source: RowSource<Batch>,
    told: &RecordDecoding<'_>,
    mut ring: Option<&mut RecyclePool>,
    ready: &mut Ready,
) -> (RowSource<Batch>, Result<Came, Stopped>) {
    let RecordDecoding { program, options, most, given, .. } = *told;
    let mut engine = Engine::<_, false>::new(py, source, program, &options.manner);
    let located = |stopped, ready: &Ready| match stopped {
        Stopped::Failed(failure) => {
            let index = given + ready.len() as u64;
            Stopped::Failed(failure.map(|error| error.within_item(index as usize).in_record(index + 1)))
        }
        Stopped::Incomplete => Stopped::Incomplete,
    };
    let came = loop {
        if ready.len() >= most {
            break Ok(Came::Full);
        }
        match engine.source.item() {
            Ok(true) => {}
            Ok(false) => break Ok(Came::Ended),
            Err(error) => break Err(engine.stopped(error)),
        }
        let again = ring.as_deref_mut().and_then(|ring| ring.take(&mut engine.ints));
        match engine.each(again) {
            Ok(object) => {
                if let Some(ring) = ring.as_deref_mut() {
                    ring.put(&object);
                }
                ready.push(object);
            }
            Err(stopped) => break Err(located(stopped, ready)),
        }
    };
    (engine.source, came)
}
