//! Numbers, texts, bytes and names.

use super::ProtoSource;
use super::slot::At;
use crate::proto::address;
use crate::proto::layout::{Cardinality, Form};
use crate::proto::tag::WireType;
use crate::proto::varint::unzigzag;
use crate::text::utf8;
use demat_core::derived::text_as;
use demat_core::excerpt;
use demat_core::scalar::{Int, Uuid};
use demat_core::{Enum, Error, ErrorKind, Result, Source, Text};
use std::borrow::Cow;

impl<'a> ProtoSource<'a> {
    /// Takes a varint.
    #[inline(always)]
    fn varint(&mut self) -> Result<u64> {
        let (value, next) = self.varint_at(self.at, self.end)?;
        self.at = next;
        Ok(value)
    }

    #[inline(always)]
    fn four(&mut self) -> Result<[u8; 4]> {
        match self.bytes[self.at..self.end].first_chunk() {
            Some(bytes) => {
                self.at += 4;
                Ok(*bytes)
            }
            None => Err(self.cut_off(self.at, "four bytes")),
        }
    }

    #[inline(always)]
    fn eight(&mut self) -> Result<[u8; 8]> {
        match self.bytes[self.at..self.end].first_chunk() {
            Some(bytes) => {
                self.at += 8;
                Ok(*bytes)
            }
            None => Err(self.cut_off(self.at, "eight bytes")),
        }
    }

    pub(super) fn double_at(&self, at: usize, end: usize) -> Result<f64> {
        match self.bytes[at..end].first_chunk() {
            Some(bytes) => Ok(f64::from_le_bytes(*bytes)),
            None => Err(self.cut_off(at, "eight bytes")),
        }
    }

    /// Enters a `google.protobuf.Value` and reads its content with `ask`. If that fails, the position is unchanged.
    #[cold]
    fn through_any<T>(&mut self, ask: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let (slot, start, end) = (self.slot, self.at, self.end);
        let pieces = self.pieces.clone();
        let after = self.unwrap_any()?;
        let value = ask(self);
        self.end = end;
        if value.is_ok() {
            self.at = after;
        } else {
            self.at = start;
            self.slot = slot;
            self.pieces = pieces;
        }
        value
    }

    /// Whether the next value is a single one that is present.
    #[inline(always)]
    fn is_there(&self) -> bool {
        matches!(self.slot.at, At::Wire(_)) && self.slot.cardinality == Cardinality::Value
    }

    /// Reads the next integer if it is signed or fits a signed type.
    #[inline(always)]
    fn signed(&mut self) -> Result<Option<i64>> {
        self.start = self.at;
        if !self.is_there() {
            return Ok(if self.is_zero_number() { Some(0) } else { None });
        }
        Ok(Some(match self.slot.form {
            Form::Int64 => self.varint()?.cast_signed(),
            // Only the lowest 32 bits matter.
            Form::Int32 | Form::Enum => i64::from(self.varint()? as i32),
            Form::Sint64 => unzigzag(self.varint()?),
            Form::Sint32 => unzigzag(u64::from(self.varint()? as u32)),
            Form::Uint32 => i64::from(self.varint()? as u32),
            Form::Fixed32 => i64::from(u32::from_le_bytes(self.four()?)),
            Form::Sfixed32 => i64::from(i32::from_le_bytes(self.four()?)),
            Form::Sfixed64 => i64::from_le_bytes(self.eight()?),
            _ => return Ok(None),
        }))
    }

    fn is_zero_number(&self) -> bool {
        self.slot.at == At::Zero
            && self.slot.cardinality == Cardinality::Value
            && self.slot.form.packable()
            && !matches!(self.slot.form, Form::Bool | Form::Float | Form::Double)
    }

    #[inline(always)]
    pub(super) fn read_i64(&mut self) -> Result<i64> {
        if let Some(value) = self.signed()? {
            return Ok(value);
        }
        self.other_i64()
    }

    #[inline(never)]
    fn other_i64(&mut self) -> Result<i64> {
        let int = self.other_int()?;
        int.to_i64().ok_or_else(|| Error::expected("int64", int.to_string()).at(self.position()))
    }

    #[inline(always)]
    pub(super) fn read_u64(&mut self) -> Result<u64> {
        if self.is_there() {
            self.start = self.at;
            match self.slot.form {
                Form::Uint64 => return self.varint(),
                // Only the lowest 32 bits matter.
                Form::Uint32 => return self.varint().map(|value| value & 0xffff_ffff),
                Form::Fixed32 => return self.four().map(|bytes| u64::from(u32::from_le_bytes(bytes))),
                Form::Fixed64 => return self.eight().map(u64::from_le_bytes),
                _ => {}
            }
        }
        self.other_u64()
    }

    #[inline(never)]
    fn other_u64(&mut self) -> Result<u64> {
        let int = self.read_int()?;
        int.to_u64().ok_or_else(|| Error::expected("uint64", int.to_string()).at(self.position()))
    }

    #[inline(always)]
    pub(super) fn read_int(&mut self) -> Result<Int<'a>> {
        if let Some(value) = self.signed()? {
            return Ok(Int::I64(value));
        }
        self.other_int()
    }

    #[inline(never)]
    fn other_int(&mut self) -> Result<Int<'a>> {
        match self.slot.form {
            Form::Uint64 if self.is_there() => self.varint().map(Int::from),
            Form::Fixed64 if self.is_there() => Ok(Int::from(u64::from_le_bytes(self.eight()?))),
            Form::Any if self.is_there() => self.through_any(|source| {
                let number = source.read_f64()?;
                if super::any::is_whole(number) {
                    Ok(Int::I64(number as i64))
                } else {
                    Err(Error::expected("int", "float").at(source.position()))
                }
            }),
            _ => Err(self.other("int")),
        }
    }

    #[inline(always)]
    pub(super) fn read_f64(&mut self) -> Result<f64> {
        self.start = self.at;
        match (self.slot.at, self.slot.form) {
            (At::Wire(_), Form::Double) if self.slot.cardinality == Cardinality::Value => {
                self.eight().map(f64::from_le_bytes)
            }
            (At::Wire(_), Form::Float) if self.slot.cardinality == Cardinality::Value => {
                self.four().map(|bytes| f64::from(f32::from_le_bytes(bytes)))
            }
            (At::Zero, Form::Double | Form::Float) if self.slot.cardinality == Cardinality::Value => Ok(0.0),
            (At::Wire(_), Form::Any) if self.slot.cardinality == Cardinality::Value => {
                self.through_any(ProtoSource::read_f64)
            }
            _ => Err(self.other("float")),
        }
    }

    #[inline(always)]
    pub(super) fn read_f32(&mut self) -> Result<f32> {
        self.start = self.at;
        if self.is_there() && self.slot.form == Form::Float {
            return self.four().map(f32::from_le_bytes);
        }
        let wide = self.read_f64()?;
        let narrow = wide as f32;
        if narrow.is_infinite() && wide.is_finite() {
            return Err(Error::expected("float32", wide.to_string()).at(self.position()));
        }
        Ok(narrow)
    }

    #[inline(always)]
    pub(super) fn read_bool(&mut self) -> Result<bool> {
        self.start = self.at;
        match (self.slot.at, self.slot.form) {
            (At::Wire(_), Form::Bool) if self.slot.cardinality == Cardinality::Value => {
                self.varint().map(|value| value != 0)
            }
            (At::Zero, Form::Bool) if self.slot.cardinality == Cardinality::Value => Ok(false),
            (At::Wire(_), Form::Any) if self.slot.cardinality == Cardinality::Value => {
                self.through_any(ProtoSource::read_bool)
            }
            _ => Err(self.other("bool")),
        }
    }

    /// Takes a length and the bytes that it counts.
    #[inline(always)]
    fn content(&mut self) -> Result<&'a [u8]> {
        let (begin, close) = self.content_at(self.at, self.end)?;
        self.at = close;
        Ok(&self.bytes[begin..close])
    }

    #[inline(always)]
    pub(super) fn read_text(&mut self) -> Result<Text<'a, '_>> {
        if self.is_there() && self.slot.form == Form::Text {
            self.start = self.at;
            let bytes = self.content()?;
            return match utf8(bytes) {
                Some(text) => Ok(Text::Input(text)),
                None => Err(self.bad_utf8()),
            };
        }
        self.other_text()
    }

    #[inline(never)]
    fn other_text(&mut self) -> Result<Text<'a, '_>> {
        self.start = self.at;
        match (self.slot.at, self.slot.form) {
            (At::Zero, Form::Text) if self.slot.cardinality == Cardinality::Value => Ok(Text::Input("")),
            (At::Number, _) => Ok(Text::Scratch(&self.scratch)),
            (At::Wire(_), Form::Any) if self.slot.cardinality == Cardinality::Value => {
                let (bytes, at) = self.through_any(|source| {
                    let at = source.at;
                    if source.slot.form != Form::Text {
                        return Err(source.other("text"));
                    }
                    source.content().map(|bytes| (bytes, at))
                })?;
                match utf8(bytes) {
                    Some(text) => Ok(Text::Input(text)),
                    None => Err(Error::expected("UTF-8", "other bytes").at(self.position_of(at))),
                }
            }
            (At::Wire(_), Form::Ipv4 | Form::Ip | Form::IpPort) if self.slot.cardinality == Cardinality::Value => {
                self.read_address()
            }
            _ => Err(self.other("text")),
        }
    }

    fn read_address(&mut self) -> Result<Text<'a, '_>> {
        let form = self.slot.form;
        let text = if form == Form::Ipv4 {
            address::to_text(form, &self.four()?)
        } else {
            address::to_text(form, self.content()?)
        };
        match text {
            Some(text) => {
                self.scratch = text;
                Ok(Text::Scratch(&self.scratch))
            }
            None => Err(Error::expected(address::name(form), "other bytes").at(self.position())),
        }
    }

    #[cold]
    fn bad_utf8(&self) -> Error {
        Error::expected("UTF-8", "other bytes").at(self.position())
    }

    pub(super) fn read_bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.start = self.at;
        match (self.slot.at, self.slot.form) {
            (At::Wire(_), Form::Bytes) if self.slot.cardinality == Cardinality::Value => {
                self.content().map(Cow::Borrowed)
            }
            (At::Zero, Form::Bytes) if self.slot.cardinality == Cardinality::Value => Ok(Cow::Borrowed(&[])),
            (At::Rest, _) => {
                let bytes = self.bytes;
                Ok(match self.rest_of()?.as_slice() {
                    [(begin, close)] => Cow::Borrowed(&bytes[*begin..*close]),
                    parts => {
                        Cow::Owned(parts.iter().flat_map(|(begin, close)| &bytes[*begin..*close]).copied().collect())
                    }
                })
            }
            (At::Wire(_) | At::Zero, Form::Text | Form::Any) => {
                let decode = demat_core::scalar::base64::decode;
                text_as(self, "bytes", "`bytes` in base64", decode).map(Cow::Owned)
            }
            _ => Err(self.other("bytes")),
        }
    }

    pub(super) fn read_uuid(&mut self) -> Result<Uuid> {
        if self.slot.form == Form::Bytes {
            let bytes = self.read_bytes()?;
            let uuid = <[u8; 16]>::try_from(&*bytes).ok().map(Uuid);
            return uuid.ok_or_else(|| Error::expected("uuid", format!("{} bytes", bytes.len())).at(self.position()));
        }
        text_as(self, "uuid", "uuid", Uuid::parse)
    }

    pub(super) fn read_variant(&mut self, names: &Enum) -> Result<usize> {
        self.start = self.at;
        let number = match (self.slot.at, self.slot.form) {
            (At::Wire(WireType::Varint), Form::Enum) if self.slot.cardinality == Cardinality::Value => {
                i64::from(self.varint()? as i32)
            }
            (At::Zero, Form::Enum) if self.slot.cardinality == Cardinality::Value => 0,
            (At::Wire(_) | At::Zero, Form::Text | Form::Any) => {
                let text = self.read_text()?;
                if let Some(index) = names.index_of(&text) {
                    return Ok(index);
                }
                let error = Error::mismatch(ErrorKind::Constraint, names.names(), excerpt::name(&text));
                return Err(error.at(self.position()));
            }
            _ => return Err(self.other("enum")),
        };
        names.index_of_number(number).ok_or_else(|| self.no_variant(names.names(), format!("the number {number}")))
    }
}
