//! Which field each column is.

use demat_core::{Record, Unknown};

/// What becomes of a column when a record is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// It is this field.
    Field(usize),
    /// Nobody wants it.
    Pass,
    /// The record allows no such field.
    Forbidden,
    /// The record keeps it under its name.
    Kept,
    /// It holds what such a record kept.
    Rest,
}

/// The ways of the columns of one struct, for one record.
#[derive(Debug)]
pub(super) struct Ways {
    record: u64,
    column: usize,
    pub(super) columns: Vec<Way>,
}

impl Ways {
    pub(super) fn new(record: &Record, column: usize, names: &[String], is_map: impl Fn(usize) -> bool) -> Self {
        let ways = names.iter().enumerate().map(|(at, name)| match (record.index_of(name), record.unknown()) {
            (Some(field), _) => Way::Field(field),
            (None, Unknown::Ignore) => Way::Pass,
            (None, Unknown::Forbid) => Way::Forbidden,
            (None, Unknown::Keep(rest)) if record.fields()[rest].key() == name && is_map(at) => Way::Rest,
            (None, Unknown::Keep(_)) => Way::Kept,
        });
        Self { record: record.identity(), column, columns: ways.collect() }
    }

    #[inline]
    pub(super) fn are_of(&self, record: &Record, column: usize) -> bool {
        self.record == record.identity() && self.column == column
    }
}
