//! The columns of a written table.

use super::identity::Identity;
use demat_core::{Error, ErrorKind, Record, Result, Unknown};
use std::collections::HashMap;

/// The columns of a written table: the fields of a record, or the keys of the first map.
#[derive(Debug, Default)]
pub(super) struct WrittenColumns {
    names: Vec<Box<str>>,
    /// Which columns may be null, according to the records written so far.
    nulls: Vec<bool>,
    /// The column of each name.
    by_name: HashMap<Box<str>, usize>,
    /// The records seen so far, and the columns of their fields.
    records: Vec<(Identity, Vec<usize>)>,
    /// The index of the last record.
    current: usize,
}

/// Marks a field without a column.
const NONE: usize = usize::MAX;
/// The capacity of `records`. Only a caller with a new record for each row exceeds it.
const MOST_RECORDS: usize = 16;

impl WrittenColumns {
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn names(&self) -> &[Box<str>] {
        &self.names
    }

    pub(super) fn name(&self, column: usize) -> &str {
        self.names.get(column).map_or("", |name| name)
    }

    /// Keeps the first `len` columns only.
    pub(super) fn truncate(&mut self, len: usize) {
        if len < self.names.len() {
            self.records.clear();
            self.nulls.truncate(len);
            for name in self.names.drain(len..) {
                self.by_name.remove(&name);
            }
        }
    }

    /// Adds the fields of a record as columns, except known columns and the field for unknown fields.
    pub(super) fn take_fields(&mut self, record: &Record) {
        for (index, field) in record.fields().iter().enumerate() {
            if record.unknown() == Unknown::Keep(index) {
                continue;
            }
            let column = match self.find(field.key(), index) {
                Some(column) => column,
                None => self.add(field.key()),
            };
            self.nulls.resize(self.nulls.len().max(column), true);
            let may = field.shape().allows_null();
            match self.nulls.get_mut(column) {
                Some(own) => *own |= may,
                None => self.nulls.push(may),
            }
        }
    }

    /// Returns whether a column may have nulls. False only if every record written so far declares it non-null.
    pub(super) fn may_be_null(&self, column: usize) -> bool {
        self.nulls.get(column).is_none_or(|may| *may)
    }

    /// Adds a column, and returns its number.
    pub(super) fn add(&mut self, name: &str) -> usize {
        let column = self.names.len();
        self.names.push(name.into());
        self.by_name.insert(name.into(), column);
        column
    }

    /// Returns the column of a name. `guess`: the likely column.
    #[inline]
    pub(super) fn find(&self, name: &str, guess: usize) -> Option<usize> {
        match self.names.get(guess) {
            Some(own) if **own == *name => Some(guess),
            _ => self.by_name.get(name).copied(),
        }
    }

    /// Returns the column of a field.
    ///
    /// # Errors
    /// If the field has no column: the columns come from another record, or from a map.
    #[inline]
    pub(super) fn column(&mut self, record: &Record, index: usize) -> Result<usize> {
        let known = match self.records.get(self.current) {
            Some((known, columns)) if *known == Identity::of(record) => columns.get(index).copied(),
            _ => self.other_column(record, index),
        };
        match known {
            Some(column) if column != NONE => Ok(column),
            _ => Err(self.unknown(record.fields().get(index).map_or("", |field| field.key()))),
        }
    }

    #[cold]
    #[inline(never)]
    fn other_column(&mut self, record: &Record, index: usize) -> Option<usize> {
        let identity = Identity::of(record);
        if let Some(known) = self.records.iter().position(|(known, _)| *known == identity) {
            self.current = known;
        } else {
            let fields = record.fields().iter().enumerate();
            let columns = fields.map(|(index, field)| self.find(field.key(), index).unwrap_or(NONE)).collect();
            if self.records.len() == MOST_RECORDS {
                self.records.clear();
            }
            self.current = self.records.len();
            self.records.push((identity, columns));
        }
        self.records.get(self.current)?.1.get(index).copied()
    }

    /// Returns the error for an unknown column.
    #[cold]
    pub(super) fn unknown(&self, name: &str) -> Error {
        let columns = super::fault::names(self.names.iter().map(|name| &**name));
        Error::mismatch(ErrorKind::Encode, format!("one of the columns {columns}"), format!("`{name}`"))
    }
}
