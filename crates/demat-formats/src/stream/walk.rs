//! Walks through a document to its records.

use super::{RecordPath, Step};
use crate::lookup::read_key;
use demat_core::{Error, ErrorKind, Kind, Mark, Result, Source};

#[cfg(test)]
mod tests;

/// Steps through a document, window by window, to the values that a [path](RecordPath) selects.
///
/// Each call is one step, and can be repeated: after [`Incomplete`](demat_core::Signal::Incomplete), refill the window,
/// [reset](Source::reset) a source over it to [`mark`](Self::mark), and call again. Skipped values need not fit the
/// window:
/// [`deepen`](Self::deepen) enters them, and skips them part by part.
///
/// A missing key or item is an error. After the last record, the rest of the document is read as strictly as by
/// decoding.
#[derive(Debug)]
pub struct Walk {
    steps: Vec<Step>,
    /// The open containers of the path, outermost first.
    open: Vec<Open>,
    phase: Phase,
    /// The position of the source after the last step.
    mark: Mark,
    /// The open containers in a skipped value: whether each is a map.
    passed: Vec<bool>,
    /// Skipped values that begin before this offset of the window are entered, not skipped as a whole.
    deeper: usize,
    /// Whether anything was read.
    begun: bool,
}

#[derive(Debug, Default)]
struct Open {
    /// The number of children passed.
    count: u64,
    /// Whether the selected child was found.
    found: bool,
    /// The name of the current child, where each value of a map is selected.
    key: String,
    /// Whether that is its key, and not the name of a key that is no text.
    is_text: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// At a value of the path.
    Value,
    /// Between two children of the innermost container of the path.
    Children,
    /// In a skipped value: `true` at a value, `false` between two children.
    Passing(bool),
    /// After the outermost value.
    After,
    /// At the end.
    Done,
}

impl Walk {
    /// Returns a walk before its first step.
    pub fn new(at: &RecordPath) -> Self {
        Self {
            steps: at.steps().to_vec(),
            open: Vec::new(),
            phase: Phase::Value,
            mark: Mark::default(),
            passed: Vec::new(),
            deeper: 0,
            begun: false,
        }
    }

    /// Returns the mark to [reset](Source::reset) a source to before the next step; `None` at the start.
    #[inline]
    pub fn mark(&self) -> Option<Mark> {
        self.begun.then_some(self.mark)
    }

    /// Returns the number of bytes of the window that are no longer needed.
    pub fn passed(&self) -> usize {
        if self.begun { self.mark.offset } else { 0 }
    }

    /// Returns whether anything was read.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Returns whether the walk is between two records of one list.
    pub fn is_among(&self) -> bool {
        let several = matches!(self.steps.last(), Some(Step::Each | Step::Elements(_)));
        self.phase == Phase::Children && self.open.len() == self.steps.len() && several
    }

    /// Adjusts offsets after the window has consumed its first bytes.
    pub fn moved(&mut self, bytes: usize) {
        if self.begun {
            self.mark.offset -= bytes;
        }
        self.deeper = self.deeper.saturating_sub(bytes);
    }

    /// Steps to the next value that the path selects. Returns `false` at the end of the document. Read the value, then
    /// call
    /// [`taken`](Self::taken).
    ///
    /// # Errors
    /// What the source reports, or if the path does not exist.
    #[inline(always)]
    pub fn next<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        if self.phase == Phase::Children && self.open.len() == self.steps.len() && self.is_each() {
            if source.item()? {
                return Ok(true);
            }
            self.close();
            self.mark = source.mark();
        }
        self.step(source)
    }

    /// Returns the key of the current value, if the path selects each value of a map, and the key is text.
    pub fn key(&self) -> Option<&str> {
        let level = self.steps.iter().rposition(|step| *step == Step::Values)?;
        let open = self.open.get(level).filter(|open| open.is_text && level + 1 == self.steps.len())?;
        Some(&open.key)
    }

    /// Moves past the current value, which has been read.
    #[inline(always)]
    pub fn taken<'a, S: Source<'a>>(&mut self, source: &S) {
        self.mark = source.mark();
        self.begun = true;
        match self.open.last_mut() {
            Some(open) => {
                open.count += 1;
                self.phase = Phase::Children;
            }
            None => self.phase = Phase::After,
        }
    }

    /// Returns whether the path selects each item of the innermost container.
    #[inline(always)]
    fn is_each(&self) -> bool {
        matches!(self.steps.last(), Some(Step::Each))
    }

    #[inline(never)]
    fn step<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        loop {
            match self.phase {
                Phase::Value => match self.steps.get(self.open.len()) {
                    None => return Ok(true),
                    Some(step) => {
                        match step {
                            Step::Key(_) | Step::Values => source.map().map(drop)?,
                            Step::Index(_) | Step::Each => source.list().map(drop)?,
                            Step::Elements(_) => source.elements()?,
                        }
                        self.open.push(Open::default());
                        self.phase = Phase::Children;
                    }
                },
                Phase::Children => {
                    if self.child(source)? {
                        return Ok(true);
                    }
                }
                Phase::Passing(at_value) => self.pass(source, at_value)?,
                Phase::After => {
                    source.end()?;
                    self.phase = Phase::Done;
                    return Ok(false);
                }
                Phase::Done => return Ok(false),
            }
            self.mark = source.mark();
            self.begun = true;
        }
    }

    /// Steps to the next child of the innermost container. Returns whether it is a record.
    fn child<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        let level = self.open.len();
        let (Some(step), Some(open)) = (self.steps.get(level.wrapping_sub(1)), self.open.last_mut()) else {
            self.phase = Phase::After;
            return Ok(false);
        };
        let wanted = match step {
            Step::Key(key) => {
                if !source.entry()? {
                    if !open.found {
                        return Err(Error::missing(key).at(source.position()));
                    }
                    self.close();
                    return Ok(false);
                }
                let wanted = *source.text()? == **key;
                if wanted && open.found {
                    let message = format!("the key `{key}` stands here again, and what the first one has was given");
                    return Err(Error::new(ErrorKind::Constraint, message).at(source.position()));
                }
                source.value()?;
                wanted
            }
            Step::Index(index) => {
                if !source.item()? {
                    if !open.found {
                        let (expected, found) = (format!("item {index}"), format!("a list of {}", open.count));
                        return Err(Error::mismatch(ErrorKind::Constraint, expected, found).at(source.position()));
                    }
                    self.close();
                    return Ok(false);
                }
                open.count == *index
            }
            Step::Each => {
                if !source.item()? {
                    self.close();
                    return Ok(false);
                }
                if level == self.steps.len() {
                    return Ok(true);
                }
                true
            }
            Step::Values => {
                if !source.entry()? {
                    self.close();
                    return Ok(false);
                }
                open.is_text = read_key(source, &mut open.key)?;
                source.value()?;
                if level == self.steps.len() {
                    return Ok(true);
                }
                true
            }
            Step::Elements(name) => {
                if !source.item()? {
                    self.close();
                    return Ok(false);
                }
                let wanted = source.item_is(name)?;
                if !wanted && level == 1 {
                    let (expected, found) = (format!("the root element `{name}`"), "another one");
                    return Err(Error::mismatch(ErrorKind::Constraint, expected, found).at(source.position()));
                }
                if wanted && level == self.steps.len() {
                    return Ok(true);
                }
                wanted
            }
        };
        open.found |= wanted;
        self.phase = if wanted { Phase::Value } else { Phase::Passing(true) };
        Ok(false)
    }

    /// Leaves the innermost container.
    fn close(&mut self) {
        self.open.pop();
        self.left();
    }

    /// Moves past a child.
    fn left(&mut self) {
        match self.open.last_mut() {
            Some(open) => {
                open.count += 1;
                self.phase = Phase::Children;
            }
            None => self.phase = Phase::After,
        }
    }

    /// Takes a step in a skipped value.
    fn pass<'a, S: Source<'a>>(&mut self, source: &mut S, at_value: bool) -> Result<()> {
        if !at_value {
            let more = if self.passed.last() == Some(&true) {
                let more = source.entry()?;
                if more {
                    source.skip()?;
                    source.value()?;
                }
                more
            } else {
                source.item()?
            };
            if more {
                self.phase = Phase::Passing(true);
            } else {
                self.passed.pop();
                self.passed_value();
            }
            return Ok(());
        }
        let deeper = source.mark().offset < self.deeper;
        if deeper && matches!(self.steps.first(), Some(Step::Elements(_))) {
            source.elements()?;
            self.passed.push(false);
            self.phase = Phase::Passing(false);
            return Ok(());
        }
        let kind = if deeper { source.peek()? } else { Kind::Null };
        match kind {
            Kind::List => source.list()?,
            Kind::Map => source.map()?,
            _ => {
                source.skip()?;
                self.passed_value();
                return Ok(());
            }
        };
        self.passed.push(kind == Kind::Map);
        self.phase = Phase::Passing(false);
        Ok(())
    }

    fn passed_value(&mut self) {
        if self.passed.is_empty() {
            self.left();
        } else {
            self.phase = Phase::Passing(false);
        }
    }

    /// Call it if a skipped value does not fit a window of this length. The next steps enter it, and all values in it
    /// that begin in the window's first half; so the work stays linear in the input at any depth. Returns false if
    /// there is no such value, or if this was tried before.
    pub fn deepen(&mut self, window: usize) -> bool {
        let can = self.phase == Phase::Passing(true) && self.mark.offset >= self.deeper;
        if can {
            self.deeper = (window / 2).max(self.mark.offset + 1);
        }
        can
    }

    /// Adds the path of the current position, or of the selected value, to an error.
    #[cold]
    #[must_use]
    pub fn within(&self, mut error: Error, selected: bool) -> Error {
        if error.signal().is_some() {
            return error;
        }
        let at_child = selected || self.phase == Phase::Value;
        let levels = if at_child { self.open.len() } else { self.open.len().saturating_sub(1) };
        for (step, open) in self.steps.iter().zip(&self.open).take(levels).rev() {
            error = match step {
                Step::Key(key) | Step::Elements(key) => error.within_field(key.clone()),
                Step::Values => error.within_field(open.key.clone()),
                Step::Index(_) | Step::Each => error.within_item(open.count as usize),
            };
        }
        error
    }
}
