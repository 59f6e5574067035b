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
pub(crate) fn tell_rows(
    values: &Bound<'_, PyAny>,
    options: &EncodeOptions,
    table: &Arc<Table>,
    writer: Writer,
) -> PyResult<u64> {
    let py = values.py();
    let hand = tell_to(values, options, table, Hand::new(py, State::Own(Box::new(writer))))?;
    hand.finish()
}

/// Tells some tables some values, which are built as pages by `build`, on a thread of its own; gives what it gives.
///
/// # Errors
/// As above; nothing is there then.
pub(crate) fn build_rows(
    py: Python<'_>,
    tables: &[(Bound<'_, PyAny>, EncodeOptions, Arc<Table>)],
    build: impl FnOnce(&mut Told) -> Result<u64> + Send + 'static,
) -> PyResult<u64> {
    let mut hand = Hand::new(py, State::building(build).map_err(|error| exception(py, Failure::from(error)))?);
    for (values, options, table) in tables {
        hand = tell_to(values, options, table, hand)?;
        if let Err(error) = hand.order(Order::Next) {
            return Err(hand.failed(error, None));
        }
    }
    hand.finish()
}

fn tell_to<'py>(
    values: &Bound<'py, PyAny>,
    options: &EncodeOptions,
    table: &Arc<Table>,
    hand: Hand<'py>,
) -> PyResult<Hand<'py>> {
    let py = values.py();
    let shape = options.program().map(|program| program.shape(py)).transpose()?;
    let row = shape.as_ref().and_then(row_of);
    let record = row.as_ref().map(demat_core::RecordRef::get);
    let sink = TableSink::new(Arc::clone(table), record.as_deref(), hand);
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
        Ok(()) => Ok(hand),
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
    /// Of a writer, and of a build.
    thread: JoinHandle<Ended>,
    /// How many batches were not given out yet.
    fresh: usize,
}

/// What a thread has come to.
enum Ended {
    Wrote(Box<Writer>, Result<()>),
    Built(Result<u64>),
}

enum Order {
    Take(Batch),
    Mark,
    Settle,
    Undo,
    /// The table has all its rows.
    Next,
    /// All tables have.
    Finish,
}

/// The batches that are told a build, table by table.
pub(crate) struct Told {
    orders: Receiver<Order>,
    back: Sender<Batch>,
}

impl Told {
    /// Takes all batches of the next table.
    ///
    /// # Errors
    /// Where it is given up, and what the taker says.
    pub(crate) fn table(&mut self, taker: &mut impl Taker) -> Result<()> {
        loop {
            match self.orders.recv() {
                Ok(Order::Take(mut batch)) => {
                    taker.take(&mut batch)?;
                    let _ = self.back.send(batch); // nobody may want it any more
                }
                Ok(Order::Next) => return Ok(()),
                // A row that is told in pieces is no matter here: all of it goes, or nothing.
                Ok(Order::Mark | Order::Settle) => {}
                Ok(Order::Undo | Order::Finish) | Err(_) => return Err(gone()),
            }
        }
    }

    /// Waits for the word that all is told.
    ///
    /// # Errors
    /// Where it is given up.
    pub(crate) fn finish(&mut self) -> Result<()> {
        if matches!(self.orders.recv(), Ok(Order::Finish)) { Ok(()) } else { Err(gone()) }
    }
}

impl State {
    fn building(build: impl FnOnce(&mut Told) -> Result<u64> + Send + 'static) -> Result<Self> {
        let (orders, ordered) = sync_channel(1);
        let (give, back) = channel();
        let mut told = Told { orders: ordered, back: give };
        let work = move || Ended::Built(build(&mut told));
        let thread = Builder::new().name("demat-sqlite".to_string()).spawn(work)?;
        Ok(Self::Thread(Worker { orders, back, thread, fresh: BATCHES }))
    }
}

/// So many batches are on their way, beside the one that is told.
const BATCHES: usize = 2;

impl<'py> Hand<'py> {
    fn new(py: Python<'py>, state: State) -> Self {
        Self { py, state, raised: None }
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
        let State::Own(writer) = core::mem::replace(&mut self.state, State::Gone) else { return Err(gone()) };
        let (orders, ordered) = sync_channel(1);
        let (give, back) = channel();
        let thread = Builder::new().name("demat-sqlite".to_string()).spawn(move || work(writer, &ordered, &give))?;
        self.state = State::Thread(Worker { orders, back, thread, fresh: BATCHES });
        Ok(())
    }

    /// Waits for the thread.
    fn join(&mut self) -> Result<Ended> {
        match core::mem::replace(&mut self.state, State::Gone) {
            State::Own(writer) => Ok(Ended::Wrote(writer, Ok(()))),
            State::Failed(error) => Err(error),
            State::Gone => Err(gone()),
            State::Thread(Worker { orders, back, thread, .. }) => {
                drop((orders, back));
                let joined = self.py.detach(|| thread.join());
                joined.map_err(|_| Error::new(ErrorKind::Store, "the thread that writes has panicked"))
            }
        }
    }

    fn finish(mut self) -> PyResult<u64> {
        let py = self.py;
        if let State::Thread(worker) = &mut self.state {
            // A thread that has failed does not hear it, and says so when it is waited for.
            let _ = py.detach(|| worker.orders.send(Order::Finish));
        }
        let finished = self.join().and_then(|ended| match ended {
            Ended::Wrote(writer, Ok(())) => py.detach(|| writer.finish()),
            Ended::Wrote(writer, Err(error)) => {
                py.detach(|| drop(writer));
                Err(error)
            }
            Ended::Built(built) => built,
        });
        finished.map_err(|error| exception(py, Failure::from(error)))
    }

    /// What it is that has failed: what was raised here, what the writer says, or what the engine does.
    fn failed(mut self, error: Error, raised: Option<PyErr>) -> PyErr {
        let own = self.raised.take();
        let py = self.py;
        let written = match self.join() {
            Err(error) | Ok(Ended::Built(Err(error))) => Some(error),
            Ok(Ended::Wrote(writer, written)) => {
                py.detach(|| drop(writer));
                written.err()
            }
            Ok(Ended::Built(Ok(_))) => None,
        };
        match (own, written.filter(|error| !is_gone(error))) {
            (Some(raised), _) => raised,
            (None, Some(written)) => exception(py, Failure::from(written)),
            (None, None) => exception(py, Failure::one(located(error), raised)),
        }
    }

    /// Undoes what was written.
    fn give_up(mut self) {
        let ended = self.join();
        self.py.detach(|| drop(ended));
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

fn work(mut writer: Box<Writer>, orders: &Receiver<Order>, back: &Sender<Batch>) -> Ended {
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
            Order::Next | Order::Finish => Ok(()),
        };
        if done.is_err() {
            return Ended::Wrote(writer, done);
        }
    }
    Ended::Wrote(writer, Ok(()))
}

/// Stands for an error that is found where it was left.
#[cold]
fn gone() -> Error {
    Error::new(ErrorKind::Store, GONE)
}

const GONE: &str = "what writes the rows has ended";

fn is_gone(error: &Error) -> bool {
    error.reason() == GONE
}

impl Taker for Hand<'_> {
    fn take(&mut self, batch: &mut Batch) -> Result<()> {
        // A batch that is not full is the last one, or the only one.
        if batch.is_full() && matches!(self.state, State::Own(_)) {
            self.spawn()?;
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
