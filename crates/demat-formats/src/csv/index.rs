use super::careful;
use super::fault::Stop;
use super::row::{Row, Rules};
use crate::scan::csv_rows;

/// The number of bytes in one sweep. Their marks stay in the first-level cache until they are used.
const CHUNK: usize = 16 * 1024;

/// The mark before the first cell of a chunk: the byte after it is byte 0.
const BEFORE: u32 = u32::MAX;

/// The index of the rows in a window.
///
/// It sweeps the window one chunk ahead for the ends of cells and rows; then finding a row is a look-up. Rows with
/// unusual quotes or longer than a chunk are split exactly, one by one.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// `BEFORE`, and then the ends of the cells: those of the chunk, or of one row that was split exactly.
    marks: Vec<u32>,
    /// The indexes of the marks that end the chunk's rows.
    rows: Vec<u32>,
    /// The start of the chunk, which marks are relative to: the start of a row.
    from: usize,
    /// Whether a chunk was swept.
    swept: bool,
    /// The index in `rows` of the next row.
    next: usize,
    /// The index of the mark before the first cell of the next row: the mark just before `at`.
    before: usize,
    /// The start of the next row.
    at: usize,
}

/// What follows the rows of a chunk.
enum Ahead {
    /// Another chunk.
    Chunk,
    /// A row that was split exactly.
    Row(Row),
    /// Nothing.
    End,
}

impl Index {
    /// Begins a window, or another part of it.
    pub(super) fn begin(&mut self, at: usize) {
        self.marks.clear();
        self.rows.clear();
        (self.from, self.swept, self.next, self.before, self.at) = (at, false, 0, 0, at);
    }

    /// The start of the chunk, which marks are relative to.
    pub(super) fn from(&self) -> usize {
        self.from
    }

    /// The start of the next row.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Moves to the row that starts at `at`.
    pub(super) fn seek(&mut self, at: usize) {
        if at == self.at {
            return;
        }
        let place = |row: &u32| self.marks.get(*row as usize).map_or(at, |mark| self.from + *mark as usize);
        let passed = if self.swept { self.rows.partition_point(|row| place(row) < at) } else { 0 };
        // The mark before the row ends the row before it. If that row ends with `\r\n`, the newline has the next mark.
        let ending = passed.checked_sub(1).map_or(0, |last| self.rows[last] as usize);
        for before in [ending, ending + 1] {
            if self.swept && self.start_after(before) == Some(at) {
                (self.next, self.before, self.at) = (passed, before, at);
                return;
            }
        }
        self.begin(at);
    }

    /// Returns the position after a mark.
    fn start_after(&self, mark: usize) -> Option<usize> {
        self.marks.get(mark).map(|mark| self.from + mark.wrapping_add(1) as usize)
    }

    /// The end of the whole rows that were swept.
    pub(super) fn swept(&self) -> usize {
        let last = self.rows.last().and_then(|last| self.marks.get(*last as usize));
        last.map_or(self.from, |mark| self.from + *mark as usize)
    }

    /// Returns the next row; `None` at the end of the place.
    ///
    /// # Errors
    /// If the end of the row is not in the window, or the row has no end.
    #[inline(never)]
    pub(super) fn row(&mut self, bytes: &[u8], rules: Rules) -> Result<Option<Row>, Stop> {
        loop {
            if let Some(row) = self.row_of_chunk(bytes, rules)? {
                return Ok(Some(row));
            }
            match self.go_on(bytes, rules)? {
                Ahead::Chunk => {}
                Ahead::Row(row) => return Ok(Some(row)),
                Ahead::End => return Ok(None),
            }
        }
    }

    /// Steps to the next row if it is a plain one, and returns whether it did. A row is plain if all of it is in the
    /// chunk, it is not blank, and it ends with a newline, or with a return and a newline. Nearly all rows are plain;
    /// call [`row`](Self::row) for the others.
    ///
    /// `row` is an out parameter. As a return value it would go through memory, and would be read back in pieces of
    /// other sizes than written, which stalls store forwarding.
    #[inline(always)]
    pub(super) fn plain_row(&mut self, bytes: &[u8], row: &mut Row) -> bool {
        let Some(ending) = self.rows.get(self.next) else { return false };
        let ending = *ending as usize;
        let Some(mark) = self.marks.get(ending) else { return false };
        let (start, end) = (self.at, self.from + *mark as usize);
        let breaks = match bytes.get(end..) {
            Some([b'\n', ..]) => 1,
            Some([b'\r', b'\n', ..]) => 2,
            _ => return false,
        };
        if start == end {
            return false;
        }
        *row =
            Row { start, end, cells: ending - self.before, origin: self.from, first: self.before as u32, fault: None };
        (self.at, self.before) = (end + breaks, ending + breaks - 1);
        self.next += 1;
        true
    }

    /// Returns the next row, if all of it is in the chunk.
    #[inline]
    fn row_of_chunk(&mut self, bytes: &[u8], rules: Rules) -> Result<Option<Row>, Stop> {
        while let Some(ending) = self.rows.get(self.next) {
            let mut ending = *ending as usize;
            let Some(mark) = self.marks.get(ending) else { break };
            let end = self.from + *mark as usize;
            let (start, first) = (self.at, self.before);
            let cells = ending - first;
            let mut after = end + 1;
            if bytes.get(end) == Some(&b'\r') {
                match bytes.get(after) {
                    Some(b'\n') => (after, ending) = (after + 1, ending + 1),
                    None if !rules.last => return Err(Stop::Incomplete), // possibly the first half of `\r\n`
                    _ => {}
                }
            }
            (self.at, self.before) = (after, ending);
            self.next += 1;
            if end == start && !rules.blank_rows {
                continue;
            }
            return Ok(Some(Row { start, end, cells, origin: self.from, first: first as u32, fault: None }));
        }
        Ok(None)
    }

    /// Continues after the last row of the chunk.
    #[cold]
    #[inline(never)]
    fn go_on(&mut self, bytes: &[u8], rules: Rules) -> Result<Ahead, Stop> {
        // The exact way does not skip empty lines, and the sweep may have stopped before these.
        while !rules.blank_rows
            && let Some(b'\n' | b'\r') = bytes.get(self.at)
        {
            self.at += 1;
        }
        if self.at >= bytes.len() {
            return if rules.last { Ok(Ahead::End) } else { Err(Stop::Incomplete) };
        }
        // The chunk begins with this row but does not hold its end. The row is long, or has unusual quotes, or is the
        // window's last.
        if self.swept && self.from == self.at {
            return self.row_with_care(bytes, rules).map(Ahead::Row);
        }
        self.begin(self.at);
        self.swept = true;
        self.marks.push(BEFORE);
        let quote = (rules.quote != rules.delimiter).then_some(rules.quote);
        let to = self.at.saturating_add(CHUNK);
        csv_rows(bytes, self.at, to, rules.delimiter, quote, &mut self.marks, &mut self.rows);
        Ok(Ahead::Chunk)
    }

    /// Splits the next row exactly. It must not be blank.
    #[inline(never)]
    fn row_with_care(&mut self, bytes: &[u8], rules: Rules) -> Result<Row, Stop> {
        let start = self.at;
        self.begin(start);
        self.marks.push(BEFORE);
        let found = careful::cut(bytes, start, rules, &mut self.marks)?;
        self.at = found.next;
        let cells = self.marks.len() - 1;
        Ok(Row { start, end: found.end, cells, origin: start, first: 0, fault: found.fault })
    }

    /// Returns start and end of a cell of the last row, quotes included.
    #[inline]
    pub(super) fn cell(&self, row: &Row, column: usize) -> (usize, usize) {
        let (start, end) = self.place(row, column as u32);
        (row.origin + start as usize, row.origin + end as usize)
    }

    /// As [`cell`](Self::cell), but relative to the row's origin. 32-bit offsets need no overflow checks in the
    /// callers.
    #[inline(always)]
    pub(super) fn place(&self, row: &Row, column: u32) -> (u32, u32) {
        let first = row.first as usize + column as usize;
        if let Some([before, end]) = self.marks.get(first..first + 2) {
            return (before.wrapping_add(1), *end);
        }
        let end = (row.end - row.origin) as u32;
        (end, end)
    }
}
