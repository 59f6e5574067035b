//! Implements [`Rows`](crate::Rows) for the scanner.

use super::leaf::{Leaf, Spot};
use super::scanner::Scan;
use super::vector::{self, Filling, Kind};
use crate::format::serial;
use crate::rows::{Class, Raw, Rows};
use crate::source::{Part, PlainRows};
use demat_core::{Record, Result, Sink};
use rusqlite::types::Value;

impl Rows for Scan<'_> {
    fn columns(&self) -> &[String] {
        &self.names
    }

    #[inline]
    fn step(&mut self) -> Result<bool> {
        self.step_to_row()
    }

    fn tell_near<K: Sink + ?Sized>(&mut self, straight: &PlainRows, sink: &mut K) -> Result<u64> {
        if self.at + 1 >= self.leaf.rows() {
            return Ok(0);
        }
        let part = |part: &Part| {
            let own = &self.columns[*self.wanted.get(part.column)?];
            let filling =
                Filling { slot: own.slot, kind: part.kind()?, may_be_null: part.may_be_null, is_real: own.is_real };
            Some((part.field, filling))
        };
        let Some(parts) = straight.parts.iter().map(part).collect::<Option<Vec<_>>>() else { return Ok(0) };
        let end = parts.iter().map(|(_, filling)| filling.fitting(&self.leaf, &self.page)).min();
        let (first, end) = (self.at + 1, end.unwrap_or_default());
        let record = straight.record.get();
        let near = UniformRows { leaf: &self.leaf, page: &self.page, parts: &parts, record: &record };
        let mut told = 0;
        for row in first..end.max(first) {
            // The caller reads this row one by one, and reports what is wrong with it.
            if !matches!(near.tell(row, sink), Ok(true)) {
                sink.rollback()?;
                break;
            }
            sink.commit()?;
            told += 1;
        }
        self.pass(told);
        Ok(told as u64)
    }

    #[inline]
    #[allow(clippy::cast_precision_loss)] // SQLite stores a float as an integer only if that is lossless
    fn raw(&self, column: usize) -> Raw<'_> {
        let Some(column) = self.wanted.get(column).and_then(|column| self.columns.get(*column)) else {
            return Raw::Null;
        };
        let Some(slot) = column.slot else { return Raw::Int(self.rowid()) };
        if self.at < self.leaf.rows() {
            let spot = self.leaf.spot(self.at, slot);
            return match spot.class() {
                13 => Raw::Text(self.part(spot)),
                0 => Raw::Null,
                12 => Raw::Blob(self.part(spot)),
                7 => match vector::real(&self.page, spot) {
                    // NaN is read as NULL.
                    value if value.is_nan() => Raw::Null,
                    value => Raw::Real(value),
                },
                _ if column.is_real => Raw::Real(vector::int(&self.page, spot) as f64),
                _ => Raw::Int(vector::int(&self.page, spot)),
            };
        }
        let Some(value) = self.header.values.get(slot).filter(|_| slot < self.header.known) else {
            // The record is older than the column.
            return match &column.default {
                Value::Null => Raw::Null,
                Value::Integer(value) => Raw::Int(*value),
                Value::Real(value) => Raw::Real(*value),
                Value::Text(text) => Raw::Text(text.as_bytes()),
                Value::Blob(bytes) => Raw::Blob(bytes),
            };
        };
        // Decoding the header has checked that all bytes of the value exist.
        let bytes = self.record().get(value.start..).unwrap_or_default();
        match value.serial {
            serial::NULL => Raw::Null,
            serial @ 12.. => {
                let len = ((serial - 12) / 2) as usize;
                let bytes = bytes.get(..len).unwrap_or_default();
                if serial % 2 == 1 { Raw::Text(bytes) } else { Raw::Blob(bytes) }
            }
            serial::REAL => match serial::real(bytes) {
                // NaN is read as NULL.
                Some(value) if !value.is_nan() => Raw::Real(value),
                _ => Raw::Null,
            },
            serial => {
                let value = serial::int(serial, bytes).unwrap_or(0);
                if column.is_real { Raw::Real(value as f64) } else { Raw::Int(value) }
            }
        }
    }

    #[inline]
    fn class(&self, column: usize) -> Class {
        match self.raw(column) {
            Raw::Null => Class::Null,
            Raw::Int(_) => Class::Int,
            Raw::Real(_) => Class::Real,
            Raw::Text(_) => Class::Text,
            Raw::Blob(_) => Class::Blob,
        }
    }

    #[inline]
    fn int(&self, column: usize) -> i64 {
        if let Raw::Int(value) = self.raw(column) { value } else { 0 }
    }

    #[inline]
    fn real(&self, column: usize) -> f64 {
        if let Raw::Real(value) = self.raw(column) { value } else { 0.0 }
    }

    #[inline]
    fn bytes(&self, column: usize) -> &[u8] {
        if let Raw::Text(bytes) | Raw::Blob(bytes) = self.raw(column) { bytes } else { &[] }
    }
}

/// Rows of a leaf in which each value is of its field's kind.
struct UniformRows<'l> {
    leaf: &'l Leaf,
    page: &'l [u8],
    parts: &'l [(usize, Filling)],
    record: &'l Record,
}

impl UniformRows<'_> {
    /// Writes a row; false if a text is invalid.
    #[inline(always)]
    fn tell<K: Sink + ?Sized>(&self, row: usize, sink: &mut K) -> Result<bool> {
        sink.item()?;
        sink.begin_record(self.record)?;
        for (field, filling) in self.parts {
            sink.field(self.record, *field)?;
            let Some(slot) = filling.slot else {
                sink.i64(self.leaf.rowids[row])?;
                continue;
            };
            let spot = self.leaf.spot(row, slot);
            if spot.serial == 0 {
                sink.null()?;
                continue;
            }
            match filling.kind {
                Kind::Int => sink.i64(vector::int(self.page, spot))?,
                Kind::Text => match core::str::from_utf8(part(self.page, spot)) {
                    Ok(text) => sink.text(text)?,
                    Err(_) => return Ok(false),
                },
                Kind::Bool => sink.bool(vector::int(self.page, spot) == 1)?,
                Kind::Float => sink.float(vector::float(self.page, spot))?,
            }
        }
        sink.end_record(self.record)?;
        Ok(true)
    }
}

/// Returns the bytes of a text or a blob in a page.
#[inline(always)]
fn part(page: &[u8], spot: Spot) -> &[u8] {
    let (start, len) = (spot.start as usize, (spot.serial as usize - 12) / 2);
    page.get(start..start + len).unwrap_or_default()
}

impl Scan<'_> {
    /// Returns the bytes of a text or a blob in the leaf.
    #[inline(always)]
    fn part(&self, spot: Spot) -> &[u8] {
        part(&self.page, spot)
    }
}
