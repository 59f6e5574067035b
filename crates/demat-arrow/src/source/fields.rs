//! Reads columns as the fields of a record.

use super::column::Values;
use super::column_map::{ColumnMap, ColumnTarget};
use super::{ArrowSource, Frame, Stands, no_value};
use arrow_array::RecordBatch;
use demat_core::{Kind, Record, Result, Source, Unknown};

impl<I: Iterator<Item = Result<RecordBatch>>> ArrowSource<I> {
    /// Steps to the next column that is a field of the record.
    pub(super) fn next_field(&mut self, record: &Record) -> Result<Option<usize>> {
        let Some(Frame::Record { column, row, mut at, mut rest }) = self.frames.last().copied() else {
            return self.next_entry_as_field(record);
        };
        let map = match self.column_maps.iter().position(|map| map.are_of(record, column)) {
            Some(found) => found,
            None => self.make_column_map(record, column),
        };
        let found = loop {
            if rest.0 > 0 && rest.0 < rest.1 {
                rest.0 += 1;
                break self.kept(record, Stands::Key);
            }
            rest = (0, 0);
            match self.column_maps[map].targets.get(at) {
                None => break None,
                Some(ColumnTarget::Pass) => at += 1,
                Some(ColumnTarget::Field(field)) => {
                    at += 1;
                    break Some((*field, Stands::Value));
                }
                Some(ColumnTarget::Kept) => {
                    at += 1;
                    break self.kept(record, Stands::Key);
                }
                Some(ColumnTarget::Forbidden) => {
                    let Values::Struct { names, .. } = &self.columns[column].values else { return Err(no_value()) };
                    let refusal = record.unknown_key(&names[at]).map(drop).err();
                    return Err(refusal.unwrap_or_else(no_value).at(self.position_here()));
                }
                Some(ColumnTarget::Rest) => {
                    let Values::Struct { children, .. } = &self.columns[column].values else { return Err(no_value()) };
                    let map = &self.columns[children[at]];
                    at += 1;
                    if let Values::Map { offsets, .. } = &map.values
                        && map.nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row))
                        && offsets[row] < offsets[row + 1]
                    {
                        // One-based, so that 0 means none.
                        rest = (offsets[row] as usize + 1, offsets[row + 1] as usize);
                        break self.kept(record, Stands::Key);
                    }
                }
            }
        };
        match found {
            None => {
                self.frames.pop();
                self.stands = Stands::Between;
                Ok(None)
            }
            Some((field, stands)) => {
                if let Some(frame) = self.frames.last_mut() {
                    *frame = Frame::Record { column, row, at, rest };
                }
                self.stands = stands;
                Ok(Some(field))
            }
        }
    }

    #[allow(clippy::unused_self)] // it reads as a step of the source
    pub(super) fn kept(&self, record: &Record, stands: Stands) -> Option<(usize, Stands)> {
        match record.unknown() {
            Unknown::Keep(rest) => Some((rest, stands)),
            _ => None,
        }
    }

    #[cold]
    pub(super) fn make_column_map(&mut self, record: &Record, column: usize) -> usize {
        let Values::Struct { names, children } = &self.columns[column].values else { return 0 };
        let is_map = |at: usize| match &self.columns[children[at]].values {
            Values::Map { key, .. } => self.columns[*key].kind == Kind::Text,
            _ => false,
        };
        let map = ColumnMap::new(record, column, names, is_map);
        self.column_maps.push(map);
        self.column_maps.len() - 1
    }

    /// Reads the next entry of a map as a field of a record.
    pub(super) fn next_entry_as_field(&mut self, record: &Record) -> Result<Option<usize>> {
        loop {
            if !Source::entry(self)? {
                return Ok(None);
            }
            let mark = self.mark();
            let key = self.text()?.to_string();
            if let Some(index) = record.index_of(&key) {
                Source::value(self)?;
                return Ok(Some(index));
            }
            match record.unknown_key(&key) {
                Ok(None) => {
                    Source::value(self)?;
                    self.skip()?;
                }
                Ok(Some(rest)) => {
                    self.reset(mark);
                    return Ok(Some(rest));
                }
                Err(error) => return Err(error.at(self.position_here())),
            }
        }
    }
}
