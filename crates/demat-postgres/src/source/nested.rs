//! Reads the JSON of a column.

use demat_core::{Error, Kind, Mark, Record, Result, Source};
use demat_formats::json::{JsonSource, ReadOptions};
use std::borrow::Cow;

/// JSON text, and the position in it.
///
/// A source over the text is made for each request, at the position that the last one left: a mark is all of its state.
#[derive(Debug)]
pub(super) struct Nested {
    text: Vec<u8>,
    mark: Mark,
    /// Whether anything was read.
    begun: bool,
}

impl Nested {
    pub(super) fn new(text: Vec<u8>) -> Self {
        Self { text, mark: Mark::default(), begun: false }
    }

    /// Returns the buffer, for reuse.
    pub(super) fn into_text(self) -> Vec<u8> {
        self.text
    }

    fn source(&self) -> JsonSource<'_> {
        let mut source = JsonSource::with_options(&self.text, ReadOptions::default());
        if self.begun {
            source.reset(self.mark);
        }
        source
    }

    /// Reads something, and stays behind it.
    pub(super) fn ask<T>(&mut self, ask: impl for<'x> FnOnce(&mut JsonSource<'x>) -> Result<T>) -> Result<T> {
        let mut source = self.source();
        let answer = ask(&mut source)?;
        self.mark = source.mark();
        self.begun = true;
        Ok(answer)
    }

    /// Whether the whole value was read.
    pub(super) fn has_ended(&self) -> bool {
        self.begun && self.mark.state[0] == 0
    }

    /// Checks that nothing follows the value.
    pub(super) fn end(&mut self) -> Result<()> {
        self.source().end()
    }

    pub(super) fn peek(&mut self) -> Result<Kind> {
        self.source().peek()
    }

    pub(super) fn null(&mut self) -> Result<bool> {
        let mut source = self.source();
        let null = source.null()?;
        if null {
            self.mark = source.mark();
            self.begun = true;
        }
        Ok(null)
    }

    pub(super) fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        self.ask(|source| source.field(record, expected))
    }

    pub(super) fn span<'a>(&mut self) -> Result<Cow<'a, [u8]>> {
        self.ask(|source| Ok(Cow::Owned(source.span()?.into_owned())))
    }

    #[cold]
    pub(super) fn mismatch(&mut self, expected: &'static str) -> Error {
        self.source().mismatch(expected)
    }

    /// The position: an offset, and the depth with the flags of the text's source.
    pub(super) fn place(&self) -> (usize, u32) {
        let [depth, flags, ..] = self.mark.state;
        (self.mark.offset, depth << 8 | flags << 1 | u32::from(self.begun))
    }

    pub(super) fn go_to(&mut self, (offset, state): (usize, u32)) {
        self.begun = state & 1 == 1;
        self.mark = Mark { offset, state: [state >> 8, state >> 1 & 0x7F, 0, 0] };
    }
}
