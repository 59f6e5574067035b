//! Scalars as values and as keys. The key of a scalar is its text.

use super::super::Tag;
use super::{NbtSource, Phase};
use demat_core::derived::{decimal_of_text, text_as};
use demat_core::excerpt;
use demat_core::scalar::{Decimal, Int, Uuid};
use demat_core::{Error, Result, Source};
use std::borrow::Cow;

impl<'a> NbtSource<'a> {
    /// Ends the current value at this offset.
    #[inline]
    fn taken(&mut self, end: usize) {
        (self.at, self.phase) = (end, Phase::Value);
    }

    /// Reads a key whose text the caller wants as another kind.
    #[cold]
    fn key_as<T>(&mut self, expected: &'static str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let text = self.text()?;
        let (parsed, found) = (parse(&text), excerpt::name(&text));
        parsed.ok_or_else(|| Error::expected(expected, found).at(self.position()))
    }

    /// Reads an int of up to 64 bits, if the current value is one.
    #[inline]
    fn long(&mut self) -> Result<Option<i64>> {
        let (tag, at) = self.head()?;
        if !tag.is_int() {
            return Ok(None);
        }
        let (value, end) = self.int_at(tag, at)?;
        self.taken(end);
        Ok(Some(value))
    }

    pub(super) fn read_bool(&mut self) -> Result<bool> {
        let (tag, at) = self.head()?;
        if self.phase == Phase::Key {
            return self.key_as("bool", |text| text.parse().ok());
        }
        if tag != Tag::Byte {
            return Err(self.other_kind(tag, "bool"));
        }
        let (value, end) = self.int_at(tag, at)?;
        if !matches!(value, 0 | 1) {
            return Err(Error::expected("`bool` as byte 0 or 1", value.to_string()).at(self.position()));
        }
        self.taken(end);
        Ok(value == 1)
    }

    pub(super) fn read_int(&mut self) -> Result<Int<'static>> {
        match self.long()? {
            Some(value) => Ok(Int::I64(value)),
            None if self.phase == Phase::Key => self.key_as("int", |text| Int::from_digits(text).map(Int::into_owned)),
            None => Err(self.mismatch("int")),
        }
    }

    #[allow(clippy::cast_precision_loss)] // the caller asked for a float
    pub(super) fn read_float(&mut self) -> Result<f64> {
        if self.phase == Phase::Key {
            return self.key_as("float", |text| text.parse().ok());
        }
        let (tag, at) = self.head()?;
        let (value, end) = match tag {
            Tag::Double => self.number(self.form.variant.double(self.part.bytes, at))?,
            Tag::Float => {
                let (value, end) = self.number(self.form.variant.float(self.part.bytes, at))?;
                (value.into(), end)
            }
            _ => return self.long()?.map(|value| value as f64).ok_or_else(|| self.mismatch("float")),
        };
        self.taken(end);
        Ok(value)
    }

    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // as above
    pub(super) fn read_float32(&mut self) -> Result<f32> {
        let (tag, at) = self.head()?;
        match tag {
            Tag::Float => {
                let (value, end) = self.number(self.form.variant.float(self.part.bytes, at))?;
                self.taken(end);
                Ok(value)
            }
            tag if tag.is_int() => self.long()?.map(|value| value as f32).ok_or_else(|| self.mismatch("float")),
            _ => {
                let wide = self.read_float()?;
                let narrow = wide as f32;
                if narrow.is_infinite() && wide.is_finite() {
                    return Err(Error::expected("float32", wide.to_string()).at(self.position()));
                }
                Ok(narrow)
            }
        }
    }

    pub(super) fn read_bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        let (tag, at) = self.head()?;
        if tag != Tag::ByteArray {
            return Err(self.other_kind(tag, "bytes"));
        }
        let (count, start) = self.count_at(at)?;
        let bytes = self.part.bytes;
        let content = start.checked_add(count as usize).and_then(|end| bytes.get(start..end));
        let content = content.ok_or_else(|| self.cut_short(start, count, tag.name()))?;
        self.taken(start + content.len());
        Ok(Cow::Borrowed(content))
    }

    pub(super) fn read_decimal(&mut self) -> Result<Decimal<'a>> {
        let is_key = self.phase == Phase::Key;
        if let Some(value) = if is_key { None } else { self.long()? } {
            let decimal = Decimal::parse(&value.to_string()).map(Decimal::into_owned);
            return decimal.ok_or_else(|| Error::expected("decimal", "int").at(self.position()));
        }
        decimal_of_text(self)
    }

    /// Reads a UUID from text, or from an array of four ints, the highest first.
    pub(super) fn read_uuid(&mut self) -> Result<Uuid> {
        let (tag, at) = self.head()?;
        if tag != Tag::IntArray {
            if tag != Tag::String {
                return Err(self.other_kind(tag, "uuid"));
            }
            return text_as(self, "uuid", "uuid", Uuid::parse);
        }
        let (count, mut at) = self.count_at(at)?;
        if count != 4 {
            let found = format!("an int array of length {count}");
            return Err(Error::expected("`uuid` as an int array of length 4", found).at(self.position()));
        }
        let mut bytes = [0; 16];
        for place in bytes.chunks_exact_mut(4) {
            let (value, end) = self.int_at(Tag::Int, at)?;
            place.copy_from_slice(&(value as i32).to_be_bytes());
            at = end;
        }
        self.taken(at);
        Ok(Uuid(bytes))
    }
}
