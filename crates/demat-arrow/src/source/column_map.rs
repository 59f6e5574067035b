//! Maps columns to the fields of a record.

use demat_core::{Record, Unknown};

/// The target of a column in the record that is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnTarget {
    /// The field with this index.
    Field(usize),
    /// Ignored: the record has no such field.
    Pass,
    /// Refused: the record forbids unknown fields.
    Forbidden,
    /// Kept as an unknown field, under the name of the column.
    Kept,
    /// A map of unknown fields that an earlier copy kept.
    Rest,
}

/// Maps the columns of one struct to the fields of one record.
#[derive(Debug)]
pub(super) struct ColumnMap {
    record: u64,
    column: usize,
    pub(super) targets: Vec<ColumnTarget>,
}

impl ColumnMap {
    pub(super) fn new(record: &Record, column: usize, names: &[String], is_map: impl Fn(usize) -> bool) -> Self {
        let targets = names.iter().enumerate().map(|(at, name)| match (record.index_of(name), record.unknown()) {
            (Some(field), _) => ColumnTarget::Field(field),
            (None, Unknown::Ignore) => ColumnTarget::Pass,
            (None, Unknown::Forbid) => ColumnTarget::Forbidden,
            (None, Unknown::Keep(rest)) if record.fields()[rest].key() == name && is_map(at) => ColumnTarget::Rest,
            (None, Unknown::Keep(_)) => ColumnTarget::Kept,
        });
        Self { record: record.identity(), column, targets: targets.collect() }
    }

    #[inline]
    pub(super) fn are_of(&self, record: &Record, column: usize) -> bool {
        self.record == record.identity() && self.column == column
    }
}
