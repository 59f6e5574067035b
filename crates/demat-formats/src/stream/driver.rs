use super::{Window, Windowed};
use demat_core::{Copier, Error, ErrorKind, Progress, Result, Shape, Signal, Sink, Source};
use std::io::Read;

/// What happens to records that are refused.
pub trait OnError {
    /// Whether to go on without the record that this error is about.
    fn goes_on(&mut self, error: &Error) -> bool;

    /// Whether a record may be left out at all. Then each is held whole before any of it is passed on, and the window
    /// grows to the longest; otherwise a record that is longer than the window is passed on piece by piece.
    fn holds(&self) -> bool {
        true
    }

    /// Takes a record that was left out, with the reason and its bytes as they stand in the place.
    ///
    /// # Errors
    /// Ends the copy.
    fn reject(&mut self, error: Error, bytes: &[u8]) -> Result<()>;
}

/// The first error ends the copy.
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

/// What a copy came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Summary {
    /// Records copied; 1 for a single document.
    pub records: u64,
    /// Records left out.
    pub rejected: u64,
}

/// Copies a place, read through a window, to a sink.
///
/// Where the outermost value is a list its items are the units, otherwise it is one itself. A unit that does not fit the
/// window is copied piece by piece, so that only a single scalar (or a record that has to be read ahead in, or one that
/// may be [left out](OnError::holds)) makes the window grow. Of a unit that is in pieces the beginning was passed on: there
/// a key that repeats is refused.
///
/// # Errors
/// As [`demat_core::copy`]; with the number of the record, and the position in the place.
pub fn copy<R: Read, F: Windowed>(
    window: &mut Window<R>,
    format: &mut F,
    shape: &Shape,
    sink: &mut dyn Sink,
    on_error: &mut dyn OnError,
) -> Result<Summary> {
    let mut job = Job { copier: Copier::new(shape.clone()), sink, on_error, rejected: 0, records: None };
    job.copier.open_list();
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
        let whole = job.on_error.holds() && job.copier.in_list();
        if stuck && window.is_full() && !whole {
            let half = window.part().bytes.len() / 2;
            let mut source = format.source(window.part());
            source.reset(job.copier.mark());
            if job.copier.open_all(&mut source, &mut *job.sink, half)? {
                continue;
            }
        }
        window.fill(stuck)?;
    }
    // Nothing but blanks may follow; they are held until it is known that they are.
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

/// Copies a place that needs no window to a sink: its source gives all of it, and never asks for more bytes.
///
/// As [`copy`] otherwise.
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
    copy_repaired(source, shape, sink, on_error, None)
}

/// Writes the next item of a source by other means, where it was refused with this error. Returns whether it could.
///
/// The source stands before the item, and the sink at the last commit. If it returns true, both stand behind the item.
pub type Repair<'r, S, K> = dyn FnMut(&Error, &mut S, &mut K) -> Result<bool> + 'r;

/// As [`copy_from`]. An item that is refused can be repaired before it is left out.
///
/// # Errors
/// As [`copy`], and what the repair returns.
pub fn copy_repaired<'a, S: Source<'a>, K: Sink + ?Sized>(
    source: &mut S,
    shape: &Shape,
    sink: &mut K,
    on_error: &mut dyn OnError,
    mut repair: Option<&mut Repair<'_, S, K>>,
) -> Result<Summary> {
    let mut job = Job { copier: Copier::new(shape.clone()), sink, on_error, rejected: 0, records: None };
    job.copier.open_list();
    job.sink.begin(shape)?;
    job.copier.begin(source);
    if !job.run(source, &mut repair)? {
        return Err(Error::signalled(Signal::Incomplete));
    }
    source.end()?;
    job.sink.finish()?;
    Ok(job.summary())
}

struct Job<'j, K: ?Sized> {
    copier: Copier,
    sink: &'j mut K,
    on_error: &'j mut dyn OnError,
    /// Items of the outermost list so far, passed over or not; nothing where it is no list.
    records: Option<u64>,
    rejected: u64,
}

impl<K: Sink + ?Sized> Job<'_, K> {
    fn summary(&self) -> Summary {
        let records = self.records.unwrap_or(1);
        Summary { records: records - self.rejected.min(records), rejected: self.rejected }
    }

    /// Copies what can be copied from this source; true when all is done.
    fn run<'a, S: Source<'a>>(&mut self, source: &mut S, repair: &mut Option<&mut Repair<'_, S, K>>) -> Result<bool> {
        loop {
            let error = match self.copier.run(source, &mut *self.sink) {
                Ok(Progress::Unit) => {
                    self.copier.write_items(source, &mut *self.sink)?;
                    self.records = self.copier.records().or(self.records);
                    continue;
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

    /// Repairs a bad record; false where that can't be done.
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

    /// Leaves a bad record out, if that is wanted and possible; false where more of the place is needed to do so.
    #[cold]
    fn leave_out<'a, S: Source<'a>>(&mut self, error: Error, source: &mut S) -> Result<bool> {
        let error = match self.copier.record() {
            Some(number) if error.position().record.is_none() => error.in_record(number),
            _ => error,
        };
        // A sink knows nothing of the place.
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
            // The format is broken here, and where the next record begins can't be known.
            Ok(None) | Err(_) => Err(error),
        }
    }
}
