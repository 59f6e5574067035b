//! Fast path for rows of plain values: writes them without dispatching on their types.

use super::mended::{self, Mending};
use super::{RowSource, Stands};
use crate::of_shape::row_of;
use crate::rows::{Raw, Rows};
use crate::scan::{self, Filled, PagedRows};
use demat_core::{Error, FloatWidth, IntWidth, Record, RecordRef, Result, Shape, Sink, Source, Unknown};
use demat_formats::Drain;
use demat_formats::json::CompactSink;
use demat_formats::stream::{self, Choice, OnError, Repair, Stop, Summary};
use std::sync::Arc;

/// The columns that are fields of a record, and the kinds of their values.
#[derive(Debug)]
pub struct PlainRows {
    pub(crate) record: RecordRef,
    pub(crate) parts: Box<[Part]>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Part {
    pub(crate) column: usize,
    pub(crate) field: usize,
    kind: Kind,
    pub(crate) may_be_null: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Float,
    Bool,
    Text,
    Passed,
}

impl Part {
    /// Returns the kind of the column's values; `None` if they may be of any kind.
    pub(crate) fn kind(&self) -> Option<scan::Kind> {
        Some(match self.kind {
            Kind::Int => scan::Kind::Int,
            Kind::Float => scan::Kind::Float,
            Kind::Bool => scan::Kind::Bool,
            Kind::Text => scan::Kind::Text,
            Kind::Passed => return None,
        })
    }
}

impl PlainRows {
    /// Returns the plan for rows of a record, if all its fields are columns with storage of the same kind.
    pub fn of<R: Rows>(source: &RowSource<R>, record: &RecordRef) -> Option<Self> {
        let own = record.get();
        let mut had = vec![false; own.fields().len()];
        let mut parts = Vec::new();
        for (column, name) in source.rows.columns().iter().enumerate() {
            let part = match own.index_of(name) {
                Some(field) if !had[field] && !source.json[column] => {
                    had[field] = true;
                    let shape = own.fields()[field].shape();
                    let kind = kind_of(shape.inner())?;
                    Part { column, field, kind, may_be_null: shape.allows_null() }
                }
                None if own.unknown() == Unknown::Ignore => continue,
                _ => return None,
            };
            parts.push(part);
        }
        had.iter().all(|had| *had).then(|| Self { record: record.clone(), parts: parts.into() })
    }
}

fn kind_of(shape: &Shape) -> Option<Kind> {
    Some(match shape {
        Shape::Int(IntWidth::Any | IntWidth::Signed(64)) => Kind::Int,
        Shape::Float(FloatWidth::F64) => Kind::Float,
        Shape::Bool => Kind::Bool,
        Shape::Text => Kind::Text,
        Shape::Any => Kind::Passed,
        _ => return None,
    })
}

impl<R: Rows> RowSource<R> {
    /// Writes plain rows as [`Source::write_items`] does.
    pub(super) fn write_plain<K: Sink + ?Sized>(&mut self, shape: &Shape, sink: &mut K) -> Result<u64> {
        if self.stands != Stands::Between || self.again || self.ended {
            return Ok(0);
        }
        let Some(record) = row_of(shape) else { return Ok(0) };
        let identity = record.get().identity();
        if self.plain.as_ref().is_none_or(|(of, _)| *of != identity) {
            self.plain = Some((identity, PlainRows::of(self, &record).map(Arc::new)));
        }
        match &self.plain {
            Some((_, Some(plain))) => self.write_rows(&Arc::clone(plain), sink),
            _ => Ok(0),
        }
    }

    fn write_rows<K: Sink + ?Sized>(&mut self, straight: &PlainRows, sink: &mut K) -> Result<u64> {
        let record = straight.record.get();
        let before = self.row;
        while self.rows.step().map_err(|error| error.in_record(self.row + 1))? {
            self.row += 1;
            // The regular path reads this row again, and reports what is wrong with it.
            if !matches!(tell(&self.rows, straight, &record, sink), Ok(true)) {
                sink.rollback()?;
                self.again = true;
                return Ok(self.row - before - 1);
            }
            sink.commit()?;
            self.row += self.rows.tell_near(straight, sink)?;
        }
        self.ended = true;
        Ok(self.row - before)
    }
}

impl RowSource<PagedRows> {
    /// Reads the rows by column, in the order of the fields, if all fields are columns of plain values and the rows are
    /// read from pages. Ends at the first irregular row. At most two threads have work. `room` is called before memory
    /// is filled, with its address and its length in bytes.
    ///
    /// The source must not have begun. To read the remaining rows, call [`again`](Self::again), and then
    /// [`pass_over`](Self::pass_over) with the number of rows that were filled.
    pub fn fill(&mut self, shape: &Shape, threads: usize, room: fn(usize, usize)) -> Option<Filled> {
        let straight = PlainRows::of(self, &row_of(shape)?)?;
        let mut parts = straight.parts.to_vec();
        parts.sort_by_key(|part| part.field);
        let wanted = |part: &Part| Some((part.column, part.kind()?, part.may_be_null));
        let wanted: Vec<_> = parts.iter().map(wanted).collect::<Option<_>>()?;
        if self.stands == Stands::Before { self.rows.fill(&wanted, threads, room) } else { None }
    }

    /// Returns to the start; false if that is not possible any more.
    pub fn again(&mut self) -> bool {
        (self.row, self.column, self.stands) = (0, 0, Stands::Before);
        (self.again, self.ended, self.nested) = (false, false, None);
        self.rows.again()
    }

    /// Skips rows, before the list begins.
    ///
    /// # Errors
    /// Errors of the rows.
    pub fn pass_over(&mut self, rows: usize) -> Result<()> {
        for _ in 0..rows {
            self.rows.step()?;
        }
        Ok(())
    }
}

/// Writes one row; false if a value is not of its field's kind.
#[inline(always)]
fn tell<R: Rows, K: Sink + ?Sized>(rows: &R, straight: &PlainRows, record: &Record, sink: &mut K) -> Result<bool> {
    sink.item()?;
    sink.begin_record(record)?;
    for part in &straight.parts {
        sink.field(record, part.field)?;
        match (rows.raw(part.column), part.kind) {
            (Raw::Int(value), Kind::Int | Kind::Passed) => sink.i64(value)?,
            (Raw::Text(bytes), Kind::Text | Kind::Passed) => match core::str::from_utf8(bytes) {
                Ok(text) => sink.text(text)?,
                Err(_) => return Ok(false),
            },
            (Raw::Real(value), Kind::Float | Kind::Passed) => sink.float(value)?,
            (Raw::Int(value @ (0 | 1)), Kind::Bool) => sink.bool(value == 1)?,
            (Raw::Null, _) if part.may_be_null => sink.null()?,
            _ => return Ok(false),
        }
    }
    sink.end_record(record)?;
    Ok(true)
}

/// Copies all rows of a source that has not begun to a sink, as a list of this shape.
///
/// ```
/// # fn main() -> demat_core::Result<()> {
/// use demat_formats::{Keep, Output, json::CompactSink};
/// use demat_sqlite::{Database, RowSource, copy_rows};
/// let database = Database::memory()?;
/// let statement = database.statement("select 1 as a, 'x' as b union select 2, 'y'")?;
/// let shape = "[{a: int, b: text}]".parse()?;
/// let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
/// copy_rows(&mut RowSource::new(statement.into(), &[]), &shape, &mut sink)?;
/// assert_eq!(sink.into_output().into_parts().0, br#"[{"a":1,"b":"x"},{"a":2,"b":"y"}]"#);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// If a row does not match the shape; errors of the rows and the sink.
pub fn copy_rows(source: &mut RowSource<PagedRows>, shape: &Shape, sink: &mut dyn Sink) -> Result<()> {
    copy_rows_to(source, shape, RowSink::Any(sink), &mut Stop, None).map(drop)
}

/// The sink of [`copy_rows_to`]. A copier is compiled for each variant, once.
pub enum RowSink<'s, 'd> {
    /// Compact JSON, which most requests want.
    Json(&'s mut CompactSink<Box<dyn Drain + Send + 'd>>),
    /// Any sink, called through its vtable.
    Any(&'s mut dyn Sink),
}

impl RowSink<'_, '_> {
    /// Returns the sink as an object.
    pub fn as_dyn(&mut self) -> &mut dyn Sink {
        match self {
            Self::Json(sink) => *sink,
            Self::Any(sink) => *sink,
        }
    }
}

impl core::fmt::Debug for RowSink<'_, '_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            Self::Json(_) => "RowSink::Json",
            Self::Any(_) => "RowSink::Any",
        })
    }
}

/// As [`copy_rows`]. `mending` writes a refused row again with replacements for the values at fault. `on_error` decides
/// about the rows that stay refused.
///
/// # Errors
/// If a row is refused even with replacements; or what the rows and the sink report.
pub fn copy_rows_to(
    source: &mut RowSource<PagedRows>,
    shape: &Shape,
    sink: RowSink<'_, '_>,
    on_error: &mut dyn OnError,
    mending: Option<&mut Mending<'_>>,
) -> Result<Summary> {
    match sink {
        RowSink::Json(sink) => copied(source, shape, sink, on_error, (None, mending), |sink| sink),
        RowSink::Any(sink) => copied(source, shape, sink, on_error, (None, mending), |sink| sink),
    }
}

/// As [`copy_rows_to`], for the rows that are chosen.
///
/// # Errors
/// As [`stream::copy_chosen`].
pub fn copy_rows_chosen(
    source: &mut RowSource<PagedRows>,
    shape: &Shape,
    sink: &mut dyn Sink,
    on_error: &mut dyn OnError,
    choice: &mut Choice<'_>,
) -> Result<Summary> {
    copied(source, shape, sink, on_error, (Some(choice), None), |sink| sink)
}

fn copied<K: Sink + ?Sized>(
    source: &mut RowSource<PagedRows>,
    shape: &Shape,
    sink: &mut K,
    on_error: &mut dyn OnError,
    (choice, mut mending): (Option<&mut Choice<'_>>, Option<&mut Mending<'_>>),
    as_dyn: for<'s> fn(&'s mut K) -> &'s mut dyn Sink,
) -> Result<Summary> {
    let row = row_of(shape);
    let is_mended = mending.is_some();
    let mut repair = |error: &Error, source: &mut RowSource<PagedRows>, sink: &mut K| match (&mut mending, &row) {
        // Without a current row, the error is about the rows themselves.
        (Some(mending), Some(row)) if mended::may_help(error) && source.again && source.item()? => {
            mended::tell_record(source, &row.get(), as_dyn(sink), mending, true).map(|()| true)
        }
        _ => Ok(false),
    };
    let repair: Option<&mut Repair<'_, RowSource<PagedRows>, K>> = if is_mended { Some(&mut repair) } else { None };
    stream::copy_repaired(source, shape, sink, on_error, choice, repair)
}
