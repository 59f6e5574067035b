//! Copies rows with unrepresentable values, and puts a replacement in their place.

use super::{ColumnTarget, RowSource, Stands};
use crate::rows::{Class, Raw, Rows};
use crate::scan::PagedRows;
use core::fmt;
use demat_core::scalar::base64;
use demat_core::{Copier, Error, ErrorKind, Nothing, Record, Result, Shape, Sink, Source};

/// What to write instead of an unrepresentable value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// Null.
    Null,
    /// The value as text, if the sink accepts text there, else null. Text is `inf`, invalid UTF-8 with U+FFFD, or bytes
    /// as base64.
    Text,
}

/// How to handle values that the row's shape or the sink refuses.
pub struct Mending<'m> {
    /// The replacement.
    pub instead: Instead,
    /// The columns that identify a row in the report.
    pub key: &'m [String],
    /// Called for each replaced value, after its row was written.
    pub report: &'m mut dyn FnMut(Replaced),
}

impl fmt::Debug for Mending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mending").field("instead", &self.instead).field("key", &self.key).finish_non_exhaustive()
    }
}

/// A replaced value.
#[derive(Debug)]
pub struct Replaced {
    /// The row: `id=3`, or `rowid=3`, or `row 3 of the answer` if neither is known.
    pub row: String,
    /// The column's name.
    pub column: String,
    /// Why the value was refused.
    pub error: Error,
}

/// Returns whether a replacement may help: the error is not about I/O.
pub(super) fn may_help(error: &Error) -> bool {
    error.kind() != ErrorKind::Io && error.signal().is_none()
}

/// How a column of the current row is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rendering {
    AsItIs,
    Text,
    Null,
}

/// Copies the current row as a record of this shape, with replacements if `mending` is given.
///
/// # Errors
/// If the row is refused even with replacements; or what the sink reports.
pub fn copy_row(
    source: &mut RowSource<PagedRows>,
    shape: &Shape,
    sink: &mut dyn Sink,
    mending: Option<&mut Mending<'_>>,
) -> Result<()> {
    let mark = source.mark();
    let mut copier = Copier::new(shape.clone());
    copier.begin(source);
    sink.begin(shape)?;
    match (copier.run_all(source, sink), mending) {
        (Ok(()), _) => {}
        (Err(error), Some(mending)) if may_help(&error) => {
            sink.rollback()?;
            source.reset(mark);
            match shape {
                Shape::Record(record) if source.stands == Stands::AtRow => {
                    tell_record(source, &record.get(), sink, mending, false)?;
                }
                _ => tell_value(source, sink, mending, error)?,
            }
            sink.commit()?;
        }
        (Err(error), _) => return Err(error),
    }
    sink.finish()
}

/// Writes the refused row again with replacements, alone or as an item of a list. The caller commits.
pub(super) fn tell_record(
    source: &mut RowSource<PagedRows>,
    record: &Record,
    sink: &mut dyn Sink,
    mending: &mut Mending<'_>,
    is_item: bool,
) -> Result<()> {
    let first = if mending.instead == Instead::Text { Rendering::Text } else { Rendering::Null };
    let mut columns = vec![Rendering::AsItIs; source.width()];
    let mut errors: Vec<Option<Error>> = core::iter::repeat_with(|| None).take(columns.len()).collect();
    // First finds the values that don't fit their fields, before anything is written.
    source.know(record)?;
    for column in 0..columns.len() {
        let Some(field) = source.field_of(column) else { continue };
        if let Err(error) = copy_part(source, column, record, field, &mut Nothing) {
            (columns[column], errors[column]) = (first, Some(error));
        }
    }
    loop {
        let Err((column, error)) = tell_as(source, record, sink, &columns, is_item) else { break };
        sink.rollback()?;
        let column = column.filter(|column| may_help(&error) && columns[*column] != Rendering::Null);
        let Some(column) = column else { return Err(error) };
        // The sink supports no lists or records: no replacement in this row would help.
        if source.json[column] && errors[column].is_none() {
            return Err(error);
        }
        if columns[column] != Rendering::AsItIs {
            columns[column] = Rendering::Null;
            continue;
        }
        // A sink that refuses one non-finite number refuses all of them.
        if source.is_unbounded(column) {
            for other in (0..columns.len()).filter(|other| source.is_unbounded(*other)) {
                if columns[other] == Rendering::AsItIs {
                    (columns[other], errors[other]) = (first, Some(Error::new(error.kind(), error.reason())));
                }
            }
        } else {
            (columns[column], errors[column]) = (first, Some(error));
        }
    }
    source.stands = Stands::Between;
    let row = source.named(mending.key);
    for (column, error) in errors.into_iter().enumerate().filter_map(|(column, error)| Some((column, error?))) {
        let column = source.rows.columns()[column].clone();
        (mending.report)(Replaced { row: row.clone(), column, error });
    }
    Ok(())
}

/// Writes the refused value of the current column.
fn tell_value(
    source: &mut RowSource<PagedRows>,
    sink: &mut dyn Sink,
    mending: &mut Mending<'_>,
    refused: Error,
) -> Result<()> {
    let column = source.column;
    if mending.instead != Instead::Text || sink.text(&source.as_text(column)).is_err() {
        sink.rollback()?;
        sink.null()?;
    }
    let (row, column) = (source.named(mending.key), source.rows.columns()[column].clone());
    (mending.report)(Replaced { row, column, error: refused });
    Ok(())
}

/// Writes a row with a given treatment for each column. On failure, returns the column at fault.
fn tell_as(
    source: &mut RowSource<PagedRows>,
    record: &Record,
    sink: &mut dyn Sink,
    columns: &[Rendering],
    is_item: bool,
) -> core::result::Result<(), (Option<usize>, Error)> {
    let whole = |error| (None, error);
    if is_item {
        sink.item().map_err(whole)?;
    }
    sink.begin_record(record).map_err(whole)?;
    for (column, told) in columns.iter().enumerate() {
        let Some(field) = source.field_of(column) else { continue };
        let of_column = |error| (Some(column), error);
        sink.field(record, field).map_err(of_column)?;
        match told {
            Rendering::AsItIs => copy_part(source, column, record, field, sink),
            Rendering::Text => sink.text(&source.as_text(column)),
            Rendering::Null => sink.null(),
        }
        .map_err(of_column)?;
    }
    sink.end_record(record).map_err(whole)
}

/// Copies a column's value as a field of the record.
fn copy_part(
    source: &mut RowSource<PagedRows>,
    column: usize,
    record: &Record,
    field: usize,
    sink: &mut dyn Sink,
) -> Result<()> {
    source.column = column;
    let mut copier = Copier::of_part(record.fields()[field].shape().clone());
    let told = source.enter().and_then(|()| {
        copier.begin(source);
        copier.run_all(source, sink)
    });
    if let Some(nested) = source.nested.take() {
        source.spare = nested.into_text();
    }
    told.map_err(|error| error.within_field(record.fields()[field].key().to_string()))
}

impl<R: Rows> RowSource<R> {
    /// Returns the field that a column belongs to, if any.
    fn field_of(&self, column: usize) -> Option<usize> {
        match *self.fields.targets.get(column)? {
            ColumnTarget::Field(field) => Some(field),
            ColumnTarget::FieldUnlessNull(field) => (self.rows.class(column) != Class::Null).then_some(field),
            ColumnTarget::Kept(_) | ColumnTarget::Ignored => None,
        }
    }

    fn is_unbounded(&self, column: usize) -> bool {
        self.rows.class(column) == Class::Real && !self.rows.real(column).is_finite()
    }

    /// Returns a value as text.
    fn as_text(&self, column: usize) -> String {
        match self.rows.raw(column) {
            Raw::Null => "null".to_string(),
            Raw::Int(value) => value.to_string(),
            Raw::Real(value) => format!("{value:?}"),
            Raw::Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
            Raw::Blob(bytes) => {
                let mut text = String::new();
                base64::encode(bytes, &mut text);
                text
            }
        }
    }

    /// Returns the row's name in a report.
    fn named(&self, key: &[String]) -> String {
        let place = |name: &String| self.rows.columns().iter().position(|own| own == name);
        let parts: Option<Vec<String>> = key
            .iter()
            .map(|name| place(name).map(|column| format!("{name}={}", self.as_text(column).escape_debug())))
            .collect();
        match (parts.filter(|parts| !parts.is_empty()), self.rows.rowid()) {
            (Some(parts), _) => parts.join(", "),
            (None, Some(rowid)) => format!("rowid={rowid}"),
            (None, None) => format!("row {} of the answer", self.row),
        }
    }
}
