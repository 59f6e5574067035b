//! Writes values of the types of columns, of which some consist of parts.

use super::nested::Nested;
use crate::column_type::{ColumnType, TypeClass};
use crate::value::array::ArrayWriter;
use crate::value::{Scalar, put};
use demat_core::{Error, ErrorKind, Result};
use demat_formats::Keep;
use demat_formats::json::JsonSink;

/// The value that is being written, if it is a list or JSON.
#[derive(Debug, Default)]
pub(super) struct ValueWriter {
    nested: Option<Nested>,
    array: Option<ArrayWriter>,
}

impl ValueWriter {
    /// Forgets a value that was not completed.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Whether a part of a value was written and others follow.
    #[inline]
    pub(super) fn is_open(&self) -> bool {
        self.array.is_some() || self.nested.as_ref().is_some_and(Nested::is_open)
    }

    /// Whether the parts of the value go into JSON.
    #[inline]
    pub(super) fn is_json(&self) -> bool {
        self.nested.is_some()
    }

    /// Prepares for a value of a type.
    #[inline]
    pub(super) fn begin(&mut self, own: &ColumnType) {
        if own.class.is_json() {
            self.nested = Some(Nested::new());
        }
    }

    /// Writes NULL, or a null in JSON. Returns whether the value is complete.
    pub(super) fn null(&mut self, own: &ColumnType, out: &mut Vec<u8>) -> Result<bool> {
        // As a whole value of a column or of an item, null is NULL.
        if self.nested.as_ref().is_some_and(|nested| !nested.is_open()) {
            self.nested = None;
        }
        if self.nested.is_some() {
            return self.json(own, demat_core::Sink::null, 0, out);
        }
        let out = match &mut self.array {
            Some(array) => array.leaf(true)?,
            None => out,
        };
        out.extend_from_slice(&(-1_i32).to_be_bytes());
        Ok(self.array.is_none())
    }

    /// Writes a scalar. Returns whether the value is complete.
    #[inline]
    pub(super) fn scalar(&mut self, own: &ColumnType, value: Scalar<'_>, out: &mut Vec<u8>) -> Result<bool> {
        if self.array.is_none() && self.nested.is_none() {
            put(own, value, out)?;
            return Ok(true);
        }
        self.part(own, value, out)
    }

    #[inline(never)]
    fn part(&mut self, own: &ColumnType, value: Scalar<'_>, out: &mut Vec<u8>) -> Result<bool> {
        if self.nested.is_some() {
            return self.json(own, |sink| value.write(sink), 0, out);
        }
        if let (Some(array), TypeClass::Array(item)) = (&mut self.array, &own.class) {
            put(item, value, array.leaf(false)?)?;
        }
        Ok(false)
    }

    /// Begins a list. Returns false if the type holds none.
    pub(super) fn begin_list(&mut self, own: &ColumnType) -> Result<bool> {
        match (&mut self.array, &own.class) {
            (Some(array), _) => array.begin_list()?,
            (None, TypeClass::Array(_)) => self.array = Some(ArrayWriter::new()),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Begins an item of an array.
    pub(super) fn item(&mut self, own: &ColumnType) -> Result<()> {
        let Some(array) = &mut self.array else { return Ok(()) };
        array.item()?;
        if let TypeClass::Array(item) = &own.class {
            self.begin(item);
        }
        Ok(())
    }

    /// Ends a list. Returns whether the value is complete.
    pub(super) fn end_list(&mut self, own: &ColumnType, out: &mut Vec<u8>) -> Result<bool> {
        let ended = match &mut self.array {
            Some(array) => array.end_list()?,
            None => false,
        };
        let (true, Some(array), TypeClass::Array(item)) = (ended, self.array.take_if(|_| ended), &own.class) else {
            return Ok(false);
        };
        let start = out.len();
        out.extend_from_slice(&[0; 4]);
        array.finish(item, out)?;
        length(start, out)?;
        Ok(true)
    }

    /// Writes a part of JSON. Returns whether the value of the column is complete.
    pub(super) fn json(
        &mut self,
        own: &ColumnType,
        write: impl FnOnce(&mut JsonSink<Keep>) -> Result<()>,
        change: i32,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        let Some(nested) = &mut self.nested else { return Ok(false) };
        if !nested.write(write, change)? {
            return Ok(false);
        }
        let json = self.nested.take().map(Nested::finish).transpose()?.unwrap_or_default();
        let (own, out) = match (&mut self.array, &own.class) {
            (Some(array), TypeClass::Array(item)) => (&**item, array.leaf(false)?),
            _ => (own, out),
        };
        let start = out.len();
        out.extend_from_slice(&[0; 4]);
        if own.class == TypeClass::Jsonb {
            out.push(1); // the version of the format
        }
        out.extend_from_slice(&json);
        length(start, out)?;
        Ok(self.array.is_none())
    }
}

/// Sets the length of the value whose length is at `start`.
fn length(start: usize, out: &mut [u8]) -> Result<()> {
    let len = out.len() - start - 4;
    let len = i32::try_from(len).ok().filter(|len| *len <= 0x3FFF_FFFF);
    let len = len.ok_or_else(|| Error::new(ErrorKind::Limit, "a value of PostgreSQL has less than a gigabyte"))?;
    out[start..start + 4].copy_from_slice(&len.to_be_bytes());
    Ok(())
}
