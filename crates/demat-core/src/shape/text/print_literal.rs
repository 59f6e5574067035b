//! Writes default values.

use super::print::Printer;
use super::value::typed;
use super::word::write_quoted;
use crate::scalar::base64;
use crate::{Shape, Value};
use core::fmt::{self, Write as _};

impl Printer<'_, '_> {
    /// Writes a value, with its kind before it if the parser would not infer it from the shape.
    pub(super) fn literal(&mut self, value: &Value, shape: &Shape) -> fmt::Result {
        let kind = match value {
            Value::Null => return self.out.write_str("null"),
            Value::Bool(value) => return write!(self.out, "{value}"),
            Value::List(items) => return self.items(items, shape),
            Value::Map(entries) => return self.entries(entries, shape),
            Value::Int(int) if matches!(shape, Shape::Float(_) | Shape::Decimal) => return self.kinded("int", int),
            Value::Int(int) => return write!(self.out, "{int}"),
            Value::Float(float) if !float.is_finite() || matches!(shape, Shape::Decimal) => {
                return self.kinded("float", &format_args!("{float:?}"));
            }
            Value::Float(float) => return write!(self.out, "{float:?}"),
            Value::Decimal(decimal) if matches!(shape, Shape::Decimal) => return write!(self.out, "{decimal}"),
            Value::Decimal(decimal) => return self.kinded("decimal", decimal),
            Value::Text(text) if typed(shape.name(), text).is_some() => return self.kinded("text", text),
            Value::Text(text) => return write_quoted(self.out, text),
            Value::Bytes(_) => "bytes",
            Value::Date(_) => "date",
            Value::Time(_) => "time",
            Value::DateTime(_) if *shape == Shape::Instant => "instant",
            Value::DateTime(_) => "datetime",
            Value::Instant(..) => "instant",
            Value::Duration(_) => "duration",
            Value::Uuid(_) => "uuid",
        };
        if shape.name() != kind {
            write!(self.out, "{kind} ")?;
        }
        match value {
            Value::Bytes(bytes) => {
                let mut text = String::new();
                base64::encode(bytes, &mut text);
                write_quoted(self.out, &text)
            }
            Value::Date(value) => write!(self.out, "\"{value}\""),
            Value::Time(value) => write!(self.out, "\"{value}\""),
            Value::DateTime(value) => write!(self.out, "\"{value}\""),
            Value::Instant(at, offset) => write!(self.out, "\"{}\"", at.with_offset(*offset)),
            Value::Duration(value) => write!(self.out, "\"{value}\""),
            Value::Uuid(value) => write!(self.out, "\"{value}\""),
            _ => Ok(()),
        }
    }

    fn kinded(&mut self, kind: &str, value: &dyn fmt::Display) -> fmt::Result {
        write!(self.out, "{kind} ")?;
        write_quoted(self.out, &value.to_string())
    }

    fn items(&mut self, items: &[Value], shape: &Shape) -> fmt::Result {
        self.out.write_char('[')?;
        for (index, item) in items.iter().enumerate() {
            self.comma(index)?;
            let shape = match shape {
                Shape::List(item) => item,
                Shape::Tuple(shapes) => shapes.get(index).map_or(&Shape::Any, |shape| shape),
                _ => &Shape::Any,
            };
            self.literal(item, shape.inner())?;
        }
        self.out.write_char(']')
    }

    fn entries(&mut self, entries: &[(Value, Value)], shape: &Shape) -> fmt::Result {
        let (key_shape, value_shape) = match shape {
            Shape::Map(key, value) => (&**key, &**value),
            _ => (&Shape::Any, &Shape::Any),
        };
        self.out.write_char('{')?;
        for (index, (key, value)) in entries.iter().enumerate() {
            self.comma(index)?;
            self.literal(key, key_shape.inner())?;
            self.out.write_str(": ")?;
            self.literal(value, value_shape.inner())?;
        }
        self.out.write_char('}')
    }
}
