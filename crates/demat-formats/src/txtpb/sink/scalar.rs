//! Scalars.

use super::fault::{absent, int_name, null_item};
use super::slot::{Frame, Place};
use super::{TxtpbSink, literal};
use crate::Drain;
use crate::beyond_utc::beyond_utc;
use crate::proto::{Form, Presence, address, no_offset};
use crate::text;
use crate::txtpb::layout::is_identifier;
use demat_core::scalar::{DateTime, Duration, Instant, Int, Uuid, base64};
use demat_core::{Enum, Error, ErrorKind, Result};

/// The largest int up to which binary64 represents all ints exactly.
const EXACT: i128 = 1 << 53;

const SECOND: i128 = 1_000_000_000;

impl<D: Drain> TxtpbSink<D> {
    /// Whether a zero is written as nothing.
    fn is_left_out(&self, is_zero: bool) -> bool {
        is_zero && self.state.slot.is_implicit()
    }

    pub(super) fn write_null(&mut self) -> Result<()> {
        let slot = &self.state.slot;
        match (slot.place, slot.form) {
            (Place::Field, _) if slot.is_member => Ok(()),
            (Place::Field | Place::Item, Form::Any | Form::Null) if slot.is_single() => {
                if slot.is_implicit() && slot.form == Form::Null {
                    return Ok(());
                }
                self.put("null_value", |out| out.extend_from_slice(b"NULL_VALUE"));
                Ok(())
            }
            (Place::Field, _) if slot.presence == Presence::Defaulted => Err(absent("null")),
            (Place::Field | Place::Part(_), _) => Ok(()),
            (Place::Item, _) => Err(null_item()),
            _ => Err(self.other("null")),
        }
    }

    pub(super) fn write_bool(&mut self, value: bool) -> Result<()> {
        if !self.state.slot.is_single() || !matches!(self.state.slot.form, Form::Bool | Form::Any) {
            return Err(self.other("bool"));
        }
        if self.is_left_out(!value) {
            return Ok(());
        }
        self.put("bool_value", |out| out.extend_from_slice(if value { b"true" } else { b"false" }));
        Ok(())
    }

    pub(super) fn write_int(&mut self, value: &Int<'_>) -> Result<()> {
        let form = self.state.slot.form;
        let range = match form {
            Form::Int32 | Form::Sint32 | Form::Sfixed32 | Form::Enum => i128::from(i32::MIN)..=i128::from(i32::MAX),
            Form::Uint32 | Form::Fixed32 => 0..=i128::from(u32::MAX),
            Form::Int64 | Form::Sint64 | Form::Sfixed64 => i128::from(i64::MIN)..=i128::from(i64::MAX),
            Form::Uint64 | Form::Fixed64 => 0..=i128::from(u64::MAX),
            Form::Float | Form::Double | Form::Any => -EXACT..=EXACT,
            _ => return Err(self.other("int")),
        };
        if !self.state.slot.is_single() {
            return Err(self.other("int"));
        }
        let Some(int) = value.to_i128().filter(|int| range.contains(int)) else {
            return Err(Error::mismatch(ErrorKind::Encode, int_name(form), value.to_string()));
        };
        if self.is_left_out(int == 0) {
            return Ok(());
        }
        self.put("number_value", |out| match value {
            Int::I64(value) => text::write_i64(out, *value),
            value => out.extend_from_slice(value.to_string().as_bytes()),
        });
        Ok(())
    }

    pub(super) fn write_f64(&mut self, value: f64) -> Result<()> {
        match self.state.slot.form {
            Form::Float if self.state.slot.is_single() => {
                #[allow(clippy::cast_possible_truncation)] // checked on the next line
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Error::mismatch(ErrorKind::Encode, "float32", value.to_string()));
                }
                return self.write_f32(narrow);
            }
            Form::Any if self.state.slot.is_single() && !value.is_finite() => {
                return Err(Error::mismatch(ErrorKind::Encode, "a finite number", value.to_string()));
            }
            Form::Double | Form::Any if self.state.slot.is_single() => {}
            _ => return Err(self.other("float")),
        }
        // A negative zero is not a zero value.
        if self.is_left_out(value.to_bits() == 0) {
            return Ok(());
        }
        self.put("number_value", |out| match special(value) {
            Some(word) => out.extend_from_slice(word),
            None => text::write_f64(out, value),
        });
        Ok(())
    }

    pub(super) fn write_f32(&mut self, value: f32) -> Result<()> {
        if self.state.slot.form != Form::Float || !self.state.slot.is_single() {
            return self.write_f64(f64::from(value));
        }
        if self.is_left_out(value.to_bits() == 0) {
            return Ok(());
        }
        self.put("", |out| match special(f64::from(value)) {
            Some(word) => out.extend_from_slice(word),
            None => text::write_f32(out, value),
        });
        Ok(())
    }

    pub(super) fn write_text(&mut self, value: &str) -> Result<()> {
        if let (Place::Part(0), Some(Frame::Any(parts))) = (self.state.slot.place, self.state.frames.last_mut()) {
            value.clone_into(&mut parts.url);
            return Ok(());
        }
        match self.state.slot.form {
            _ if !self.state.slot.is_single() => Err(self.other("text")),
            Form::Text | Form::Any => {
                if self.is_left_out(value.is_empty()) {
                    return Ok(());
                }
                self.put("string_value", |out| literal::write_text(out, value));
                Ok(())
            }
            form @ (Form::Ipv4 | Form::Ip | Form::IpPort) => {
                let Some((bytes, len)) = address::of_text(form, value) else {
                    return Err(Error::mismatch(ErrorKind::Encode, address::name(form), format!("`{value}`")));
                };
                let number = bytes.first_chunk().filter(|_| form == Form::Ipv4).map(|four| u32::from_le_bytes(*four));
                self.put("", |out| match number {
                    Some(number) => text::write_u64(out, u64::from(number)),
                    None => literal::write_bytes(out, &bytes[..len]),
                });
                Ok(())
            }
            _ => Err(self.other("text")),
        }
    }

    pub(super) fn write_bytes(&mut self, value: &[u8]) -> Result<()> {
        match (self.state.slot.place, self.state.frames.last_mut()) {
            (Place::Part(1), Some(Frame::Any(parts))) => {
                value.clone_into(&mut parts.bytes);
                return Ok(());
            }
            (Place::Part(2..), _) => return Ok(()),
            (Place::Rest, _) => {
                if self.options.unknown_fields {
                    self.write_unknown(value, 0);
                }
                return Ok(());
            }
            _ => {}
        }
        match self.state.slot.form {
            Form::Bytes if self.state.slot.is_single() => {
                if self.is_left_out(value.is_empty()) {
                    return Ok(());
                }
                self.put("", |out| literal::write_bytes(out, value));
                Ok(())
            }
            Form::Any if self.state.slot.is_single() => {
                let mut text = String::new();
                base64::encode(value, &mut text);
                self.write_text(&text)
            }
            _ => Err(self.other("bytes")),
        }
    }

    pub(super) fn write_date_time(&mut self, at: DateTime) -> Result<()> {
        if self.state.slot.form == Form::Timestamp { Err(no_offset(at)) } else { self.write_text(&at.to_string()) }
    }

    /// Writes an instant; as a message, in UTC.
    pub(super) fn write_instant(&mut self, at: Instant) -> Result<()> {
        if self.state.slot.form != Form::Timestamp {
            return self.write_text(&at.to_string());
        }
        let Some(nanos) = at.unix_nanos() else { return Err(no_offset(at.split().0)) };
        if !at.is_in_utc() {
            return Err(beyond_utc(at));
        }
        self.write_seconds("instant", nanos.div_euclid(SECOND), nanos.rem_euclid(SECOND))
    }

    /// Writes a length of time; in a message, both parts have the same sign.
    pub(super) fn write_duration(&mut self, value: Duration) -> Result<()> {
        if self.state.slot.form != Form::Duration {
            return self.write_text(&value.to_string());
        }
        let nanos = value.total_nanos();
        self.write_seconds("duration", nanos / SECOND, nanos % SECOND)
    }

    fn write_seconds(&mut self, found: &'static str, seconds: i128, nanos: i128) -> Result<()> {
        if !self.state.slot.is_single() {
            return Err(self.other(found));
        }
        let slot = self.state.slot.clone();
        self.open(slot.name.as_str());
        for (name, value) in [("seconds", seconds), ("nanos", nanos)] {
            if value != 0 {
                self.scalar(name, |out| out.extend_from_slice(value.to_string().as_bytes()));
            }
        }
        self.close();
        Ok(())
    }

    pub(super) fn write_uuid(&mut self, value: Uuid) -> Result<()> {
        if self.state.slot.form == Form::Bytes {
            return self.write_bytes(&value.0);
        }
        self.write_text(&value.to_string())
    }

    pub(super) fn write_variant(&mut self, names: &Enum, index: usize) -> Result<()> {
        let (name, number) = (names.name_at(index), names.number_at(index));
        match self.state.slot.form {
            Form::Text | Form::Any => self.write_text(name),
            Form::Enum if self.state.slot.is_single() => {
                if i32::try_from(number).is_err() || !is_identifier(name) {
                    return self.write_int(&Int::I64(number));
                }
                if self.is_left_out(number == 0) {
                    return Ok(());
                }
                self.put("", |out| out.extend_from_slice(name.as_bytes()));
                Ok(())
            }
            _ => Err(self.other("enum")),
        }
    }
}

/// The word for a number that is not finite.
fn special(value: f64) -> Option<&'static [u8]> {
    if value.is_nan() {
        Some(b"nan")
    } else if value.is_infinite() {
        Some(if value > 0.0 { b"inf" } else { b"-inf" })
    } else {
        None
    }
}
