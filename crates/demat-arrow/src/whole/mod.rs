//! Reads a whole input on several threads.

mod chain;
mod part;

use crate::schema::row;
use crate::{Columns, Options};
use arrow_array::RecordBatch;
use demat_core::{Error, Result, Shape, Source};
use demat_formats::stream::{Bordered, Part};
use part::{Outcome, Partition};
use std::thread;

/// The minimum size in bytes of a part with its own thread.
const WORTH: usize = 256 * 1024;

/// Reads the records of a whole input on several threads. Returns batches in the order of the input.
///
/// The input is split where [a record seems to end](Bordered::border). Each thread reads its part. A guess is verified
/// when the previous thread arrives: it must be exactly at that position, between two records. Otherwise that thread
/// continues, and the records from the wrong position are discarded, as soon as that thread's own start is verified. So the rows, their order, and the first error with
/// its record number are the same as with one thread, whatever was guessed.
///
/// Each part gives one batch, or more if a text column reaches 2 GiB.
///
/// # Errors
/// As [`Columns::new`] and [`Columns::records`].
///
/// ```
/// use demat_arrow::{Options, columns_of};
/// use demat_formats::json::Json;
/// let json = br#"[{"id": 1, "title": "milk"}, {"id": 2, "title": "eggs"}]"#;
/// let batches = columns_of(json, &Json::default(), &"id:int64, title:text".parse()?, &Options::default(), 2)?;
/// assert_eq!(batches.iter().map(|batch| batch.num_rows()).sum::<usize>(), 2);
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn columns_of<F: Bordered>(
    bytes: &[u8],
    format: &F,
    shape: &Shape,
    options: &Options,
    threads: usize,
) -> Result<Vec<RecordBatch>> {
    of_parts(bytes, format, shape, options, threads.min(bytes.len() / WORTH).max(1))
}

/// As [`columns_of`], with a number of parts of any length.
pub(crate) fn of_parts<F: Bordered>(
    bytes: &[u8],
    format: &F,
    shape: &Shape,
    options: &Options,
    parts: usize,
) -> Result<Vec<RecordBatch>> {
    let mut columns = Columns::with_options(shape, options)?;
    let mut own = format.anew();
    let mut source = own.source(Part::whole(bytes));
    source.list()?;
    // Without a valid first record there is nothing to split.
    let first = columns.fill(&mut source, 1, usize::MAX).map_or(bytes.len(), |_| columns.mark().offset);
    columns.truncate(0);
    drop(source);
    drop(own);
    let record = row(shape)?;
    let guess = |part: usize| format.border(bytes, bytes.len() / parts * part, &record.get());
    let mut borders: Vec<usize> =
        (1..parts).filter_map(guess).filter(|at| (first + 1..bytes.len()).contains(at)).collect();
    borders.dedup();
    let partition = Partition::new(bytes, borders);
    let outcomes = thread::scope(|scope| {
        let partition = &partition;
        let others: Vec<_> = (1..partition.parts())
            .map(|part| {
                let format = format.anew();
                scope.spawn(move || partition.read(part, format, Columns::with_options(shape, options)))
            })
            .collect();
        let mut outcomes = vec![partition.read(0, format.anew(), Ok(columns))];
        outcomes.extend(
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))),
        );
        outcomes
    });
    joined(outcomes)
}

/// Joins the parts that begin where another one ended.
fn joined(outcomes: Vec<Outcome>) -> Result<Vec<RecordBatch>> {
    let (mut batches, mut rows, mut next) = (Vec::new(), 0, 0);
    for (part, outcome) in outcomes.into_iter().enumerate() {
        if part < next {
            continue;
        }
        let before = rows;
        rows += outcome.rows;
        match outcome.end {
            Ok(reached) => next = reached,
            Err(error) => return Err(in_row(error, before + outcome.rows)),
        }
        batches.extend(outcome.batches);
    }
    Ok(batches)
}

/// Adds the number of the record in the whole input: a thread only knows that in its part.
#[cold]
fn in_row(error: Error, row: usize) -> Error {
    error.within_item(row).in_record(row as u64 + 1)
}
