//! Rows that wait to be sent.

use std::sync::Arc;

/// Rows of one list of columns.
#[derive(Debug)]
struct Segment {
    columns: Arc<[usize]>,
    /// Where its rows begin.
    start: usize,
    /// The number of rows before.
    before: u64,
}

/// Rows in the binary format, with the columns that they have.
#[derive(Debug, Default)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    segments: Vec<Segment>,
    rows: u64,
    /// The numbers of bytes, segments and rows at the last commit.
    committed: (usize, usize, u64),
}

impl Pending {
    /// Returns the buffer to append a row with these columns to.
    #[inline]
    pub(super) fn row(&mut self, columns: &Arc<[usize]>) -> &mut Vec<u8> {
        if self.segments.last().is_none_or(|last| !Arc::ptr_eq(&last.columns, columns) && last.columns != *columns) {
            self.segments.push(Segment { columns: Arc::clone(columns), start: self.bytes.len(), before: self.rows });
        }
        self.rows += 1;
        &mut self.bytes
    }

    #[inline]
    pub(super) fn commit(&mut self) {
        self.committed = (self.bytes.len(), self.segments.len(), self.rows);
    }

    /// Removes the rows after the last commit.
    pub(super) fn rollback(&mut self) {
        let (bytes, segments, rows) = self.committed;
        self.bytes.truncate(bytes);
        self.segments.truncate(segments);
        self.rows = rows;
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether all rows are committed.
    pub(super) fn is_final(&self) -> bool {
        self.committed.2 == self.rows
    }

    /// Passes all rows on, list of columns by list of columns.
    pub(super) fn drain<E>(
        &mut self,
        mut send: impl FnMut(&Arc<[usize]>, &[u8], u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let sent = self.segments.iter().enumerate().try_for_each(|(at, segment)| {
            let next =
                self.segments.get(at + 1).map_or((self.bytes.len(), self.rows), |next| (next.start, next.before));
            send(&segment.columns, &self.bytes[segment.start..next.0], next.1 - segment.before)
        });
        *self = Self { bytes: core::mem::take(&mut self.bytes), ..Self::default() };
        self.bytes.clear();
        sent
    }
}
