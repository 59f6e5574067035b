//! Rows of a table, told from objects: by this thread, while another one writes what was told.

use super::engine::Engine;
use super::hint::{Anything, Declared, Hint};
use super::lent::{list_class, tuple_class};
use super::writer::items;
use super::{EncodeOptions, Lent, Place};
use crate::error::{Failure, exception};
use demat_core::{Error, ErrorKind, Result};
use demat_sqlite::{Batch, Table, TableSink, Taker, Writer, row_of};
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::{Builder, JoinHandle};

/// Tells a writer all of some values, in a transaction of its own; gives how many rows of the table were added, changed or
/// deleted.
///
/// # Errors
/// Where a value can't be told, or its row is refused; what the values raise. Then the transaction is undone.
pub(crate) fn tell_rows<'py>(
    values: &Bound<'py, PyAny>,
    options: &EncodeOptions,
    table: &Arc<Table>,
    writer: Writer,
) -> PyResult<u64> {
    let py = values.py();
    let shape = options.program().map(|program| program.shape(py)).transpose()?;
    let row = shape.as_ref().and_then(row_of);
    let record = row.as_ref().map(demat_core::RecordRef::get);
    let sink = TableSink::new(Arc::clone(table), record.as_deref(), Hand::new(py, writer));
    let mut engine = Engine::new(sink, options);
    let told = match options.program() {
        Some(program) => tell(&mut engine, Declared { node: &program.root, program }, values),
        None => tell(&mut engine, Anything, values),
    };
    let told = match told {
        Ok(told) => told.and_then(|()| demat_core::Sink::finish(&mut engine.sink)),
        Err(raised) => {
            engine.sink.into_taker().give_up();
            return Err(raised);
        }
    };
    let raised = engine.raised.take().map(|raised| *raised);
    let hand = engine.sink.into_taker();
    match told {
        Ok(()) => hand.finish(),
        Err(error) => Err(hand.failed(error, raised)),
    }
}

/// Outside: what is given is no list of values.
fn tell<'e, K: Place>(
    engine: &mut Engine<'e, K>,
    hint: impl Hint<'e>,
    values: &Bound<'_, PyAny>,
) -> PyResult<Result<()>> {
    // SAFETY: the caller holds the values; the GIL is held.
    let object = unsafe { Lent::new(values.as_ptr()) };
    Ok(if object.is_exactly(list_class()) {
        engine.list(hint, object)
    } else if object.is_exactly(tuple_class()) {
        engine.tuple(hint, object)
    } else {
        let items = items(values)?;
        // SAFETY: they are held here; the GIL is held.
        engine.iterable(hint, unsafe { Lent::new(items.as_ptr()) })
    })
}

/// Hands batches to a thread that writes them, once there is more than one. While it waits for that thread others may have
/// the interpreter: that is at the border of an item, where nothing of the interpreter's is borrowed.
struct Hand<'py> {
    py: Python<'py>,
    state: State,
    /// What a signal's handler raised.
    raised: Option<PyErr>,
}

enum State {
    /// Written by this thread.
    Own(Box<Writer>),
    Thread(Worker),
    /// It failed, so.
    Failed(Error),
    Gone,
}

struct Worker {
    orders: SyncSender<Order>,
    back: Receiver<Batch>,
    thread: JoinHandle<(Box<Writer>, Result<()>)>,
}

enum Order {
    Take(Batch),
    Mark,
    Settle,
    Undo,
}

/// So many batches are on their way, beside the one that is told.
const BATCHES: usize = 2;

impl<'py> Hand<'py> {
    fn new(py: Python<'py>, writer: Writer) -> Self {
        Self { py, state: State::Own(Box::new(writer)), raised: None }
    }

    /// Does something with the writer, on this thread.
    fn on_own(&mut self, work: impl FnOnce(&mut Writer) -> Result<()> + Send) -> Result<()> {
        let State::Own(writer) = &mut self.state else { return Err(gone()) };
        let done = self.py.detach(|| work(writer));
        if let Err(error) = done {
            self.state = State::Failed(error);
            return Err(gone());
        }
        Ok(())
    }

    fn order(&mut self, order: Order) -> Result<()> {
        let State::Thread(worker) = &mut self.state else { return Err(gone()) };
        self.py.detach(|| worker.orders.send(order)).map_err(|_| gone())
    }

    /// The batch that is full goes, and an empty one comes.
    fn exchange(&mut self, batch: &mut Batch) -> Result<()> {
        let State::Thread(worker) = &mut self.state else { return Err(gone()) };
        let Worker { orders, back, .. } = worker;
        let (orders, back) = (&*orders, &mut *back);
        let exchanged = self.py.detach(move || {
            let mut empty = back.recv().ok()?;
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

    fn spawn(&mut self, columns: &Batch) -> Result<()> {
        let State::Own(writer) = core::mem::replace(&mut self.state, State::Gone) else { return Err(gone()) };
        let (orders, ordered) = sync_channel(1);
        let (give, back) = channel();
        for _ in 0..BATCHES {
            let mut empty = columns.clone();
            empty.clear();
            let _ = give.send(empty); // the other end is here
        }
        let thread = Builder::new().name("demat-sqlite".to_string()).spawn(move || work(writer, &ordered, &give))?;
        self.state = State::Thread(Worker { orders, back, thread });
        Ok(())
    }

    /// Waits for the thread, and has the writer again.
    fn join(&mut self) -> Result<Box<Writer>> {
        match core::mem::replace(&mut self.state, State::Gone) {
            State::Own(writer) => Ok(writer),
            State::Failed(error) => Err(error),
            State::Gone => Err(gone()),
            State::Thread(Worker { orders, back, thread }) => {
                drop((orders, back));
                match self.py.detach(|| thread.join()) {
                    Ok((writer, Ok(()))) => Ok(writer),
                    Ok((writer, Err(error))) => {
                        self.py.detach(|| drop(writer));
                        Err(error)
                    }
                    Err(_) => Err(Error::new(ErrorKind::Store, "the thread that writes has panicked")),
                }
            }
        }
    }

    fn finish(mut self) -> PyResult<u64> {
        let py = self.py;
        let finished = self.join().and_then(|writer| py.detach(|| writer.finish()));
        finished.map_err(|error| exception(py, Failure::from(error)))
    }

    /// What it is that has failed: what was raised here, what the writer says, or what the engine does.
    fn failed(mut self, error: Error, raised: Option<PyErr>) -> PyErr {
        let own = self.raised.take();
        let failed = self.join();
        let py = self.py;
        match (own, failed) {
            (Some(raised), _) => raised,
            (None, Err(written)) => exception(py, Failure::from(written)),
            (None, Ok(writer)) => {
                py.detach(|| drop(writer));
                exception(py, Failure::one(located(error), raised))
            }
        }
    }

    /// Undoes what was written.
    fn give_up(mut self) {
        let writer = self.join();
        self.py.detach(|| drop(writer));
    }
}

/// Which record it is stands in its path.
fn located(error: Error) -> Error {
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

fn work(mut writer: Box<Writer>, orders: &Receiver<Order>, back: &Sender<Batch>) -> (Box<Writer>, Result<()>) {
    for order in orders {
        let done = match order {
            Order::Take(mut batch) => {
                let taken = writer.take(&mut batch);
                let _ = back.send(batch); // nobody may want it any more
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

/// Stands for an error that is found where it was left.
#[cold]
fn gone() -> Error {
    Error::new(ErrorKind::Store, "what writes the rows has ended")
}

impl Taker for Hand<'_> {
    fn take(&mut self, batch: &mut Batch) -> Result<()> {
        // A batch that is not full is the last one, or the only one.
        if batch.is_full() && matches!(self.state, State::Own(_)) {
            self.spawn(batch)?;
        }
        match &self.state {
            State::Own(_) => self.on_own(|writer| writer.take(batch)),
            _ => self.exchange(batch),
        }
    }

    fn mark(&mut self) -> Result<()> {
        if matches!(self.state, State::Own(_)) { self.on_own(Writer::mark) } else { self.order(Order::Mark) }
    }

    fn settle(&mut self) -> Result<()> {
        if matches!(self.state, State::Own(_)) { self.on_own(Writer::settle) } else { self.order(Order::Settle) }
    }

    fn undo(&mut self) -> Result<()> {
        if matches!(self.state, State::Own(_)) { self.on_own(Writer::undo) } else { self.order(Order::Undo) }
    }
}
