//! Chosen fields of a message, read or copied from its bytes.

use super::layout::{Cardinality, Form, Presence, RecordLayout, Wire};
use super::raw::{self, RawField};
use super::tag::WireType;
use super::varint::{read_varint, unzigzag, varint_bytes, write_varint};
use crate::codec::{Picker, Projector, Scalar};
use crate::text::utf8;
use demat_core::{Field, FloatWidth, IntWidth, Record, Shape, Unknown, Value};

/// Finds the index of a field by its number.
#[derive(Debug)]
struct Numbers {
    /// The index of each low number, and one more; 0 for other fields.
    low: [u8; LOW],
    /// All numbers, by index.
    all: Vec<u32>,
}

const LOW: usize = 64;
/// The maximum number of fields: their presence is recorded in a bit set.
const MOST: usize = 64;

impl Numbers {
    fn of(record: &Record) -> Option<Self> {
        let all: Vec<_> = record.fields().iter().map(Field::number).collect();
        let mut low = [0; LOW];
        for (number, index) in all.iter().zip(1..) {
            if let Some(entry) = low.get_mut(*number as usize) {
                *entry = index;
            }
        }
        (all.len() <= MOST).then_some(Self { low, all })
    }

    #[inline(always)]
    fn index_of(&self, number: u32) -> Option<usize> {
        match self.low.get(number as usize) {
            Some(index) => usize::from(*index).checked_sub(1),
            None => self.all.iter().position(|own| *own == number),
        }
    }
}

/// Reads fields that are single scalars.
#[derive(Debug)]
pub(super) struct MessagePicker {
    numbers: Numbers,
    fields: Vec<Picked>,
    /// A bit for each field.
    all: u64,
}

/// A field to read.
#[derive(Debug)]
struct Picked {
    wire: u8,
    form: Form,
    /// The range of an integer.
    width: IntWidth,
    /// What an absent field is read as; `None` if only the source knows.
    absent: Option<Scalar<'static>>,
}

impl MessagePicker {
    /// Returns the picker of a record's fields; `None` if one of them needs the source.
    pub(super) fn of(record: &Record) -> Option<Self> {
        let layout = RecordLayout::of(record);
        if layout.has_oneof() || record.unknown() != Unknown::Ignore {
            return None;
        }
        let fields = record.fields().iter().zip(layout.wires()).map(|(field, wire)| Picked::of(field, wire));
        let (numbers, fields) = (Numbers::of(record)?, fields.collect::<Option<Vec<_>>>()?);
        let all = u64::MAX.checked_shr((MOST - fields.len()) as u32).unwrap_or(0); // at most 64
        Some(Self { numbers, fields, all })
    }
}

impl Picked {
    fn of(field: &Field, own: Wire) -> Option<Self> {
        use Form::{
            Bool, Double, Fixed32, Fixed64, Float, Int32, Int64, Sfixed32, Sfixed64, Sint32, Sint64, Text, Uint32,
            Uint64,
        };
        // A note may make it a member of a oneof, which gives way to others.
        let is_plain = own.cardinality == Cardinality::Value
            && own.presence != Presence::Defaulted
            && (own.presence == Presence::Implicit || field.notes().is_empty());
        let (width, zero) = match (field.shape().inner(), own.form) {
            (Shape::Bool, Bool) => (IntWidth::Any, Scalar::Bool(false)),
            (
                Shape::Int(width),
                Int32 | Int64 | Uint32 | Uint64 | Sint32 | Sint64 | Fixed32 | Fixed64 | Sfixed32 | Sfixed64,
            ) => (*width, Scalar::I64(0)),
            (Shape::Float(FloatWidth::F64), Double) => (IntWidth::Any, Scalar::Float(0.0)),
            (Shape::Float(FloatWidth::F32), Float) => (IntWidth::Any, Scalar::Float32(0.0)),
            (Shape::Text, Text) => (IntWidth::Any, Scalar::Text("")),
            _ => return None,
        };
        let absent = match field.default() {
            _ if own.presence == Presence::Implicit && field.required() => Some(zero),
            None if field.required() => None,
            None => Some(Scalar::Absent),
            // A number of 32 bits has no value like it here.
            Some(Value::Float(_)) if own.form == Float => None,
            Some(default) => scalar(default),
        };
        let wire = WireType::of_form(own.form) as u8;
        is_plain.then_some(Self { wire, form: own.form, width, absent })
    }

    /// Reads the value. Returns `None` if only the source knows what it is.
    #[inline(always)]
    fn read<'b>(&self, record: &'b [u8], field: RawField) -> Option<Scalar<'b>> {
        let bytes = record.get(field.at..field.end)?;
        let varint = || read_varint(bytes).map(|(value, _)| value);
        let int = match self.form {
            Form::Bool => return varint().map(|value| Scalar::Bool(value != 0)),
            Form::Text => {
                let (_, begin) = raw::length(record, field.at)?;
                return utf8(record.get(begin..field.end)?).map(Scalar::Text);
            }
            Form::Double => return bytes.first_chunk().map(|bytes| Scalar::Float(f64::from_le_bytes(*bytes))),
            Form::Float => return bytes.first_chunk().map(|bytes| Scalar::Float32(f32::from_le_bytes(*bytes))),
            Form::Int64 => varint()?.cast_signed(),
            // Only the lowest 32 bits matter.
            Form::Int32 => i64::from(varint()? as i32),
            Form::Uint32 => i64::from(varint()? as u32),
            Form::Sint64 => unzigzag(varint()?),
            Form::Sint32 => unzigzag(u64::from(varint()? as u32)),
            Form::Fixed32 => i64::from(u32::from_le_bytes(*bytes.first_chunk()?)),
            Form::Sfixed32 => i64::from(i32::from_le_bytes(*bytes.first_chunk()?)),
            Form::Sfixed64 => i64::from_le_bytes(*bytes.first_chunk()?),
            Form::Uint64 => return self.unsigned(varint()?),
            Form::Fixed64 => return self.unsigned(u64::from_le_bytes(*bytes.first_chunk()?)),
            _ => return None,
        };
        match self.width {
            IntWidth::Any | IntWidth::Signed(64) => Some(Scalar::I64(int)),
            width => width.holds(&int.into()).then_some(Scalar::I64(int)),
        }
    }

    fn unsigned(&self, int: u64) -> Option<Scalar<'static>> {
        let scalar = i64::try_from(int).map_or(Scalar::U64(int), Scalar::I64);
        self.width.holds(&int.into()).then_some(scalar)
    }
}

/// Returns a default that a field may have.
fn scalar(default: &Value) -> Option<Scalar<'static>> {
    match default {
        Value::Null => Some(Scalar::Null),
        Value::Bool(value) => Some(Scalar::Bool(*value)),
        Value::Int(value) => value.to_i64().map(Scalar::I64),
        Value::Float(value) => Some(Scalar::Float(*value)),
        _ => None,
    }
}

impl Picker for MessagePicker {
    #[inline]
    fn pick<'b>(&self, record: &'b [u8], values: &mut [Scalar<'b>]) -> bool {
        let values = &mut values[..self.fields.len()];
        let (mut seen, mut at) = (0_u64, 0);
        while at < record.len() {
            let Some(field) = raw::read(record, at) else { return false };
            at = field.end;
            let Some(index) = self.numbers.index_of(field.number) else {
                if field.wire == raw::BEGIN {
                    return false;
                }
                continue;
            };
            let own = &self.fields[index];
            // The source decides about one that comes again.
            if own.wire != field.wire || seen >> index & 1 != 0 {
                return false;
            }
            let Some(value) = own.read(record, field) else { return false };
            values[index] = value;
            seen |= 1 << index;
        }
        if seen == self.all {
            return true;
        }
        for (index, field) in self.fields.iter().enumerate().filter(|(index, _)| seen >> index & 1 == 0) {
            let Some(absent) = field.absent else { return false };
            values[index] = absent;
        }
        true
    }
}

/// Copies fields, each as often as it comes.
#[derive(Debug)]
pub(super) struct MessageProjector(Numbers);

impl MessageProjector {
    /// Returns the projector for a record's fields; `None` if their numbers do not tell which parts of a message
    /// belong to them.
    pub(super) fn of(record: &Record) -> Option<Self> {
        let is_numbered = !RecordLayout::of(record).has_oneof() && record.unknown() == Unknown::Ignore;
        if is_numbered { Numbers::of(record).map(Self) } else { None }
    }
}

impl Projector for MessageProjector {
    fn project(&self, record: &[u8], out: &mut Vec<u8>) {
        let length = out.len();
        // The length, which nearly always takes one byte.
        out.push(0);
        let mut at = 0;
        while at < record.len() {
            let Some(field) = raw::read(record, at).filter(|field| field.wire != raw::BEGIN) else {
                out.truncate(length);
                write_varint(out, record.len() as u64);
                out.extend_from_slice(record);
                return;
            };
            at = field.end;
            if self.0.index_of(field.number).is_some() {
                match record[field.tag..field.end] {
                    [tag, value] => out.extend_from_slice(&[tag, value]),
                    ref bytes => out.extend_from_slice(bytes),
                }
            }
        }
        match out.len() - length - 1 {
            len @ 0..0x80 => out[length] = len as u8,
            len => {
                let (bytes, count) = varint_bytes(len as u64);
                out.splice(length..=length, bytes[..count].iter().copied());
            }
        }
    }
}
