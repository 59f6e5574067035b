use super::careful;
use super::fault::Stop;
use super::row::{Row, Rules};
use crate::scan::csv_rows;

/// So many bytes are swept at a time: their marks stay in the first-level cache until they are used.
const CHUNK: usize = 16 * 1024;

/// Before the first cell of a chunk, where no mark stands: the byte after it is byte 0.
const BEFORE: u32 = u32::MAX;

/// Walks the rows of a window.
///
/// Ahead of the walk the window is swept, a chunk at a time, for the ends of cells and rows; what is left to do for a
/// row is to look up where it ends. A row whose quotes are odd, or one that is longer than a chunk, is cut with care.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// `BEFORE`, and the ends of the cells of the chunk; or of one row that was cut with care.
    marks: Vec<u32>,
    /// Which of the marks end the rows of the chunk.
    rows: Vec<u32>,
    /// Where the chunk begins, which its marks count from: the start of a row.
    from: usize,
    /// Whether there is a chunk.
    swept: bool,
    /// The first of `rows` that was not passed.
    next: usize,
    /// The mark before the first cell of that row: the one just before `at`.
    before: usize,
    /// Where the next row begins.
    at: usize,
}

/// What there is after the rows of a chunk.
enum Ahead {
    /// Another chunk.
    Chunk,
    /// A row that no chunk holds.
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

    /// Where the marks count from.
    pub(super) fn from(&self) -> usize {
        self.from
    }

    /// Where the next row begins.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes to the start of a row.
    pub(super) fn seek(&mut self, at: usize) {
        if at == self.at {
            return;
        }
        let place = |row: &u32| self.marks.get(*row as usize).map_or(at, |mark| self.from + *mark as usize);
        let passed = if self.swept { self.rows.partition_point(|row| place(row) < at) } else { 0 };
        // The mark before the row is what ends the one before; or, of a return and a newline, the newline.
        let ending = passed.checked_sub(1).map_or(0, |last| self.rows[last] as usize);
        for before in [ending, ending + 1] {
            if self.swept && self.start_after(before) == Some(at) {
                (self.next, self.before, self.at) = (passed, before, at);
                return;
            }
        }
        self.begin(at);
    }

    /// The byte after a mark.
    fn start_after(&self, mark: usize) -> Option<usize> {
        self.marks.get(mark).map(|mark| self.from + mark.wrapping_add(1) as usize)
    }

    /// The end of the bytes of whole rows that were swept.
    pub(super) fn swept(&self) -> usize {
        let last = self.rows.last().and_then(|last| self.marks.get(*last as usize));
        last.map_or(self.from, |mark| self.from + *mark as usize)
    }

    /// The next row; nothing where the place has ended.
    ///
    /// # Errors
    /// Where the row has no end in the window, or none at all.
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

    /// Steps to the next row and says whether it did: where all of it is in the chunk, it is not blank, and a newline
    /// ends it, perhaps after a return. That is what nearly all rows are; the others are for [`row`](Self::row).
    ///
    /// The row is written where it stays: a big answer would go through memory, in pieces of another size than it is
    /// read in, and the machine waits for each of these.
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

    /// The next row, if all of it is in the chunk.
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
                    None if !rules.last => return Err(Stop::Incomplete), // half of a pair, perhaps
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

    /// Goes on where the rows of the chunk have run out.
    #[cold]
    #[inline(never)]
    fn go_on(&mut self, bytes: &[u8], rules: Rules) -> Result<Ahead, Stop> {
        // The careful way knows of no empty lines, and a sweep may have ended before it saw those that are next.
        while !rules.blank_rows
            && let Some(b'\n' | b'\r') = bytes.get(self.at)
        {
            self.at += 1;
        }
        if self.at >= bytes.len() {
            return if rules.last { Ok(Ahead::End) } else { Err(Stop::Incomplete) };
        }
        // A chunk that begins with this row and does not end it: the row is a long one, an odd one, or the window's
        // last.
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

    /// The next row, which is not blank, cut with care.
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

    /// Where a cell of the row that was cut last begins and ends, quotes included.
    #[inline]
    pub(super) fn cell(&self, row: &Row, column: usize) -> (usize, usize) {
        let (start, end) = self.place(row, column as u32);
        (row.origin + start as usize, row.origin + end as usize)
    }

    /// The same, counted from the row's origin. What is known to be of four bytes needs no look at overflows.
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
