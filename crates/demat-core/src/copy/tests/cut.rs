use crate::scalar::Int;
use crate::{Error, Kind, Mark, Position, Result, Signal, Source, Text, Value, ValueSource};
use std::borrow::Cow;

/// A source whose window ends after a number of calls.
pub(super) struct Cut<'a> {
    inner: ValueSource<'a>,
    left: usize,
}

impl<'a> Cut<'a> {
    pub(super) fn new(value: &'a Value, questions: usize) -> Self {
        Self { inner: ValueSource::new(value), left: questions }
    }

    fn ask(&mut self) -> Result<&mut ValueSource<'a>> {
        self.left = self.left.checked_sub(1).ok_or_else(|| Error::signalled(Signal::Incomplete))?;
        Ok(&mut self.inner)
    }
}

impl<'a> Source<'a> for Cut<'a> {
    fn peek(&mut self) -> Result<Kind> {
        self.ask()?.peek()
    }
    fn null(&mut self) -> Result<bool> {
        self.ask()?.null()
    }
    fn bool(&mut self) -> Result<bool> {
        self.ask()?.bool()
    }
    fn int(&mut self) -> Result<Int<'a>> {
        self.ask()?.int()
    }
    fn float(&mut self) -> Result<f64> {
        self.ask()?.float()
    }
    fn text(&mut self) -> Result<Text<'a, '_>> {
        self.ask()?.text()
    }
    fn list(&mut self) -> Result<Option<usize>> {
        self.ask()?.list()
    }
    fn item(&mut self) -> Result<bool> {
        self.ask()?.item()
    }
    fn map(&mut self) -> Result<Option<usize>> {
        self.ask()?.map()
    }
    fn entry(&mut self) -> Result<bool> {
        self.ask()?.entry()
    }
    fn value(&mut self) -> Result<()> {
        self.ask()?.value()
    }
    fn skip(&mut self) -> Result<()> {
        self.ask()?.skip()
    }
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.ask()?.skip()?;
        Ok(Cow::Borrowed(b"span"))
    }
    fn mark(&self) -> Mark {
        self.inner.mark()
    }
    fn reset(&mut self, mark: Mark) {
        self.inner.reset(mark);
    }
    fn position(&self) -> Position {
        self.inner.position()
    }
    fn end(&mut self) -> Result<()> {
        self.ask()?.end()
    }
    fn repeated(&mut self, key: &str) -> Result<()> {
        self.inner.repeated(key)
    }
    fn mismatch(&mut self, expected: &'static str) -> Error {
        match self.ask() {
            Ok(inner) => inner.mismatch(expected),
            Err(signal) => signal,
        }
    }
}
