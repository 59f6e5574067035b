//! Implements `Sink` for columns.

use super::node::{Ints, Values};
use super::scalar::{date_time, duration, instant, out_of_range, scaled, time, wide, with_offset};
use super::tell::{ColumnSink, Frame, no_place};
use super::text_sink::mismatch;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid, base64};
use demat_core::{Enum, Error, ErrorKind, Record, Result, Sink, Union};

fn ranged(ints: (i64, i64, demat_core::IntWidth), int: i64) -> Result<i64> {
    let (low, high, width) = ints;
    if int < low || int > high { Err(out_of_range(width, &int)) } else { Ok(int) }
}

/// The largest integers up to which floats are exact.
const EXACT_64: i64 = 1 << 53;
const EXACT_32: i64 = 1 << 24;

impl Sink for ColumnSink<'_> {
    fn null(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.ended_aside(0, |sink| sink.null());
        }
        let id = self.here("null")?;
        let node = &self.nodes.nodes[id];
        if !node.optional && !matches!(node.values, Values::Null(_)) {
            return Err(mismatch(&node.values, "null"));
        }
        self.nodes.push_null(self.plans, id, false);
        Ok(())
    }

    fn bool(&mut self, value: bool) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.bool(value));
        }
        let id = self.here("a bool")?;
        match &mut self.nodes.nodes[id].values {
            Values::Bool(bits) => bits.append(value),
            other => return Err(mismatch(other, "bool")),
        }
        Ok(())
    }

    #[inline]
    fn i64(&mut self, value: i64) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.i64(value));
        }
        let id = self.here("an int")?;
        macro_rules! narrow {
            ($ints:expr, $type:ty) => {{
                let Ints { values, width, low, high } = $ints;
                values.push(ranged((*low, *high, *width), value)? as $type); // within the range of the type
            }};
        }
        #[allow(clippy::cast_precision_loss)] // exact below these limits
        match &mut self.nodes.nodes[id].values {
            Values::I64(values) => values.push(value),
            Values::I8(ints) => narrow!(ints, i8),
            Values::I16(ints) => narrow!(ints, i16),
            Values::I32(ints) => narrow!(ints, i32),
            Values::I33(ints) => narrow!(ints, i64),
            Values::U8(ints) => narrow!(ints, u8),
            Values::U16(ints) => narrow!(ints, u16),
            Values::U32(ints) => narrow!(ints, u32),
            Values::U64(values, width) => match u64::try_from(value).ok().filter(|_| width.holds(&Int::I64(value))) {
                Some(value) => values.push(value),
                None => return Err(out_of_range(*width, &value)),
            },
            Values::F64(values) if (-EXACT_64..=EXACT_64).contains(&value) => values.push(value as f64),
            Values::F32(values) if (-EXACT_32..=EXACT_32).contains(&value) => values.push(value as f32),
            _ => {
                self.cursor.next = Some(id);
                return self.int(&Int::I64(value));
            }
        }
        Ok(())
    }

    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.int(value));
        }
        let id = self.here("an int")?;
        match &mut self.nodes.nodes[id].values {
            Values::U64(values, width) => match value.to_u64().filter(|_| width.holds(value)) {
                Some(value) => values.push(value),
                None => return Err(out_of_range(*width, value)),
            },
            Values::D128(own) => own.values.push(match own.width {
                Some(width) => wide(value, width)?,
                None => scaled(&value.to_string(), own.precision, own.scale)?,
            }),
            Values::D256(own) => own.values.push(match own.width {
                Some(width) => wide(value, width)?,
                None => scaled(&value.to_string(), own.precision, own.scale)?,
            }),
            Values::Digits(texts) => texts.push(value.to_string().as_bytes())?,
            Values::I64(_)
            | Values::I33(_)
            | Values::I32(_)
            | Values::I16(_)
            | Values::I8(_)
            | Values::U32(_)
            | Values::U16(_)
            | Values::U8(_) => {
                let Some(value) = value.to_i64() else {
                    return Err(Error::mismatch(ErrorKind::Constraint, "int64", value.to_string()));
                };
                self.cursor.next = Some(id);
                return self.i64(value);
            }
            Values::F64(values) => values.push(float_of(value)?),
            #[allow(clippy::cast_possible_truncation)] // it rounds, as reading one does
            Values::F32(values) => values.push(float_of(value)? as f32),
            other => return Err(mismatch(other, "int")),
        }
        Ok(())
    }

    #[inline]
    fn float(&mut self, value: f64) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.float(value));
        }
        let id = self.here("a float")?;
        match &mut self.nodes.nodes[id].values {
            Values::F64(values) => values.push(value),
            Values::F32(values) => {
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Error::expected("float32", value.to_string()));
                }
                values.push(narrow);
            }
            other => return Err(mismatch(other, "float")),
        }
        Ok(())
    }

    fn float32(&mut self, value: f32) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.float32(value));
        }
        if let Some(id) = self.cursor.next
            && let Values::F32(values) = &mut self.nodes.nodes[id].values
        {
            values.push(value);
            self.cursor.next = None;
            return Ok(());
        }
        self.float(f64::from(value))
    }

    #[inline]
    fn text(&mut self, value: &str) -> Result<()> {
        if self.cursor.next.is_none()
            && self.cursor.aside.is_none()
            && let Some(Frame::ByKey { plan, .. }) = self.cursor.frames.last()
        {
            let plan = *plan;
            return self.by_key(plan, value);
        }
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.text(value));
        }
        let id = self.here("text")?;
        match &mut self.nodes.nodes[id].values {
            Values::Text(texts) => return texts.push(value.as_bytes()),
            Values::Dictionary(own) => return own.push(value.as_bytes()),
            _ => {}
        }
        self.cursor.next = Some(id);
        self.other_text(id, value)
    }

    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        if self.is_aside() {
            return self.aside(1, |sink| sink.begin_list(len));
        }
        let id = self.here("a list")?;
        let frame = match &self.nodes.nodes[id].values {
            Values::List { item, .. } => Frame::List { id, item: *item },
            Values::Tuple { item, .. } => Frame::Tuple { id, item: *item, count: 0 },
            Values::Struct { .. } if self.cursor.rows && self.cursor.frames.is_empty() => Frame::Rows { root: id },
            other => return Err(mismatch(other, "list")),
        };
        self.cursor.frames.push(frame);
        Ok(())
    }

    #[inline]
    fn item(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.aside(0, |sink| sink.item());
        }
        match self.cursor.frames.last_mut() {
            Some(Frame::Rows { root }) => self.cursor.next = Some(*root),
            Some(Frame::List { item, .. }) => self.cursor.next = Some(*item),
            Some(Frame::Tuple { item, count, .. }) => {
                *count += 1;
                self.cursor.next = Some(*item);
            }
            _ => return Err(no_place("an item")),
        }
        Ok(())
    }

    fn end_list(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.ended_aside(-1, |sink| sink.end_list());
        }
        match self.cursor.frames.pop() {
            Some(Frame::Rows { .. }) => Ok(()),
            Some(Frame::List { id, item }) => self.end_of(id, item),
            Some(Frame::Tuple { id, count, .. }) => match &mut self.nodes.nodes[id].values {
                Values::Tuple { len, size, .. } if *size == count => {
                    *len += 1;
                    Ok(())
                }
                Values::Tuple { size, .. } => Err(Error::mismatch(
                    ErrorKind::Constraint,
                    format!("a tuple of {size}"),
                    format!("a list of {count}"),
                )),
                _ => Ok(()),
            },
            _ => Err(no_place("the end of a list")),
        }
    }

    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        if self.is_aside() {
            return self.aside(1, |sink| sink.begin_map(len));
        }
        let id = self.here("a map")?;
        let frame = match &self.nodes.nodes[id].values {
            Values::Map { key, value, .. } => Frame::Map { id, key: *key, value: *value },
            Values::Struct { len, plan } => Frame::ByKey { id, plan: *plan, row: *len },
            other => return Err(mismatch(other, "record")),
        };
        self.cursor.frames.push(frame);
        Ok(())
    }

    fn entry(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.aside(0, |sink| sink.entry());
        }
        match self.cursor.frames.last() {
            Some(Frame::Map { key, .. }) => self.cursor.next = Some(*key),
            Some(Frame::ByKey { .. }) => self.cursor.next = None,
            _ => return Err(no_place("a key")),
        }
        Ok(())
    }

    fn value(&mut self) -> Result<()> {
        if self.cursor.aside.as_ref().is_some_and(|aside| aside.depth > 0) {
            return self.aside(0, |sink| sink.value());
        }
        if let Some(Frame::Map { value, .. }) = self.cursor.frames.last() {
            self.cursor.next = Some(*value);
        }
        Ok(())
    }

    fn end_map(&mut self) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.ended_aside(-1, |sink| sink.end_map());
        }
        match self.cursor.frames.pop() {
            Some(Frame::Map { id, key, .. }) => {
                self.end_of(id, key)?;
                Ok(())
            }
            Some(Frame::ByKey { id, plan, row }) => self.end_struct(id, plan, row),
            _ => Err(no_place("the end of a map")),
        }
    }

    fn begin_record(&mut self, record: &Record) -> Result<()> {
        if self.is_aside() {
            return self.aside(1, |sink| sink.begin_record(record));
        }
        let id = self.here("a record")?;
        let frame = match &self.nodes.nodes[id].values {
            Values::Struct { len, plan } => {
                let (plan, row) = (*plan, *len);
                Frame::Record { id, plan, row, other: self.other(record, plan) }
            }
            Values::Map { key, value, .. } => Frame::Map { id, key: *key, value: *value },
            other => return Err(mismatch(other, "record")),
        };
        self.cursor.frames.push(frame);
        Ok(())
    }

    #[inline]
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.aside(0, |sink| sink.field(record, index));
        }
        match self.cursor.frames.last() {
            Some(Frame::Record { plan, other, .. }) => {
                let own = match other {
                    None => Some(index),
                    Some(other) => self.cursor.others[*other].fields.get(index).copied().flatten(),
                };
                let child = own.and_then(|own| self.plans[*plan].children.get(own));
                self.cursor.next = Some(*child.ok_or_else(|| Self::no_field(record, index))?);
                Ok(())
            }
            Some(Frame::Map { .. }) => {
                self.entry()?;
                self.text(record.fields()[index].key())?;
                self.value()
            }
            _ => Err(no_place("a field")),
        }
    }

    fn rest(&mut self, record: &Record, key: &str) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.aside(0, |sink| sink.rest(record, key));
        }
        match self.cursor.frames.last() {
            Some(Frame::Record { plan, .. }) => {
                let plan = *plan;
                self.by_key(plan, key)
            }
            _ => Err(no_place("a field")),
        }
    }

    fn end_record(&mut self, record: &Record) -> Result<()> {
        if self.cursor.aside.is_some() {
            return self.ended_aside(-1, |sink| sink.end_record(record));
        }
        match self.cursor.frames.pop() {
            Some(Frame::Record { id, plan, row, .. }) => self.end_struct(id, plan, row),
            Some(Frame::Map { id, key, .. }) => self.end_of(id, key),
            _ => Err(no_place("the end of a record")),
        }
    }

    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        if self.is_aside() {
            return self.aside(1, |sink| sink.begin_variant(union, index));
        }
        Err(no_place("a union"))
    }

    fn end_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.ended_aside(-1, |sink| sink.end_variant(union, index))
    }

    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.bytes(value));
        }
        let id = self.here("bytes")?;
        match &mut self.nodes.nodes[id].values {
            Values::Bytes(texts) => texts.push(value),
            Values::Uuid(bytes) if value.len() == 16 => {
                bytes.extend_from_slice(value);
                Ok(())
            }
            Values::Text(_) | Values::Dictionary(_) => {
                let mut text = String::with_capacity(value.len().div_ceil(3) * 4);
                base64::encode(value, &mut text);
                self.as_text(id, &text, "bytes")
            }
            other => Err(mismatch(other, "bytes")),
        }
    }

    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.decimal(value));
        }
        let id = self.here("a decimal")?;
        match &mut self.nodes.nodes[id].values {
            Values::Digits(texts) => texts.push(value.as_str().as_bytes()),
            Values::D128(own) if own.width.is_none() => {
                own.values.push(scaled(value.as_str(), own.precision, own.scale)?);
                Ok(())
            }
            Values::D256(own) if own.width.is_none() => {
                own.values.push(scaled(value.as_str(), own.precision, own.scale)?);
                Ok(())
            }
            _ => self.as_text(id, value.as_str(), "decimal"),
        }
    }

    fn date(&mut self, value: Date) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.date(value));
        }
        let id = self.here("a date")?;
        match &mut self.nodes.nodes[id].values {
            Values::Date(values) => values.push(value.days_since_epoch()),
            _ => self.as_text(id, &value.to_string(), "date")?,
        }
        Ok(())
    }

    fn time(&mut self, value: Time) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.time(value));
        }
        let id = self.here("a time")?;
        match &mut self.nodes.nodes[id].values {
            Values::Time(values) => values.push(time(value)?),
            _ => self.as_text(id, &value.to_string(), "time")?,
        }
        Ok(())
    }

    fn date_time(&mut self, at: DateTime) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.date_time(at));
        }
        let id = self.here("a datetime")?;
        match &mut self.nodes.nodes[id].values {
            Values::DateTime(values) => values.push(date_time(at)?),
            Values::Instant(values) => values.push(instant(at.into())?),
            _ => self.as_text(id, &at.to_string(), "datetime")?,
        }
        Ok(())
    }

    fn instant(&mut self, at: DateTime, offset: Offset) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.instant(at, offset));
        }
        let id = self.here("an instant")?;
        match &mut self.nodes.nodes[id].values {
            Values::Instant(values) => values.push(instant(at.with_offset(offset))?),
            Values::DateTime(_) => return Err(with_offset(at.with_offset(offset))),
            _ => self.as_text(id, &at.with_offset(offset).to_string(), "instant")?,
        }
        Ok(())
    }

    fn duration(&mut self, value: Duration) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.duration(value));
        }
        let id = self.here("a duration")?;
        match &mut self.nodes.nodes[id].values {
            Values::Duration(values) => values.push(duration(value)?),
            _ => self.as_text(id, &value.to_string(), "duration")?,
        }
        Ok(())
    }

    fn uuid(&mut self, value: Uuid) -> Result<()> {
        if self.is_aside() {
            return self.ended_aside(0, |sink| sink.uuid(value));
        }
        let id = self.here("a uuid")?;
        match &mut self.nodes.nodes[id].values {
            Values::Uuid(bytes) => bytes.extend_from_slice(&value.0),
            _ => self.as_text(id, &value.to_string(), "uuid")?,
        }
        Ok(())
    }

    fn variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        self.text(names.name_at(index))
    }

    fn commit(&mut self) -> Result<()> {
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

fn float_of(value: &Int<'_>) -> Result<f64> {
    let float = value.to_f64();
    if float.is_finite() {
        return Ok(float);
    }
    Err(Error::mismatch(ErrorKind::Constraint, "float64", value.to_string()))
}
