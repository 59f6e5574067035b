use super::{Awaited, Base, End, Part};
use demat_core::{Error, Result, interrupt};
use std::io::{ErrorKind, Read};

/// A window over a reader: it slides, and grows where a unit is longer than it, up to a limit.
#[derive(Debug)]
pub struct Window<R> {
    reader: R,
    /// All of it is initialised; `start..end` is the window.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    ended: bool,
    base: Base,
    limit: usize,
    /// So long it gets before any unit asks for more.
    usual: usize,
    /// So many bytes are to be there before the same unit is tried again.
    goal: Option<usize>,
    end_of_unit: Option<End>,
    /// What is awaited of the unit that the window begins with, and how many of its bytes were looked at.
    awaited: Option<(Awaited, usize)>,
}

/// Enough that the work at each border does not count, and little enough to stay in the second-level cache.
const SIZE: usize = 256 * 1024;
/// A window that is to give its first unit early begins with so much.
const FIRST: usize = 16 * 1024;
/// A unit shorter than this is tried again whenever bytes have come: that costs little, and a record that is there is
/// not kept waiting.
const SMALL: usize = 4 * 1024;

impl<R: Read> Window<R> {
    /// The default of [`with_limit`](Self::with_limit): 1 GiB.
    pub const LIMIT: usize = 1 << 30;

    /// A window over a reader, with nothing read yet.
    pub fn new(reader: R) -> Self {
        Self::with_size(reader, SIZE)
    }

    /// A window that begins with so many bytes (at least one); for tests, mostly.
    pub fn with_size(reader: R, size: usize) -> Self {
        let buffer = vec![0; size.max(1)];
        let (base, limit, usual) = (Base::default(), Self::LIMIT, buffer.len());
        let (goal, end_of_unit, awaited) = (None, None, None);
        Self { reader, buffer, start: 0, end: 0, ended: false, base, limit, usual, goal, end_of_unit, awaited }
    }

    /// A window that begins small, so that the first unit need not wait for many others, and then gets as long as others.
    pub fn growing(reader: R) -> Self {
        Self { usual: SIZE, ..Self::with_size(reader, FIRST) }
    }

    /// Sets what units [end](super::Windowed::end) with. A unit that comes in slowly is tried again then as soon as it may
    /// be complete; otherwise when the window has grown by half.
    #[must_use]
    pub fn with_end(mut self, end: Option<End>) -> Self {
        self.end_of_unit = end;
        self
    }

    /// Sets how many bytes the window may grow to: the longest unit that can be read.
    #[must_use]
    pub fn with_limit(mut self, limit: usize) -> Self {
        self.limit = limit;
        self
    }

    /// The reader.
    pub fn reader(&self) -> &R {
        &self.reader
    }

    /// The reader; what is in the window is gone.
    pub fn into_reader(self) -> R {
        self.reader
    }

    /// The reader, to be told something.
    pub fn reader_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// What is in the window.
    pub fn part(&self) -> Part<'_> {
        Part { bytes: &self.buffer[self.start..self.end], last: self.ended, base: self.base }
    }

    /// Whether the reader has ended.
    pub fn has_ended(&self) -> bool {
        self.ended
    }

    /// How many bytes it can hold now.
    pub fn capacity(&self) -> usize {
        self.buffer.len()
    }

    /// Whether the window is as full as it gets without growing.
    pub fn is_full(&self) -> bool {
        self.end - self.start >= self.buffer.len() - self.buffer.len() / 4
    }

    /// Lets go of the first bytes.
    pub fn consume(&mut self, bytes: usize) {
        self.base = self.base.after(&self.buffer[self.start..self.start + bytes]);
        self.start += bytes;
        if bytes > 0 {
            (self.goal, self.awaited) = (None, None);
        }
    }

    /// Reads more. Where the last attempt on these bytes came to nothing (`stuck`), so much more that all attempts
    /// together stay linear in the size of the unit.
    ///
    /// After an error of the reader it can be asked once more, with the same answer to `stuck`.
    ///
    /// # Errors
    /// [`Limit`](demat_core::ErrorKind::Limit) where the window may not grow any more, and what the reader says.
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
            // These were tried.
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

    /// Whether the unit that the window begins with may end in the bytes that came last.
    fn may_end(&mut self) -> bool {
        let Some(end) = self.end_of_unit else { return false };
        let (awaited, seen) = self.awaited.get_or_insert_with(|| (Awaited::new(end), 0));
        let new = &self.buffer[self.start + *seen..self.end];
        *seen += new.len();
        awaited.may_end(new)
    }

    fn slide(&mut self) {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
    }
}
