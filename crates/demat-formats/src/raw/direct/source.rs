use super::super::FINGERPRINT;
use super::super::schema::Presence;
use super::super::varint::{self, unzigzag};
use super::super::wire;
use super::DEPTH;
use super::shapes::{bits, ones, parts};
use crate::direct::{Direct, fixed, give_up};
use crate::proto::read_varint;
use crate::small_stack::SmallStack;
use crate::text::utf8;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Time, Uuid};
use demat_core::{
    Enum, Error, FloatWidth, IntWidth, Kind, Mark, NumbersInto, Position, Record, Result, Shape, Signal, Source, Text,
};
use std::borrow::Cow;

/// The source of the fast path, for data of the reader's own shape.
///
/// Its errors carry no message: after any error, another source has to read the input.
#[derive(Debug)]
pub(crate) struct DirectSource<'a, 'o> {
    /// What was not read yet.
    rest: &'a [u8],
    /// The shape of the next value; of a list or map, that of its item, key or value.
    next: &'static Shape,
    /// Whether the next value is a null without bytes.
    null: bool,
    top: Open,
    /// Those around it. They are elsewhere, so that the compiler can keep the rest of the source in registers.
    outer: &'o mut SmallStack<Open>,
    odd: bool,
    /// Whether the source was reset, after which it reads nothing right.
    lost: bool,
}

/// An open container.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    /// The shape of its items, or the map itself.
    shape: &'static Shape,
    /// The number of children that are left; of a record, the index of the next field.
    count: u32,
    /// The first bit of the next field.
    bit: u32,
    /// The presence bits of the record.
    bits: u64,
}

impl Default for Open {
    fn default() -> Self {
        Self { shape: &Shape::Null, count: 0, bit: 0, bits: 0 }
    }
}

/// A header below this is a count.
const LONG: u8 = 127;

impl<'a, 'o> DirectSource<'a, 'o> {
    /// Returns a source of a value of the shape. Returns `None` for data of another one.
    #[inline(always)]
    pub(crate) fn new(
        bytes: &'a [u8],
        outer: &'o mut SmallStack<Open>,
        shape: &'static Shape,
        fingerprint: [u8; FINGERPRINT],
    ) -> Option<Self> {
        let (found, rest) = bytes.split_first_chunk()?;
        let top = Open::default();
        let source = Self { rest, next: shape, null: false, top, outer, odd: false, lost: false };
        (*found == fingerprint).then_some(source)
    }

    /// Gives up, and marks the type as unsupported.
    #[inline(always)]
    fn give_up_type<T>(&mut self) -> Result<T> {
        self.odd = true;
        give_up()
    }

    /// Returns the shape of the next value, which must not be null. Takes the byte of an option.
    #[inline(always)]
    fn shape(&mut self) -> Result<&'static Shape> {
        if self.null {
            return give_up();
        }
        match self.next {
            Shape::Option(inner) => match (self.rest, fixed(inner)) {
                ([1, rest @ ..], Some(inner)) => {
                    self.rest = rest;
                    Ok(inner)
                }
                _ => give_up(),
            },
            shape => Ok(shape),
        }
    }

    #[inline(always)]
    fn chunk<const N: usize>(&mut self) -> Result<[u8; N]> {
        match self.rest.split_first_chunk() {
            Some((chunk, rest)) => {
                self.rest = rest;
                Ok(*chunk)
            }
            None => give_up(),
        }
    }

    #[inline(always)]
    fn varint(&mut self) -> Result<u64> {
        match self.rest {
            [one @ 0..=0x7f, rest @ ..] => {
                self.rest = rest;
                Ok((*one).into())
            }
            [one, two @ 1..=0x7f, rest @ ..] => {
                self.rest = rest;
                Ok(u64::from(*one & 0x7f) | u64::from(*two) << 7)
            }
            _ => match long_varint(self.rest) {
                Some((value, rest)) => {
                    self.rest = rest;
                    Ok(value)
                }
                None => give_up(),
            },
        }
    }

    /// Takes a length and as many bytes.
    #[inline(always)]
    fn sized(&mut self) -> Result<&'a [u8]> {
        let len = self.varint()?;
        match usize::try_from(len).ok().and_then(|len| self.rest.split_at_checked(len)) {
            Some((content, rest)) => {
                self.rest = rest;
                Ok(content)
            }
            None => give_up(),
        }
    }

    #[inline(always)]
    fn utf8(&mut self) -> Result<&'a str> {
        match utf8(self.sized()?) {
            Some(text) => Ok(text),
            None => give_up(),
        }
    }

    /// Takes items of a list of ints, up to one that `number` refuses.
    #[inline(always)]
    fn take_varints<T>(&mut self, items: &mut Vec<T>, number: impl Fn(u64) -> Option<T>) {
        // Both are in registers here, even if the source is not.
        let (mut rest, mut left) = (self.rest, self.top.count);
        while left > 0 {
            let (found, behind) = match rest {
                [one @ 0..=0x7f, behind @ ..] => (u64::from(*one), behind),
                [one, two @ 1..=0x7f, behind @ ..] => (u64::from(*one & 0x7f) | u64::from(*two) << 7, behind),
                _ => match long_varint(rest) {
                    Some(found) => found,
                    None => break,
                },
            };
            let Some(item) = number(found) else { break };
            items.push(item);
            rest = behind;
            left -= 1;
        }
        (self.rest, self.top.count) = (rest, left);
    }

    /// Takes all items of a list of floats, if the rest has them.
    #[inline(always)]
    fn take_chunks<T, const N: usize>(&mut self, items: &mut Vec<T>, number: fn([u8; N]) -> T) {
        let len = (self.top.count as usize).checked_mul(N);
        let Some((all, rest)) = len.and_then(|len| self.rest.split_at_checked(len)) else { return };
        items.extend(all.as_chunks().0.iter().map(|bytes| number(*bytes)));
        (self.rest, self.top.count) = (rest, 0);
    }

    /// Reads a scalar of several parts.
    #[inline(always)]
    fn parts<T>(&mut self, read: fn(&[u8], usize) -> wire::Read<T>) -> Result<T> {
        match read(self.rest, 0) {
            Ok((value, end)) => {
                self.rest = &self.rest[end..];
                Ok(value)
            }
            Err(_) => give_up(),
        }
    }

    #[inline(always)]
    fn push(&mut self, top: Open) -> Result<()> {
        if self.outer.len() >= DEPTH {
            return give_up();
        }
        self.outer.push(self.top);
        self.top = top;
        Ok(())
    }

    #[inline(always)]
    fn leave(&mut self) {
        self.top = self.outer.pop().unwrap_or_default();
        // The next item is as the last one was. A field or an entry sets it anew.
        self.next = self.top.shape;
    }

    /// Takes the header of a list or map of one block, and enters it.
    #[inline(always)]
    fn open(&mut self, shape: &'static Shape) -> Result<Option<usize>> {
        let count = match self.rest {
            [first @ 0..LONG, rest @ ..] => {
                self.rest = rest;
                (*first).into()
            }
            [LONG, rest @ ..] => {
                self.rest = rest;
                self.varint()?.saturating_add(LONG.into())
            }
            _ => return give_up(),
        };
        // Each child has a byte at least.
        if count > self.rest.len() as u64 {
            return give_up();
        }
        let Ok(small) = u32::try_from(count) else { return give_up() };
        self.push(Open { shape, count: small, ..Open::default() })?;
        self.next = shape;
        Ok(Some(small as usize))
    }

    #[inline(always)]
    fn next_child(&mut self) -> bool {
        if self.top.count == 0 {
            self.leave();
            return false;
        }
        self.top.count -= 1;
        true
    }
}

/// Takes a number of several bytes.
#[inline(never)]
fn long_varint(rest: &[u8]) -> Option<(u64, &[u8])> {
    // The same bytes as of the numbers of Protocol Buffers, but of the shortest form only.
    if let Some((value, len @ 2..=9)) = read_varint(rest)
        && rest[len - 1] != 0
    {
        return Some((value, &rest[len..]));
    }
    match varint::read(rest, 0) {
        Ok((value, end)) if value <= u64::MAX.into() => Some((value as u64, &rest[end..])),
        _ => None,
    }
}

impl Direct for DirectSource<'_, '_> {
    fn is_odd(&self) -> bool {
        self.odd
    }
}

impl<'a> Source<'a> for DirectSource<'a, '_> {
    fn peek(&mut self) -> Result<Kind> {
        self.give_up_type()
    }

    #[inline(always)]
    fn null(&mut self) -> Result<bool> {
        if self.null {
            self.null = false;
            return Ok(true);
        }
        match (self.next, self.rest) {
            (Shape::Null, _) => Ok(true),
            (Shape::Option(_), [0, rest @ ..]) => {
                self.rest = rest;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    #[inline(always)]
    fn bool(&mut self) -> Result<bool> {
        match (self.shape()?, self.rest) {
            (Shape::Bool, [value @ 0..=1, rest @ ..]) => {
                self.rest = rest;
                Ok(*value == 1)
            }
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn int(&mut self) -> Result<Int<'a>> {
        self.i64().map(Int::I64)
    }

    #[inline(always)]
    fn i64(&mut self) -> Result<i64> {
        let Shape::Int(width) = self.shape()? else { return give_up() };
        match width {
            IntWidth::Signed(..=8) => self.chunk().map(|[byte]| byte.cast_signed().into()),
            IntWidth::Unsigned(..=8) => self.chunk().map(|[byte]| byte.into()),
            IntWidth::Signed(_) | IntWidth::Any => {
                let value = self.varint()?;
                Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
            }
            IntWidth::Unsigned(_) => i64::try_from(self.varint()?).or_else(|_| give_up()),
        }
    }

    #[inline(always)]
    fn u64(&mut self) -> Result<u64> {
        let Shape::Int(width) = self.shape()? else { return give_up() };
        match width {
            IntWidth::Unsigned(..=8) => self.chunk().map(|[byte]| byte.into()),
            IntWidth::Unsigned(_) => self.varint(),
            IntWidth::Signed(..=8) => {
                self.chunk().and_then(|[byte]| u64::try_from(byte.cast_signed()).or_else(|_| give_up()))
            }
            IntWidth::Signed(_) | IntWidth::Any => {
                u64::try_from(unzigzag(self.varint()?.into())).or_else(|_| give_up())
            }
        }
    }

    #[inline(always)]
    fn float(&mut self) -> Result<f64> {
        match self.shape()? {
            Shape::Float(FloatWidth::F64) => self.chunk().map(f64::from_le_bytes),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn float32(&mut self) -> Result<f32> {
        match self.shape()? {
            Shape::Float(FloatWidth::F32) => self.chunk().map(f32::from_le_bytes),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        match self.shape()? {
            Shape::Text => self.utf8().map(Text::Input),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        match self.shape()? {
            Shape::Bytes => self.sized().map(Cow::Borrowed),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn decimal(&mut self) -> Result<Decimal<'a>> {
        match self.shape()? {
            Shape::Decimal => match Decimal::parse(self.utf8()?) {
                Some(decimal) => Ok(decimal),
                None => give_up(),
            },
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn date(&mut self) -> Result<Date> {
        match self.shape()? {
            Shape::Date => self.parts(wire::read_date),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn time(&mut self) -> Result<Time> {
        match self.shape()? {
            Shape::Time => self.parts(wire::read_time),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn date_time(&mut self) -> Result<DateTime> {
        match self.shape()? {
            Shape::DateTime => self.parts(wire::read_date_time),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn instant(&mut self) -> Result<Instant> {
        match self.shape()? {
            Shape::Instant => self.parts(wire::read_instant),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn duration(&mut self) -> Result<Duration> {
        match self.shape()? {
            Shape::Duration => self.parts(wire::read_duration),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn uuid(&mut self) -> Result<Uuid> {
        match self.shape()? {
            Shape::Uuid => self.chunk().map(Uuid),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn variant(&mut self, names: &Enum) -> Result<usize> {
        let Shape::Enum(own) = self.shape()? else { return give_up() };
        if own.len() != names.len() {
            return give_up();
        }
        let index = if own.len() == 1 { 0 } else { self.varint()? };
        if index < own.len() as u64 { Ok(index as usize) } else { give_up() }
    }

    #[inline(always)]
    fn list(&mut self) -> Result<Option<usize>> {
        match self.shape()? {
            Shape::List(item) => match fixed(item) {
                Some(item) => self.open(item),
                None => self.give_up_type(),
            },
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn number_items(&mut self, into: NumbersInto<'_>) -> Result<()> {
        let signed = |number: u64| unzigzag(number.into()) as i64;
        match (self.top.shape, into) {
            (Shape::Int(IntWidth::Signed(32)), NumbersInto::I32(items)) => {
                self.take_varints(items, |number| signed(number).try_into().ok());
            }
            (Shape::Int(IntWidth::Signed(64)), NumbersInto::I64(items)) => {
                self.take_varints(items, |number| Some(signed(number)));
            }
            (Shape::Int(IntWidth::Unsigned(32)), NumbersInto::U32(items)) => {
                self.take_varints(items, |number| number.try_into().ok());
            }
            (Shape::Int(IntWidth::Unsigned(64)), NumbersInto::U64(items)) => self.take_varints(items, Some),
            (Shape::Float(FloatWidth::F32), NumbersInto::F32(items)) => self.take_chunks(items, f32::from_le_bytes),
            (Shape::Float(FloatWidth::F64), NumbersInto::F64(items)) => self.take_chunks(items, f64::from_le_bytes),
            _ => {}
        }
        Ok(())
    }

    #[inline(always)]
    fn item(&mut self) -> Result<bool> {
        Ok(self.next_child())
    }

    #[inline(always)]
    fn map(&mut self) -> Result<Option<usize>> {
        match self.shape()? {
            map @ Shape::Map(..) => self.open(map),
            _ => self.give_up_type(),
        }
    }

    #[inline(always)]
    fn entry(&mut self) -> Result<bool> {
        if !self.next_child() {
            return Ok(false);
        }
        let Shape::Map(key, _) = self.top.shape else { return self.give_up_type() };
        self.next = fixed(key).unwrap_or(&Shape::Any);
        Ok(true)
    }

    #[inline(always)]
    fn value(&mut self) -> Result<()> {
        let Shape::Map(_, value) = self.top.shape else { return self.give_up_type() };
        self.next = fixed(value).unwrap_or(&Shape::Any);
        Ok(())
    }

    #[inline(always)]
    fn record(&mut self, record: &Record) -> Result<()> {
        let Shape::Record(own) = self.shape()? else { return give_up() };
        if own.get().identity() != record.identity() {
            return self.give_up_type();
        }
        let count = bits(record);
        let mut top = Open::default();
        if count > 0 {
            let Some((bytes, rest)) = self.rest.split_at_checked(count.div_ceil(8)) else { return give_up() };
            self.rest = rest;
            top.bits = bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte));
            if top.bits.checked_shr(count as u32).unwrap_or(0) != 0 {
                return give_up();
            }
        }
        self.push(top)
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, _: usize) -> Result<Option<usize>> {
        loop {
            let index = self.top.count as usize;
            let Some(field) = record.fields().get(index) else {
                self.leave();
                return Ok(None);
            };
            let Some((presence, shape)) = parts(field) else { return self.give_up_type() };
            let ones = ones(presence, self.top.bit as usize);
            let set = self.top.bits & ones;
            self.top.count += 1;
            self.top.bit += presence.bits() as u32;
            (self.next, self.null) = (shape, false);
            match presence {
                Presence::Missing | Presence::Both if set == 0 => continue,
                Presence::Null => self.null = set == 0,
                // The first of both bits alone is null; the second alone is an error.
                Presence::Both if set != ones && set << 1 & ones == 0 => return give_up(),
                Presence::Both => self.null = set != ones,
                Presence::Always | Presence::Missing => {}
            }
            return Ok(Some(index));
        }
    }

    #[inline(always)]
    fn skip(&mut self) -> Result<()> {
        self.give_up_type()
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.give_up_type()
    }

    fn mark(&self) -> Mark {
        Mark::default()
    }

    fn reset(&mut self, _: Mark) {
        (self.rest, self.next, self.lost) = (&[], &Shape::Any, true);
    }

    fn position(&self) -> Position {
        Position::default()
    }

    fn end(&mut self) -> Result<()> {
        if self.rest.is_empty() && self.outer.is_empty() && !self.lost { Ok(()) } else { give_up() }
    }

    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    #[cold]
    fn mismatch(&mut self, _: &'static str) -> Error {
        Error::signalled(Signal::Incomplete)
    }
}
