//! Marks in rows, arrays and JSON.

use super::nested::Nested;
use super::{RowSource, Stands};
use crate::column_type::{ColumnType, TypeClass};
use crate::rows::Rows;
use crate::value::array::{ArrayCursor, Item};
use demat_core::Mark;

/// The positions in the list, by their numbers in a mark.
const STANDS: [Stands; 7] =
    [Stands::Before, Stands::Between, Stands::AtRow, Stands::InRow, Stands::AtKey, Stands::AtValue, Stands::Behind];

/// The bits of the last part of a mark's state: above the position in the list.
const AGAIN: u32 = 1 << 3;
const IN_ARRAY: u32 = 1 << 4;
const FRESH: u32 = 1 << 5;
const AT_ITEM: u32 = 1 << 6;
const IN_JSON: u32 = 1 << 7;
/// Where the number of open lists of an array begins.
const DEPTH: u32 = 8;

impl<R: Rows> RowSource<R> {
    /// Returns a mark. Its offset is the row's number, or one in the JSON of the row.
    pub(super) fn marked(&self) -> Mark {
        let mut flags = STANDS.iter().position(|own| *own == self.stands).unwrap_or_default() as u32;
        if self.again {
            flags |= AGAIN;
        }
        let mut index = 0;
        if let Some(array) = &self.array {
            flags |= IN_ARRAY | (array.depth as u32) << DEPTH;
            flags |= if array.fresh { FRESH } else { 0 };
            flags |= if array.item == Item::None { 0 } else { AT_ITEM };
            index = array.index as u32;
        }
        let (offset, json) = match &self.nested {
            Some(nested) => {
                flags |= IN_JSON;
                nested.place()
            }
            None => (self.row as usize, 0),
        };
        Mark { offset, state: [self.column as u32, index, json, flags] }
    }

    /// Goes to a mark: in the same row, or before it.
    pub(super) fn go_to(&mut self, mark: Mark) {
        let [column, index, json, flags] = mark.state;
        let read = self.array.as_ref().map(|array| array.index);
        let wanted = (flags & IN_ARRAY != 0).then_some(index as usize);
        // The text of the same cell is kept: each of a union's variants is tried on it.
        if let Some(nested) = &mut self.nested
            && flags & IN_JSON != 0
            && (self.column, read) == (column as usize, wanted)
        {
            self.stands = STANDS[(flags & 7) as usize % STANDS.len()];
            self.again = flags & AGAIN != 0;
            Nested::go_to(nested, (mark.offset, json));
            return;
        }
        self.column = column as usize;
        self.stands = STANDS[(flags & 7) as usize % STANDS.len()];
        let in_json = flags & IN_JSON != 0;
        self.again = flags & AGAIN != 0 || !in_json && mark.offset as u64 != self.row;
        if let Some(nested) = self.nested.take() {
            self.spare = nested.into_text();
        }
        self.array = None;
        if flags & IN_ARRAY != 0 {
            self.array = self.array_at(index as usize, flags);
        }
        // The value was opened before.
        if in_json
            && self.open().is_ok()
            && let Some(nested) = &mut self.nested
        {
            Nested::go_to(nested, (mark.offset, json));
        }
    }

    /// Returns the position in the array of the column, which was read this far before.
    fn array_at(&self, index: usize, flags: u32) -> Option<ArrayCursor> {
        let ColumnType { class: TypeClass::Array(item), .. } = &self.rows.columns().get(self.column)?.own else {
            return None;
        };
        let bytes = self.rows.cell(self.column)?;
        let mut array = ArrayCursor::new(bytes, item)?;
        let depth = (flags >> DEPTH) as usize;
        array.seek(bytes, index, depth, flags & FRESH != 0, flags & AT_ITEM != 0)?;
        Some(array)
    }
}
