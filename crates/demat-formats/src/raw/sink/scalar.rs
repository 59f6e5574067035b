//! Writes scalars in the form of their node.

use super::super::schema::{Node, NodeId};
use super::super::varint::{self, zigzag, zigzag_wide};
use super::super::wire;
use super::fault::{other, unfit};
use super::{RawSink, node_of};
use crate::Drain;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Instant, Int, Offset, Time, Uuid};
use demat_core::{FloatWidth, IntWidth, Kind, Result};

// The first bytes of `any` values, by kind. Null is 0.
pub(super) const BOOL: u8 = 1;
const INT: u8 = 2;
const FLOAT: u8 = 3;
const TEXT: u8 = 4;
pub(super) const BYTES: u8 = 5;
const DECIMAL: u8 = 6;
const DATE: u8 = 7;
const TIME: u8 = 8;
const DATE_TIME: u8 = 9;
const INSTANT: u8 = 10;
const DURATION: u8 = 11;
const UUID: u8 = 12;
pub(super) const LIST: u8 = 13;
pub(super) const MAP: u8 = 14;

impl<D: Drain> RawSink<D> {
    #[inline]
    pub(super) fn write_i64(&mut self, value: i64) -> Result<()> {
        let id = self.target(Kind::Int)?;
        match node_of(self.schema.as_ref(), id) {
            Node::Int(width) => {
                let width = *width;
                if !width.holds(&Int::I64(value)) {
                    return Err(out_of_range(width, &Int::I64(value)));
                }
                let buffer = &mut self.output.buffer;
                match width {
                    IntWidth::Signed(..=8) | IntWidth::Unsigned(..=8) => buffer.push(value.cast_unsigned() as u8),
                    IntWidth::Unsigned(_) => varint::write(buffer, value.cast_unsigned()),
                    IntWidth::Signed(_) | IntWidth::Any => varint::write(buffer, zigzag(value)),
                }
                self.finished();
                Ok(())
            }
            _ => self.write_int_at(id, &Int::I64(value)),
        }
    }

    pub(super) fn write_int(&mut self, value: &Int<'_>) -> Result<()> {
        let id = self.target(Kind::Int)?;
        self.write_int_at(id, value)
    }

    fn write_int_at(&mut self, id: NodeId, value: &Int<'_>) -> Result<()> {
        let buffer = &mut self.output.buffer;
        match node_of(self.schema.as_ref(), id) {
            Node::Int(width) if !width.holds(value) => return Err(out_of_range(*width, value)),
            Node::Int(width) => write_number(buffer, *width, value),
            Node::Any => {
                buffer.push(INT);
                write_number(buffer, IntWidth::Any, value);
            }
            Node::Float(width) => {
                let float = value.to_f64();
                let is_exact = Int::from_digits(&format!("{float:.0}")).is_some_and(|back| back == *value);
                if !is_exact || *width == FloatWidth::F32 && f64::from(float as f32).to_bits() != float.to_bits() {
                    return Err(unfit("a number that the float holds exactly", value));
                }
                write_float(buffer, *width, float);
            }
            Node::Decimal => write_text(buffer, &value.to_string()),
            Node::Enum(names) => {
                let index = value.to_i64().and_then(|number| names.index_of_number(number));
                let index = index.ok_or_else(|| unfit(&names.names(), value))?;
                if names.len() > 1 {
                    varint::write(buffer, index as u64);
                }
            }
            node => return Err(other(node, Kind::Int.name())),
        }
        self.finished();
        Ok(())
    }

    pub(super) fn write_float(&mut self, value: f64) -> Result<()> {
        let id = self.target(Kind::Float)?;
        let buffer = &mut self.output.buffer;
        match node_of(self.schema.as_ref(), id) {
            Node::Float(FloatWidth::F64) => write_float(buffer, FloatWidth::F64, value),
            Node::Float(FloatWidth::F32) => {
                if f64::from(value as f32).to_bits() != value.to_bits() && !value.is_nan() {
                    return Err(unfit("a number that float32 holds exactly", value));
                }
                write_float(buffer, FloatWidth::F32, value);
            }
            Node::Any => {
                buffer.push(FLOAT);
                write_float(buffer, FloatWidth::F64, value);
            }
            node => return Err(other(node, Kind::Float.name())),
        }
        self.finished();
        Ok(())
    }

    pub(super) fn write_float32(&mut self, value: f32) -> Result<()> {
        let id = self.target(Kind::Float)?;
        if let Node::Float(FloatWidth::F32) = node_of(self.schema.as_ref(), id) {
            self.output.buffer.extend_from_slice(&value.to_le_bytes());
            self.finished();
            return Ok(());
        }
        self.stand = super::Stand::Value(id);
        self.write_float(value.into())
    }

    pub(super) fn write_text(&mut self, value: &str) -> Result<()> {
        let id = self.target(Kind::Text)?;
        let buffer = &mut self.output.buffer;
        match node_of(self.schema.as_ref(), id) {
            Node::Text => write_text(buffer, value),
            Node::Any => {
                buffer.push(TEXT);
                write_text(buffer, value);
            }
            Node::Enum(names) => {
                let index = names.index_of(value).ok_or_else(|| unfit(&names.names(), value))?;
                if names.len() > 1 {
                    varint::write(buffer, index as u64);
                }
            }
            node => write_parsed(node, buffer, value)?,
        }
        self.finished();
        Ok(())
    }

    pub(super) fn write_decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        let id = self.target(Kind::Decimal)?;
        let buffer = &mut self.output.buffer;
        match node_of(self.schema.as_ref(), id) {
            Node::Decimal => {}
            Node::Any => buffer.push(DECIMAL),
            node => return Err(other(node, Kind::Decimal.name())),
        }
        write_text(buffer, value.as_str());
        self.finished();
        Ok(())
    }

    /// Writes a scalar of several parts.
    pub(super) fn write_parts(&mut self, kind: Kind, write: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let id = self.target(kind)?;
        match node_of(self.schema.as_ref(), id) {
            Node::Any => self.output.buffer.push(tag_of(kind)),
            node if node.kind() == Some(kind) => {}
            node => return Err(other(node, kind.name())),
        }
        write(&mut self.output.buffer);
        self.finished();
        Ok(())
    }

    /// Writes a date and time, with its offset if that is known.
    pub(super) fn write_at(&mut self, at: DateTime, offset: Option<Offset>) -> Result<()> {
        let kind = if offset.is_some() { Kind::Instant } else { Kind::DateTime };
        let id = self.target(kind)?;
        let buffer = &mut self.output.buffer;
        match node_of(self.schema.as_ref(), id) {
            Node::Instant => wire::write_instant(buffer, at, offset),
            Node::DateTime if offset.is_none() => wire::write_date_time(buffer, at),
            Node::Any => {
                buffer.push(tag_of(kind));
                if offset.is_some() {
                    wire::write_instant(buffer, at, offset);
                } else {
                    wire::write_date_time(buffer, at);
                }
            }
            node => return Err(other(node, kind.name())),
        }
        self.finished();
        Ok(())
    }
}

fn tag_of(kind: Kind) -> u8 {
    match kind {
        Kind::Null => 0,
        Kind::Bool => BOOL,
        Kind::Int => INT,
        Kind::Float => FLOAT,
        Kind::Text => TEXT,
        Kind::Bytes => BYTES,
        Kind::Decimal => DECIMAL,
        Kind::Date => DATE,
        Kind::Time => TIME,
        Kind::DateTime => DATE_TIME,
        Kind::Instant => INSTANT,
        Kind::Duration => DURATION,
        Kind::Uuid => UUID,
        Kind::List => LIST,
        Kind::Map => MAP,
    }
}

fn write_text(buffer: &mut Vec<u8>, value: &str) {
    varint::write(buffer, value.len() as u64);
    buffer.extend_from_slice(value.as_bytes());
}

fn write_float(buffer: &mut Vec<u8>, width: FloatWidth, value: f64) {
    match width {
        FloatWidth::F32 => buffer.extend_from_slice(&(value as f32).to_le_bytes()),
        FloatWidth::F64 => buffer.extend_from_slice(&value.to_le_bytes()),
    }
}

/// Returns the number if the width holds it.
fn write_number(buffer: &mut Vec<u8>, width: IntWidth, value: &Int<'_>) {
    let wide = match width {
        IntWidth::Unsigned(..=8) | IntWidth::Signed(..=8) => {
            buffer.push(value.to_i64().unwrap_or_default().cast_unsigned() as u8);
            return;
        }
        IntWidth::Unsigned(_) => value.to_u128(),
        IntWidth::Signed(_) | IntWidth::Any => value.to_i128().map(zigzag_wide),
    };
    if let Some(wide) = wide {
        varint::write_wide(buffer, wide);
    } else {
        // No number has this form: its zero byte would be redundant.
        buffer.extend_from_slice(&[0x80, 0]);
        write_text(buffer, &value.to_string());
    }
}

/// Parses text for a node with a form of its own.
fn write_parsed(node: &Node, buffer: &mut Vec<u8>, value: &str) -> Result<()> {
    let written = match node {
        Node::Decimal => Decimal::parse(value).map(|decimal| write_text(buffer, decimal.as_str())),
        Node::Date => Date::parse(value).map(|date| wire::write_date(buffer, date)),
        Node::Time => Time::parse(value).map(|time| wire::write_time(buffer, time)),
        Node::DateTime => DateTime::parse(value).map(|at| wire::write_date_time(buffer, at)),
        Node::Instant => Instant::parse(value).map(|instant| {
            let (at, offset) = instant.split();
            wire::write_instant(buffer, at, offset);
        }),
        Node::Duration => Duration::parse(value).map(|duration| wire::write_duration(buffer, duration)),
        Node::Uuid => Uuid::parse(value).map(|uuid| buffer.extend_from_slice(&uuid.0)),
        node => return Err(other(node, Kind::Text.name())),
    };
    written.ok_or_else(|| unfit(node.name(), value))
}

#[cold]
fn out_of_range(width: IntWidth, value: &Int<'_>) -> demat_core::Error {
    let expected = match width {
        IntWidth::Any => "int".to_string(),
        IntWidth::Signed(bits) => format!("int{bits}"),
        IntWidth::Unsigned(bits) => format!("uint{bits}"),
    };
    unfit(&expected, value)
}
