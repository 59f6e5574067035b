//! Numbers, texts, bytes and nulls.

use super::fault::int_name;
use super::number::{self, Block};
use super::slot::{Place, Slot};
use super::{Drain, ProtoSink};
use crate::proto::address;
use crate::proto::layout::{Cardinality, Form};
use crate::scan::append_bytes;
use demat_core::scalar::Int;
use demat_core::{Error, ErrorKind, Result};

/// The largest integer up to which binary64 represents all integers exactly.
const EXACT: i64 = 1 << 53;

impl<D: Drain> ProtoSink<D> {
    /// Whether the next value is a single one.
    #[inline(always)]
    fn is_single(&self) -> bool {
        self.slot.cardinality == Cardinality::Value && self.slot.place != Place::Rest
    }

    /// Writes the tag and up to eleven bytes of a value.
    #[inline(always)]
    fn put(&mut self, block: Block) {
        number::put(&mut self.output.buffer, self.slot.tag(), block);
    }

    #[inline(always)]
    fn varint(&mut self, value: u64) {
        self.put(number::varint(value));
    }

    #[inline(always)]
    fn four(&mut self, bytes: [u8; 4]) {
        self.put(number::four(bytes));
    }

    #[inline(always)]
    fn eight(&mut self, bytes: [u8; 8]) {
        self.put(number::eight(bytes));
    }

    #[inline(always)]
    pub(super) fn write_i64(&mut self, value: i64) -> Result<()> {
        if !self.is_single() {
            return Err(self.other("int"));
        }
        if value == 0 && self.slot.is_implicit() {
            return Ok(());
        }
        match number::signed(self.slot.form, value) {
            Some(block) => self.put(block),
            None => return self.write_other(value),
        }
        Ok(())
    }

    /// Writes an integer to a field of another kind, or refuses it if the field can't hold it.
    #[inline(never)]
    fn write_other(&mut self, value: i64) -> Result<()> {
        match self.slot.form {
            Form::Double | Form::Float | Form::Any if (-EXACT..=EXACT).contains(&value) => {
                #[allow(clippy::cast_precision_loss)] // it is small enough to be exact
                self.write_f64(value as f64)
            }
            form if form.packable() && !matches!(form, Form::Bool | Form::Ipv4) || form == Form::Any => {
                Err(Error::mismatch(ErrorKind::Encode, int_name(form), value.to_string()))
            }
            _ => Err(self.other("int")),
        }
    }

    #[inline(always)]
    pub(super) fn write_u64(&mut self, value: u64) -> Result<()> {
        if let Ok(value) = i64::try_from(value) {
            return self.write_i64(value);
        }
        match self.slot.form {
            Form::Uint64 if self.is_single() => self.varint(value),
            Form::Fixed64 if self.is_single() => self.eight(value.to_le_bytes()),
            _ => return Err(self.too_large(&Int::from(value))),
        }
        Ok(())
    }

    pub(super) fn write_enum(&mut self, value: i64) -> Result<()> {
        if self.slot.form == Form::Enum { self.write_i64(value) } else { Err(self.other("enum")) }
    }

    #[inline(always)]
    pub(super) fn write_bool(&mut self, value: bool) -> Result<()> {
        match self.slot.form {
            Form::Bool if self.is_single() => {
                if value || !self.slot.is_implicit() {
                    self.varint(u64::from(value));
                }
                Ok(())
            }
            Form::Any if self.is_single() => self.say(4, Form::Bool, |sink| sink.write_bool(value)),
            _ => Err(self.other("bool")),
        }
    }

    #[inline(always)]
    pub(super) fn write_f64(&mut self, value: f64) -> Result<()> {
        match self.slot.form {
            Form::Double if self.is_single() => {
                // A negative zero is not a zero value.
                if value.to_bits() != 0 || !self.slot.is_implicit() {
                    self.eight(value.to_le_bytes());
                }
                Ok(())
            }
            Form::Float if self.is_single() => {
                let narrow = value as f32;
                if narrow.is_infinite() && value.is_finite() {
                    return Err(Error::mismatch(ErrorKind::Encode, "float32", value.to_string()));
                }
                self.write_f32(narrow)
            }
            Form::Any if self.is_single() && value.is_finite() => {
                self.say(2, Form::Double, |sink| sink.write_f64(value))
            }
            Form::Any if self.is_single() => {
                Err(Error::mismatch(ErrorKind::Encode, "a finite number", value.to_string()))
            }
            _ => Err(self.other("float")),
        }
    }

    #[inline(always)]
    pub(super) fn write_f32(&mut self, value: f32) -> Result<()> {
        if self.slot.form != Form::Float || !self.is_single() {
            return self.write_f64(f64::from(value));
        }
        if value.to_bits() != 0 || !self.slot.is_implicit() {
            self.four(value.to_le_bytes());
        }
        Ok(())
    }

    /// Writes length-prefixed bytes.
    #[inline(always)]
    fn content(&mut self, value: &[u8]) {
        if value.is_empty() && self.slot.is_implicit() {
            return;
        }
        self.put(number::varint(value.len() as u64));
        append_bytes(&mut self.output.buffer, value);
    }

    #[inline(always)]
    pub(super) fn write_text(&mut self, value: &str) -> Result<()> {
        match self.slot.form {
            Form::Text if self.is_single() => {
                self.content(value.as_bytes());
                Ok(())
            }
            Form::Any if self.is_single() => self.say(3, Form::Text, |sink| sink.write_text(value)),
            Form::Ipv4 | Form::Ip | Form::IpPort if self.is_single() => self.write_address(value),
            _ => Err(self.other("text")),
        }
    }

    #[inline(never)]
    fn write_address(&mut self, value: &str) -> Result<()> {
        let form = self.slot.form;
        let Some((bytes, len)) = address::of_text(form, value) else {
            return Err(Error::mismatch(ErrorKind::Encode, address::name(form), format!("`{value}`")));
        };
        match (form, bytes.first_chunk()) {
            (Form::Ipv4, Some(four)) => self.four(*four),
            _ => self.content(&bytes[..len]),
        }
        Ok(())
    }

    pub(super) fn write_bytes(&mut self, value: &[u8]) -> Result<()> {
        if self.slot.place == Place::Rest {
            self.output.buffer.extend_from_slice(value);
            return Ok(());
        }
        match self.slot.form {
            Form::Bytes if self.is_single() => {
                self.content(value);
                Ok(())
            }
            Form::Any if self.is_single() => {
                let mut text = String::new();
                demat_core::scalar::base64::encode(value, &mut text);
                self.write_text(&text)
            }
            _ => Err(self.other("bytes")),
        }
    }

    /// Writes null, which is an absent field in most places.
    pub(super) fn write_null(&mut self) -> Result<()> {
        match (self.slot.place, self.slot.form) {
            (Place::Field, _) if self.slot.is_member => Ok(()),
            (Place::Field | Place::Item, Form::Any) if self.is_single() => self.say(1, Form::Null, Self::write_null),
            (Place::Field | Place::Item, Form::Null) if self.is_single() => {
                if !self.slot.is_implicit() {
                    self.varint(0);
                }
                Ok(())
            }
            (Place::Field, _) if self.slot.is_defaulted() => Err(super::fault::absent("null")),
            (Place::Field, _) => Ok(()),
            (Place::Item, _) => {
                let message = "Protocol Buffers have no null within a list or map";
                Err(Error::new(ErrorKind::Encode, message))
            }
            _ => Err(self.other("null")),
        }
    }

    /// Prepares for the raw bytes of an unknown field. `key` is its number.
    pub(super) fn begin_rest(&mut self, key: &str) -> Result<()> {
        if key.parse::<u32>().is_err() {
            return Err(Error::mismatch(ErrorKind::Encode, "the number of a field", format!("`{key}`")));
        }
        self.slot = Slot { place: Place::Rest, ..Slot::WHOLE };
        Ok(())
    }
}
