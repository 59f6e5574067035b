use super::super::Tag;
use super::super::modified_utf8::{is_same, write_java_text};
use super::super::shapes::{array_of, value_tag};
use super::DEPTH;
use super::shapes::known;
use crate::direct::{Direct, fixed, give_up};
use crate::scan::{Room, Tail, append_array, append_block, append_both, append_bytes, append_fixed};
use crate::small_stack::SmallStack;
use demat_core::scalar::Int;
use demat_core::{Error, Field, FloatWidth, IntWidth, Numbers, Record, Result, Shape, Sink};

/// The sink of the fast path.
///
/// Its errors carry no message: after any error, another sink has to write the value.
#[derive(Debug)]
pub(crate) struct DirectSink<'o> {
    out: Tail<'o>,
    /// The shape of the next value, without its null.
    next: &'static Shape,
    place: Place,
    /// The innermost container.
    top: Open,
    /// Those around it. They are elsewhere, so that the compiler can keep the rest of the sink in registers.
    outer: &'o mut SmallStack<Open>,
    odd: bool,
}

/// What the next value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// The outermost value, an item of a list, or a value of a map.
    Value,
    /// The value of a field, whose tag and name have so many bytes. They are taken back if it is null.
    Field(u32),
    Key,
}

/// An open container.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    /// The shape of a list's items, without their null; a map's own.
    shape: &'static Shape,
    /// The number of items that still have to come.
    left: u32,
}

impl Default for Open {
    fn default() -> Self {
        Self { shape: &Shape::Null, left: 0 }
    }
}

impl<'o> DirectSink<'o> {
    /// Returns a sink for a value of the shape, behind its tag and an empty name. Returns `None` if the general sink has
    /// to write it.
    #[inline(always)]
    pub(crate) fn new(out: &'o mut Vec<u8>, outer: &'o mut SmallStack<Open>, shape: &'static Shape) -> Option<Self> {
        let (tag, next) = known(shape)?;
        let mut out = Tail::of(out);
        append_fixed(&mut out, [tag as u8, 0, 0]);
        Some(Self { out, next, place: Place::Value, top: Open::default(), outer, odd: false })
    }

    /// Gives up, and marks the type as unsupported.
    #[inline(always)]
    fn give_up_type<T>(&mut self) -> Result<T> {
        self.odd = true;
        give_up()
    }

    /// Gives up if the next value is a key, or has another tag.
    #[inline(always)]
    fn check(&self, tag: Tag) -> Result<()> {
        match known(self.next) {
            Some((own, _)) if own == tag && self.place != Place::Key => Ok(()),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn write_text(&mut self, text: &str) -> Result<()> {
        let bytes = text.as_bytes();
        match u16::try_from(bytes.len()) {
            Ok(len) if is_same(bytes) => {
                append_fixed(&mut self.out, len.to_be_bytes());
                append_bytes(&mut self.out, bytes);
                Ok(())
            }
            _ => {
                let mut is_written = false;
                self.out.append(|out| is_written = write_java_text(text, out));
                if is_written { Ok(()) } else { give_up() }
            }
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
    fn pop(&mut self) -> Result<()> {
        match self.outer.pop() {
            Some(outer) => {
                self.top = outer;
                // The next item is as the last one was. A field or an entry sets it anew.
                (self.next, self.place) = (outer.shape, Place::Value);
                Ok(())
            }
            None => give_up(),
        }
    }

    /// Opens a list or an array of the next shape. Its items have that of `item`, if the caller knows it.
    #[inline(always)]
    fn open_list(&mut self, item: Option<&Shape>, len: Option<usize>) -> Result<()> {
        let (Shape::List(own), Some(len)) = (self.next, len) else { return self.give_up_type() };
        let Some((own, (tag, shape))) = fixed(own).and_then(|own| Some((own, known(own)?))) else {
            return self.give_up_type();
        };
        let array = array_of(own);
        if let Some(item) = item
            && !core::ptr::eq(item, own)
            && (array_of(item), item_tag(item)) != (array, Some(tag))
        {
            return self.give_up_type();
        }
        let Ok(count) = i32::try_from(len) else { return give_up() };
        self.check(array.unwrap_or(Tag::List))?;
        if array.is_some() {
            append_fixed(&mut self.out, count.to_be_bytes());
        } else {
            append_both(&mut self.out, [tag as u8], count.to_be_bytes());
        }
        self.push(Open { shape, left: count.cast_unsigned() })?;
        (self.next, self.place) = (shape, Place::Value);
        Ok(())
    }

    #[inline(always)]
    fn open_compound(&mut self, shape: &'static Shape) -> Result<()> {
        self.check(Tag::Compound)?;
        self.push(Open { shape, left: 0 })
    }

    #[inline(always)]
    fn close_compound(&mut self) -> Result<()> {
        append_fixed(&mut self.out, [Tag::End as u8]);
        self.pop()
    }
}

/// Returns the tag of the items of a list, as [`known`] does.
#[inline(always)]
fn item_tag(item: &Shape) -> Option<Tag> {
    match item {
        Shape::Option(inner) => value_tag(inner, false),
        item => value_tag(item, false),
    }
}

/// Appends the tag and the name of a field. Returns the number of bytes.
#[inline(always)]
fn write_head(out: &mut Tail<'_>, tag: Tag, field: &Field) -> Option<u32> {
    let (key, token) = (field.key().as_bytes(), field.token());
    let len = u16::try_from(key.len()).ok()?;
    if token.whole {
        // The pattern is a quote, the key, a quote and a colon. The output has room for one byte after the key.
        let block = u128::from(tag as u8) | u128::from(len.swap_bytes()) << 8 | token.head >> 8 << 24;
        append_block(out, false, block.to_le_bytes(), 3 + key.len());
    } else if is_same(key) {
        append_both(out, [tag as u8], len.to_be_bytes());
        append_bytes(out, key);
    } else {
        return None;
    }
    Some(u32::from(len) + 3)
}

impl Direct for DirectSink<'_> {
    fn is_odd(&self) -> bool {
        self.odd
    }
}

impl Sink for DirectSink<'_> {
    #[inline(always)]
    fn null(&mut self) -> Result<()> {
        let Place::Field(head) = self.place else { return give_up() };
        self.out.take_back(head as usize);
        Ok(())
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> Result<()> {
        let (Shape::Bool, Place::Value | Place::Field(_)) = (self.next, self.place) else { return give_up() };
        append_fixed(&mut self.out, [value.into()]);
        Ok(())
    }

    #[inline(always)]
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match value.to_i64() {
            Some(value) => self.i64(value),
            None => give_up(),
        }
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) -> Result<()> {
        let (Shape::Int(_), Some((tag, _)), Place::Value | Place::Field(_)) = (self.next, known(self.next), self.place)
        else {
            return give_up();
        };
        if !matches!(value >> (tag.bits() - 1), 0 | -1) {
            return give_up();
        }
        match tag {
            Tag::Byte => append_fixed(&mut self.out, (value as i8).to_be_bytes()),
            Tag::Short => append_fixed(&mut self.out, (value as i16).to_be_bytes()),
            Tag::Int => append_fixed(&mut self.out, (value as i32).to_be_bytes()),
            _ => append_fixed(&mut self.out, value.to_be_bytes()),
        }
        Ok(())
    }

    #[inline(always)]
    fn u64(&mut self, value: u64) -> Result<()> {
        match i64::try_from(value) {
            Ok(value) => self.i64(value),
            Err(_) => give_up(),
        }
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        self.check(Tag::Double)?;
        append_fixed(&mut self.out, value.to_be_bytes());
        Ok(())
    }

    #[inline(always)]
    fn float32(&mut self, value: f32) -> Result<()> {
        self.check(Tag::Float)?;
        append_fixed(&mut self.out, value.to_be_bytes());
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.place != Place::Key {
            self.check(Tag::String)?;
        }
        self.write_text(value)
    }

    #[inline(always)]
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        let (Shape::Bytes, Ok(len)) = (self.next, i32::try_from(value.len())) else { return give_up() };
        append_fixed(&mut self.out, len.to_be_bytes());
        append_bytes(&mut self.out, value);
        Ok(())
    }

    #[inline(always)]
    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.open_list(None, len)
    }

    #[inline(always)]
    fn begin_list_of(&mut self, item: &Shape, len: Option<usize>) -> Result<()> {
        self.open_list(Some(item), len)
    }

    #[inline(always)]
    fn item(&mut self) -> Result<()> {
        self.top.left = self.top.left.wrapping_sub(1);
        Ok(())
    }

    #[inline(always)]
    fn number_items(&mut self, numbers: Numbers<'_>) -> Result<(), (usize, Error)> {
        match (self.next, numbers) {
            (Shape::Int(IntWidth::Signed(32)), Numbers::I32(items)) => {
                append_array(&mut self.out, items.iter().map(|item| item.to_be_bytes()));
            }
            (Shape::Int(IntWidth::Signed(64)), Numbers::I64(items)) => {
                append_array(&mut self.out, items.iter().map(|item| item.to_be_bytes()));
            }
            (Shape::Float(FloatWidth::F32), Numbers::F32(items)) => {
                append_array(&mut self.out, items.iter().map(|item| item.to_be_bytes()));
            }
            (Shape::Float(FloatWidth::F64), Numbers::F64(items)) => {
                append_array(&mut self.out, items.iter().map(|item| item.to_be_bytes()));
            }
            _ => return numbers.write_each(self),
        }
        self.top.left = self.top.left.wrapping_sub(numbers.len() as u32);
        Ok(())
    }

    #[inline(always)]
    fn end_list(&mut self) -> Result<()> {
        if self.top.left == 0 { self.pop() } else { give_up() }
    }

    #[inline(always)]
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        match self.next {
            // Keys of other kinds are written as text.
            Shape::Map(key, _) if matches!(fixed(key), Some(Shape::Text | Shape::Enum(_))) => {
                self.open_compound(self.next)
            }
            _ => self.give_up_type(),
        }
    }

    #[inline(always)]
    fn entry(&mut self) -> Result<()> {
        let Shape::Map(_, value) = self.top.shape else { return give_up() };
        let Some((tag, shape)) = fixed(value).and_then(known) else { return self.give_up_type() };
        append_fixed(&mut self.out, [tag as u8]);
        (self.next, self.place) = (shape, Place::Key);
        Ok(())
    }

    #[inline(always)]
    fn value(&mut self) -> Result<()> {
        self.place = Place::Value;
        Ok(())
    }

    #[inline(always)]
    fn end_map(&mut self) -> Result<()> {
        self.close_compound()
    }

    #[inline(always)]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        if record.has_notes() {
            return self.give_up_type();
        }
        self.open_compound(&Shape::Null)
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        let field = &record.fields()[index];
        let Some((tag, shape)) = field.fixed_shape().and_then(known) else { return self.give_up_type() };
        let Some(head) = write_head(&mut self.out, tag, field) else { return self.give_up_type() };
        (self.next, self.place) = (shape, Place::Field(head));
        Ok(())
    }

    fn rest(&mut self, _: &Record, _: &str) -> Result<()> {
        self.give_up_type()
    }

    #[inline(always)]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.close_compound()
    }

    fn stated(&mut self, _: &Shape) -> Result<()> {
        self.give_up_type()
    }

    fn as_is(&mut self, _: &str, _: &[u8]) -> Result<bool> {
        self.give_up_type()
    }

    fn commit(&mut self) -> Result<()> {
        self.give_up_type()
    }

    fn rollback(&mut self) -> Result<()> {
        self.give_up_type()
    }

    #[inline(always)]
    fn finish(&mut self) -> Result<()> {
        self.out.store();
        if self.outer.is_empty() { Ok(()) } else { give_up() }
    }
}
