//! Fills columns from the cells of rows, without a call of a sink per cell.

mod kind;
#[cfg(test)]
mod tests;
mod vector;

pub use vector::{Values, Vector};

use crate::rows::Rows;
use crate::source::{RowSource, RowsTaken, Take};
use demat_core::{Record, Result, Shape, Unknown, interrupt};
use kind::CellKind;

/// Some rows by column.
#[derive(Debug, Clone, PartialEq)]
pub struct Vectors {
    /// The number of rows.
    pub rows: usize,
    /// The columns, in the order of the record's fields.
    pub columns: Vec<Vector>,
}

/// What [`ColumnFiller::fill`] has read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Filled {
    /// The number of rows.
    pub rows: u64,
    /// Whether these are all rows. If not, the source reads the others, as a list of its own: the first has an error, to
    /// which [`behind_items`](demat_core::Error::behind_items) adds the rows before.
    pub whole: bool,
}

/// Fills a column for each field of a record.
#[derive(Debug)]
pub struct ColumnFiller {
    parts: Box<[Part]>,
    rows: usize,
    bytes: usize,
}

#[derive(Debug, Clone, Copy)]
struct Part {
    /// The index of the column among those of the rows.
    column: usize,
    kind: CellKind,
    /// Whether NULL is a value of the field.
    nullable: bool,
}

/// The rows between two looks for an interruption.
const SOME: usize = 1_024;

impl ColumnFiller {
    /// Returns the filler for rows that are a list of records. `None` if a field is no column, or has another type than
    /// its column: only a source converts values, fills in defaults and reads JSON and arrays.
    ///
    /// `rows`, `bytes`: the number of rows, and the approximate size, at which a batch ends.
    pub fn of<R: Rows>(source: &mut RowSource<R>, list: &Shape, rows: usize, bytes: usize) -> Option<Self> {
        let Shape::List(row) = list.inner() else { return None };
        let record = row.row()?;
        let parts = parts(&record.get(), source.rows())?;
        Some(Self { parts, rows: rows.max(1), bytes: bytes.max(1) })
    }

    /// Reads rows up to the end, or up to one that a source must read, and passes them on in batches.
    ///
    /// An error of the rows themselves is kept: the source reports it with the next row.
    ///
    /// # Errors
    /// Those of `give`, and an [interruption](demat_core::interrupt).
    pub fn fill<R: Rows>(
        &self,
        source: &mut RowSource<R>,
        mut give: impl FnMut(Vectors) -> Result<()>,
    ) -> Result<Filled> {
        let mut all = 0;
        loop {
            let mut vectors = Vectors { rows: 0, columns: Vec::new() };
            vectors.columns = self.parts.iter().map(|part| Vector::new(part.kind)).collect();
            let taken = self.batch(source, &mut vectors)?;
            all += vectors.rows as u64;
            if vectors.rows > 0 {
                give(vectors)?;
            }
            match taken {
                RowsTaken::Enough => {}
                RowsTaken::All => return Ok(Filled { rows: all, whole: true }),
                RowsTaken::Refused => return Ok(Filled { rows: all, whole: false }),
            }
        }
    }

    /// Fills one batch.
    fn batch<R: Rows>(&self, source: &mut RowSource<R>, vectors: &mut Vectors) -> Result<RowsTaken> {
        let Vectors { rows, columns } = vectors;
        let mut bytes = 0;
        while *rows < self.rows && bytes < self.bytes {
            interrupt::check()?;
            let most = self.rows.min(*rows + SOME);
            let taken = source.take_rows(|row| {
                let mut cells = self.parts.iter().zip(columns.iter_mut());
                let is_regular = cells.all(|(part, column)| match row.cell(part.column) {
                    Some(cell) => {
                        bytes += cell.len();
                        column.push(part.kind, cell)
                    }
                    None => part.nullable && column.push_null(),
                });
                if !is_regular {
                    for column in columns.iter_mut() {
                        column.truncate(*rows);
                    }
                    return Take::Refuse;
                }
                *rows += 1;
                if *rows < most && bytes < self.bytes { Take::Next } else { Take::Enough }
            });
            if taken != RowsTaken::Enough {
                return Ok(taken);
            }
        }
        Ok(RowsTaken::Enough)
    }
}

/// Returns the columns of a record's fields, in their order.
fn parts(record: &Record, rows: &impl Rows) -> Option<Box<[Part]>> {
    if record.items().is_some() {
        return None;
    }
    let mut parts = vec![None; record.fields().len()];
    for (column, own) in rows.columns().iter().enumerate() {
        let Some(index) = record.index_of(&own.name) else {
            if record.unknown() == Unknown::Ignore {
                continue;
            }
            return None;
        };
        let field = &record.fields()[index];
        let shape = field.shape();
        let kind = CellKind::of(&own.own.class, shape.inner())?;
        // NULL is a missing value to an optional field, which has null in its column then.
        let may_miss = !field.required() && field.default().is_none();
        let part = Part { column, kind, nullable: shape.allows_null() || may_miss };
        if parts[index].replace(part).is_some() {
            return None;
        }
    }
    parts.into_iter().collect()
}
