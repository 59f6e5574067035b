use super::{DEPTH, Heads, is_odd};
use crate::direct::{Direct, give_up};
use crate::small_stack::SmallStack;
use crate::text::utf8;
use core::marker::PhantomData;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Error, Kind, Mark, Position, Record, Result, Signal, Source, Text};
use std::borrow::Cow;

/// The source of the fast path.
///
/// Its errors carry no message: after any error, another source has to read the input.
#[derive(Debug)]
pub(crate) struct DirectSource<'a, H> {
    all: &'a [u8],
    /// What was not read yet.
    rest: &'a [u8],
    /// The number of children that the innermost container still has.
    left: u64,
    /// The same of those around it.
    outer: SmallStack<u64>,
    odd: bool,
    heads: PhantomData<H>,
}

/// How deep the general source lets containers nest, together with those of the fast path.
const LIMIT: u32 = 1024;

impl<'a, H: Heads> DirectSource<'a, H> {
    #[inline]
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { all: bytes, rest: bytes, left: 0, outer: SmallStack::new(), odd: false, heads: PhantomData }
    }

    /// Gives up, and marks the type as unsupported.
    #[cold]
    #[inline(never)]
    fn give_up_type<T>(&mut self) -> Result<T> {
        self.odd = true;
        give_up()
    }

    /// Takes a value.
    #[inline(always)]
    fn taken<T>(&mut self, take: fn(&mut &'a [u8]) -> Option<T>) -> Result<T> {
        match take(&mut self.rest) {
            Some(value) => Ok(value),
            None => give_up(),
        }
    }

    /// Reads a value with the general source.
    #[inline(never)]
    fn generally<T>(&mut self, read: impl FnOnce(&mut H::Source<'a>) -> Result<T>) -> Result<T> {
        let mut source = H::source(self.rest, LIMIT.saturating_sub(self.outer.len() as u32));
        match (read(&mut source), self.rest.get(source.mark().offset..)) {
            (Ok(value), Some(rest)) => {
                self.rest = rest;
                Ok(value)
            }
            _ => give_up(),
        }
    }

    /// Enters a container of `count` children of at least `each` bytes. Returns the number of children.
    #[inline(always)]
    fn enter(&mut self, count: u64, each: u64) -> Result<Option<usize>> {
        // More children than the rest can hold are an error.
        if count.saturating_mul(each) > self.rest.len() as u64 || self.outer.len() >= DEPTH {
            return give_up();
        }
        self.outer.push(self.left);
        self.left = count;
        Ok(Some(count as usize))
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.left = self.outer.pop().unwrap_or(0);
    }

    /// Steps to the next child, or out of the container.
    #[inline(always)]
    fn next_child(&mut self) -> bool {
        if self.left == 0 {
            self.leave();
            return false;
        }
        self.left -= 1;
        true
    }

    /// Finds the field of the key that is next, or of one after it.
    #[inline(never)]
    fn other_field(&mut self, record: &Record) -> Result<Option<usize>> {
        loop {
            let before = self.rest;
            let Some(key) = H::text(&mut self.rest).and_then(utf8) else { return give_up() };
            if let Some(index) = record.index_of(key) {
                return Ok(Some(index));
            }
            match record.unknown_key(key) {
                Ok(Some(keep)) => {
                    // The caller reads the key itself.
                    self.rest = before;
                    return Ok(Some(keep));
                }
                Ok(None) => self.skip()?,
                Err(_) => return give_up(),
            }
            if !self.next_child() {
                return Ok(None);
            }
        }
    }
}

impl<H> Direct for DirectSource<'_, H> {
    fn is_odd(&self) -> bool {
        self.odd
    }
}

impl<'a, H: Heads> Source<'a> for DirectSource<'a, H> {
    fn peek(&mut self) -> Result<Kind> {
        // The outermost value may be a sequence.
        if self.outer.is_empty() {
            return self.give_up_type();
        }
        match H::kind(self.rest) {
            Some(kind) => Ok(kind),
            None => give_up(),
        }
    }

    #[inline(always)]
    fn null(&mut self) -> Result<bool> {
        match H::null(&mut self.rest) {
            Some(is_null) => Ok(is_null),
            None => self.generally(Source::null),
        }
    }

    #[inline(always)]
    fn bool(&mut self) -> Result<bool> {
        match H::bool(&mut self.rest) {
            Some(value) => Ok(value),
            None => self.generally(Source::bool),
        }
    }

    fn int(&mut self) -> Result<Int<'a>> {
        match H::i64(&mut self.rest) {
            Some(value) => Ok(Int::I64(value)),
            None => self.generally(Source::int),
        }
    }

    #[inline(always)]
    fn i64(&mut self) -> Result<i64> {
        match H::i64(&mut self.rest) {
            Some(value) => Ok(value),
            None => self.generally(Source::i64),
        }
    }

    #[inline(always)]
    fn u64(&mut self) -> Result<u64> {
        match H::u64(&mut self.rest) {
            Some(value) => Ok(value),
            None => self.generally(Source::u64),
        }
    }

    #[inline(always)]
    fn float(&mut self) -> Result<f64> {
        match H::f64(&mut self.rest) {
            Some(value) => Ok(value),
            None => self.generally(Source::float),
        }
    }

    fn float32(&mut self) -> Result<f32> {
        self.generally(Source::float32)
    }

    #[inline(always)]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        match H::text(&mut self.rest).and_then(utf8) {
            Some(text) => Ok(Text::Input(text)),
            None => give_up(),
        }
    }

    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        match H::bytes(&mut self.rest) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => self.generally(Source::bytes),
        }
    }

    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.generally(Source::decimal)
    }

    fn date(&mut self) -> Result<Date> {
        self.generally(Source::date)
    }

    fn time(&mut self) -> Result<Time> {
        self.generally(Source::time)
    }

    fn date_time(&mut self) -> Result<DateTime> {
        self.generally(Source::date_time)
    }

    fn instant(&mut self) -> Result<Instant> {
        self.generally(Source::instant)
    }

    fn duration(&mut self) -> Result<Duration> {
        self.generally(Source::duration)
    }

    fn uuid(&mut self) -> Result<Uuid> {
        self.generally(Source::uuid)
    }

    /// A map in place of the outermost list is a sequence, which the general source reads.
    #[inline(always)]
    fn list(&mut self) -> Result<Option<usize>> {
        let count = self.taken(H::list_count)?;
        self.enter(count, 1)
    }

    #[inline(always)]
    fn item(&mut self) -> Result<bool> {
        Ok(self.next_child())
    }

    #[inline(always)]
    fn record(&mut self, record: &Record) -> Result<()> {
        if is_odd::<H>(record) {
            return self.give_up_type();
        }
        self.map().map(drop)
    }

    #[inline(always)]
    fn map(&mut self) -> Result<Option<usize>> {
        let count = self.taken(H::map_count)?;
        self.enter(count, 2)
    }

    #[inline(always)]
    fn entry(&mut self) -> Result<bool> {
        Ok(self.next_child())
    }

    #[inline(always)]
    fn value(&mut self) -> Result<()> {
        Ok(())
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        if !self.next_child() {
            return Ok(None);
        }
        if let Some(field) = record.fields().get(expected)
            && let Some(rest) = H::behind_key(self.rest, field.key())
        {
            self.rest = rest;
            return Ok(Some(expected));
        }
        self.other_field(record)
    }

    fn skip(&mut self) -> Result<()> {
        self.generally(H::pass_one)
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        let before = self.rest;
        self.skip()?;
        Ok(Cow::Borrowed(&before[..before.len() - self.rest.len()]))
    }

    fn mark(&self) -> Mark {
        let state = [self.outer.len() as u32, (self.left >> 32) as u32, self.left as u32, 0];
        Mark { offset: self.all.len() - self.rest.len(), state }
    }

    /// The containers around the mark's are the same as then.
    fn reset(&mut self, mark: Mark) {
        let [depth, high, low, _] = mark.state;
        self.rest = self.all.get(mark.offset..).unwrap_or_default();
        self.outer.truncate(depth as usize);
        self.left = u64::from(high) << 32 | u64::from(low);
    }

    fn position(&self) -> Position {
        Position::default()
    }

    fn end(&mut self) -> Result<()> {
        if self.rest.is_empty() && self.outer.is_empty() { Ok(()) } else { give_up() }
    }

    /// The last occurrence of a repeated key wins, so this is no error.
    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    #[cold]
    fn mismatch(&mut self, _: &'static str) -> Error {
        Error::signalled(Signal::Incomplete)
    }
}
