//! Keys from the fields of records.

use crate::encoding::{Encoding, ReadRecord};
use crate::environment::locked;
use crate::failure::refused;
use crate::key::{NoPart, Part, no_part};
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Offset, Time, Uuid};
use demat_core::{Enum, Error, ErrorKind, Record, Result, Shape, Sink, Unknown};
use std::sync::Mutex;

/// Makes keys of some of the fields of a record's bytes.
#[derive(Debug)]
pub(crate) struct KeyOf {
    state: Mutex<(Box<dyn ReadRecord>, KeySink)>,
}

impl KeyOf {
    /// `names`: the fields, in the order of the key. `many`: whether a list makes a key of each item.
    pub(crate) fn new(encoding: Encoding, record: &Record, names: &[String], many: bool) -> Result<Self> {
        let mut fields = Vec::new();
        let mut order = Vec::new();
        for name in names {
            let index = record.index_of(name).ok_or_else(|| no_field(record, name))?;
            let field = &record.fields()[index];
            if !is_part(field.shape(), many) {
                let message =
                    format!("the field `{name}` is a {}, which can't be part of a key", field.shape().inner().name());
                return Err(refused(message));
            }
            order.push(field.number());
            fields.push(field.clone());
        }
        // In the order of the record, as it is found.
        fields.sort_by_key(|field| record.index_of(field.key()));
        fields.dedup_by(|one, other| one.key() == other.key());
        let place = |number: &u32| fields.iter().position(|field| field.number() == *number).unwrap_or_default();
        let order = order.iter().map(place).collect();
        let count = fields.len();
        let wanted = Record::new(record.name().to_string(), fields)?.with_unknown(Unknown::Ignore);
        let reader = encoding.reader(&Shape::record(wanted))?;
        let sink = KeySink { fields: vec![Values::default(); count], order, field: 0, depth: 0, many };
        Ok(Self { state: Mutex::new((reader, sink)) })
    }

    /// Appends the only key of a record.
    pub(crate) fn append(&self, record: &[u8], key: &mut Vec<u8>) -> Result<()> {
        let mut state = locked(&self.state);
        let (reader, sink) = &mut *state;
        sink.clear();
        reader.copy(record, sink)?;
        for field in &sink.order {
            key.extend_from_slice(&sink.fields[*field].bytes);
        }
        Ok(())
    }

    /// Returns all keys of a record: each item of one list with each of another.
    pub(crate) fn all(&self, record: &[u8]) -> Result<Vec<Vec<u8>>> {
        let mut state = locked(&self.state);
        let (reader, sink) = &mut *state;
        sink.clear();
        reader.copy(record, sink)?;
        let mut keys = vec![Vec::new()];
        for field in &sink.order {
            let values = &sink.fields[*field];
            if let [_] = &*values.ends {
                for key in &mut keys {
                    key.extend_from_slice(&values.bytes);
                }
                continue;
            }
            if keys.len().saturating_mul(values.ends.len()) > MOST {
                return Err(Error::limit("the number of a record's keys in an index", MOST));
            }
            let begins = core::iter::once(0).chain(values.ends.iter().copied());
            let pieces: Vec<_> = begins.zip(&values.ends).map(|(begin, end)| &values.bytes[begin..*end]).collect();
            keys = keys.iter().flat_map(|key| pieces.iter().map(move |piece| [key, *piece].concat())).collect();
        }
        Ok(keys)
    }
}

/// The most keys of one record in one index.
const MOST: usize = 1 << 16;

/// Returns the error for an unknown field.
#[cold]
pub(crate) fn no_field(record: &Record, name: &str) -> Error {
    let names: Vec<_> = record.fields().iter().map(|field| format!("`{}`", field.key())).collect();
    refused(format!("there is no field `{name}`; the fields are {}", names.join(", ")))
}

fn is_part(shape: &Shape, many: bool) -> bool {
    match shape.inner() {
        Shape::Null
        | Shape::Bool
        | Shape::Int(_)
        | Shape::Float(_)
        | Shape::Text
        | Shape::Bytes
        | Shape::Date
        | Shape::DateTime
        | Shape::Instant
        | Shape::Uuid
        | Shape::Enum(_)
        | Shape::Any => true,
        Shape::List(item) => many && is_part(item, false),
        Shape::Union(union) => union.get().variants().iter().all(|variant| is_part(variant.shape(), false)),
        _ => false,
    }
}

/// The encoded values of one field.
#[derive(Debug, Clone, Default)]
struct Values {
    bytes: Vec<u8>,
    /// Where each value ends.
    ends: Vec<usize>,
}

/// Encodes the scalars that it is told, by their fields.
#[derive(Debug)]
struct KeySink {
    fields: Vec<Values>,
    /// The fields in the order of the key.
    order: Vec<usize>,
    field: usize,
    /// The number of open lists.
    depth: u32,
    many: bool,
}

impl KeySink {
    fn clear(&mut self) {
        for values in &mut self.fields {
            values.bytes.clear();
            values.ends.clear();
        }
        (self.field, self.depth) = (0, 0);
    }

    #[inline]
    fn part(&mut self, part: &Part<'_>) -> Result<()> {
        let values = &mut self.fields[self.field];
        if self.depth == 0 {
            // A later value of the same field replaces it.
            values.bytes.clear();
            values.ends.clear();
        }
        part.append(&mut values.bytes)?;
        values.ends.push(values.bytes.len());
        Ok(())
    }
}

fn refuse<T: NoPart>(_: &T) -> Error {
    no_part(T::NAME)
}

impl Sink for KeySink {
    fn null(&mut self) -> Result<()> {
        self.part(&Part::Null)
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        self.part(&Part::Bool(value))
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.part(&Part::Int(value.clone()))
    }
    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        self.part(&Part::Int(Int::I64(value)))
    }
    fn float(&mut self, value: f64) -> Result<()> {
        self.part(&Part::Float(value))
    }
    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        self.part(&Part::Text(value.into()))
    }
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.part(&Part::Bytes(value.into()))
    }
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        Err(refuse(value))
    }
    fn date(&mut self, value: Date) -> Result<()> {
        self.part(&Part::Date(value))
    }
    fn time(&mut self, value: Time) -> Result<()> {
        Err(refuse(&value))
    }
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        self.part(&Part::DateTime(at))
    }
    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        let instant: Instant = at.with_offset(offset);
        self.part(&Part::Instant(instant))
    }
    fn duration(&mut self, value: Duration) -> Result<()> {
        Err(refuse(&value))
    }
    fn uuid(&mut self, value: Uuid) -> Result<()> {
        self.part(&Part::Uuid(value))
    }
    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.part(&Part::Text(names.name_at(index).into()))
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        if !self.many || self.depth > 0 {
            return Err(no_part("list"));
        }
        self.depth += 1;
        let values = &mut self.fields[self.field];
        values.bytes.clear();
        values.ends.clear();
        Ok(())
    }
    fn item(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        self.depth -= 1;
        Ok(())
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        Err(no_part("map"))
    }
    fn entry(&mut self) -> Result<()> {
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        Ok(())
    }
    fn begin_record(&mut self, _: &Record) -> Result<()> {
        Ok(())
    }
    #[inline]
    fn field(&mut self, _: &Record, index: usize) -> Result<()> {
        self.field = index;
        Ok(())
    }
    fn end_record(&mut self, _: &Record) -> Result<()> {
        Ok(())
    }
    fn commit(&mut self) -> Result<()> {
        Ok(())
    }
    fn rollback(&mut self) -> Result<()> {
        Err(Error::new(ErrorKind::Internal, "a key is made at once"))
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
