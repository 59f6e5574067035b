//! The copier: reads from a source and writes to a sink by a shape, without building host values.

mod careful;
mod default;
mod frame;
mod key_predictors;
mod keys;
mod row;
mod scalar;
mod site;
mod step;
#[cfg(test)]
mod tests;
mod untyped;

use crate::interrupt;
use crate::{Error, Mark, Nothing, Result, Shape, Signal, Sink, Source};
use frame::{ChildCursor, Context, Frame, Next};
use keys::Keys;
use site::Site;
use std::borrow::Cow;
use std::collections::VecDeque;
use step::step;
use untyped::Untyped;

/// Copies one value of this shape from a source to a sink, to the end of both.
///
/// The last value of a repeated key wins, unless the source refuses repeated keys. Memory does not grow with the input
/// beyond the frames of the open containers, and nothing recurses.
///
/// # Errors
/// The errors of the source and the sink, with the path.
pub fn copy<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(source: &mut S, shape: &Shape, sink: &mut K) -> Result<()> {
    let mut copier = Copier::new(shape.clone());
    copier.begin(source);
    sink.begin(shape)?;
    copier.run_all(source, sink)?;
    source.end()?;
    sink.finish()
}

/// Copies one value from a source's current position, as a part of what the caller reads and writes: it neither begins
/// nor ends the source and the sink.
///
/// Calls both through their vtables, so this copier is compiled once. Use it where the code's size matters more than
/// its speed.
///
/// ```
/// use demat_core::{Nothing, Shape, Value, ValueSource, copy_any};
/// let value = Value::List(vec![Value::Null, Value::Bool(true)]);
/// copy_any(&mut ValueSource::new(&value), &Shape::Any, &mut Nothing)?;
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// As [`copy`].
pub fn copy_any<'a>(source: &mut (dyn Source<'a> + '_), shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
    let mut copier = Copier::new(shape.clone());
    copier.begin(source);
    copier.run_all(source, sink)
}

/// A copy that can stop between two values and continue later, from another window of the same place.
///
/// The outermost containers may be *open*: the children of the innermost open one are units, which are committed one by
/// one. If the window ends or a unit is refused, [`rewind`](Self::rewind) resets source and sink to the last commit.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // each is an option or a state of its own
pub struct Copier {
    shape: Shape,
    frames: Vec<Frame>,
    /// The number of outermost frames that are open, or will be once they exist.
    open: usize,
    /// Whether the outermost container is opened only if it is a list.
    only_list: bool,
    /// Containers that [`open_all`](Self::open_all) found and that the copy will open on the way, outermost first.
    path: VecDeque<Step>,
    saved: Saved,
    keys: Keys,
    untyped: Untyped,
    careful: bool,
    trials: u8,
    done: bool,
    steps: u32,
    /// Whether the caller commits, because this value is only a part of what it writes.
    part: bool,
}

/// The number of steps between two calls of `interrupt::check`.
const LOOK: u32 = 256;

/// The progress of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// A unit was copied and committed, or a container was opened.
    Unit,
    /// The whole value was copied and committed.
    Done,
}

/// A container that the copy will open: the offsets of its start (before its key) and of its value.
#[derive(Debug, Clone, Copy)]
struct Step {
    begin: usize,
    value: usize,
}

/// The state of the copy at the last commit.
#[derive(Debug, Default)]
struct Saved {
    mark: Mark,
    depth: usize,
    cursor: ChildCursor,
    keys: keys::KeyMark,
}

impl Copier {
    /// Creates a copy of one value of this shape.
    pub fn new(shape: Shape) -> Self {
        Self {
            shape,
            frames: Vec::new(),
            open: 0,
            only_list: false,
            path: VecDeque::new(),
            saved: Saved::default(),
            keys: Keys::default(),
            untyped: Untyped::default(),
            careful: false,
            trials: 0,
            done: false,
            steps: 0,
            part: false,
        }
    }

    /// Creates a copy of a part of the caller's value. It never commits the sink, so the caller can roll back all of
    /// it.
    ///
    /// It reads ahead for repeated keys from the start and keeps the last value, since it can't roll back to repair
    /// this later.
    #[must_use]
    pub fn of_part(shape: Shape) -> Self {
        Self { part: true, careful: true, ..Self::new(shape) }
    }

    fn into_trial(mut self, trials: u8) -> Self {
        self.trials = trials;
        self
    }

    /// Sets the source's current position as the first one to rewind to. Call it once, at the start.
    pub fn begin<'a, S: Source<'a> + ?Sized>(&mut self, source: &S) {
        self.saved.mark = source.mark();
    }

    /// Begins anew at another value of the same shape, where the source stands. Keys that were learned are kept.
    pub fn begin_again<'a, S: Source<'a> + ?Sized>(&mut self, source: &S) {
        self.frames.clear();
        self.keys.restore(keys::KeyMark::default());
        (self.open, self.careful, self.done) = (0, false, false);
        self.path.clear();
        self.saved = Saved { mark: source.mark(), ..Saved::default() };
    }

    /// The source's mark at the last commit.
    pub fn mark(&self) -> Mark {
        self.saved.mark
    }

    /// Adjusts marks after the window has consumed its first bytes.
    pub fn moved(&mut self, bytes: usize) {
        self.saved.mark.offset -= bytes;
        for step in &mut self.path {
            *step = Step { begin: step.begin.saturating_sub(bytes), value: step.value.saturating_sub(bytes) };
        }
    }

    /// Whether a part of the value was copied and committed.
    pub fn has_begun(&self) -> bool {
        self.done || self.saved.depth > 0
    }

    /// Whether the whole value was copied.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// The number, from 1, of the next item of the outermost list, or of the current one if that item is open. `None`
    /// if the outermost value is not an open list.
    pub fn record(&self) -> Option<u64> {
        let first = self.frames.first().filter(|frame| frame.is_list() && self.open > 0)?;
        Some(if self.saved.depth == 1 { self.saved.cursor.index as u64 + 1 } else { first.cursor.index as u64 })
    }

    /// The number of committed items of the outermost list; `None` if the outermost value is no list.
    pub fn records(&self) -> Option<u64> {
        let first = self.frames.first().filter(|frame| frame.is_list())?;
        let index = if self.saved.depth == 1 { self.saved.cursor.index } else { first.cursor.index };
        Some(index as u64)
    }

    /// Opens the outermost container if it is a list, so that its items are the units. Call it once, at the start.
    pub fn open_list(&mut self) {
        self.open = 1;
        self.only_list = true;
    }

    /// Opens one more container, if one is next: for units that are too large for the window. Returns whether this
    /// changed anything. If not, only a larger window helps.
    pub fn open_deeper(&mut self) -> bool {
        let news = self.open <= self.saved.depth;
        self.open = self.saved.depth + 1;
        self.only_list = false;
        news
    }

    /// Opens all containers that begin before this offset and do not end in the window. Call it with the source at the
    /// last commit. Returns whether there was a container to open, as [`open_deeper`](Self::open_deeper) does.
    ///
    /// Opening nested containers one by one would scan the window once for each level. This scans it once. With half of
    /// the window's length as the offset, the driver's total work stays linear in the input.
    ///
    /// # Errors
    /// If the sink's rollback fails.
    pub fn open_all<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
        &mut self,
        source: &mut S,
        sink: &mut K,
        before: usize,
    ) -> Result<bool> {
        let steps = self.unended(source);
        self.rewind(source, sink)?;
        let news = self.open_deeper();
        self.path = steps.into_iter().take_while(|step| step.begin < before).collect();
        Ok(news)
    }

    /// Returns the steps to all containers that are still open at the end of the window, starting at the last commit.
    fn unended<'a, S: Source<'a> + ?Sized>(&mut self, source: &mut S) -> Vec<Step> {
        let mut steps: Vec<Step> = Vec::new();
        let mut begin = source.mark().offset;
        loop {
            let depth = self.frames.len();
            let pending = self.frames.last().is_some_and(|frame| frame.cursor.pending);
            let value = source.mark().offset;
            if !pending {
                begin = value;
            }
            let mut context = Context {
                keys: &mut self.keys,
                untyped: &mut self.untyped,
                site: Site::default(),
                careful: false,
                single: true,
                opening: true,
                trials: self.trials,
            };
            let next = match self.frames.last_mut() {
                Some(frame) => frame.next(source, &mut Nothing as &mut dyn Sink, &mut context),
                None => step(source, &self.shape, &mut Nothing as &mut dyn Sink, &mut context).map(Next::after),
            };
            match next {
                Ok(Next::Child) if depth > 0 => {}
                Ok(Next::Opened(frame)) => {
                    self.frames.push(frame);
                    steps.push(Step { begin, value });
                }
                Ok(Next::Ended) if depth > self.saved.depth => {
                    self.frames.pop();
                    steps.pop();
                }
                // Usually the window ended here. For any other error, the copy itself will meet it again and report it.
                Ok(_) | Err(_) => return steps,
            }
        }
    }

    /// Opens the next container of the path if the source has reached it.
    #[cold]
    fn follow(&mut self, offset: usize) {
        let Some(step) = self.path.front() else { return };
        if offset > step.value {
            self.path.clear();
        } else if offset >= step.begin {
            self.open = self.frames.len() + 1;
        }
    }

    /// Whether the last commit is between items of the outermost list, so that a bad item can be left out.
    pub fn in_list(&self) -> bool {
        self.saved.depth == 1 && self.frames.first().is_some_and(Frame::is_list)
    }

    /// Resets source, sink and copy to the last commit.
    ///
    /// # Errors
    /// The error of the sink's rollback.
    pub fn rewind<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(&mut self, source: &mut S, sink: &mut K) -> Result<()> {
        source.reset(self.saved.mark);
        self.rewind_sink(sink)
    }

    /// As [`rewind`](Self::rewind), for a source that no longer exists: reset the next one to [`mark`](Self::mark).
    ///
    /// # Errors
    /// The error of the sink's rollback.
    pub fn rewind_sink<K: Sink + ?Sized>(&mut self, sink: &mut K) -> Result<()> {
        self.frames.truncate(self.saved.depth);
        if let Some(frame) = self.frames.last_mut() {
            frame.cursor.clone_from(&self.saved.cursor);
        }
        self.keys.restore(self.saved.keys);
        sink.rollback()
    }

    /// Skips the next item of the open list, after a [`rewind`](Self::rewind) from a bad one, and commits that. Returns
    /// the item's bytes; `None` if the list has ended.
    ///
    /// # Errors
    /// If the item can't be skipped either.
    pub fn pass_over<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
        &mut self,
        source: &mut S,
        sink: &mut K,
    ) -> Result<Option<Cow<'a, [u8]>>> {
        if !source.item()? {
            source.reset(self.saved.mark);
            return Ok(None);
        }
        let span = source.span()?;
        if let Some(frame) = self.frames.last_mut() {
            frame.cursor.index += 1;
        }
        self.commit(source, sink)?;
        Ok(Some(span))
    }

    /// Passes the item of the open list that the caller has read itself, from the last commit on, and writes nothing
    /// for it. The source must be behind the item.
    pub fn pass<'a, S: Source<'a> + ?Sized>(&mut self, source: &S) {
        self.count(1, source);
    }

    /// Lets the source write the items that it has a faster way for, if the last commit is between items of the
    /// outermost list. Call it after a unit was copied.
    ///
    /// # Errors
    /// As [`Source::write_items`].
    pub fn write_items<'a, S: Source<'a>, K: Sink + ?Sized>(&mut self, source: &mut S, sink: &mut K) -> Result<()> {
        if self.part || self.open != 1 || self.frames.len() != 1 || !self.in_list() {
            return Ok(());
        }
        match source.write_items(&self.shape, sink)? {
            0 => Ok(()),
            written => {
                self.count(written, source);
                Ok(())
            }
        }
    }

    /// Commits an item of the outermost list that the caller has written itself, after a [`rewind`](Self::rewind). The
    /// source must be behind the item.
    ///
    /// # Errors
    /// The error of the sink's commit.
    pub fn written<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(&mut self, source: &S, sink: &mut K) -> Result<()> {
        sink.commit()?;
        self.count(1, source);
        Ok(())
    }

    /// Counts committed items of the outermost list.
    fn count<'a, S: Source<'a> + ?Sized>(&mut self, items: u64, source: &S) {
        if let Some(frame) = self.frames.first_mut() {
            frame.cursor.index += items as usize;
            self.saved.cursor.clone_from(&frame.cursor);
            self.saved.mark = source.mark();
        }
    }

    /// Copies up to and including the next commit.
    ///
    /// # Errors
    /// As [`copy`]; some carry a [`Signal`] for the driver.
    pub fn run<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
        &mut self,
        source: &mut S,
        sink: &mut K,
    ) -> Result<Progress> {
        match self.advance(source, sink) {
            Ok(progress) => Ok(progress),
            Err(error) if error.signal().is_some() => Err(error),
            Err(mut error) => {
                if matches!(error.kind(), crate::ErrorKind::Constraint | crate::ErrorKind::Type) {
                    // A validating sink does not know the position.
                    error = error.at(source.position());
                }
                let mut end = self.keys.names_end();
                Err(self.frames.iter().rev().fold(error, |error, frame| frame.trace(error, &self.keys, &mut end)))
            }
        }
    }

    /// Copies to the end of the value. If a key repeats, it rewinds and continues in two passes.
    ///
    /// # Errors
    /// As [`copy`].
    pub fn run_all<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
        &mut self,
        source: &mut S,
        sink: &mut K,
    ) -> Result<()> {
        loop {
            match self.run(source, sink) {
                Ok(Progress::Done) => return Ok(()),
                Ok(Progress::Unit) => {}
                Err(error) if error.signal() == Some(Signal::Repeated) && !self.careful => {
                    self.rewind(source, sink)?;
                    self.go_carefully();
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Call it for [`Signal::Repeated`], after a [`rewind`](Self::rewind): until the next commit, the copy reads every
    /// record and map ahead to find the last occurrence of each key.
    pub fn go_carefully(&mut self) {
        self.careful = true;
    }

    fn advance<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(
        &mut self,
        source: &mut S,
        sink: &mut K,
    ) -> Result<Progress> {
        while !self.done {
            self.steps = self.steps.wrapping_add(1);
            if self.steps.is_multiple_of(LOOK) {
                interrupt::check()?;
            }
            let depth = self.frames.len();
            if depth == self.open && !self.path.is_empty() {
                self.follow(source.mark().offset);
            }
            let mut context = Context {
                keys: &mut self.keys,
                untyped: &mut self.untyped,
                site: Site::default(),
                careful: self.careful,
                // Children of an open container are copied one at a time, and a container to open is returned as soon
                // as it has begun.
                single: depth <= self.open,
                opening: depth < self.open,
                trials: self.trials,
            };
            let next = match self.frames.last_mut() {
                Some(frame) => frame.next(source, sink, &mut context)?,
                None => Next::after(step(source, &self.shape, sink, &mut context)?),
            };
            let site = context.site;
            match next {
                Next::Child => self.done = depth == 0,
                Next::Opened(mut frame) => {
                    frame.site = site;
                    if self.only_list && depth == 0 && !frame.is_list() {
                        self.open = 0;
                    }
                    self.frames.push(frame);
                    if depth < self.open {
                        self.path.pop_front();
                    }
                }
                Next::Ended => {
                    self.frames.pop();
                    self.done = depth == 1;
                }
            }
            if self.frames.len() <= self.open {
                self.commit(source, sink)?;
                return Ok(if self.done { Progress::Done } else { Progress::Unit });
            }
        }
        Ok(Progress::Done)
    }

    fn commit<'a, S: Source<'a> + ?Sized, K: Sink + ?Sized>(&mut self, source: &S, sink: &mut K) -> Result<()> {
        if !self.part {
            sink.commit()?;
        }
        self.open = self.open.min(self.frames.len());
        self.careful = false;
        self.saved.depth = self.frames.len();
        if let Some(frame) = self.frames.last() {
            self.saved.cursor.clone_from(&frame.cursor);
        }
        self.saved.keys = self.keys.here();
        self.saved.mark = source.mark();
        Ok(())
    }
}

/// Returns the error for a key that repeats after its first value was passed on.
#[cold]
fn repeats_too_late() -> Error {
    let message = "a key repeats in a container that is too large to be held, and its first value was passed on";
    Error::new(crate::ErrorKind::Limit, message)
}
