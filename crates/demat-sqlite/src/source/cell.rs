//! The value of a column, as what is asked for.

use super::{RowSource, Stands};
use crate::rows::{Class, Rows};
use demat_core::scalar::{Decimal, Int};
use demat_core::{Borrowed, Error, Kind, Result, Source, Text};

impl<R: Rows> RowSource<R> {
    /// What SQLite has it as.
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

    /// A float, or a whole number that is one.
    pub(super) fn cell_float(&self) -> Option<f64> {
        if self.stands != Stands::AtValue {
            return None;
        }
        match self.class() {
            Class::Real => Some(self.rows.real(self.column)),
            // Correctly rounded, as from any other digits.
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
            // The shortest digits that say this float: what was put in, if it had no more than fifteen.
            Class::Real => Decimal::parse(&format!("{:?}", self.rows.real(self.column))).map(Decimal::into_owned),
            Class::Text => Decimal::parse(self.here("decimal").ok()?).map(Decimal::into_owned),
            _ => None,
        }
    }

    /// The error for a text that does not say what was asked for.
    #[cold]
    pub(super) fn other_text(&mut self, expected: &'static str) -> Error {
        let text: String = self.here(expected).map(|text| text.chars().take(40).collect()).unwrap_or_default();
        Error::expected(expected, format!("`{text}`")).at(self.at())
    }

    /// A text within JSON.
    #[inline(never)]
    pub(super) fn nested_text<'a>(&mut self) -> Result<Text<'a, '_>> {
        let mut spoken = core::mem::take(&mut self.spoken);
        spoken.clear();
        let told = self.inside(|nested| nested.scalar(|json| json.text().map(|text| spoken.push_str(&text))));
        self.spoken = spoken;
        told.map(|()| Borrowed::Scratch(&*self.spoken))
    }
}
