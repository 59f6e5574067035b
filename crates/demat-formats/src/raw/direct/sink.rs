use super::super::FINGERPRINT;
use super::super::schema::Presence;
use super::super::varint::{self, zigzag};
use super::super::wire;
use super::DEPTH;
use super::shapes::{bits, is_required, ones, parts, presence};
use crate::direct::{Direct, fixed, give_up};
use crate::scan::{Room, Tail, append_array, append_block, append_bytes, append_fixed};
use crate::small_stack::SmallStack;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Enum, Error, FloatWidth, IntWidth, Numbers, Record, Result, Shape, Sink};

/// The sink of the fast path.
///
/// Its errors carry no message: after any error, another sink has to write the value.
#[derive(Debug)]
pub(crate) struct DirectSink<'o> {
    out: Tail<'o>,
    /// The shape of the next value; of a list or map, that of its item, key or value.
    next: &'static Shape,
    /// The innermost record, or the innermost list or map.
    top: Open,
    /// Those around it. They are elsewhere, so that the compiler can keep the rest of the sink in registers.
    outer: &'o mut SmallStack<Open>,
    odd: bool,
}

/// An open container.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Open {
    /// The shape of its items, or the map itself.
    shape: &'static Shape,
    /// The number of children that still have to come; of a record, the index of the next field.
    count: u32,
    /// The first bit of the next field.
    bit: u32,
    /// The presence bits of the record, and their offset.
    bits: u64,
    at: usize,
    /// How the last field can be absent.
    presence: Presence,
}

impl Default for Open {
    fn default() -> Self {
        Self { shape: &Shape::Null, count: 0, bit: 0, bits: 0, at: 0, presence: Presence::Always }
    }
}

/// A list of fewer items has a header of one byte.
const LONG: u32 = 127;

impl<'o> DirectSink<'o> {
    /// Returns a sink for a value of the shape, behind its fingerprint.
    #[inline(always)]
    pub(crate) fn new(
        out: &'o mut Vec<u8>,
        outer: &'o mut SmallStack<Open>,
        shape: &'static Shape,
        fingerprint: [u8; FINGERPRINT],
    ) -> Self {
        let mut out = Tail::of(out);
        append_fixed(&mut out, fingerprint);
        Self { out, next: shape, top: Open::default(), outer, odd: false }
    }

    /// Gives up, and marks the type as unsupported.
    #[inline(always)]
    fn give_up_type<T>(&mut self) -> Result<T> {
        self.odd = true;
        give_up()
    }

    /// Returns the shape of the next value, which is not null. Writes that, if it is an option.
    #[inline(always)]
    fn shape(&mut self) -> &'static Shape {
        match self.next {
            Shape::Option(inner) => {
                append_fixed(&mut self.out, [1]);
                // Anything else fits no value.
                fixed(inner).unwrap_or(&Shape::Any)
            }
            shape => shape,
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
                self.next = outer.shape;
                Ok(())
            }
            None => give_up(),
        }
    }

    /// Writes the header of a list or map.
    #[inline(always)]
    fn open(&mut self, len: Option<usize>, shape: &'static Shape) -> Result<()> {
        let Some(len) = len else { return self.give_up_type() };
        let Ok(count) = u32::try_from(len) else { return give_up() };
        if count < LONG {
            append_fixed(&mut self.out, [count as u8]);
        } else {
            append_fixed(&mut self.out, [LONG as u8]);
            varint::write(&mut self.out, u64::from(count - LONG));
        }
        self.push(Open { shape, count, ..Open::default() })?;
        self.next = shape;
        Ok(())
    }

    /// Passes over fields that are missing.
    #[inline(always)]
    fn pass_to(&mut self, record: &Record, index: usize) -> Result<()> {
        let Some(bits) = bits_between(record, self.top.count, index) else { return give_up() };
        self.top.bit += bits;
        self.top.count = index as u32;
        Ok(())
    }

    #[inline(always)]
    fn counted(&mut self, bytes: &[u8]) {
        varint::write(&mut self.out, bytes.len() as u64);
        append_bytes(&mut self.out, bytes);
    }

    /// Ends a record, whose last fields may be missing.
    #[inline(always)]
    fn close_record(&mut self, record: &Record) -> Result<()> {
        let fields = record.fields().get(self.top.count as usize..).unwrap_or_default();
        if fields.iter().any(is_required) {
            return give_up();
        }
        let len = bits(record).div_ceil(8);
        if len > 0 {
            let bytes = self.top.bits.to_le_bytes();
            if !self.out.set(self.top.at, &bytes[..len.min(8)]) {
                return give_up();
            }
        }
        Ok(())
    }
}

/// Returns the number of presence bits of the fields before `index`, from `first` on. Returns `None` if one of them must
/// not be missing.
#[inline(never)]
fn bits_between(record: &Record, first: u32, index: usize) -> Option<u32> {
    let passed = record.fields().get(first as usize..index).unwrap_or_default();
    if passed.is_empty() || passed.iter().any(is_required) {
        return None;
    }
    Some(passed.iter().map(|field| presence(field).bits() as u32).sum())
}

impl Direct for DirectSink<'_> {
    fn is_odd(&self) -> bool {
        self.odd
    }
}

impl Sink for DirectSink<'_> {
    #[inline(always)]
    fn null(&mut self) -> Result<()> {
        match (self.top.presence, self.next) {
            // The bits of the last field were set.
            (Presence::Null | Presence::Both, _) => self.top.bits &= !(1 << (self.top.bit.wrapping_sub(1) % 64)),
            (_, Shape::Option(_)) => append_fixed(&mut self.out, [0]),
            (_, Shape::Null) => {}
            _ => return give_up(),
        }
        Ok(())
    }

    #[inline(always)]
    fn bool(&mut self, value: bool) -> Result<()> {
        let Shape::Bool = self.shape() else { return give_up() };
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
        let Shape::Int(width) = self.shape() else { return give_up() };
        if !width.holds(&Int::I64(value)) {
            return give_up();
        }
        match width {
            IntWidth::Signed(..=8) | IntWidth::Unsigned(..=8) => {
                append_fixed(&mut self.out, [value.cast_unsigned() as u8]);
            }
            IntWidth::Unsigned(_) => varint::write(&mut self.out, value.cast_unsigned()),
            IntWidth::Signed(_) | IntWidth::Any => varint::write(&mut self.out, zigzag(value)),
        }
        Ok(())
    }

    #[inline(always)]
    fn u64(&mut self, value: u64) -> Result<()> {
        match (i64::try_from(value), self.next) {
            (Ok(value), _) => self.i64(value),
            (Err(_), Shape::Int(IntWidth::Unsigned(64))) => {
                varint::write(&mut self.out, value);
                Ok(())
            }
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        let Shape::Float(FloatWidth::F64) = self.shape() else { return give_up() };
        append_fixed(&mut self.out, value.to_le_bytes());
        Ok(())
    }

    #[inline(always)]
    fn float32(&mut self, value: f32) -> Result<()> {
        let Shape::Float(FloatWidth::F32) = self.shape() else { return give_up() };
        append_fixed(&mut self.out, value.to_le_bytes());
        Ok(())
    }

    #[inline(always)]
    fn text(&mut self, value: &str) -> Result<()> {
        let Shape::Text = self.shape() else { return give_up() };
        self.counted(value.as_bytes());
        Ok(())
    }

    #[inline(always)]
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        let Shape::Bytes = self.shape() else { return give_up() };
        self.counted(value);
        Ok(())
    }

    #[inline(always)]
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        let Shape::Decimal = self.shape() else { return give_up() };
        self.counted(value.as_str().as_bytes());
        Ok(())
    }

    #[inline(always)]
    fn date(&mut self, value: Date) -> Result<()> {
        let Shape::Date = self.shape() else { return give_up() };
        self.out.append(|out| wire::write_date(out, value));
        Ok(())
    }

    #[inline(always)]
    fn time(&mut self, value: Time) -> Result<()> {
        let Shape::Time = self.shape() else { return give_up() };
        self.out.append(|out| wire::write_time(out, value));
        Ok(())
    }

    #[inline(always)]
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        match self.shape() {
            Shape::Instant => self.out.append(|out| wire::write_instant(out, at, None)),
            Shape::DateTime => self.out.append(|out| wire::write_date_time(out, at)),
            _ => return give_up(),
        }
        Ok(())
    }

    #[inline(always)]
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        let Shape::Instant = self.shape() else { return give_up() };
        self.out.append(|out| wire::write_instant(out, at, Some(offset)));
        Ok(())
    }

    #[inline(always)]
    fn duration(&mut self, value: Duration) -> Result<()> {
        let Shape::Duration = self.shape() else { return give_up() };
        self.out.append(|out| wire::write_duration(out, value));
        Ok(())
    }

    #[inline(always)]
    fn uuid(&mut self, value: Uuid) -> Result<()> {
        let Shape::Uuid = self.shape() else { return give_up() };
        append_fixed(&mut self.out, value.0);
        Ok(())
    }

    #[inline(always)]
    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        let Shape::Enum(own) = self.shape() else { return give_up() };
        if own.len() != names.len() || index >= own.len() {
            return give_up();
        }
        if own.len() > 1 {
            varint::write(&mut self.out, index as u64);
        }
        Ok(())
    }

    #[inline(always)]
    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        let Shape::List(item) = self.shape() else { return give_up() };
        let Some(item) = fixed(item) else { return self.give_up_type() };
        self.open(len, item)
    }

    #[inline(always)]
    fn item(&mut self) -> Result<()> {
        self.top.count = self.top.count.wrapping_sub(1);
        Ok(())
    }

    #[inline(always)]
    fn begin_list_of(&mut self, _: &Shape, len: Option<usize>) -> Result<()> {
        self.begin_list(len)
    }

    #[inline(always)]
    fn number_items(&mut self, numbers: Numbers<'_>) -> Result<(), (usize, Error)> {
        match (self.next, numbers) {
            (Shape::Int(IntWidth::Signed(32)), Numbers::I32(items)) => self.out.locally(|out| {
                for item in items {
                    varint::write(out, zigzag((*item).into()));
                }
            }),
            (Shape::Int(IntWidth::Signed(64)), Numbers::I64(items)) => self.out.locally(|out| {
                for item in items {
                    varint::write(out, zigzag(*item));
                }
            }),
            (Shape::Int(IntWidth::Unsigned(32)), Numbers::U32(items)) => self.out.locally(|out| {
                for item in items {
                    varint::write(out, (*item).into());
                }
            }),
            (Shape::Int(IntWidth::Unsigned(64)), Numbers::U64(items)) => self.out.locally(|out| {
                for item in items {
                    varint::write(out, *item);
                }
            }),
            (Shape::Float(FloatWidth::F32), Numbers::F32(items)) => {
                append_array(&mut self.out, items.iter().map(|item| item.to_le_bytes()));
            }
            (Shape::Float(FloatWidth::F64), Numbers::F64(items)) => {
                append_array(&mut self.out, items.iter().map(|item| item.to_le_bytes()));
            }
            _ => return numbers.write_each(self),
        }
        self.top.count = self.top.count.wrapping_sub(numbers.len() as u32);
        Ok(())
    }

    #[inline(always)]
    fn end_list(&mut self) -> Result<()> {
        if self.top.count == 0 { self.pop() } else { give_up() }
    }

    #[inline(always)]
    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        match self.shape() {
            map @ Shape::Map(..) => self.open(len, map),
            _ => give_up(),
        }
    }

    #[inline(always)]
    fn entry(&mut self) -> Result<()> {
        self.top.count = self.top.count.wrapping_sub(1);
        let Shape::Map(key, _) = self.top.shape else { return give_up() };
        self.next = fixed(key).unwrap_or(&Shape::Any);
        Ok(())
    }

    #[inline(always)]
    fn value(&mut self) -> Result<()> {
        let Shape::Map(_, value) = self.top.shape else { return give_up() };
        self.next = fixed(value).unwrap_or(&Shape::Any);
        Ok(())
    }

    #[inline(always)]
    fn end_map(&mut self) -> Result<()> {
        self.end_list()
    }

    #[inline(always)]
    fn begin_record(&mut self, record: &Record) -> Result<()> {
        let Shape::Record(own) = self.shape() else { return give_up() };
        if own.get().identity() != record.identity() {
            return self.give_up_type();
        }
        let (at, len) = (self.out.len(), bits(record).div_ceil(8));
        if len > 8 {
            return self.give_up_type();
        }
        append_block(&mut self.out, false, [0; 8], len);
        self.push(Open { at, ..Open::default() })
    }

    #[inline(always)]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        let Some((presence, shape)) = parts(&record.fields()[index]) else { return self.give_up_type() };
        if self.top.count as usize != index {
            self.pass_to(record, index)?;
        }
        self.top.bits |= ones(presence, self.top.bit as usize);
        self.top.bit += presence.bits() as u32;
        self.top.count += 1;
        (self.top.presence, self.next) = (presence, shape);
        Ok(())
    }

    fn rest(&mut self, _: &Record, _: &str) -> Result<()> {
        self.give_up_type()
    }

    #[inline(always)]
    fn end_record(&mut self, record: &Record) -> Result<()> {
        self.close_record(record)?;
        self.pop()
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
