use super::run::{Outer, Run};
use crate::direct::{Direct, give_up};
use crate::proto::layout::{Cardinality, Form, Wire};
use crate::proto::tag::WireType;
use crate::proto::varint::{read_varint, unzigzag};
use crate::small_stack::SmallStack;
use crate::text::utf8;
use demat_core::scalar::Int;
use demat_core::{Enum, Error, Kind, Mark, NumbersInto, Position, Record, Result, Signal, Source, Text};
use std::borrow::Cow;

/// The source of the fast path.
///
/// Its errors carry no message: after any error, another source has to read the input.
#[derive(Debug)]
pub(crate) struct DirectSource<'a, 'o> {
    /// The remaining bytes of the innermost message or packed run.
    pub(super) rest: &'a [u8],
    /// The next value.
    pub(super) at: Pending,
    pub(super) form: Form,
    pub(super) number: u32,
    /// One bit per field of the message that was read, by index.
    pub(super) seen: u64,
    pub(super) run: Run,
    /// The containers around the innermost one. They are elsewhere, so that the compiler can keep the rest of the source in
    /// registers.
    pub(super) outer: &'o mut SmallStack<Outer<'a>>,
    /// Whether it gave up because of the type, and not because of these bytes.
    pub(super) odd: bool,
}

/// The kind of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pending {
    /// The whole input.
    Whole,
    /// A value, after its tag or in a packed run.
    Value,
    /// The value of an absent field, which is zero.
    Zero,
    /// A list, after its first tag.
    List(WireType),
    /// A list or map whose field is absent.
    Empty,
    /// No value; reading has failed.
    Nowhere,
}

/// The maximum nesting depth.
const DEPTH: usize = 32;

impl<'a, 'o> DirectSource<'a, 'o> {
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], outer: &'o mut SmallStack<Outer<'a>>) -> Self {
        Self {
            rest: bytes,
            at: Pending::Whole,
            form: Form::Message,
            number: 0,
            seen: 0,
            run: Run::Fields,
            outer,
            odd: false,
        }
    }

    /// Gives up, and marks the type as unsupported.
    #[inline(always)]
    pub(super) fn give_up_type<T>(&mut self) -> Result<T> {
        self.odd = true;
        give_up()
    }

    /// Calls a function with a copy, so that the source itself has no address.
    #[inline(always)]
    pub(super) fn aside<T>(&mut self, call: impl FnOnce(&mut DirectSource<'a, '_>) -> T) -> T {
        let Self { rest, at, form, number, seen, run, odd, .. } = *self;
        let mut copy = DirectSource { rest, at, form, number, seen, run, outer: &mut *self.outer, odd };
        let returned = call(&mut copy);
        let DirectSource { rest, at, form, number, seen, run, odd, .. } = copy;
        (self.rest, self.at, self.form, self.number) = (rest, at, form, number);
        (self.seen, self.run, self.odd) = (seen, run, odd);
        returned
    }

    /// Makes the value of a field the next one.
    #[inline(always)]
    pub(super) fn stand(&mut self, number: u32, own: Wire, wire: WireType) {
        let at = if matches!(own.cardinality, Cardinality::List) { Pending::List(wire) } else { Pending::Value };
        (self.at, self.number, self.form) = (at, number, own.form);
    }

    /// Enters a container with fields or items of its own.
    #[inline(always)]
    pub(super) fn enter(&mut self, inner: &'a [u8], run: Run) -> Result<()> {
        if self.outer.len() >= DEPTH {
            return give_up();
        }
        self.outer.push(Outer { rest: self.rest, seen: self.seen, run: self.run });
        (self.rest, self.run) = (inner, run);
        Ok(())
    }

    /// Leaves the container.
    #[inline(always)]
    pub(super) fn leave(&mut self) {
        if let Some(outer) = self.outer.leave() {
            (self.rest, self.seen, self.run) = (outer.rest, outer.seen, outer.run);
        }
    }

    #[inline(always)]
    pub(super) fn varint(&mut self) -> Result<u64> {
        match self.rest {
            [one @ 0..=0x7f, rest @ ..] => {
                self.rest = rest;
                Ok(u64::from(*one))
            }
            [one, two @ 0..=0x7f, rest @ ..] => {
                self.rest = rest;
                Ok(u64::from(*one & 0x7f) | u64::from(*two) << 7)
            }
            _ => match read_varint(self.rest).and_then(|(value, len)| Some((value, self.rest.get(len..)?))) {
                Some((value, rest)) => {
                    self.rest = rest;
                    Ok(value)
                }
                None => give_up(),
            },
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

    /// Takes a length and the bytes that it counts.
    #[inline(always)]
    pub(super) fn content(&mut self) -> Result<&'a [u8]> {
        let len = self.varint()?;
        match usize::try_from(len).ok().and_then(|len| self.rest.split_at_checked(len)) {
            Some((content, rest)) => {
                self.rest = rest;
                Ok(content)
            }
            None => give_up(),
        }
    }

    /// Whether the next value is a single one that is present. If it is absent, it is zero.
    #[inline(always)]
    fn came(&self) -> Result<bool> {
        match self.at {
            Pending::Value => Ok(true),
            Pending::Zero => Ok(false),
            _ => give_up(),
        }
    }

    /// Reads an unsigned number on the wire as a signed one.
    #[cold]
    #[inline(never)]
    fn signed(&mut self) -> Result<i64> {
        let value = match self.form {
            Form::Uint64 => self.varint()?,
            Form::Fixed64 => u64::from_le_bytes(self.chunk()?),
            _ => return self.give_up_type(),
        };
        i64::try_from(value).or_else(|_| give_up())
    }

    /// Reads a signed number on the wire as an unsigned one. Gives up if the wire type is unsigned.
    #[cold]
    #[inline(never)]
    fn unsigned(&mut self) -> Result<u64> {
        if matches!(self.form, Form::Uint64 | Form::Fixed64) {
            return self.give_up_type();
        }
        u64::try_from(self.i64()?).or_else(|_| give_up())
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
        if matches!(self.form, Form::Null | Form::Any) { self.give_up_type() } else { Ok(false) }
    }

    #[inline(always)]
    fn bool(&mut self) -> Result<bool> {
        match self.form {
            Form::Bool => Ok(self.came()? && self.varint()? != 0),
            _ => self.give_up_type(),
        }
    }

    #[inline(always)]
    fn int(&mut self) -> Result<Int<'a>> {
        match self.form {
            Form::Uint64 | Form::Fixed64 => self.u64().map(Int::from),
            _ => self.i64().map(Int::I64),
        }
    }

    #[allow(clippy::redundant_closure_for_method_calls, reason = "the copy is of any lifetime, the method's is of one")]
    #[inline(always)]
    fn i64(&mut self) -> Result<i64> {
        if !self.came()? {
            return if self.form.packable() { Ok(0) } else { self.give_up_type() };
        }
        Ok(match self.form {
            Form::Int64 => self.varint()?.cast_signed(),
            // Only the lowest 32 bits matter.
            Form::Int32 => i64::from(self.varint()? as i32),
            Form::Sint64 => unzigzag(self.varint()?),
            Form::Sint32 => unzigzag(u64::from(self.varint()? as u32)),
            Form::Uint32 => i64::from(self.varint()? as u32),
            Form::Fixed32 => i64::from(u32::from_le_bytes(self.chunk()?)),
            Form::Sfixed32 => i64::from(i32::from_le_bytes(self.chunk()?)),
            Form::Sfixed64 => i64::from_le_bytes(self.chunk()?),
            _ => return self.aside(|copy| copy.signed()),
        })
    }

    #[allow(clippy::redundant_closure_for_method_calls, reason = "the copy is of any lifetime, the method's is of one")]
    #[inline(always)]
    fn u64(&mut self) -> Result<u64> {
        if !self.came()? {
            return if self.form.packable() { Ok(0) } else { self.give_up_type() };
        }
        match self.form {
            Form::Uint64 => self.varint(),
            Form::Uint32 => self.varint().map(|value| value & 0xffff_ffff),
            Form::Fixed32 => self.chunk().map(|bytes| u64::from(u32::from_le_bytes(bytes))),
            Form::Fixed64 => self.chunk().map(u64::from_le_bytes),
            _ => self.aside(|copy| copy.unsigned()),
        }
    }

    #[inline(always)]
    fn float(&mut self) -> Result<f64> {
        match self.form {
            Form::Double | Form::Float if !self.came()? => Ok(0.0),
            Form::Double => self.chunk().map(f64::from_le_bytes),
            Form::Float => self.chunk().map(|bytes| f64::from(f32::from_le_bytes(bytes))),
            _ => self.give_up_type(),
        }
    }

    #[inline(always)]
    fn float32(&mut self) -> Result<f32> {
        match self.form {
            Form::Float if !self.came()? => Ok(0.0),
            Form::Float => self.chunk().map(f32::from_le_bytes),
            _ => self.give_up_type(),
        }
    }

    #[inline(always)]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        match self.form {
            Form::Text if !self.came()? => Ok(Text::Input("")),
            Form::Text => {
                let bytes = self.content()?;
                match utf8(bytes) {
                    Some(text) => Ok(Text::Input(text)),
                    None => give_up(),
                }
            }
            _ => self.give_up_type(),
        }
    }

    #[inline(always)]
    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        match self.form {
            Form::Bytes if !self.came()? => Ok(Cow::Borrowed(&[])),
            Form::Bytes => self.content().map(Cow::Borrowed),
            _ => self.give_up_type(),
        }
    }

    #[inline(always)]
    fn variant(&mut self, names: &Enum) -> Result<usize> {
        let number = match self.form {
            Form::Enum if !self.came()? => 0,
            Form::Enum => i64::from(self.varint()? as i32),
            _ => return self.give_up_type(),
        };
        match names.index_of_number(number) {
            Some(index) => Ok(index),
            None => give_up(),
        }
    }

    #[inline(always)]
    fn record(&mut self, record: &Record) -> Result<()> {
        if record.fields().len() > 64 || record.unknown() != demat_core::Unknown::Ignore {
            return self.give_up_type();
        }
        match (self.at, self.form) {
            (Pending::Whole, _) => self.enter(self.rest, Run::Fields)?,
            (Pending::Value, Form::Message) => {
                let inner = self.content()?;
                self.enter(inner, Run::Fields)?;
            }
            _ => return self.give_up_type(),
        }
        self.seen = 0;
        Ok(())
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        if self.is_expected(record, expected) {
            Ok(Some(expected))
        } else if self.rest.is_empty() {
            Ok(self.ended(record))
        } else {
            self.aside(|copy| copy.other_field(record, expected))
        }
    }

    #[inline(always)]
    fn list(&mut self) -> Result<Option<usize>> {
        self.open_list()
    }

    #[inline(always)]
    fn number_items(&mut self, into: NumbersInto<'_>) -> Result<()> {
        if !matches!(self.run, Run::Packed) {
            return Ok(());
        }
        // As `i64` and `u64` take them: of the forms of 32 bits only the lowest bits matter.
        match (self.form, into) {
            (Form::Int32, NumbersInto::I32(items)) => self.take_items(items, |number| number as i32),
            (Form::Int64, NumbersInto::I64(items)) => self.take_items(items, u64::cast_signed),
            (Form::Sint32, NumbersInto::I32(items)) => {
                self.take_items(items, |number| unzigzag(u64::from(number as u32)) as i32);
            }
            (Form::Sint64, NumbersInto::I64(items)) => self.take_items(items, unzigzag),
            (Form::Uint32, NumbersInto::U32(items)) => self.take_items(items, |number| number as u32),
            (Form::Uint64, NumbersInto::U64(items)) => self.take_items(items, |number| number),
            (Form::Float, NumbersInto::F32(items)) => self.take_chunks(items, f32::from_le_bytes),
            (Form::Double, NumbersInto::F64(items)) => self.take_chunks(items, f64::from_le_bytes),
            _ => {}
        }
        Ok(())
    }

    #[inline(always)]
    fn item(&mut self) -> Result<bool> {
        self.next_item()
    }

    /// Only absent maps are supported.
    #[inline(always)]
    fn map(&mut self) -> Result<Option<usize>> {
        if self.at == Pending::Empty { Ok(Some(0)) } else { self.give_up_type() }
    }

    #[inline(always)]
    fn entry(&mut self) -> Result<bool> {
        Ok(false)
    }

    #[inline(always)]
    fn value(&mut self) -> Result<()> {
        self.give_up_type()
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
        // No further value can be read.
        (self.rest, self.at, self.odd) = (&[], Pending::Nowhere, true);
    }

    fn position(&self) -> Position {
        Position::default()
    }

    fn end(&mut self) -> Result<()> {
        if self.odd || !self.outer.is_empty() { give_up() } else { Ok(()) }
    }

    /// The last occurrence of a repeated field wins, so this is no error.
    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }

    #[cold]
    fn mismatch(&mut self, _: &'static str) -> Error {
        self.odd = true;
        Error::signalled(Signal::Incomplete)
    }
}
