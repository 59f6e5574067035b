//! Rows of which a value can't be told, told with something in its place.

use super::{Given, RowSource, Stands};
use crate::rows::{Class, Raw, Rows};
use core::fmt;
use demat_core::scalar::base64;
use demat_core::{Copier, Error, ErrorKind, Nothing, Record, Result, Shape, Sink, Source};

/// What stands in place of a value that can't be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instead {
    /// Null.
    Null,
    /// The value as text, where the sink takes one: `inf`; text with U+FFFD for what is no UTF-8; bytes as base64. Else null.
    Text,
}

/// How rows are mended: what stands in place of a value that the row's shape, or the sink, refuses.
pub struct Mending<'m> {
    /// What stands there.
    pub instead: Instead,
    /// The columns by whose values the report names a row.
    pub key: &'m [String],
    /// Gets each value that was replaced, when its row was told.
    pub report: &'m mut dyn FnMut(Replaced),
}

impl fmt::Debug for Mending<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mending").field("instead", &self.instead).field("key", &self.key).finish_non_exhaustive()
    }
}

/// A value that was replaced.
#[derive(Debug)]
pub struct Replaced {
    /// The row: `id=3`, or `rowid=3`, or, where neither is known, `row 3 of the answer`.
    pub row: String,
    /// The column.
    pub column: String,
    /// Why the value could not be told.
    pub error: Error,
}

/// Whether an error may be about a value of a row, and not about the rows or the sink as such.
pub(super) fn may_help(error: &Error) -> bool {
    error.kind() != ErrorKind::Io && error.signal().is_none()
}

/// What becomes of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    AsItIs,
    Text,
    Null,
}

/// Copies the row that a source stands at, as a record of this shape, from its beginning to its end; mended, if that is wanted.
///
/// # Errors
/// Where the row is refused however it is told; what the sink says.
pub fn copy_row<R: Rows, K: Sink + ?Sized>(
    source: &mut RowSource<R>,
    shape: &Shape,
    sink: &mut K,
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

/// Tells the row that a source stands at, which was refused, alone or as an item of a list. The caller commits.
pub(super) fn tell_record<R: Rows, K: Sink + ?Sized>(
    source: &mut RowSource<R>,
    record: &Record,
    sink: &mut K,
    mending: &mut Mending<'_>,
    is_item: bool,
) -> Result<()> {
    let first = if mending.instead == Instead::Text { Told::Text } else { Told::Null };
    let mut columns = vec![Told::AsItIs; source.width()];
    let mut errors: Vec<Option<Error>> = core::iter::repeat_with(|| None).take(columns.len()).collect();
    // Those that are none of their fields are known before the sink is told anything.
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
        let column = column.filter(|column| may_help(&error) && columns[*column] != Told::Null);
        let Some(column) = column else { return Err(error) };
        // That a format has no lists or records is not about this row.
        if source.json[column] && errors[column].is_none() {
            return Err(error);
        }
        if columns[column] != Told::AsItIs {
            columns[column] = Told::Null;
            continue;
        }
        // What one number is refused for, others are, too.
        if source.is_unbounded(column) {
            for other in (0..columns.len()).filter(|other| source.is_unbounded(*other)) {
                if columns[other] == Told::AsItIs {
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

/// Tells the value of the column that a source stands at, which was refused.
fn tell_value<R: Rows, K: Sink + ?Sized>(
    source: &mut RowSource<R>,
    sink: &mut K,
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

/// Tells a row, of each column what is said; where that fails, the column that is to blame.
fn tell_as<R: Rows, K: Sink + ?Sized>(
    source: &mut RowSource<R>,
    record: &Record,
    sink: &mut K,
    columns: &[Told],
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
            Told::AsItIs => copy_part(source, column, record, field, sink),
            Told::Text => sink.text(&source.as_text(column)),
            Told::Null => sink.null(),
        }
        .map_err(of_column)?;
    }
    sink.end_record(record).map_err(whole)
}

/// Tells the value of a column as that of a field.
fn copy_part<R: Rows, K: Sink + ?Sized>(
    source: &mut RowSource<R>,
    column: usize,
    record: &Record,
    field: usize,
    sink: &mut K,
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
    /// The field that a column of the row is.
    fn field_of(&self, column: usize) -> Option<usize> {
        match *self.fields.given.get(column)? {
            Given::Field(field) => Some(field),
            Given::FieldUnlessNull(field) => (self.rows.class(column) != Class::Null).then_some(field),
            Given::Kept(_) | Given::Ignored => None,
        }
    }

    fn is_unbounded(&self, column: usize) -> bool {
        self.rows.class(column) == Class::Real && !self.rows.real(column).is_finite()
    }

    /// A value as text.
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

    /// What a report calls the row.
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
