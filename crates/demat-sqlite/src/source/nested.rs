//! A column's value that is JSON.

use core::fmt;
use core::slice;
use demat_core::{Error, Kind, Mark, Record, Result, Source};
use demat_formats::json::{JsonSource, ReadOptions};
use std::borrow::Cow;

/// JSON text, and how far it was asked for.
pub(super) struct Nested {
    /// Reads the text below, and is dropped before it. What it lends is copied before it leaves this file.
    source: JsonSource<'static>,
    text: Vec<u8>,
    /// How many containers are open.
    depth: u32,
    /// Whether something was taken.
    begun: bool,
}

impl Nested {
    pub(super) fn new(text: Vec<u8>) -> Self {
        // SAFETY: the slice is that of the vector's memory, which stays where it is when the vector is moved, and is neither
        // written to nor freed before the source is gone: the vector is touched by `into_text` alone, which drops the
        // source first. The lifetime is longer than that, so nothing that has it may get out: every method copies.
        let lasting: &'static [u8] = unsafe { slice::from_raw_parts(text.as_ptr(), text.len()) };
        Self { source: JsonSource::with_options(lasting, ReadOptions::default()), text, depth: 0, begun: false }
    }

    /// The text's memory, to be used again.
    pub(super) fn into_text(self) -> Vec<u8> {
        let Self { source, text, .. } = self;
        drop(source);
        text
    }

    /// Whether the whole value was taken.
    pub(super) fn has_ended(&self) -> bool {
        self.begun && self.depth == 0
    }

    /// Checks that nothing follows.
    pub(super) fn end(&mut self) -> Result<()> {
        self.source.end()
    }

    /// Takes a scalar; what is given is a copy, as it can't be of a lifetime that the asker does not know.
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

    /// Where it stands, in the JSON of this column.
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

/// Whether a mark is one within JSON.
pub(super) fn is_inside(mark: Mark) -> bool {
    mark.state[3] != 0
}

/// The column that it is in.
pub(super) fn column(mark: Mark) -> usize {
    mark.state[2] as usize
}
