//! Records that a thread reads ahead, some at a time.

use crate::place::stopped;
use crate::tape::{Part, Tape, TapeSink};
use demat_core::scalar::Int;
use demat_core::{Result, Sink};
use std::sync::mpsc::{Receiver, sync_channel};
use std::thread::{self, JoinHandle};

/// The number of parts from which a tape is passed on.
const WORTH: usize = 4096;

/// The records of a place. A thread reads ahead: at most three tapes are in memory.
#[derive(Debug)]
pub(crate) struct Records {
    tapes: Option<Receiver<Result<Tape>>>,
    thread: Option<JoinHandle<()>>,
}

impl Records {
    /// Returns the records that the function writes to its sink, in a thread of its own.
    pub(crate) fn new(exact: bool, tell: impl FnOnce(&mut dyn Sink) -> Result<()> + Send + 'static) -> Result<Self> {
        let (sender, receiver) = sync_channel(1);
        let thread = thread::Builder::new().name("demat read".to_owned()).spawn(move || {
            let tapes = sender.clone();
            let mut sink = ItemSink::new(exact, move |tape| tapes.send(Ok(tape)).map_err(|_| stopped()));
            let told = demat_core::caught(|| {
                let told = tell(&mut sink);
                if told.is_err() {
                    // What was begun of the refused record; those before it are passed on.
                    sink.rollback()?;
                }
                sink.pass_on().and(told)
            });
            if let Err(error) = told {
                // Without a receiver nobody wants to know.
                let _ = sender.send(Err(error));
            }
        })?;
        Ok(Self { tapes: Some(receiver), thread: Some(thread) })
    }

    /// Returns the next records as a list; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Tape>> {
        let received = self.tapes.as_ref().and_then(|tapes| tapes.recv().ok());
        if !matches!(received, Some(Ok(_))) {
            self.tapes = None;
        }
        received.transpose()
    }
}

impl Drop for Records {
    fn drop(&mut self) {
        self.tapes = None;
        if let Some(thread) = self.thread.take() {
            // It ends at its next record.
            let _ = thread.join();
        }
    }
}

/// A sink that passes the items of the outermost list on, or the one value.
pub(crate) struct ItemSink<F> {
    pass: F,
    /// Whether integers must be exact, since a shape asks for them.
    exact: bool,
    tape: Tape,
    /// The open lists and maps below the outermost list, where they began, and the numbers of their children.
    open: Vec<(usize, usize)>,
    in_list: bool,
    items: usize,
    committed: (Vec<(usize, usize)>, usize, usize, usize, bool),
}

impl<F: FnMut(Tape) -> Result<()>> ItemSink<F> {
    /// Returns a sink that passes tapes on, each with a list of items.
    pub(crate) fn new(exact: bool, pass: F) -> Self {
        let mut sink = Self {
            pass,
            exact,
            tape: Tape::default(),
            open: Vec::new(),
            in_list: false,
            items: 0,
            committed: (Vec::new(), 1, 0, 0, false),
        };
        sink.begin_tape();
        sink
    }

    fn begin_tape(&mut self) {
        self.tape.parts.push(Part::List { len: 0, end: 0 });
    }

    /// Passes the tape on, if it has anything.
    pub(crate) fn pass_on(&mut self) -> Result<()> {
        if self.items == 0 {
            return Ok(());
        }
        let end = self.tape.parts.len();
        self.tape.parts[0] = Part::List { len: self.items, end };
        self.tape.parts.push(Part::End);
        let tape = core::mem::take(&mut self.tape);
        self.begin_tape();
        self.items = 0;
        (self.pass)(tape)
    }

    fn put(&mut self, part: Part) {
        // A value that is no list is the one item.
        if self.open.is_empty() && !self.in_list {
            self.items = 1;
        }
        self.tape.parts.push(part);
    }

    fn begin(&mut self, part: Part) {
        let at = self.tape.parts.len();
        self.put(part);
        self.open.push((at, 0));
    }

    fn count(&mut self) {
        match self.open.last_mut() {
            Some((_, count)) => *count += 1,
            None => self.items += 1,
        }
    }

    fn close(&mut self) {
        let Some((at, count)) = self.open.pop() else { return };
        let now = self.tape.parts.len();
        if let Some(Part::List { len, end } | Part::Map { len, end }) = self.tape.parts.get_mut(at) {
            (*len, *end) = (count, now);
        }
        self.tape.parts.push(Part::End);
    }

    /// Writes a scalar as a sink of tapes does.
    fn scalar(&mut self, write: impl FnOnce(&mut TapeSink<'_>) -> Result<()>) -> Result<()> {
        let mut one = Tape::default();
        write(&mut TapeSink::new(&mut one, &[], self.exact))?;
        match one.parts.first() {
            Some(Part::Text { .. }) => self.text_bytes(&one.bytes),
            Some(part) => self.put(*part),
            None => {}
        }
        Ok(())
    }

    fn text_bytes(&mut self, text: &[u8]) {
        if self.open.is_empty() && !self.in_list {
            self.items = 1;
        }
        self.tape.text(text);
    }
}

impl<F: FnMut(Tape) -> Result<()>> Sink for ItemSink<F> {
    fn null(&mut self) -> Result<()> {
        self.put(Part::Null);
        Ok(())
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        self.put(Part::Bool(value));
        Ok(())
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match value {
            Int::I64(value) if !self.exact || crate::number::holds(*value) => self.put(Part::Int(*value)),
            other => self.scalar(|sink| sink.int(other))?,
        }
        Ok(())
    }
    fn float(&mut self, value: f64) -> Result<()> {
        self.put(Part::Float(value));
        Ok(())
    }
    fn text(&mut self, value: &str) -> Result<()> {
        self.text_bytes(value.as_bytes());
        Ok(())
    }
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.text_bytes(value);
        Ok(())
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        if self.open.is_empty() && !self.in_list {
            self.in_list = true;
        } else {
            self.begin(Part::List { len: 0, end: 0 });
        }
        Ok(())
    }
    fn item(&mut self) -> Result<()> {
        self.count();
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        self.close();
        Ok(())
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.begin(Part::Map { len: 0, end: 0 });
        Ok(())
    }
    fn entry(&mut self) -> Result<()> {
        self.count();
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        self.close();
        Ok(())
    }
    fn commit(&mut self) -> Result<()> {
        if self.open.is_empty() && self.tape.parts.len() >= WORTH {
            self.pass_on()?;
        }
        self.committed.0.clone_from(&self.open);
        self.committed.1 = self.tape.parts.len();
        self.committed.2 = self.tape.bytes.len();
        self.committed.3 = self.items;
        self.committed.4 = self.in_list;
        Ok(())
    }
    fn rollback(&mut self) -> Result<()> {
        self.open.clone_from(&self.committed.0);
        self.tape.parts.truncate(self.committed.1);
        self.tape.bytes.truncate(self.committed.2);
        self.items = self.committed.3;
        self.in_list = self.committed.4;
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
