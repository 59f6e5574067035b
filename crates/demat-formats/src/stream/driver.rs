use super::{Choice, Window, Windowed};
use demat_core::{Copier, Error, ErrorKind, Progress, Result, Shape, Signal, Sink, Source, interrupt};
use std::io::Read;

/// The treatment of records that are refused.
pub trait OnError {
    /// Whether to leave out the record with this error and continue.
    fn goes_on(&mut self, error: &Error) -> bool;

    /// Whether records may be left out. If so, each record is decoded completely before it is passed on, and the window
    /// grows to the longest one. Otherwise a record longer than the window is passed on in parts.
    fn holds(&self) -> bool {
        true
    }

    /// Takes a record that was left out: the error, and its bytes in the input.
    ///
    /// # Errors
    /// An error ends the copy.
    fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()>;
}

/// Ends the copy at the first error.
#[derive(Debug, Clone, Copy, Default)]
pub struct Stop;

impl OnError for Stop {
    fn goes_on(&mut self, _: &Error) -> bool {
        false
    }
    fn holds(&self) -> bool {
        false
    }
    fn reject(&mut self, error: Error, _: &[u8]) -> Result<()> {
        Err(error)
    }
}

/// The result of a copy.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Records copied; 1 for a single document.
    pub records: u64,
    /// Records left out, since they were refused.
    pub rejected: u64,
}

/// Copies a place to a sink, reading it through a window.
///
/// If the outermost value is a list, its items are the units; otherwise it is itself the unit. A unit that does not fit
/// the window is copied in parts. So the window grows only for a single scalar, for a record that needs look-ahead, or
/// for one that may be [left out](OnError::holds). In a unit that is copied in parts, a repeated key is an error, since
/// its earlier value was passed on already.
///
/// # Errors
/// As [`demat_core::copy`], with the number of the record and the position in the place.
pub fn copy<R: Read, F: Windowed>(
    window: &mut Window<R>,
    format: &mut F,
    shape: &Shape,
    sink: &mut dyn Sink,
    on_error: &mut dyn OnError,
) -> Result<Summary> {
    copy_chosen(window, format, shape, sink, on_error, None)
}

/// As [`copy`], but copies only the records that are chosen. Each must fit the window.
///
/// # Errors
/// As [`copy`]; and [`Constraint`](ErrorKind::Constraint) if there is a choice and the place is no list.
pub fn copy_chosen<R: Read, F: Windowed>(
    window: &mut Window<R>,
    format: &mut F,
    shape: &Shape,
    sink: &mut dyn Sink,
    on_error: &mut dyn OnError,
    choice: Option<&mut Choice<'_>>,
) -> Result<Summary> {
    let mut job = Job::new(shape, sink, on_error, choice);
    format.begin(shape)?;
    job.sink.begin(shape)?;
    let mut begun = false;
    loop {
        let mut source = format.source(window.part());
        if begun {
            source.reset(job.copier.mark());
        } else {
            job.copier.begin(&source);
            begun = true;
        }
        if job.run(&mut source, &mut None)? {
            break;
        }
        drop(source);
        let passed = job.copier.mark().offset;
        window.consume(passed);
        job.copier.moved(passed);
        let stuck = passed == 0;
        let whole = (job.on_error.holds() || job.choice.is_some()) && job.copier.in_list();
        if stuck && window.is_full() && !whole {
            let half = window.part().bytes.len() / 2;
            let mut source = format.source(window.part());
            source.reset(job.copier.mark());
            if job.copier.open_all(&mut source, &mut *job.sink, half)? {
                continue;
            }
        }
        // An item that must be whole, or still fits the window, is decoded when all of it has arrived.
        if stuck && job.copier.in_list() && (whole || !window.is_full()) {
            window.fill_item(format, job.copier.mark(), !whole)?;
        } else {
            window.fill(stuck)?;
        }
    }
    // Only whitespace may follow. It stays in the window until all of it is checked.
    loop {
        let mut source = format.source(window.part());
        source.reset(job.copier.mark());
        match source.end() {
            Ok(()) => break,
            Err(error) if error.signal() == Some(Signal::Incomplete) => {}
            Err(error) => return Err(error),
        }
        drop(source);
        let passed = job.copier.mark().offset;
        window.consume(passed);
        job.copier.moved(passed);
        window.fill(passed == 0)?;
    }
    job.sink.finish()?;
    Ok(job.summary())
}

/// Copies to a sink from a source that needs no window: it has the whole place, and never signals that it is
/// incomplete.
///
/// Otherwise as [`copy`].
///
/// # Errors
/// As [`copy`].
///
/// ```
/// use demat_core::{Shape, Value, ValueSource};
/// use demat_formats::stream::{self, Stop};
/// let value = Value::List(vec![Value::Null, Value::Bool(true)]);
/// let summary = stream::copy_from(&mut ValueSource::new(&value), &Shape::Any, &mut demat_core::Nothing, &mut Stop)?;
/// assert_eq!(summary.records, 2);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn copy_from<'a, S: Source<'a>, K: Sink + ?Sized>(
    source: &mut S,
    shape: &Shape,
    sink: &mut K,
    on_error: &mut dyn OnError,
) -> Result<Summary> {
    copy_repaired(source, shape, sink, on_error, None, None)
}

/// Writes the next item of a source in another way, after it was refused with this error. Returns whether it succeeded.
///
/// Before the call, the source is at the item and the sink at the last commit. If it returns true, both are after the
/// item.
pub type Repair<'r, S, K> = dyn FnMut(&Error, &mut S, &mut K) -> Result<bool> + 'r;

/// As [`copy_from`], but copies only chosen items, and a refused item can be repaired before it is left out.
///
/// # Errors
/// As [`copy_chosen`], and what the repair returns.
pub fn copy_repaired<'a, S: Source<'a>, K: Sink + ?Sized>(
    source: &mut S,
    shape: &Shape,
    sink: &mut K,
    on_error: &mut dyn OnError,
    choice: Option<&mut Choice<'_>>,
    mut repair: Option<&mut Repair<'_, S, K>>,
) -> Result<Summary> {
    let mut job = Job::new(shape, sink, on_error, choice);
    job.sink.begin(shape)?;
    job.copier.begin(source);
    if !job.run(source, &mut repair)? {
        return Err(Error::signalled(Signal::Incomplete));
    }
    source.end()?;
    job.sink.finish()?;
    Ok(job.summary())
}

struct Job<'j, 'c, K: ?Sized> {
    copier: Copier,
    sink: &'j mut K,
    on_error: &'j mut dyn OnError,
    choice: Option<&'j mut Choice<'c>>,
    /// The number of items of the outermost list so far, copied or not; `None` if it is no list.
    records: Option<u64>,
    rejected: u64,
    /// The number of items that were not chosen.
    passed: u64,
}

impl<'j, 'c, K: Sink + ?Sized> Job<'j, 'c, K> {
    fn new(shape: &Shape, sink: &'j mut K, on_error: &'j mut dyn OnError, choice: Option<&'j mut Choice<'c>>) -> Self {
        let mut copier = Copier::new(shape.clone());
        copier.open_list();
        Self { copier, sink, on_error, choice, records: None, rejected: 0, passed: 0 }
    }

    fn summary(&self) -> Summary {
        let records = self.records.unwrap_or(1);
        Summary { records: records.saturating_sub(self.rejected + self.passed), rejected: self.rejected }
    }

    /// Passes the items that are not chosen. The source then stands before one that is, or at the end of the list.
    fn pass<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<()> {
        let Some(choice) = &mut self.choice else { return Ok(()) };
        if !self.copier.in_list() {
            return if self.records.is_none() && self.copier.has_begun() { Err(no_list()) } else { Ok(()) };
        }
        loop {
            interrupt::check()?;
            let chosen = match source.item() {
                Ok(true) => choice.holds(source),
                end => end.map(|_| true),
            };
            match chosen {
                Ok(false) => {
                    self.copier.pass(source);
                    self.records = self.copier.records().or(self.records);
                    self.passed += 1;
                }
                Ok(true) => {
                    source.reset(self.copier.mark());
                    return Ok(());
                }
                Err(error) if error.signal().is_some() => return Err(error),
                Err(error) => {
                    let error = if error.position().offset.is_none() { error.at(source.position()) } else { error };
                    return Err(error.within_item(self.copier.records().unwrap_or(0) as usize));
                }
            }
        }
    }

    /// Copies as much as possible from this source. Returns true when all is done.
    fn run<'a, S: Source<'a>>(&mut self, source: &mut S, repair: &mut Option<&mut Repair<'_, S, K>>) -> Result<bool> {
        loop {
            let run = match self.pass(source) {
                Ok(()) => self.copier.run(source, &mut *self.sink),
                Err(error) => Err(error),
            };
            let error = match run {
                Ok(Progress::Unit) => {
                    if self.choice.is_none() {
                        self.copier.write_items(source, &mut *self.sink)?;
                    }
                    self.records = self.copier.records().or(self.records);
                    continue;
                }
                Ok(Progress::Done) if self.choice.is_some() && self.copier.records().or(self.records).is_none() => {
                    return Err(no_list());
                }
                Ok(Progress::Done) => return Ok(true),
                Err(error) => error,
            };
            match error.signal() {
                Some(Signal::Incomplete) => {
                    self.copier.rewind_sink(&mut *self.sink)?;
                    return Ok(false);
                }
                Some(Signal::Repeated) => {
                    self.copier.rewind(source, &mut *self.sink)?;
                    self.copier.go_carefully();
                }
                None => {
                    if !self.repair(&error, source, repair)? && !self.leave_out(error, source)? {
                        return Ok(false);
                    }
                }
            }
        }
    }

    /// Repairs a bad record. Returns false if that is not possible.
    #[cold]
    fn repair<'a, S: Source<'a>>(
        &mut self,
        error: &Error,
        source: &mut S,
        repair: &mut Option<&mut Repair<'_, S, K>>,
    ) -> Result<bool> {
        let Some(repair) = repair.as_mut().filter(|_| self.copier.in_list()) else { return Ok(false) };
        self.copier.rewind(source, &mut *self.sink)?;
        if !repair(error, source, &mut *self.sink)? {
            return Ok(false);
        }
        self.copier.written(source, &mut *self.sink)?;
        self.records = self.copier.records().or(self.records);
        Ok(true)
    }

    /// Leaves out a bad record if that is allowed and possible. Returns false if it needs more input for that.
    #[cold]
    fn leave_out<'a, S: Source<'a>>(&mut self, error: Error, source: &mut S) -> Result<bool> {
        let error = match self.copier.record() {
            Some(number) if error.position().record.is_none() => error.in_record(number),
            _ => error,
        };
        // An error of the sink has no position.
        let error = if error.position().offset.is_none() { error.at(source.position()) } else { error };
        if error.kind() == ErrorKind::Io || !self.copier.in_list() {
            return Err(error);
        }
        if !self.on_error.goes_on(&error) {
            return Err(error);
        }
        self.copier.rewind(source, &mut *self.sink)?;
        match self.copier.pass_over(source, &mut *self.sink) {
            Ok(Some(span)) => {
                self.rejected += 1;
                self.records = self.copier.records().or(self.records);
                self.on_error.reject(error, &span)?;
                Ok(true)
            }
            Err(signal) if signal.signal() == Some(Signal::Incomplete) => {
                self.copier.rewind_sink(&mut *self.sink)?;
                Ok(false)
            }
            // The syntax is invalid, so the start of the next record is unknown.
            Ok(None) | Err(_) => Err(error),
        }
    }
}

/// Returns the error for a choice among the records of a place that is one value.
#[cold]
fn no_list() -> Error {
    Error::new(ErrorKind::Constraint, "records are chosen from a list, and this is none")
}
