//! Writes scalars in the form of their node.

use super::super::decimal;
use super::super::header::{write_len, write_number, write_sized};
use super::super::schema::{Node, Unit};
use super::AvroSink;
use super::fault::{other, too_fine, unfit};
use super::frame::Stand;
use crate::Drain;
use crate::beyond_utc::beyond_utc;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Offset, Time, Uuid};
use demat_core::{Kind, Result};

impl<D: Drain> AvroSink<D> {
    /// Writes the text of a key.
    fn write_key(&mut self, text: &str) {
        write_sized(&mut self.blocks.bytes, text.as_bytes());
        self.stand = Stand::Nothing;
    }

    pub(super) fn write_bool(&mut self, value: bool) -> Result<()> {
        if self.stand == Stand::MapKey {
            self.write_key(if value { "true" } else { "false" });
            return Ok(());
        }
        let id = self.target(Kind::Bool)?;
        match self.schema.node(id) {
            Node::Bool => self.blocks.bytes.push(value.into()),
            node => return Err(other(node, Kind::Bool.name())),
        }
        self.finished();
        Ok(())
    }

    pub(super) fn write_int(&mut self, value: &Int<'_>) -> Result<()> {
        if self.stand == Stand::MapKey {
            self.write_key(&value.to_string());
            return Ok(());
        }
        let id = self.target(Kind::Int)?;
        let node = self.schema.node(id);
        let buffer = &mut self.blocks.bytes;
        match node {
            Node::Int | Node::Long => {
                let number = value.to_i64().filter(|number| node == Node::Long || i32::try_from(*number).is_ok());
                write_number(buffer, number.ok_or_else(|| unfit(node.name(), value))?);
            }
            Node::Float | Node::Double => {
                let float = value.to_f64();
                let is_exact = Int::from_digits(&format!("{float:.0}")).is_some_and(|back| back == *value);
                if !is_exact {
                    return Err(unfit("a number that the float holds exactly", value));
                }
                write_float(buffer, node, float)?;
            }
            Node::Decimal(_) | Node::Text(Kind::Decimal) => write_decimal(buffer, node, &value.to_string())?,
            Node::Enum(names) => {
                let names = self.schema.names(names);
                let found = value.to_i64().and_then(|number| names?.index_of_number(number));
                let found = found.ok_or_else(|| unfit("a number of the enum", value))?;
                write_len(buffer, found);
            }
            node => return Err(other(node, Kind::Int.name())),
        }
        self.finished();
        Ok(())
    }

    pub(super) fn write_f64(&mut self, value: f64) -> Result<()> {
        let id = self.target(Kind::Float)?;
        write_float(&mut self.blocks.bytes, self.schema.node(id), value)?;
        self.finished();
        Ok(())
    }

    pub(super) fn write_text(&mut self, value: &str) -> Result<()> {
        match self.stand {
            Stand::MapKey => {
                self.write_key(value);
                return Ok(());
            }
            Stand::Key => return self.named_field(value, None),
            _ => {}
        }
        let id = self.target(Kind::Text)?;
        let node = self.schema.node(id);
        let buffer = &mut self.blocks.bytes;
        let written = match node {
            Node::Text(Kind::Text) => {
                write_sized(buffer, value.as_bytes());
                Some(())
            }
            Node::Enum(names) => self.schema.names(names).and_then(|names| {
                let index = names.index_of(value)?;
                write_len(buffer, index);
                Some(())
            }),
            Node::Text(Kind::Uuid) => Uuid::parse(value).map(|uuid| write_sized(buffer, uuid.to_string().as_bytes())),
            Node::Text(Kind::Duration) => Duration::parse(value).map(|_| write_sized(buffer, value.as_bytes())),
            Node::Text(_) | Node::Decimal(_) => {
                let Some(decimal) = Decimal::parse(value) else { return Err(unfit(node.name(), value)) };
                return self.write_decimal_at(node, &decimal);
            }
            Node::Date => Date::parse(value).map(|date| write_date(buffer, date)),
            Node::Time(_) => match Time::parse(value) {
                Some(time) => Some(write_time(buffer, time)?),
                None => None,
            },
            Node::Timestamp(_) | Node::Local(_) => match Instant::parse(value).map(Instant::split) {
                Some((at, offset)) => Some(self.write_moment(node, at, offset)?),
                None => None,
            },
            node => return Err(other(node, Kind::Text.name())),
        };
        written.ok_or_else(|| unfit(node.name(), value))?;
        self.finished();
        Ok(())
    }

    pub(super) fn write_bytes(&mut self, value: &[u8]) -> Result<()> {
        let id = self.target(Kind::Bytes)?;
        match self.schema.node(id) {
            Node::Bytes => write_sized(&mut self.blocks.bytes, value),
            node => return Err(other(node, Kind::Bytes.name())),
        }
        self.finished();
        Ok(())
    }

    pub(super) fn write_decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        if self.stand == Stand::MapKey {
            self.write_key(value.as_str());
            return Ok(());
        }
        let id = self.target(Kind::Decimal)?;
        self.write_decimal_at(self.schema.node(id), value)
    }

    fn write_decimal_at(&mut self, node: Node, value: &Decimal<'_>) -> Result<()> {
        write_decimal(&mut self.blocks.bytes, node, value.as_str())?;
        self.finished();
        Ok(())
    }

    pub(super) fn write_date_of(&mut self, value: Date) -> Result<()> {
        if self.stand == Stand::MapKey {
            self.write_key(&value.to_string());
            return Ok(());
        }
        let id = self.target(Kind::Date)?;
        match self.schema.node(id) {
            Node::Date => write_date(&mut self.blocks.bytes, value),
            node => return Err(other(node, Kind::Date.name())),
        }
        self.finished();
        Ok(())
    }

    pub(super) fn write_time_of(&mut self, value: Time) -> Result<()> {
        if self.stand == Stand::MapKey {
            self.write_key(&value.to_string());
            return Ok(());
        }
        let id = self.target(Kind::Time)?;
        match self.schema.node(id) {
            Node::Time(_) => write_time(&mut self.blocks.bytes, value)?,
            node => return Err(other(node, Kind::Time.name())),
        }
        self.finished();
        Ok(())
    }

    /// Writes a date and time, with its offset if that is known.
    pub(super) fn write_at(&mut self, at: DateTime, offset: Option<Offset>) -> Result<()> {
        if self.stand == Stand::MapKey {
            match offset {
                Some(offset) => self.write_key(&at.with_offset(offset).to_string()),
                None => self.write_key(&at.to_string()),
            }
            return Ok(());
        }
        let kind = if offset.is_some() { Kind::Instant } else { Kind::DateTime };
        let id = self.target(kind)?;
        self.write_moment(self.schema.node(id), at, offset)?;
        self.finished();
        Ok(())
    }

    fn write_moment(&mut self, node: Node, at: DateTime, offset: Option<Offset>) -> Result<()> {
        let nanos = match (node, offset) {
            (Node::Local(_), None) => at.wall_nanos(),
            // The clock on the wall.
            (Node::Local(_), Some(_)) if self.options.naive => at.wall_nanos(),
            (Node::Timestamp(_), Some(offset)) => {
                let instant = at.with_offset(offset);
                instant.unix_nanos().filter(|_| instant.is_in_utc()).ok_or_else(|| beyond_utc(instant))?
            }
            (Node::Timestamp(_), None) => {
                return Err(unfit("an instant with an offset, unless `naive` writes all without", at));
            }
            (Node::Local(_), Some(offset)) => {
                return Err(unfit("a datetime without an offset", at.with_offset(offset)));
            }
            (node, _) => return Err(other(node, if offset.is_some() { "instant" } else { "datetime" })),
        };
        let micros = if nanos % 1_000 == 0 { i64::try_from(nanos / 1_000).ok() } else { None };
        write_number(&mut self.blocks.bytes, micros.ok_or_else(|| too_fine(at))?);
        Ok(())
    }

    pub(super) fn write_duration(&mut self, value: Duration) -> Result<()> {
        self.write_as_text(Kind::Duration, &value.to_string())
    }

    pub(super) fn write_uuid(&mut self, value: Uuid) -> Result<()> {
        self.write_as_text(Kind::Uuid, &value.to_string())
    }

    /// Writes a scalar that is text in Avro.
    fn write_as_text(&mut self, kind: Kind, text: &str) -> Result<()> {
        if self.stand == Stand::MapKey {
            self.write_key(text);
            return Ok(());
        }
        let id = self.target(kind)?;
        match self.schema.node(id) {
            Node::Text(own) if own == kind => write_sized(&mut self.blocks.bytes, text.as_bytes()),
            node => return Err(other(node, kind.name())),
        }
        self.finished();
        Ok(())
    }
}

fn write_float(buffer: &mut Vec<u8>, node: Node, value: f64) -> Result<()> {
    match node {
        Node::Double => buffer.extend_from_slice(&value.to_le_bytes()),
        Node::Float => {
            let narrow = value as f32;
            if f64::from(narrow).to_bits() != value.to_bits() && !value.is_nan() {
                return Err(unfit("a number that float32 holds exactly", value));
            }
            buffer.extend_from_slice(&narrow.to_le_bytes());
        }
        node => return Err(other(node, Kind::Float.name())),
    }
    Ok(())
}

fn write_decimal(buffer: &mut Vec<u8>, node: Node, value: &str) -> Result<()> {
    match node {
        Node::Text(Kind::Decimal) => write_sized(buffer, value.as_bytes()),
        Node::Decimal(digits) => {
            let bytes = decimal::to_bytes(value, digits.precision, digits.scale).ok_or_else(|| {
                let (precision, scale) = (digits.precision, digits.scale);
                unfit(&format!("a decimal of {precision} digits, {scale} of them after the point"), value)
            })?;
            write_sized(buffer, &bytes);
        }
        node => return Err(other(node, Kind::Decimal.name())),
    }
    Ok(())
}

fn write_date(buffer: &mut Vec<u8>, date: Date) {
    write_number(buffer, date.days_since_epoch().into());
}

fn write_time(buffer: &mut Vec<u8>, time: Time) -> Result<()> {
    let nanos = time.nanosecond();
    if !nanos.is_multiple_of(Unit::Micros.nanos()) {
        return Err(too_fine(time));
    }
    let seconds = i64::from(time.second_of_day());
    write_number(buffer, seconds * Unit::Micros.per_second() + i64::from(nanos / Unit::Micros.nanos()));
    Ok(())
}
