//! Writes objects as rows of a table: this thread encodes batches, another one inserts them.

use super::engine::Engine;
use super::hint::{Anything, Hint};
use super::object_ref::{list_class, tuple_class};
use super::writer::items;
use super::{AnySink, EncodeOptions, EncodeSink, ObjectRef};
use crate::error::{Failure, exception};
use demat_core::{Checked, Error, ErrorKind, Result, Sink};
use demat_sqlite::{Batch, RowWriter, Table, TableSink, Writer, row_of};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

/// Writes values in a transaction of its own. Returns the number of inserted, changed or deleted rows.
///
/// # Errors
/// If a value can't be encoded or its row is refused, or an exception is raised while a value is read. The transaction
/// is rolled back then.
pub(crate) fn tell_rows(
    values: &Bound<'_, PyAny>,
    options: &EncodeOptions,
    table: &Arc<Table>,
    writer: Writer,
) -> PyResult<(u64, Vec<i64>)> {
    let py = values.py();
    let hand = Hand::new(py, WriterState::Own(Box::new(writer)));
    match tell_to(values, options, table, hand) {
        (hand, Outcome::Written) => hand.finish(),
        (hand, Outcome::Failed(error, raised)) => Err(hand.failed(error, raised)),
        (hand, Outcome::Raised(raised)) => {
            hand.give_up();
            Err(raised)
        }
    }
}

/// The outcome of writing values.
pub(super) enum Outcome {
    Written,
    /// The write failed, maybe by an exception.
    Failed(Error, Option<PyErr>),
    /// The values raised an exception at once.
    Raised(PyErr),
}

/// Writes values to a row writer. Returns the writer and the outcome.
pub(super) fn tell_to<T: RowWriter>(
    values: &Bound<'_, PyAny>,
    options: &EncodeOptions,
    table: &Arc<Table>,
    taker: T,
) -> (T, Outcome) {
    let py = values.py();
    let shape = match options.program().map(|program| program.shape(py)).transpose() {
        Ok(shape) => shape,
        Err(raised) => return (taker, Outcome::Raised(raised)),
    };
    let row = shape.as_ref().and_then(row_of);
    let record = row.as_ref().map(demat_core::RecordRef::get);
    let sink = TableSink::new(Arc::clone(table), record.as_deref(), taker);
    let checks = match options.program().map(|program| program.row_checks(py)).transpose() {
        Ok(checks) => checks.flatten(),
        Err(raised) => return (sink.into_taker(), Outcome::Raised(raised)),
    };
    let Some(checks) = checks else {
        let (sink, outcome) = tell_sink(values, options, sink);
        return (sink.into_taker(), outcome);
    };
    // Rows with checks take the slower path: each value is checked before it is bound to its column.
    let mut checked = Checked::new(sink, checks);
    let (_, outcome) = tell_sink(values, options, AnySink::of_rows(&mut checked));
    (checked.into_inner().into_taker(), outcome)
}

/// Writes values as a list of rows to a sink.
///
/// # Errors
/// If a value can't be encoded or its row is refused, or an exception is raised while a value is read.
pub(crate) fn write_rows(values: &Bound<'_, PyAny>, options: &EncodeOptions, sink: &mut dyn Sink) -> PyResult<()> {
    let py = values.py();
    let checks = options.program().map(|program| program.row_checks(py)).transpose()?.flatten();
    let outcome = match checks {
        Some(checks) => {
            let mut checked = Checked::new(sink, checks);
            tell_sink(values, options, AnySink::of_rows(&mut checked)).1
        }
        None => tell_sink(values, options, AnySink::of_rows(sink)).1,
    };
    match outcome {
        Outcome::Written => Ok(()),
        Outcome::Failed(error, raised) => Err(exception(py, Failure::one(located(error), raised))),
        Outcome::Raised(raised) => Err(raised),
    }
}

/// Writes values to a sink of rows, and returns the sink.
fn tell_sink<K: EncodeSink>(values: &Bound<'_, PyAny>, options: &EncodeOptions, sink: K) -> (K, Outcome) {
    let mut engine = Engine::new(sink, options);
    let told = match options.program() {
        Some(program) => {
            let hint = engine.at(&program.root, program);
            tell(&mut engine, hint, values)
        }
        None => tell(&mut engine, Anything, values),
    };
    let told = match told {
        Ok(told) => told.and_then(|()| demat_core::Sink::finish(&mut engine.sink)),
        Err(raised) => return (engine.sink, Outcome::Raised(raised)),
    };
    let outcome = match told {
        Ok(()) => Outcome::Written,
        Err(error) => Outcome::Failed(error, engine.raised.take().map(|raised| *raised)),
    };
    (engine.sink, outcome)
}

/// The outer error: the argument is no list of values.
fn tell<'e, K: EncodeSink>(
    engine: &mut Engine<'e, K>,
    hint: impl Hint<'e>,
    values: &Bound<'_, PyAny>,
) -> PyResult<Result<()>> {
    // SAFETY: the caller holds the values; the GIL is held.
    let object = unsafe { ObjectRef::new(values.as_ptr()) };
    Ok(if object.is_exactly(list_class()) {
        engine.list(hint, object)
    } else if object.is_exactly(tuple_class()) {
        engine.tuple(hint, object)
    } else {
        let items = items(values)?;
        // SAFETY: they are held here; the GIL is held.
        engine.iterable(hint, unsafe { ObjectRef::new(items.as_ptr()) })
    })
}

/// Passes batches to a writer thread, once there is more than one. It releases the GIL while it waits for the thread:
/// this happens between items, where no Python object is borrowed.
struct Hand<'py> {
    py: Python<'py>,
    state: WriterState,
    /// The exception of a signal handler.
    raised: Option<PyErr>,
}

enum WriterState {
    /// Written by this thread.
    Own(Box<Writer>),
    Thread(Worker),
    /// The write failed with this error.
    Failed(Error),
    Gone,
}

struct Worker {
    orders: SyncSender<Order>,
    back: Receiver<Batch>,
    thread: JoinHandle<Ended>,
    /// The number of batches not yet in use.
    fresh: usize,
}

/// The writer, and its result.
type Ended = (Box<Writer>, Result<()>);

enum Order {
    Take(Batch),
    Mark,
    Settle,
    Undo,
}

/// The number of batches in flight, besides the current one.
const BATCHES: usize = 2;

impl<'py> Hand<'py> {
    fn new(py: Python<'py>, state: WriterState) -> Self {
        Self { py, state, raised: None }
    }

    /// Calls the writer on this thread.
    fn on_own(&mut self, work: impl FnOnce(&mut Writer) -> Result<()> + Send) -> Result<()> {
        let WriterState::Own(writer) = &mut self.state else { return Err(gone()) };
        let done = self.py.detach(|| work(writer));
        if let Err(error) = done {
            self.state = WriterState::Failed(error);
            return Err(gone());
        }
        Ok(())
    }

    fn order(&mut self, order: Order) -> Result<()> {
        let WriterState::Thread(worker) = &mut self.state else { return Err(gone()) };
        self.py.detach(|| worker.orders.send(order)).map_err(|_| gone())
    }

    /// Swaps the full batch for an empty one.
    fn exchange(&mut self, batch: &mut Batch) -> Result<()> {
        let WriterState::Thread(worker) = &mut self.state else { return Err(gone()) };
        let Worker { orders, back, fresh, .. } = worker;
        let empty = if *fresh > 0 {
            *fresh -= 1;
            let mut empty = batch.clone();
            empty.clear();
            Some(empty)
        } else {
            None
        };
        let (orders, back) = (&*orders, &mut *back);
        let exchanged = self.py.detach(move || {
            let mut empty = empty.or_else(|| back.recv().ok())?;
            core::mem::swap(batch, &mut empty);
            orders.send(Order::Take(empty)).ok()
        });
        exchanged.ok_or_else(gone)?;
        if let Err(raised) = self.py.check_signals() {
            self.raised = Some(raised);
            return Err(gone());
        }
        Ok(())
    }

    fn spawn(&mut self) -> Result<()> {
        let WriterState::Own(writer) = core::mem::replace(&mut self.state, WriterState::Gone) else {
            return Err(gone());
        };
        let (orders, ordered) = sync_channel(1);
        let (give, back) = channel();
        let thread = Builder::new().name("demat-sqlite".to_string()).spawn(move || work(writer, &ordered, &give))?;
        self.state = WriterState::Thread(Worker { orders, back, thread, fresh: BATCHES });
        Ok(())
    }

    /// Waits for the thread.
    fn join(&mut self) -> Result<Ended> {
        match core::mem::replace(&mut self.state, WriterState::Gone) {
            WriterState::Own(writer) => Ok((writer, Ok(()))),
            WriterState::Failed(error) => Err(error),
            WriterState::Gone => Err(gone()),
            WriterState::Thread(Worker { orders, back, thread, .. }) => {
                drop((orders, back));
                let joined = self.py.detach(|| thread.join());
                joined.map_err(|panic| demat_core::panicked(&*panic))
            }
        }
    }

    /// Returns the number of changed rows, and the rowids of the inserted ones if requested.
    fn finish(mut self) -> PyResult<(u64, Vec<i64>)> {
        let py = self.py;
        let finished = self.join().and_then(|(mut writer, written)| match written {
            Ok(()) => py.detach(|| {
                let ids = writer.ids();
                Ok((writer.finish()?, ids))
            }),
            Err(error) => {
                py.detach(|| drop(writer));
                Err(error)
            }
        });
        finished.map_err(|error| exception(py, Failure::from(error)))
    }

    /// Selects the error to report: an exception raised here, the error of the writer, or that of the engine.
    fn failed(mut self, error: Error, raised: Option<PyErr>) -> PyErr {
        let own = self.raised.take();
        let py = self.py;
        let written = match self.join() {
            Err(error) => Some(error),
            Ok((writer, written)) => {
                py.detach(|| drop(writer));
                written.err()
            }
        };
        match (own, written.filter(|error| !is_gone(error))) {
            (Some(raised), _) => raised,
            (None, Some(written)) => exception(py, Failure::from(written)),
            (None, None) => exception(py, Failure::one(located(error), raised)),
        }
    }

    /// Rolls the writes back.
    fn give_up(mut self) {
        let ended = self.join();
        self.py.detach(|| drop(ended));
    }
}

/// Adds the record's number, taken from the error's path.
pub(super) fn located(error: Error) -> Error {
    let path = error.path();
    let number = path.strip_prefix("$[").and_then(|rest| rest.split(']').next()).and_then(|number| number.parse().ok());
    match number {
        Some(index) if error.position().record.is_none() => {
            let index: u64 = index;
            error.in_record(index + 1)
        }
        _ => error,
    }
}

fn work(mut writer: Box<Writer>, orders: &Receiver<Order>, back: &Sender<Batch>) -> Ended {
    for order in orders {
        let done = match order {
            Order::Take(mut batch) => {
                let taken = writer.take(&mut batch);
                let _ = back.send(batch); // fails if the receiver is gone
                taken
            }
            Order::Mark => writer.mark(),
            Order::Settle => writer.settle(),
            Order::Undo => writer.undo(),
        };
        if done.is_err() {
            return (writer, done);
        }
    }
    (writer, Ok(()))
}

/// A placeholder: the actual error is kept in the writer's state.
#[cold]
fn gone() -> Error {
    Error::new(ErrorKind::Store, GONE)
}

const GONE: &str = "what writes the rows has ended";

fn is_gone(error: &Error) -> bool {
    error.reason() == GONE
}

impl RowWriter for Hand<'_> {
    fn take(&mut self, batch: &mut Batch) -> Result<()> {
        // A batch that is not full is the last one, or the only one.
        if batch.is_full() && matches!(self.state, WriterState::Own(_)) {
            self.spawn()?;
        }
        match &self.state {
            WriterState::Own(_) => self.on_own(|writer| writer.take(batch)),
            _ => self.exchange(batch),
        }
    }

    fn mark(&mut self) -> Result<()> {
        if matches!(self.state, WriterState::Own(_)) { self.on_own(Writer::mark) } else { self.order(Order::Mark) }
    }

    fn settle(&mut self) -> Result<()> {
        if matches!(self.state, WriterState::Own(_)) { self.on_own(Writer::settle) } else { self.order(Order::Settle) }
    }

    fn undo(&mut self) -> Result<()> {
        if matches!(self.state, WriterState::Own(_)) { self.on_own(Writer::undo) } else { self.order(Order::Undo) }
    }
}
