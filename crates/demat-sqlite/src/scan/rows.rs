//! The scanner as rows, whose values are asked for by their columns.

use super::leaf::Spot;
use super::scanner::Scan;
use super::vector;
use crate::format::serial;
use crate::rows::{Class, Raw, Rows};
use demat_core::Result;
use rusqlite::types::Value;

impl Rows for Scan<'_> {
    fn columns(&self) -> &[String] {
        &self.names
    }

    #[inline]
    fn step(&mut self) -> Result<bool> {
        self.step_to_row()
    }

    #[inline]
    #[allow(clippy::cast_precision_loss)] // SQLite kept the float as an integer since nothing is lost
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
                    // A float that is none is read as NULL.
                    value if value.is_nan() => Raw::Null,
                    value => Raw::Real(value),
                },
                _ if column.is_real => Raw::Real(vector::int(&self.page, spot) as f64),
                _ => Raw::Int(vector::int(&self.page, spot)),
            };
        }
        let Some(place) = self.places.places.get(slot).filter(|_| slot < self.places.known) else {
            // The record is older than the column.
            return match &column.default {
                Value::Null => Raw::Null,
                Value::Integer(value) => Raw::Int(*value),
                Value::Real(value) => Raw::Real(*value),
                Value::Text(text) => Raw::Text(text.as_bytes()),
                Value::Blob(bytes) => Raw::Blob(bytes),
            };
        };
        // That all of a value's bytes are there was seen when the row was looked at.
        let bytes = self.record().get(place.start..).unwrap_or_default();
        match place.serial {
            serial::NULL => Raw::Null,
            serial @ 12.. => {
                let len = ((serial - 12) / 2) as usize;
                let bytes = bytes.get(..len).unwrap_or_default();
                if serial % 2 == 1 { Raw::Text(bytes) } else { Raw::Blob(bytes) }
            }
            serial::REAL => match serial::real(bytes) {
                // A float that is none is read as NULL.
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

impl Scan<'_> {
    /// The bytes of a text or a blob of the leaf.
    #[inline(always)]
    fn part(&self, spot: Spot) -> &[u8] {
        let (start, len) = (spot.start as usize, (spot.serial as usize - 12) / 2);
        self.page.get(start..start + len).unwrap_or_default()
    }
}
