use super::{DEPTH, Heads, is_odd};
use crate::direct::{Direct, give_up};
use crate::small_stack::SmallStack;
use crate::text::utf8;
use core::marker::PhantomData;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{Error, Kind, Mark, NumbersInto, Position, Record, Result, Signal, Source, Text};
use std::borrow::Cow;

/// The source of the fast path.
///
/// Its errors carry no message: after any error, another source has to read the input.
#[derive(Debug)]
pub(crate) struct DirectSource<'a, 'o, H> {
    all: &'a [u8],
    /// What was not read yet.
    rest: &'a [u8],
    /// The number of children that the innermost container still has.
    left: u64,
    /// The same of those around it. They are elsewhere, so that the compiler can keep the rest of the source in
    /// registers.
    outer: &'o mut SmallStack<u64>,
    odd: bool,
    heads: PhantomData<H>,
}

/// How deep the general source lets containers nest, together with those of the fast path.
const LIMIT: u32 = 1024;

impl<'a, 'o, H: Heads> DirectSource<'a, 'o, H> {
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], outer: &'o mut SmallStack<u64>) -> Self {
        Self { all: bytes, rest: bytes, left: 0, outer, odd: false, heads: PhantomData }
    }

    /// Gives up, and marks the type as unsupported.
    #[inline(always)]
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
    #[inline(always)]
    fn generally<T>(&mut self, read: impl FnOnce(&mut H::Source<'a>) -> Result<T>) -> Result<T> {
        match generally::<H, T>(self.rest, LIMIT.saturating_sub(self.outer.len() as u32), read) {
            Some((value, rest)) => {
                self.rest = rest;
                Ok(value)
            }
            None => give_up(),
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
    #[inline(always)]
    fn other_field(&mut self, record: &Record) -> Result<Option<usize>> {
        // A copy, so that the source itself has no address.
        let Self { all, rest, left, odd, heads, .. } = *self;
        let mut copy = DirectSource { all, rest, left, outer: &mut *self.outer, odd, heads };
        let found = copy.find_field(record);
        (self.rest, self.left, self.odd) = (copy.rest, copy.left, copy.odd);
        found
    }

    #[inline(never)]
    fn find_field(&mut self, record: &Record) -> Result<Option<usize>> {
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

/// Takes items of a list of which so many are left, up to one that `take` does not know. Returns how many are left then.
#[inline(always)]
fn take_items<'a, T>(
    rest: &mut &'a [u8],
    left: u64,
    items: &mut Vec<T>,
    take: impl Fn(&mut &'a [u8]) -> Option<T>,
) -> u64 {
    // Both are in registers here, even if they are parts of a source that is not.
    let (mut behind, mut left) = (*rest, left);
    while left > 0 {
        let before = behind;
        let Some(item) = take(&mut behind) else {
            behind = before;
            break;
        };
        items.push(item);
        left -= 1;
    }
    *rest = behind;
    left
}

/// Reads a value with the general source. Returns it, and what is behind it.
#[inline(never)]
fn generally<'a, H: Heads, T>(
    rest: &'a [u8],
    depth: u32,
    read: impl FnOnce(&mut H::Source<'a>) -> Result<T>,
) -> Option<(T, &'a [u8])> {
    let mut source = H::source(rest, depth);
    let value = read(&mut source).ok()?;
    Some((value, rest.get(source.mark().offset..)?))
}

impl<H> Direct for DirectSource<'_, '_, H> {
    fn is_odd(&self) -> bool {
        self.odd
    }
}

impl<'a, H: Heads> Source<'a> for DirectSource<'a, '_, H> {
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

    #[inline(always)]
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

    #[inline(always)]
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

    #[inline(always)]
    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        match H::bytes(&mut self.rest) {
            Some(bytes) => Ok(Cow::Borrowed(bytes)),
            None => self.generally(Source::bytes),
        }
    }

    #[inline(always)]
    fn decimal(&mut self) -> Result<Decimal<'a>> {
        self.generally(Source::decimal)
    }

    #[inline(always)]
    fn date(&mut self) -> Result<Date> {
        self.generally(Source::date)
    }

    #[inline(always)]
    fn time(&mut self) -> Result<Time> {
        self.generally(Source::time)
    }

    #[inline(always)]
    fn date_time(&mut self) -> Result<DateTime> {
        self.generally(Source::date_time)
    }

    #[inline(always)]
    fn instant(&mut self) -> Result<Instant> {
        self.generally(Source::instant)
    }

    #[inline(always)]
    fn duration(&mut self) -> Result<Duration> {
        self.generally(Source::duration)
    }

    #[inline(always)]
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
    fn number_items(&mut self, into: NumbersInto<'_>) -> Result<()> {
        let left = match into {
            NumbersInto::I32(items) => {
                take_items(&mut self.rest, self.left, items, |rest| H::i64(rest)?.try_into().ok())
            }
            NumbersInto::I64(items) => take_items(&mut self.rest, self.left, items, H::i64),
            NumbersInto::U32(items) => {
                take_items(&mut self.rest, self.left, items, |rest| H::u64(rest)?.try_into().ok())
            }
            NumbersInto::U64(items) => take_items(&mut self.rest, self.left, items, H::u64),
            NumbersInto::F32(_) => self.left,
            NumbersInto::F64(items) => take_items(&mut self.rest, self.left, items, H::f64),
        };
        self.left = left;
        Ok(())
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

    #[inline(always)]
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
