use super::{Awaited, Base, End, Part, Windowed};
use demat_core::{Error, Mark, Result, interrupt};
use std::io::{ErrorKind, Read};

/// A sliding window over a reader. It grows up to a limit if a unit is longer than it.
#[derive(Debug)]
pub struct Window<R> {
    reader: R,
    /// All of the buffer is initialised; `start..end` is the window.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    base: Base,
    limit: usize,
    /// The length to which it grows without a unit that needs more.
    usual: usize,
    /// The number of bytes to have before the same unit is tried again.
    goal: Option<usize>,
    end_of_unit: Option<End>,
    /// The search for the end of the first unit.
    awaited: Option<Search>,
}

/// The search for the end of a unit in the bytes of it that arrived.
#[derive(Debug)]
struct Search {
    awaited: Awaited,
    /// The number of bytes that were inspected.
    seen: usize,
    /// The number of bytes that had arrived then. If a unit ends in those that are left, it was reported to.
    arrived: usize,
}

/// Large enough that the work at each refill does not matter, and small enough to stay in the second-level cache.
const SIZE: usize = 256 * 1024;
/// The initial size of a window that returns its first unit early.
const FIRST: usize = 16 * 1024;
/// A unit shorter than this is tried again whenever bytes arrive. That costs little, and a complete record does not
/// have to wait.
const SMALL: usize = 4 * 1024;

impl<R: Read> Window<R> {
    /// The default of [`with_limit`](Self::with_limit): 1 GiB.
    pub const LIMIT: usize = 1 << 30;

    /// Returns an empty window over a reader.
    pub fn new(reader: R) -> Self {
        Self::with_size(reader, SIZE)
    }

    /// Returns a window with an initial size of `size` bytes (at least one); mostly for tests.
    pub fn with_size(reader: R, size: usize) -> Self {
        let buffer = vec![0; size.max(1)];
        let (base, limit, usual) = (Base::default(), Self::LIMIT, buffer.len());
        let (goal, end_of_unit, awaited) = (None, None, None);
        Self { reader, buffer, start: 0, end: 0, ended: false, base, limit, usual, goal, end_of_unit, awaited }
    }

    /// Returns a window that begins small, so that the first unit does not wait for many others, and then grows to the
    /// usual size.
    pub fn growing(reader: R) -> Self {
        Self { usual: SIZE, ..Self::with_size(reader, FIRST) }
    }

    /// Sets what units [end](super::Windowed::end) with. A slowly arriving unit is then tried again as soon as it may
    /// be complete; otherwise, when the window has grown by half.
    #[must_use]
    pub fn with_end(mut self, end: Option<End>) -> Self {
        self.end_of_unit = end;
        self
    }

    /// Sets the maximum size of the window in bytes, and so of the longest unit.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// The reader.
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// Returns the reader. The bytes in the window are lost.
    pub fn into_reader(self) -> R {
        self.reader
    }

    /// The reader, mutable.
    pub fn reader_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// The bytes in the window, as a part of the place.
    pub fn part(&self) -> Part<'_> {
        Part { bytes: &self.buffer[self.start..self.end], last: self.ended, base: self.base }
    }

    /// Whether the reader has ended.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// The number of bytes that it can hold without growing.
    pub fn capacity(&self) -> usize {
        self.buffer.len()
    }

    /// Whether the window is about as full as it gets without growing.
    pub fn is_full(&self) -> bool {
        self.end - self.start >= self.buffer.len() - self.buffer.len() / 4
    }

    /// Removes the first bytes.
    pub fn consume(&mut self, bytes: usize) {
        self.base = self.base.after(&self.buffer[self.start..self.start + bytes]);
        self.start += bytes;
        if bytes > 0 {
            (self.goal, self.awaited) = (None, None);
        }
    }

    /// Reads more bytes. If the last attempt at these bytes failed (`stuck`), it reads enough that all attempts
    /// together stay linear in the size of the unit.
    ///
    /// After an error of the reader, it can be called again with the same `stuck`.
    ///
    /// # Errors
    /// [`Limit`](demat_core::ErrorKind::Limit) if the window must not grow any more; and errors of the reader.
    pub fn fill(&mut self, stuck: bool) -> Result<()> {
        let held = self.end - self.start;
        let waits = stuck && held >= SMALL;
        let wanted = self.goal.unwrap_or(if waits { held + held / 2 } else { held + 1 });
        if wanted > self.buffer.len() {
            if held >= self.limit {
                return Err(Error::limit(
                    "the length of a single value in the input",
                    format_args!("{} bytes", self.limit),
                )
                .at(self.base.position(&[], 0)));
            }
            let size = (self.buffer.len() * 2).max(wanted).min(self.limit.max(self.buffer.len() + 1));
            self.slide();
            self.buffer.resize(size, 0);
        } else if self.start > 0 {
            let was_full = self.end == self.buffer.len();
            self.slide();
            if was_full && self.buffer.len() < self.usual {
                let size = (self.buffer.len() * 2).min(self.usual);
                self.buffer.resize(size, 0);
            }
        }
        let waits = waits || self.goal.is_some();
        self.goal = Some(wanted);
        if waits {
            // These bytes were tried before.
            self.may_end();
        }
        while self.end < wanted.min(self.buffer.len()) && !self.ended {
            interrupt::check()?;
            match self.reader.read(&mut self.buffer[self.end..]) {
                Ok(0) => self.ended = true,
                Ok(read) => {
                    self.end += read;
                    if waits && self.may_end() {
                        break;
                    }
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        self.goal = None;
        Ok(())
    }

    /// Reads more bytes after the list item that follows `mark` was incomplete, until the window holds all of it. If
    /// the format does not [search](Windowed::holds_item) for the ends of items, it is the same as `fill(true)`.
    ///
    /// With `until_full`, it stops when the window is [full](Self::is_full), since the item can then be read in parts.
    ///
    /// # Errors
    /// As [`fill`](Self::fill).
    pub fn fill_item<F: Windowed + ?Sized>(&mut self, format: &mut F, mark: Mark, until_full: bool) -> Result<()> {
        if self.ended || format.holds_item(self.part(), mark) != Some(false) {
            return self.fill(true);
        }
        loop {
            self.fill(false)?;
            let stops = self.ended || until_full && self.is_full();
            if stops || format.holds_item(self.part(), mark) != Some(false) {
                return Ok(());
            }
        }
    }

    /// Whether the first unit in the window may end in the bytes that arrived last.
    fn may_end(&mut self) -> bool {
        let Some(end) = self.end_of_unit else { return false };
        let search = self.awaited.get_or_insert_with(|| Search { awaited: Awaited::new(end), seen: 0, arrived: 0 });
        let unit = &self.buffer[self.start..self.end];
        // What follows the first end is mostly other units, which this search never has to inspect.
        search.awaited.may_end(&unit[search.seen..search.arrived]);
        let found = search.awaited.first_end(&unit[search.arrived..]);
        search.seen = found.map_or(unit.len(), |count| search.arrived + count);
        search.arrived = unit.len();
        found.is_some()
    }

    fn slide(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
    }
}
