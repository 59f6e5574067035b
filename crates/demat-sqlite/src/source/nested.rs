//! Reads the JSON value of a column.

use core::fmt;
use core::slice;
use demat_core::{Error, Kind, Mark, Record, Result, Source};
use demat_formats::json::{JsonSource, ReadOptions};
use std::borrow::Cow;

/// JSON text, and the position in it.
pub(super) struct Nested {
    /// Borrows from `text`, and is dropped before it. Lent data is copied before it leaves this file.
    source: JsonSource<'static>,
    text: Vec<u8>,
    /// The number of open containers.
    depth: u32,
    /// Whether anything was read.
    begun: bool,
}

impl Nested {
    pub(super) fn new(text: Vec<u8>) -> Self {
        // SAFETY: the slice is the vector's memory, which stays in place when the vector is moved, and is neither
        // written nor freed before the source is dropped: only `into_text` accesses the vector, and it drops the source
        // first. The lifetime is longer than that, so no borrow with it may escape: every method copies.
        let lasting: &'static [u8] = unsafe { slice::from_raw_parts(text.as_ptr(), text.len()) };
        Self { source: JsonSource::with_options(lasting, ReadOptions::default()), text, depth: 0, begun: false }
    }

    /// Returns the buffer, for reuse.
    pub(super) fn into_text(self) -> Vec<u8> {
        let Self { source, text, .. } = self;
        drop(source);
        text
    }

    /// Returns whether the whole value was read.
    pub(super) fn has_ended(&self) -> bool {
        self.begun && self.depth == 0
    }

    /// Checks that nothing follows the value.
    pub(super) fn end(&mut self) -> Result<()> {
        self.source.end()
    }

    /// Reads a scalar. The result must be owned: the closure's lifetime is arbitrary.
    #[inline]
    pub(super) fn scalar<T>(&mut self, ask: impl for<'x> FnOnce(&mut JsonSource<'x>) -> Result<T>) -> Result<T> {
        let value = ask(&mut self.source)?;
        self.begun = true;
        Ok(value)
    }

    pub(super) fn peek(&mut self) -> Result<Kind> {
        self.source.peek()
    }

    pub(super) fn null(&mut self) -> Result<bool> {
        let null = self.source.null()?;
        self.begun |= null;
        Ok(null)
    }

    pub(super) fn list(&mut self) -> Result<Option<usize>> {
        let len = self.source.list()?;
        self.step_in();
        Ok(len)
    }

    pub(super) fn map(&mut self) -> Result<Option<usize>> {
        let len = self.source.map()?;
        self.step_in();
        Ok(len)
    }

    fn step_in(&mut self) {
        self.begun = true;
        self.depth += 1;
    }

    fn step_out(&mut self, more: bool) -> bool {
        self.depth -= u32::from(!more);
        more
    }

    pub(super) fn item(&mut self) -> Result<bool> {
        let more = self.source.item()?;
        Ok(self.step_out(more))
    }

    pub(super) fn entry(&mut self) -> Result<bool> {
        let more = self.source.entry()?;
        Ok(self.step_out(more))
    }

    pub(super) fn value(&mut self) -> Result<()> {
        self.source.value()
    }

    pub(super) fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        let field = self.source.field(record, expected)?;
        self.step_out(field.is_some());
        Ok(field)
    }

    pub(super) fn skip(&mut self) -> Result<()> {
        self.begun = true;
        self.source.skip()
    }

    pub(super) fn span<'a>(&mut self) -> Result<Cow<'a, [u8]>> {
        self.begun = true;
        Ok(Cow::Owned(self.source.span()?.into_owned()))
    }

    #[cold]
    pub(super) fn mismatch(&mut self, expected: &'static str) -> Error {
        self.source.mismatch(expected)
    }

    /// Returns a mark within the JSON of this column.
    pub(super) fn mark(&self, column: u32) -> Mark {
        let Mark { offset, state: [first, second, ..] } = self.source.mark();
        Mark { offset, state: [first, second, column, 1 | u32::from(self.begun) << 1 | self.depth << 2] }
    }

    pub(super) fn reset(&mut self, mark: Mark) {
        let [first, second, _, own] = mark.state;
        self.source.reset(Mark { offset: mark.offset, state: [first, second, 0, 0] });
        self.begun = own & 2 != 0;
        self.depth = own >> 2;
    }
}

impl fmt::Debug for Nested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Nested").field("depth", &self.depth).field("len", &self.text.len()).finish_non_exhaustive()
    }
}

/// Returns whether a mark is within JSON.
pub(super) fn is_inside(mark: Mark) -> bool {
    mark.state[3] != 0
}

/// Returns the column of a mark.
pub(super) fn column(mark: Mark) -> usize {
    mark.state[2] as usize
}
