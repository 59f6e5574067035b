use super::careful;
use super::fault::Stop;
use super::row::{Row, Rules};
use crate::scan::csv_index;

/// So many bytes are indexed at a time: their marks stay in the first-level cache until they are used.
const CHUNK: usize = 32 * 1024;

/// Before the first cell of a chunk, where no mark stands: the byte after it is byte 0.
const BEFORE: u32 = u32::MAX;

/// Walks the rows of a window.
///
/// Ahead of the walk the window is swept, a chunk at a time, for the bytes that mean something. Where a row has no
/// quotes, which is nearly everywhere, these marks *are* the ends of its cells, and nothing is left to do but to see
/// that they are; a row with quotes, or one that is longer than a chunk, is cut with care.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// `BEFORE`, the marks of the chunk; then, of the last row that was cut with care, `BEFORE` and its marks.
    marks: Vec<u32>,
    /// How many of these are the chunk's.
    chunk: usize,
    /// Where the chunk begins, which its marks count from: the start of a row.
    from: usize,
    /// The first mark of the chunk that was not passed: if there is one, the mark before it is just before `at`.
    next: usize,
    /// Where the next row begins.
    at: usize,
}

/// What is there after the marks of a chunk.
enum Ahead {
    /// Another chunk.
    Chunk,
    /// A row that no chunk holds.
    Row(Row),
    /// Nothing.
    End,
}

impl Index {
    /// Begins a window.
    pub(super) fn begin(&mut self, at: usize) {
        self.marks.clear();
        (self.chunk, self.from, self.next, self.at) = (0, 0, 0, at);
    }

    /// Where the next row begins.
    #[inline]
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Goes to the start of a row.
    pub(super) fn seek(&mut self, at: usize) {
        let Some(marks) = self.marks.get(1..self.chunk) else { return self.begin(at) };
        let passed = marks.partition_point(|mark| self.from + (*mark as usize) < at);
        self.next = passed + 1;
        self.at = at;
        if self.from.wrapping_add(self.marks[passed].wrapping_add(1) as usize) != at {
            self.begin(at);
        }
    }

    /// The end of the bytes that are swept and end with a mark.
    pub(super) fn swept(&self) -> usize {
        match self.marks.get(1..self.chunk) {
            Some([.., last]) => self.from + *last as usize,
            _ => self.from,
        }
    }

    /// The next row; nothing where the place has ended.
    ///
    /// # Errors
    /// Where the row has no end in the window, or none at all.
    #[inline]
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

    /// The next row, if all of it is in the chunk.
    #[inline]
    fn row_of_chunk(&mut self, bytes: &[u8], rules: Rules) -> Result<Option<Row>, Stop> {
        let mut next = self.next;
        let marks = self.marks.get(..self.chunk).unwrap_or_default();
        while let Some(mark) = marks.get(next) {
            let stop = self.from + *mark as usize;
            let Some(byte) = bytes.get(stop) else { break };
            next += 1;
            if *byte == rules.delimiter {
                continue;
            }
            if *byte == rules.quote {
                return self.row_with_care(bytes, rules).map(Some);
            }
            let mut after = stop + 1;
            let cells = next - self.next;
            if *byte == b'\r' {
                match bytes.get(after) {
                    Some(b'\n') => (after, next) = (after + 1, next + 1),
                    None if !rules.last => return Err(Stop::Incomplete), // half of a pair, perhaps
                    _ => {}
                }
            }
            let (start, first) = (self.at, self.next - 1);
            (self.at, self.next) = (after, next);
            if stop == start && !rules.blank_rows {
                continue;
            }
            return Ok(Some(Row { start, end: stop, cells, origin: self.from, first, fault: None }));
        }
        Ok(None)
    }

    /// Goes on where the marks have run out.
    #[cold]
    #[inline(never)]
    fn go_on(&mut self, bytes: &[u8], rules: Rules) -> Result<Ahead, Stop> {
        if self.at >= bytes.len() {
            return if rules.last { Ok(Ahead::End) } else { Err(Stop::Incomplete) };
        }
        // A chunk that begins with this row and does not end it: the row is a long one, or the window's last.
        if self.chunk > 0 && self.from == self.at {
            return self.row_with_care(bytes, rules).map(Ahead::Row);
        }
        let at = self.at;
        self.begin(at);
        self.marks.push(BEFORE);
        csv_index(bytes, at, at.saturating_add(CHUNK), rules.delimiter, rules.quote, &mut self.marks);
        (self.chunk, self.from, self.next) = (self.marks.len(), at, 1);
        Ok(Ahead::Chunk)
    }

    /// The next row, which is not blank, cut with care.
    #[inline(never)]
    fn row_with_care(&mut self, bytes: &[u8], rules: Rules) -> Result<Row, Stop> {
        self.marks.truncate(self.chunk);
        let first = self.marks.len();
        self.marks.push(BEFORE);
        let start = self.at;
        let end = careful::cut(bytes, start, rules, &mut self.marks)?;
        self.at = end.next;
        while let Some(mark) = self.marks.get(self.next)
            && self.next < self.chunk
            && self.from + (*mark as usize) < end.next
        {
            self.next += 1;
        }
        let cells = self.marks.len() - first - 1;
        Ok(Row { start, end: end.end, cells, origin: start, first, fault: end.fault })
    }

    /// Where a cell of the row that was cut last begins and ends, quotes included.
    #[inline]
    pub(super) fn cell(&self, row: &Row, column: usize) -> (usize, usize) {
        let first = row.first + column;
        match self.marks.get(first..first + 2) {
            Some([before, end]) => (row.origin + before.wrapping_add(1) as usize, row.origin + *end as usize),
            _ => (row.end, row.end),
        }
    }
}
