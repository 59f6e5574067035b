//! Converts a column's value to the requested type.

use super::{RowSource, Stands};
use crate::rows::{Class, Rows};
use demat_core::excerpt;
use demat_core::scalar::{Decimal, Int};
use demat_core::{Borrowed, Error, Kind, Result, Source, Text};

impl<R: Rows> RowSource<R> {
    /// Returns the kind of the value's storage class.
    pub(super) fn kind(&self) -> Kind {
        match self.class() {
            Class::Null => Kind::Null,
            Class::Int => Kind::Int,
            Class::Real => Kind::Float,
            Class::Text => Kind::Text,
            Class::Blob => Kind::Bytes,
        }
    }

    #[inline]
    pub(super) fn cell_int(&self) -> Option<i64> {
        (self.stands == Stands::AtValue && self.class() == Class::Int).then(|| self.rows.int(self.column))
    }

    /// Returns a float, or an integer converted to one.
    pub(super) fn cell_float(&self) -> Option<f64> {
        if self.stands != Stands::AtValue {
            return None;
        }
        match self.class() {
            Class::Real => Some(self.rows.real(self.column)),
            // Correctly rounded, like the conversion of any other digits.
            Class::Int => Some(Int::I64(self.rows.int(self.column)).to_f64()),
            _ => None,
        }
    }

    pub(super) fn cell_decimal(&mut self) -> Option<Decimal<'static>> {
        if self.stands != Stands::AtValue {
            return None;
        }
        match self.class() {
            Class::Int => Decimal::parse(&self.rows.int(self.column).to_string()).map(Decimal::into_owned),
            // The shortest digits that represent the float: the original ones, if these were at most fifteen.
            Class::Real => Decimal::parse(&format!("{:?}", self.rows.real(self.column))).map(Decimal::into_owned),
            Class::Text => Decimal::parse(self.here("decimal").ok()?).map(Decimal::into_owned),
            _ => None,
        }
    }

    /// Returns the error for a text that can't be converted to the requested type.
    #[cold]
    pub(super) fn other_text(&mut self, expected: &'static str) -> Error {
        let found = excerpt::name(self.here(expected).unwrap_or_default());
        Error::expected(expected, found).at(self.at())
    }

    /// Returns a text within JSON.
    #[inline(never)]
    pub(super) fn nested_text<'a>(&mut self) -> Result<Text<'a, '_>> {
        let mut spoken = core::mem::take(&mut self.spoken);
        spoken.clear();
        let told = self.inside(|nested| nested.scalar(|json| json.text().map(|text| spoken.push_str(&text))));
        self.spoken = spoken;
        told.map(|()| Borrowed::Scratch(&*self.spoken))
    }
}
