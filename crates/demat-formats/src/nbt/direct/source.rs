use super::super::source::NbtSource;
use super::super::{ReadOptions, Tag, modified_utf8};
use super::DEPTH;
use super::shapes::is_odd;
use crate::direct::{Direct, give_up};
use crate::small_stack::SmallStack;
use crate::stream::Part;
use demat_core::derived::decimal_of_text;
use demat_core::scalar::{Decimal, Int};
use demat_core::{Error, Kind, Mark, NumbersInto, Position, Record, Result, Signal, Source, Text};
use std::borrow::Cow;

/// The source of the fast path.
///
/// Its errors carry no message: after any error, another source has to read the input.
#[derive(Debug)]
pub(crate) struct DirectSource<'a, 'o> {
    /// What was not read yet.
    rest: &'a [u8],
    /// The tag of the next value; at a key, that of a string.
    tag: Tag,
    /// The tag of the value behind the key.
    behind: Tag,
    /// The innermost container.
    top: Open,
    /// Those around it. They are elsewhere, so that the compiler can keep the rest of the source in registers.
    outer: &'o mut SmallStack<Open>,
    /// The last text that is no part of the input.
    scratch: String,
    odd: bool,
    /// Whether the source was reset, after which it reads nothing right.
    lost: bool,
}

/// An open container.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    /// The number of items that are left.
    left: u32,
    /// Their tag.
    tag: Tag,
}

impl Default for Open {
    fn default() -> Self {
        Self { left: 0, tag: Tag::End }
    }
}

impl<'a, 'o> DirectSource<'a, 'o> {
    /// Returns a source of a document. Returns `None` if it does not begin with a tag and a name.
    #[inline(always)]
    pub(crate) fn new(bytes: &'a [u8], outer: &'o mut SmallStack<Open>) -> Option<Self> {
        let (first, rest) = bytes.split_first()?;
        let tag = Tag::of(*first).filter(|tag| *tag != Tag::End)?;
        let (top, scratch) = (Open::default(), String::new());
        let mut source = Self { rest, tag, behind: Tag::End, top, outer, scratch, odd: false, lost: false };
        match rest {
            [0, 0, rest @ ..] => source.rest = rest,
            _ => source.read_text().map(drop).ok()?,
        }
        Some(source)
    }

    /// Gives up, and marks the type as unsupported.
    #[inline(always)]
    fn give_up_type<T>(&mut self) -> Result<T> {
        self.odd = true;
        give_up()
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
    fn tag(&mut self) -> Result<Tag> {
        match self.rest {
            [first, rest @ ..] => {
                self.rest = rest;
                Tag::of(*first).map_or_else(give_up, Ok)
            }
            [] => give_up(),
        }
    }

    /// Reads a length of text and the text.
    #[inline(always)]
    fn read_text(&mut self) -> Result<Cow<'a, str>> {
        let [high, low, rest @ ..] = self.rest else { return give_up() };
        let Some((content, rest)) = rest.split_at_checked(u16::from_be_bytes([*high, *low]).into()) else {
            return give_up();
        };
        self.rest = rest;
        modified_utf8::read(content).or_else(|_| give_up())
    }

    /// Reads the number of items of a tag, and enters their list.
    #[inline(always)]
    fn enter(&mut self, tag: Tag) -> Result<Option<usize>> {
        let Ok(left) = u32::try_from(i32::from_be_bytes(self.chunk()?)) else { return give_up() };
        // More items than the rest can hold are an error, and so are items without a value.
        let is_possible = (left as usize).checked_mul(tag.least()).is_some_and(|least| least <= self.rest.len());
        if !is_possible || tag == Tag::End && left > 0 {
            return give_up();
        }
        self.push(Open { left, tag })?;
        self.tag = tag;
        Ok(Some(left as usize))
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
    }

    /// Takes all items of a list of numbers, if the rest has them.
    #[inline(always)]
    fn take_items<T, const N: usize>(&mut self, items: &mut Vec<T>, number: fn([u8; N]) -> T) {
        let len = (self.top.left as usize).checked_mul(N);
        let Some((all, rest)) = len.and_then(|len| self.rest.split_at_checked(len)) else { return };
        items.extend(all.as_chunks().0.iter().map(|bytes| number(*bytes)));
        (self.rest, self.top.left) = (rest, 0);
    }

    /// Reads the tag of the next value of a compound. Returns false at its end.
    #[inline(always)]
    fn next_value(&mut self) -> Result<bool> {
        self.behind = self.tag()?;
        if self.behind == Tag::End {
            self.leave();
            return Ok(false);
        }
        self.tag = Tag::String;
        Ok(true)
    }

    /// Finds the field of the key that is next, or of one after it.
    #[inline(always)]
    fn other_field(&mut self, record: &Record) -> Result<Option<usize>> {
        // A copy, so that the source itself has no address.
        let Self { rest, tag, behind, top, odd, lost, .. } = *self;
        let mut copy =
            DirectSource { rest, tag, behind, top, outer: &mut *self.outer, scratch: String::new(), odd, lost };
        let found = copy.find_field(record);
        (self.rest, self.tag, self.behind, self.top, self.odd) = (copy.rest, copy.tag, copy.behind, copy.top, copy.odd);
        found
    }

    #[inline(never)]
    fn find_field(&mut self, record: &Record) -> Result<Option<usize>> {
        loop {
            let before = self.rest;
            let key = self.read_text()?;
            if let Some(index) = record.index_of(&key) {
                self.tag = self.behind;
                return Ok(Some(index));
            }
            match record.unknown_key(&key) {
                Ok(Some(keep)) => {
                    // The caller reads the key itself.
                    self.rest = before;
                    return Ok(Some(keep));
                }
                Ok(None) => {
                    self.tag = self.behind;
                    self.skip()?;
                }
                Err(_) => return give_up(),
            }
            if !self.next_value()? {
                return Ok(None);
            }
        }
    }
}

/// Returns what is behind a value, which has so many containers around it.
#[inline(never)]
fn behind(rest: &[u8], tag: Tag, levels: u32) -> Option<&[u8]> {
    let options = ReadOptions::default();
    let depth = options.depth.saturating_sub(levels);
    let mut source = NbtSource::over(Part::whole(rest), &ReadOptions { depth, ..options });
    rest.get(source.end_of(tag, 0).ok()?..)
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
        Ok(false)
    }

    #[inline(always)]
    fn bool(&mut self) -> Result<bool> {
        match (self.tag, self.rest) {
            (Tag::Byte, [value @ 0..=1, rest @ ..]) => {
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
        match self.tag {
            Tag::Byte => self.chunk().map(|bytes| i8::from_be_bytes(bytes).into()),
            Tag::Short => self.chunk().map(|bytes| i16::from_be_bytes(bytes).into()),
            Tag::Int => self.chunk().map(|bytes| i32::from_be_bytes(bytes).into()),
            Tag::Long => self.chunk().map(i64::from_be_bytes),
            // The key of a map.
            Tag::String => self.give_up_type(),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn u64(&mut self) -> Result<u64> {
        u64::try_from(self.i64()?).or_else(|_| give_up())
    }

    #[inline(always)]
    #[allow(clippy::cast_precision_loss)] // the caller asked for a float
    fn float(&mut self) -> Result<f64> {
        match self.tag {
            Tag::Double => self.chunk().map(f64::from_be_bytes),
            Tag::Float => self.chunk().map(|bytes| f32::from_be_bytes(bytes).into()),
            _ => self.i64().map(|value| value as f64),
        }
    }

    #[inline(always)]
    fn float32(&mut self) -> Result<f32> {
        match self.tag {
            Tag::Float => self.chunk().map(f32::from_be_bytes),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn text(&mut self) -> Result<Text<'a, '_>> {
        if self.tag != Tag::String {
            return give_up();
        }
        match self.read_text()? {
            Cow::Borrowed(text) => Ok(Text::Input(text)),
            Cow::Owned(text) => {
                self.scratch = text;
                Ok(Text::Scratch(&self.scratch))
            }
        }
    }

    #[inline(always)]
    fn bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        if self.tag != Tag::ByteArray {
            return give_up();
        }
        let len = usize::try_from(i32::from_be_bytes(self.chunk()?));
        match len.ok().and_then(|len| self.rest.split_at_checked(len)) {
            Some((content, rest)) => {
                self.rest = rest;
                Ok(Cow::Borrowed(content))
            }
            None => give_up(),
        }
    }

    #[inline(always)]
    fn decimal(&mut self) -> Result<Decimal<'a>> {
        if self.tag == Tag::String { decimal_of_text(self) } else { give_up() }
    }

    #[inline(always)]
    fn list(&mut self) -> Result<Option<usize>> {
        let tag = match self.tag {
            Tag::List => self.tag()?,
            tag => match tag.item() {
                Some(item) => item,
                None => return give_up(),
            },
        };
        self.enter(tag)
    }

    #[inline(always)]
    fn number_items(&mut self, into: NumbersInto<'_>) -> Result<()> {
        match (self.top.tag, into) {
            (Tag::Int, NumbersInto::I32(items)) => self.take_items(items, i32::from_be_bytes),
            (Tag::Long, NumbersInto::I64(items)) => self.take_items(items, i64::from_be_bytes),
            (Tag::Float, NumbersInto::F32(items)) => self.take_items(items, f32::from_be_bytes),
            (Tag::Double, NumbersInto::F64(items)) => self.take_items(items, f64::from_be_bytes),
            _ => {}
        }
        Ok(())
    }

    #[inline(always)]
    fn item(&mut self) -> Result<bool> {
        if let Some(left) = self.top.left.checked_sub(1) {
            self.top.left = left;
            self.tag = self.top.tag;
            Ok(true)
        } else {
            self.leave();
            Ok(false)
        }
    }

    #[inline(always)]
    fn record(&mut self, record: &Record) -> Result<()> {
        if is_odd(record) {
            return self.give_up_type();
        }
        self.map().map(drop)
    }

    #[inline(always)]
    fn map(&mut self) -> Result<Option<usize>> {
        if self.tag != Tag::Compound {
            return give_up();
        }
        self.push(Open::default())?;
        Ok(None)
    }

    #[inline(always)]
    fn entry(&mut self) -> Result<bool> {
        self.next_value()
    }

    #[inline(always)]
    fn value(&mut self) -> Result<()> {
        self.tag = self.behind;
        Ok(())
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, expected: usize) -> Result<Option<usize>> {
        if !self.next_value()? {
            return Ok(None);
        }
        // An empty key is that of a field for unknown keys.
        if let Some(key) = record.fields().get(expected).map(|field| field.key().as_bytes())
            && !key.is_empty()
            && record.fields()[expected].token().plain
            && let [high, low, rest @ ..] = self.rest
            && usize::from(u16::from_be_bytes([*high, *low])) == key.len()
            && let Some(rest) = rest.strip_prefix(key)
        {
            self.rest = rest;
            self.tag = self.behind;
            return Ok(Some(expected));
        }
        self.other_field(record)
    }

    #[inline(always)]
    fn skip(&mut self) -> Result<()> {
        match behind(self.rest, self.tag, self.outer.len() as u32) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => give_up(),
        }
    }

    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.give_up_type()
    }

    fn mark(&self) -> Mark {
        Mark::default()
    }

    fn reset(&mut self, _: Mark) {
        (self.rest, self.lost) = (&[], true);
    }

    fn position(&self) -> Position {
        Position::default()
    }

    fn end(&mut self) -> Result<()> {
        if self.rest.is_empty() && self.outer.is_empty() && !self.lost { Ok(()) } else { give_up() }
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
