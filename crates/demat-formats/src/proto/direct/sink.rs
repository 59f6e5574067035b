use super::usual::{is_usual, wire_of};
use crate::direct::{Direct, give_up};
use crate::proto::layout::{Cardinality, Form, Presence, Wire};
use crate::proto::sink::number::{self, Block};
use crate::proto::tag::WireType;
use crate::proto::varint::varint_bytes;
use crate::scan::{Room, Tail, append_array, append_bytes, append_fixed};
use crate::small_stack::SmallStack;
use demat_core::scalar::Int;
use demat_core::{Enum, Error, Numbers, Record, Result, Shape, Sink};

/// The sink of the fast path.
///
/// Its errors carry no message: after any error, another sink has to write the value.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools)] // they describe the current field, and are independent of each other
pub(crate) struct DirectSink<'o> {
    out: Tail<'o>,
    /// The next value: its field, and whether its tag precedes it.
    number: u32,
    cardinality: Cardinality,
    form: Form,
    packed: bool,
    tagged: bool,
    /// Whether a zero is left out.
    implicit: bool,
    place: Context,
    /// The open containers. They are elsewhere, so that the compiler can keep the rest of the sink in registers.
    open: &'o mut SmallStack<Open>,
    odd: bool,
}

/// The position of the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Context {
    Whole,
    Field,
    Item,
    /// An item of a packed run. All items are alike, so the slot stays the same for the whole run.
    Run,
    /// The same, in a run whose small numbers have one byte.
    Bytes,
}

/// An open container.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Open {
    /// The outermost message.
    #[default]
    Whole,
    /// A message, and the offset of its length.
    Message(usize),
    /// A packed list, with the offsets of its length and its tag.
    Packed(usize, usize),
    /// A list whose items have a tag each.
    Tagged(u32, Form),
    /// A stream of length-prefixed messages.
    Stream,
}

/// The maximum nesting depth. The content of a message is moved once for each enclosing message whose length needs more
/// than one byte.
const DEPTH: usize = 16;

impl<'o> DirectSink<'o> {
    #[inline(always)]
    pub(crate) fn new(out: &'o mut Vec<u8>, open: &'o mut SmallStack<Open>) -> Self {
        Self {
            out: Tail::of(out),
            number: 0,
            cardinality: Cardinality::Value,
            form: Form::Message,
            packed: false,
            tagged: false,
            implicit: false,
            place: Context::Whole,
            open,
            odd: false,
        }
    }

    /// Gives up, and marks the type as unsupported.
    #[inline(always)]
    fn give_up_type(&mut self) -> Result<()> {
        self.odd = true;
        give_up()
    }

    /// Writes the tag, if the value needs one, and a value of up to eleven bytes.
    #[inline(always)]
    fn put(&mut self, wire: WireType, block: Block) {
        let tag = if self.tagged { number::tag(self.number, wire) } else { number::NOTHING };
        number::put(&mut self.out, tag, block);
    }

    /// Writes a value, unless it is a zero that is left out.
    #[inline(always)]
    fn put_unless(&mut self, zero: bool, block: Block) -> Result<()> {
        if self.cardinality != Cardinality::Value {
            return give_up();
        }
        if !(zero && self.implicit) {
            self.put(WireType::of_form(self.form), block);
        }
        Ok(())
    }

    #[inline(always)]
    fn content(&mut self, bytes: &[u8]) -> Result<()> {
        self.put_unless(bytes.is_empty(), number::varint(bytes.len() as u64))?;
        append_bytes(&mut self.out, bytes);
        Ok(())
    }

    #[inline(always)]
    fn enter(&mut self, open: Open) -> Result<()> {
        if self.open.len() >= DEPTH {
            return give_up();
        }
        self.open.push(open);
        Ok(())
    }

    /// Writes the tag and reserves one byte for a length. Returns the offset of that byte.
    #[inline(always)]
    fn open_length(&mut self) -> usize {
        self.put(WireType::Len, (0, 1));
        self.out.len() - 1
    }

    /// Writes the length of the content that has ended.
    #[inline(always)]
    fn close_length(&mut self, at: usize) {
        let len = self.out.len() - at - 1;
        if len < 0x80 {
            self.out.set(at, &[len as u8]);
        } else {
            self.out.append(|out| widen(out, at, len));
        }
    }
}

#[inline(always)]
fn put_varint(out: &mut Tail<'_>, value: u64) {
    if value < 0x80 {
        append_fixed(out, [value as u8]);
    } else {
        number::put(out, number::NOTHING, number::varint(value));
    }
}

/// Makes room for a length of several bytes, and writes it.
#[inline(never)]
fn widen(out: &mut Vec<u8>, at: usize, len: usize) {
    let (bytes, width) = varint_bytes(len as u64);
    let end = out.len();
    out.resize(end + width - 1, 0);
    out.copy_within(at + 1..end, at + width);
    out[at..at + width].copy_from_slice(&bytes[..width]);
}

impl Direct for DirectSink<'_> {
    fn is_odd(&self) -> bool {
        self.odd
    }
}

impl Sink for DirectSink<'_> {
    #[inline]
    fn null(&mut self) -> Result<()> {
        if self.place == Context::Field { Ok(()) } else { give_up() }
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> Result<()> {
        if self.form != Form::Bool {
            return self.give_up_type();
        }
        self.put_unless(!value, (u128::from(value), 1))
    }

    #[inline(always)]
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        match (value.to_i64(), value.to_u64()) {
            (Some(value), _) => self.i64(value),
            (None, Some(value)) => self.u64(value),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn i64(&mut self, value: i64) -> Result<()> {
        if self.place == Context::Bytes && (0..0x80).contains(&value) {
            append_fixed(&mut self.out, [value.cast_unsigned() as u8]);
            return Ok(());
        }
        match number::signed(self.form, value) {
            Some(block) => self.put_unless(value == 0, block),
            None => give_up(),
        }
    }

    #[inline(always)]
    fn u64(&mut self, value: u64) -> Result<()> {
        match self.form {
            Form::Uint64 => self.put_unless(value == 0, number::varint(value)),
            Form::Fixed64 => self.put_unless(value == 0, number::eight(value.to_le_bytes())),
            _ => match i64::try_from(value) {
                Ok(value) => self.i64(value),
                Err(_) => give_up(),
            },
        }
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        if self.form != Form::Double {
            return self.give_up_type();
        }
        // A negative zero is not a zero value.
        self.put_unless(value.to_bits() == 0, number::eight(value.to_le_bytes()))
    }

    #[inline(always)]
    fn float32(&mut self, value: f32) -> Result<()> {
        if self.form != Form::Float {
            return self.give_up_type();
        }
        self.put_unless(value.to_bits() == 0, number::four(value.to_le_bytes()))
    }

    #[inline(always)]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.form == Form::Text { self.content(value.as_bytes()) } else { self.give_up_type() }
    }

    #[inline(always)]
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        if self.form == Form::Bytes { self.content(value) } else { self.give_up_type() }
    }

    #[inline(always)]
    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        if self.form == Form::Enum { self.i64(names.number_at(index)) } else { self.give_up_type() }
    }

    #[inline(always)]
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        match (self.place, self.cardinality) {
            (Context::Whole, _) => self.enter(Open::Stream),
            (_, Cardinality::List) if self.packed => {
                let tag = self.out.len();
                let at = self.open_length();
                // The slot stays the same for all items.
                (self.cardinality, self.tagged, self.implicit) = (Cardinality::Value, false, false);
                self.place = match self.form {
                    Form::Int32 | Form::Int64 | Form::Uint32 | Form::Uint64 | Form::Enum => Context::Bytes,
                    _ => Context::Run,
                };
                self.enter(Open::Packed(at, tag))
            }
            (_, Cardinality::List) => self.enter(Open::Tagged(self.number, self.form)),
            _ => self.give_up_type(),
        }
    }

    #[inline(always)]
    fn item(&mut self) -> Result<()> {
        if matches!(self.place, Context::Run | Context::Bytes) {
            return Ok(());
        }
        match self.open.last() {
            Some(Open::Tagged(number, form)) => (self.number, self.form, self.tagged) = (*number, *form, true),
            Some(Open::Stream) => (self.form, self.tagged) = (Form::Message, false),
            _ => return give_up(),
        }
        (self.cardinality, self.place, self.implicit) = (Cardinality::Value, Context::Item, false);
        Ok(())
    }

    #[inline(always)]
    fn begin_list_of(&mut self, _: &Shape, len: Option<usize>) -> Result<()> {
        self.begin_list(len)
    }

    #[inline(always)]
    fn number_items(&mut self, numbers: Numbers<'_>) -> Result<(), (usize, Error)> {
        let is_packed = matches!(self.place, Context::Run | Context::Bytes) && !self.tagged;
        match (self.form, numbers) {
            _ if !is_packed || self.cardinality != Cardinality::Value => return numbers.write_each(self),
            (Form::Int32 | Form::Int64, Numbers::I32(items)) => self.out.locally(|out| {
                for item in items {
                    put_varint(out, i64::from(*item).cast_unsigned());
                }
            }),
            (Form::Int64, Numbers::I64(items)) => self.out.locally(|out| {
                for item in items {
                    put_varint(out, item.cast_unsigned());
                }
            }),
            (Form::Uint32 | Form::Uint64, Numbers::U32(items)) => self.out.locally(|out| {
                for item in items {
                    put_varint(out, (*item).into());
                }
            }),
            (Form::Uint64, Numbers::U64(items)) => self.out.locally(|out| {
                for item in items {
                    put_varint(out, *item);
                }
            }),
            (Form::Float, Numbers::F32(items)) => {
                append_array(&mut self.out, items.iter().map(|item| item.to_le_bytes()));
            }
            (Form::Double, Numbers::F64(items)) => {
                append_array(&mut self.out, items.iter().map(|item| item.to_le_bytes()));
            }
            _ => return numbers.write_each(self),
        }
        Ok(())
    }

    #[inline(always)]
    fn end_list(&mut self) -> Result<()> {
        if let Some(Open::Packed(at, tag)) = self.open.pop() {
            if at + 1 == self.out.len() {
                // A list without items is not written.
                self.out.take_back(self.out.len() - tag);
            } else {
                self.close_length(at);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.give_up_type()
    }

    #[inline(always)]
    fn entry(&mut self) -> Result<()> {
        self.give_up_type()
    }

    #[inline(always)]
    fn value(&mut self) -> Result<()> {
        self.give_up_type()
    }

    #[inline(always)]
    fn end_map(&mut self) -> Result<()> {
        self.give_up_type()
    }

    #[inline(always)]
    fn begin_record(&mut self, _: &Record) -> Result<()> {
        if self.place == Context::Whole {
            return self.enter(Open::Whole);
        }
        if (self.cardinality, self.form) != (Cardinality::Value, Form::Message) {
            return self.give_up_type();
        }
        let at = self.open_length();
        self.enter(Open::Message(at))
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        let field = &record.fields()[index];
        let own = wire_of(record, index);
        if !is_usual(field, own) {
            return self.give_up_type();
        }
        let Wire { cardinality, form, packed, presence, .. } = own;
        (self.number, self.cardinality, self.form, self.packed) = (field.number(), cardinality, form, packed);
        (self.tagged, self.implicit) = (true, presence == Presence::Implicit);
        self.place = Context::Field;
        Ok(())
    }

    fn rest(&mut self, _: &Record, _: &str) -> Result<()> {
        self.give_up_type()
    }

    #[inline(always)]
    fn end_record(&mut self, _: &Record) -> Result<()> {
        if let Some(Open::Message(at)) = self.open.pop() {
            self.close_length(at);
        }
        Ok(())
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
        Ok(())
    }
}
