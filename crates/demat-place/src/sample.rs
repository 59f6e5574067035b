//! Samples the first records to infer the shape of all.

use crate::{Input, plan};
use demat_core::{Error, Inference, InferenceOptions, Result, Shape, Signal, Source};
use demat_formats::stream::{RecordPath, Walk, Window, Windowed};

/// The number of records from which to infer the shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Sample {
    /// The first ones; 1,000 by default.
    First(u64),
    /// All of them. A file is read twice for that; any other source is held in memory.
    All,
}

impl Default for Sample {
    fn default() -> Self {
        Self::First(1_000)
    }
}

impl Sample {
    pub(crate) fn limit(self) -> u64 {
        match self {
            Self::First(records) => records,
            Self::All => u64::MAX,
        }
    }
}

/// The result of a sample.
#[derive(Debug)]
pub(crate) struct Seen {
    /// The shape of an item, or of a value that is no list.
    pub(crate) shape: Shape,
    /// Whether the place is a list.
    pub(crate) listed: bool,
    /// The number of records in the sample.
    pub(crate) records: u64,
    /// Whether the sample has all records.
    pub(crate) all: bool,
}

impl Seen {
    /// The shape of the whole place.
    pub(crate) fn whole(&self) -> Shape {
        if self.listed { self.shape.clone().list() } else { self.shape.clone() }
    }
}

/// How to take a sample.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Taking {
    pub(crate) limit: u64,
    /// What to infer; by default, texts stay text.
    pub(crate) inference: InferenceOptions,
    /// Whether the sample stays in the window, to be copied afterwards.
    pub(crate) keep: bool,
    /// Whether to skip bad records, since the copy will leave them out.
    pub(crate) tolerant: bool,
}

/// Takes a sample of the next records: those that a path leads to, if there is one.
pub(crate) fn take<F: Windowed>(
    window: &mut Window<Input<'_>>,
    format: &mut F,
    how: Taking,
    at: Option<&RecordPath>,
) -> Result<Seen> {
    if let Some(at) = at {
        return take_at(window, format, how, at);
    }
    if let Some(seen) = declared(window, format)? {
        return Ok(seen);
    }
    let mut look = Look { inference: Inference::new(how.inference), how, at: None, listed: true, items: 0, all: false };
    loop {
        let mut source = format.source(window.part());
        match look.on(&mut source) {
            Ok(()) => break,
            Err(error) if error.signal() == Some(Signal::Incomplete) => {}
            Err(error) => return Err(error),
        }
        drop(source);
        let passed = match &mut look.at {
            Some(mark) if !how.keep => core::mem::take(&mut mark.offset),
            _ => 0,
        };
        window.consume(passed);
        window.fill(passed == 0)?;
    }
    let mut shape = if look.listed { look.inference.row_shape() } else { look.inference.shape() };
    if look.listed
        && look.items == 0
        && let Some(row) = format.header()?
    {
        shape = Shape::record(row);
    }
    Ok(Seen { shape, listed: look.listed, records: look.items, all: look.all })
}

/// Returns what the schema says that the place begins with. No record is read.
fn declared<F: Windowed>(window: &mut Window<Input<'_>>, format: &mut F) -> Result<Option<Seen>> {
    if !format.declares() {
        return Ok(None);
    }
    let listed = plan::filled(window, format, |source| source.lists_records(None))?;
    Ok(format.declared().map(|shape| Seen { shape, listed, records: 0, all: true }))
}

/// Takes a sample of the records that a path leads to.
fn take_at<F: Windowed>(window: &mut Window<Input<'_>>, format: &mut F, how: Taking, at: &RecordPath) -> Result<Seen> {
    let mut walk = Walk::new(at);
    let (mut inference, mut records, mut all) = (Inference::new(how.inference), 0, false);
    loop {
        let mut source = format.source(window.part());
        if let Some(mark) = walk.mark() {
            source.reset(mark);
        }
        match look_at(&mut source, &mut walk, &mut inference, (&mut records, &mut all), how) {
            Ok(()) => break,
            Err(error) if error.signal() == Some(Signal::Incomplete) => {}
            Err(error) => return Err(error),
        }
        drop(source);
        let passed = if how.keep { 0 } else { walk.passed() };
        window.consume(passed);
        if !how.keep {
            walk.moved(passed);
        }
        if how.keep || passed > 0 || !walk.deepen(window.part().bytes.len()) {
            window.fill(passed == 0)?;
        }
    }
    Ok(Seen { shape: inference.row_shape(), listed: true, records, all })
}

/// Samples the records of one source.
fn look_at<'a, S: Source<'a>>(
    source: &mut S,
    walk: &mut Walk,
    inference: &mut Inference,
    (records, all): (&mut u64, &mut bool),
    how: Taking,
) -> Result<()> {
    while *records < how.limit {
        match walk.next(source) {
            Ok(true) => {}
            Ok(false) => {
                *all = true;
                return Ok(());
            }
            Err(error) => return Err(walk.within(error, false)),
        }
        let mark = source.mark();
        match inference.observe(source) {
            Ok(()) => {}
            Err(error) if error.signal().is_none() && how.tolerant => {
                source.reset(mark);
                source.skip()?;
            }
            Err(error) => return Err(walk.within(error, true)),
        }
        walk.taken(source);
        *records += 1;
    }
    Ok(())
}

struct Look {
    inference: Inference,
    how: Taking,
    /// The mark between two records, once the list was entered.
    at: Option<demat_core::Mark>,
    listed: bool,
    /// The number of sampled items, including bad ones.
    items: u64,
    all: bool,
}

impl Look {
    fn on<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<()> {
        match self.at {
            Some(mark) => source.reset(mark),
            None if source.lists_records(None)? => {
                source.list()?;
                self.at = Some(source.mark());
            }
            None => {
                self.inference.observe(source)?;
                (self.listed, self.items, self.all) = (false, 1, true);
                return Ok(());
            }
        }
        while self.items < self.how.limit {
            if !self.step(source)? {
                self.all = true;
                return Ok(());
            }
            self.items += 1;
            self.at = Some(source.mark());
        }
        Ok(())
    }

    /// Samples the next record, if there is one.
    fn step<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        let seen = self.see(source);
        match seen {
            Err(error) if error.signal().is_none() && self.how.tolerant => {
                if let Some(mark) = self.at {
                    source.reset(mark);
                }
                let passed = source.item().and_then(|more| if more { source.span().map(drop) } else { Ok(()) });
                match passed {
                    Ok(()) => Ok(true),
                    Err(signal) if signal.signal().is_some() => Err(signal),
                    Err(_) => Err(self.located(error)),
                }
            }
            Err(error) if error.signal().is_none() => Err(self.located(error)),
            other => other,
        }
    }

    fn see<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        if !source.item()? {
            return Ok(false);
        }
        self.inference.observe(source)?;
        Ok(true)
    }

    fn located(&self, error: Error) -> Error {
        let error = error.within_item(self.items as usize);
        if error.position().record.is_none() { error.in_record(self.items + 1) } else { error }
    }
}
