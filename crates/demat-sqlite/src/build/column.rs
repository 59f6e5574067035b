//! The columns of a table under construction.

use crate::format::affinity::Affinity;
use crate::format::table::{self, Table};
use demat_core::Result;
use rusqlite::types::Value;

/// How a column converts values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    /// It is the rowid.
    Rowid,
    /// Text that is a number becomes one.
    Number,
    /// As `Number`; all numbers are floats when read.
    Real,
    /// Numbers become text.
    Text,
    /// Only bytes are allowed.
    Blob,
    /// Values stay unchanged.
    AsIs,
}

/// A column.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) declared: String,
    pub(super) take: Take,
    /// Whether values that can't be converted to the type are refused (STRICT tables).
    pub(super) strict: bool,
    /// Whether floats that are not whole are refused.
    pub(super) refuses_real: bool,
    pub(super) not_null: bool,
    /// The column's index in the records.
    pub(super) slot: usize,
    /// `None` if it is not a constant.
    pub(super) default: Option<Value>,
}

/// Returns the columns of a table.
pub(super) fn columns(table: &Table) -> Result<Vec<Column>> {
    let kept = table.kept();
    let column = |(at, own): (usize, &table::Column)| {
        let strict = table.is_strict && !own.declared.eq_ignore_ascii_case("ANY");
        let take = match own.affinity {
            _ if table.rowid_column == Some(at) => Take::Rowid,
            Affinity::Blob if strict => Take::Blob,
            Affinity::Blob => Take::AsIs,
            Affinity::Text => Take::Text,
            Affinity::Numeric | Affinity::Integer => Take::Number,
            Affinity::Real => Take::Real,
        };
        Ok(Column {
            name: own.name.clone(),
            declared: own.declared.clone(),
            take,
            strict,
            refuses_real: strict && take == Take::Number,
            not_null: own.not_null,
            slot: kept.iter().position(|kept| *kept == at).unwrap_or(usize::MAX),
            default: table::default_of(own, table.is_strict)?,
        })
    };
    table.columns.iter().enumerate().map(column).collect()
}
