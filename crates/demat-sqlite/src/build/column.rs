//! A column as the builder needs it.

use crate::format::affinity::Affinity;
use crate::format::table::{self, Table};
use demat_core::Result;
use rusqlite::types::Value;

/// What a column makes of what it is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Take {
    /// It is the rowid.
    Rowid,
    /// Numbers, and text that is no number.
    Number,
    /// The same, but read as floats.
    Real,
    /// Text, also of numbers.
    Text,
    /// Bytes and nothing else.
    Blob,
    /// All as it is.
    AsIs,
}

/// A column.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) name: String,
    pub(super) declared: String,
    pub(super) take: Take,
    /// Whether what can't be made to fit the type is refused.
    pub(super) strict: bool,
    /// Of these, integers only.
    pub(super) refuses_real: bool,
    pub(super) not_null: bool,
    /// Where it stands in the records.
    pub(super) slot: usize,
    /// Nothing where it is not always the same.
    pub(super) default: Option<Value>,
}

/// The columns of a table.
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
