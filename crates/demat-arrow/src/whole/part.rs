use super::chain::Chain;
use crate::Columns;
use arrow_array::RecordBatch;
use demat_core::{Error, ErrorKind, Result, Source, interrupt};
use demat_formats::stream::{Bordered, Part};

/// An input cut into parts, each read by a thread of its own.
pub(super) struct Partition<'b> {
    bytes: &'b [u8],
    /// The guessed starts of all parts but the first.
    borders: Vec<usize>,
    chain: Chain,
}

/// The result of reading a part.
pub(super) struct Outcome {
    pub(super) batches: Vec<RecordBatch>,
    pub(super) rows: usize,
    /// The part that begins where this one ends; the number of parts at the end of the input.
    pub(super) end: Result<usize>,
}

/// The number of rows between two checks whether the part is discarded.
const CHUNK: usize = 4096;
/// The number of rows from which to estimate the size of all.
const SAMPLE: usize = 512;

impl<'b> Partition<'b> {
    pub(super) fn new(bytes: &'b [u8], borders: Vec<usize>) -> Self {
        let chain = Chain::new(borders.len() + 1);
        Self { bytes, borders, chain }
    }

    pub(super) fn parts(&self) -> usize {
        self.borders.len() + 1
    }

    /// Reads a part, and further parts until one begins exactly at the end of the last.
    pub(super) fn read<F: Bordered>(&self, part: usize, format: F, columns: Result<Columns>) -> Outcome {
        let mut outcome = Outcome { batches: Vec::new(), rows: 0, end: Ok(self.parts()) };
        outcome.end = columns.and_then(|columns| self.read_into(&mut outcome, part, format, columns));
        match outcome.end {
            Ok(next) => self.chain.ends(part, next),
            // A part that was dropped says nothing of others.
            Err(_) if self.chain.is_dropped(part) => {}
            Err(_) => self.chain.is_last(part),
        }
        outcome
    }

    fn read_into<F: Bordered>(
        &self,
        outcome: &mut Outcome,
        part: usize,
        mut format: F,
        mut columns: Columns,
    ) -> Result<usize> {
        let mut source = format.source(Part::whole(self.bytes));
        source.list()?;
        let begin = part.checked_sub(1).map_or(0, |before| self.borders[before]);
        if part > 0 {
            // The first record sets up the state that a source has between two records.
            columns.fill(&mut source, 1, usize::MAX)?;
            let mut mark = columns.mark();
            columns.truncate(0);
            mark.offset = begin;
            source.reset(mark);
        }
        let mut next = part + 1;
        let mut reserved = false;
        let mut habit = if F::MESSAGES { columns.habit() } else { None };
        loop {
            interrupt::check()?;
            let stop = self.borders.get(next - 1).copied().unwrap_or(usize::MAX);
            let most = if reserved { CHUNK } else { SAMPLE };
            let before = columns.rows();
            let filled = match &mut habit {
                Some(habit) => columns.fill_by_habit(habit, self.bytes, &mut source, most, stop),
                None => columns.fill(&mut source, most, stop),
            };
            outcome.rows += columns.rows() - before;
            let rows = filled?;
            if columns.has_ended() {
                source.end()?;
                self.give(outcome, &mut columns, part == 0)?;
                return Ok(self.parts());
            }
            let at = columns.mark().offset;
            if at == stop {
                self.give(outcome, &mut columns, part == 0)?;
                return Ok(next);
            }
            if at > stop {
                next += 1;
                self.chain.passes(part, next);
                continue;
            }
            if self.chain.is_dropped(part) {
                return Err(Error::new(ErrorKind::Syntax, "this part begins where no record does"));
            }
            if rows < most {
                // A column is full.
                self.give(outcome, &mut columns, false)?;
                reserved = false;
            } else if !reserved {
                reserve(&mut columns, at - begin, stop.min(self.bytes.len()) - begin);
                reserved = true;
            }
        }
    }

    #[allow(clippy::unused_self)] // it reads as a step of `read_into`
    fn give(&self, outcome: &mut Outcome, columns: &mut Columns, always: bool) -> Result<()> {
        if columns.rows() > 0 || (always && outcome.batches.is_empty()) {
            outcome.batches.push(columns.finish()?);
        }
        Ok(())
    }
}

/// Reserves rows for `all` bytes; the rows so far took `these`. Adds some room, as later numbers tend to be longer.
fn reserve(columns: &mut Columns, these: usize, all: usize) {
    let rows = columns.rows() as u128 * all as u128 / these.max(1) as u128;
    columns.reserve(usize::try_from(rows + rows / 16 + 64).unwrap_or(0));
}
