//! Copies the records that a path selects in a document.

use super::{Choice, OnError, RecordPath, Summary, Walk, Window, Windowed};
use demat_core::{Copier, Error, ErrorKind, Mark, Progress, Result, Shape, Signal, Sink, Source, interrupt};
use std::io::Read;

#[cfg(test)]
mod tests;

/// Copies the values that a path selects in a document, as a list.
///
/// What the path skips need not fit the window, and each record must. `shape` is that of the list, or [of each
/// record](listed).
///
/// # Errors
/// As [`copy_chosen`](super::copy_chosen), and if the path does not exist.
///
/// ```
/// use demat_core::{Shape, Value, ValueSink};
/// use demat_formats::json::Json;
/// use demat_formats::stream::{Stop, Window, copy_at};
/// let mut window = Window::new(&b"{\"n\": 2, \"ids\": [3, 4]}"[..]);
/// let mut sink = ValueSink::default();
/// let at = "$.ids[*]".parse()?;
/// let summary = copy_at(&mut window, &mut Json::default(), &at, &Shape::Any, &mut sink, &mut Stop, None)?;
/// assert_eq!(summary.records, 2);
/// assert_eq!(sink.whole(), Value::List(vec![Value::Int(3.into()), Value::Int(4.into())]));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn copy_at<R: Read, F: Windowed>(
    window: &mut Window<R>,
    format: &mut F,
    at: &RecordPath,
    shape: &Shape,
    sink: &mut dyn Sink,
    on_error: &mut dyn OnError,
    choice: Option<&mut Choice<'_>>,
) -> Result<Summary> {
    let shape = &listed(shape.clone());
    let item = match shape.inner() {
        Shape::List(item) => (**item).clone(),
        _ => Shape::Any,
    };
    format.begin(shape)?;
    sink.begin(shape)?;
    match &item {
        Shape::Any => sink.begin_list(None)?,
        item => sink.begin_list_of(item, None)?,
    }
    sink.commit()?;
    let copier = Copier::new(item);
    let mut job = Selected { walk: Walk::new(at), copier, sink, on_error, choice, met: 0, summary: Summary::default() };
    walked(window, format, &mut job)?;
    let Selected { sink, summary, .. } = job;
    sink.end_list()?;
    sink.commit()?;
    sink.finish()?;
    Ok(summary)
}

/// Returns the shape of the list of records that a path selects, for that of the list or of each record.
///
/// Only a list is that of the list: records may be tuples, and may stand as lists.
///
/// ```
/// use demat_formats::stream::listed;
/// assert_eq!(listed("(int, text)".parse()?).to_string(), "[(int, text)]");
/// assert_eq!(listed("[int]".parse()?).to_string(), "[int]");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[must_use]
pub fn listed(shape: Shape) -> Shape {
    match shape.inner() {
        Shape::Any | Shape::List(_) => shape,
        _ => shape.list(),
    }
}

/// A visit of the records that a path selects, from window to window.
pub trait AtRecords {
    /// The walk to the records.
    fn walk(&mut self) -> &mut Walk;

    /// Reads the records of a source. Returns whether that is all.
    ///
    /// # Errors
    /// [`Signal::Incomplete`] at the end of the window, after a step of the walk that can be repeated; others end the
    /// visit.
    fn read<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool>;

    /// Sees the bytes that leave the window: all of the document, in order, but for those that are left in the window when
    /// the visit ends.
    ///
    /// # Errors
    /// Any end the visit.
    fn passing(&mut self, bytes: &[u8]) -> Result<()> {
        let _ = bytes;
        Ok(())
    }
}

/// Visits records through a window.
///
/// # Errors
/// Errors of the visit and of the reader.
pub fn walked<R: Read, F: Windowed, V: AtRecords>(window: &mut Window<R>, format: &mut F, visit: &mut V) -> Result<()> {
    loop {
        let mut source = format.source(window.part());
        if let Some(mark) = visit.walk().mark() {
            source.reset(mark);
        }
        match visit.read(&mut source) {
            Ok(true) => return Ok(()),
            Ok(false) => {}
            Err(error) if error.signal() == Some(Signal::Incomplete) => {}
            Err(error) => return Err(error),
        }
        drop(source);
        let passed = visit.walk().passed();
        visit.passing(&window.part().bytes[..passed])?;
        window.consume(passed);
        let walk = visit.walk();
        walk.moved(passed);
        let stuck = passed == 0;
        if stuck && walk.deepen(window.part().bytes.len()) {
            continue;
        }
        match walk.mark().filter(|_| stuck && walk.is_among()) {
            Some(mark) => window.fill_item(format, mark, false)?,
            None => window.fill(stuck)?,
        }
    }
}

struct Selected<'j, 'c> {
    walk: Walk,
    copier: Copier,
    sink: &'j mut dyn Sink,
    on_error: &'j mut dyn OnError,
    choice: Option<&'j mut Choice<'c>>,
    /// The number of records so far, copied or not.
    met: u64,
    summary: Summary,
}

impl AtRecords for Selected<'_, '_> {
    fn walk(&mut self) -> &mut Walk {
        &mut self.walk
    }

    fn read<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        loop {
            interrupt::check()?;
            match self.walk.next(source) {
                Ok(true) => {}
                Ok(false) => return Ok(true),
                Err(error) => return Err(self.walk.within(error, false)),
            }
            let mark = source.mark();
            match self.record(source, mark) {
                Ok(()) => {}
                Err(error) if error.signal().is_some() => {
                    self.sink.rollback()?;
                    return Err(error);
                }
                Err(error) => self.leave_out(error, source, mark)?,
            }
            self.walk.taken(source);
            self.met += 1;
        }
    }
}

impl Selected<'_, '_> {
    /// Copies the record that the source is at, if it is chosen.
    fn record<'a, S: Source<'a>>(&mut self, source: &mut S, mark: Mark) -> Result<()> {
        if let Some(choice) = &mut self.choice {
            if !choice.holds(source)? {
                return Ok(());
            }
            source.reset(mark);
        }
        self.copier.begin_again(source);
        self.sink.item()?;
        loop {
            match self.copier.run(source, &mut *self.sink) {
                Ok(Progress::Done) => break,
                Ok(Progress::Unit) => {}
                Err(error) if error.signal() == Some(Signal::Repeated) => {
                    self.sink.rollback()?;
                    source.reset(mark);
                    self.copier.begin_again(source);
                    self.copier.go_carefully();
                    self.sink.item()?;
                }
                Err(error) => return Err(error),
            }
        }
        self.summary.records += 1;
        Ok(())
    }

    /// Leaves out a bad record, if that is allowed and possible.
    #[cold]
    fn leave_out<'a, S: Source<'a>>(&mut self, error: Error, source: &mut S, mark: Mark) -> Result<()> {
        let error = self.walk.within(error, true);
        let error = if error.position().record.is_none() { error.in_record(self.met + 1) } else { error };
        let error = if error.position().offset.is_none() { error.at(source.position()) } else { error };
        if error.kind() == ErrorKind::Io || !self.on_error.goes_on(&error) {
            return Err(error);
        }
        self.sink.rollback()?;
        source.reset(mark);
        match source.span() {
            Ok(span) => {
                self.summary.rejected += 1;
                self.on_error.reject(error, &span)
            }
            Err(signal) if signal.signal() == Some(Signal::Incomplete) => Err(signal),
            Err(_) => Err(error),
        }
    }
}
