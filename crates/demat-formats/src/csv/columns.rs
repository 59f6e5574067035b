//! The columns of a table that is read, and the fields that they map to.

use super::fault;
use super::identity::Identity;
use demat_core::{Error, ErrorKind, Position, Record, Result, Shape, Unknown};
use std::sync::Arc;

/// The columns of the table that is read. They outlive the windows over it.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The names from the header, or else `1`, `2` and so on.
    names: Vec<Box<str>>,
    /// Whether columns map to fields by the header's names; otherwise by position.
    by_name: bool,
    /// Whether there are rows in front of these, which set the number of columns.
    behind: bool,
    /// The number of columns; the first row sets it, which usually is the header.
    count: Option<usize>,
    /// The position of the header.
    at: Position,
    /// The mappings of the requested records, oldest first.
    mappings: Vec<Mapping>,
    /// Whether the header was refused. Every row is refused then.
    pub(super) refused: bool,
}

/// The mapping of columns to the fields of one record.
#[derive(Debug)]
struct Mapping {
    record: Identity,
    /// For each column, the next mapped column from it on; and an entry for the end.
    steps: Arc<[Step]>,
}

/// A mapped column and its field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) column: u32,
    field: u32,
}

/// What a step means for the field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The column is the field.
    Field(usize),
    /// The column is the field, but an empty cell means that the field is missing.
    UnlessEmpty(usize),
    /// The column is unknown to the record, which keeps it in the field for unknown fields.
    Kept(usize),
}

/// Quoted empty text is as an empty cell: the field has no value that is empty text.
const NO_TEXT: u32 = 1 << 29;
const UNLESS_EMPTY: u32 = 1 << 30;
const KEPT: u32 = 1 << 31;
/// The step after the last mapped column.
pub(super) const END: Step = Step { column: u32::MAX, field: 0 };
/// The maximum number of mappings. Only a caller with a new record for each row exceeds it.
const MOST_MAPPINGS: usize = 16;

impl Step {
    /// Returns the field if the column maps to it unconditionally.
    #[inline]
    pub(super) fn plain(self) -> Option<usize> {
        let field = self.field & !NO_TEXT;
        (field < UNLESS_EMPTY).then_some(field as usize)
    }

    /// Whether quoted empty text in the column is as an empty cell.
    pub(super) fn has_no_text(self, column: usize) -> bool {
        self.column as usize == column && self.field & NO_TEXT != 0
    }

    /// Whether the column maps unconditionally to the field of the same number.
    pub(super) fn is_plain(self, column: usize) -> bool {
        self.column as usize == column && self.plain() == Some(column)
    }

    pub(super) fn wanted(self) -> Wanted {
        let field = (self.field & (NO_TEXT - 1)) as usize;
        match self.field {
            bits if bits & KEPT != 0 => Wanted::Kept(field),
            bits if bits & UNLESS_EMPTY != 0 => Wanted::UnlessEmpty(field),
            _ => Wanted::Field(field),
        }
    }
}

impl Columns {
    /// Returns the columns of a table without a header.
    pub(super) fn unnamed() -> Self {
        Self::default()
    }

    /// Returns the columns of a table without a header whose first rows, of so many cells, are elsewhere.
    pub(super) fn behind(cells: usize) -> Self {
        Self { count: Some(cells), behind: true, ..Self::default() }
    }

    /// Returns the columns of a table with a header.
    pub(super) fn named(names: Vec<Box<str>>, at: Position) -> Self {
        Self { count: Some(names.len()), names, by_name: true, at, ..Self::default() }
    }

    /// Returns the first two columns with the same name.
    pub(super) fn repeated(&self) -> Option<(usize, usize)> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|column| &self.names[*column]); // stable: equal names stay in order
        let pairs = order.windows(2).filter(|pair| self.names[pair[0]] == self.names[pair[1]]);
        pairs.map(|pair| (pair[0], pair[1])).min_by_key(|pair| pair.1)
    }

    /// The number of columns, if it is known.
    #[inline]
    pub(super) fn count(&self) -> Option<usize> {
        self.count
    }

    /// Sets the number of columns, from the first row.
    pub(super) fn set_count(&mut self, cells: usize) {
        self.count = Some(cells);
    }

    /// Whether an empty line counts as a row, after `rows` rows. It does if the table is known to have one column.
    pub(super) fn has_blank_rows(&self, rows: u64) -> bool {
        self.count == Some(1) && (self.by_name || self.behind || rows > 0)
    }

    pub(super) fn is_named(&self) -> bool {
        self.by_name
    }

    /// Returns the name of a column. Call [`name_all`](Self::name_all) before.
    pub(super) fn name(&self, column: usize) -> &str {
        self.names.get(column).map_or("", |name| name)
    }

    /// Names the columns of a table without a header by their numbers.
    #[inline]
    pub(super) fn name_all(&mut self) {
        for column in self.names.len()..self.count.unwrap_or(0) {
            self.names.push((column + 1).to_string().into());
        }
    }

    /// Returns the mapping of a record: for each column, the next mapped column from it on.
    ///
    /// # Errors
    /// As [`map`](Self::map), once. From then on the table is refused, until a record that fits is requested.
    pub(super) fn steps(&mut self, record: &Record) -> Result<Arc<[Step]>> {
        let identity = Identity::of(record);
        if let Some(known) = self.mappings.iter().find(|mapping| mapping.record == identity) {
            self.refused = false;
            return Ok(Arc::clone(&known.steps));
        }
        let steps: Arc<[Step]> = self.map(record).inspect_err(|_| self.refused = true)?.into();
        // The columns fit this record, though they may not have fitted another that was tried before.
        self.refused = false;
        if self.mappings.len() == MOST_MAPPINGS {
            self.mappings.clear();
        }
        self.mappings.push(Mapping { record: identity, steps: Arc::clone(&steps) });
        Ok(steps)
    }

    /// Maps the columns to the fields of a record.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) at the header, if a required field has no column, a field has two columns,
    /// or the record forbids a column.
    fn map(&mut self, record: &Record) -> Result<Vec<Step>> {
        self.name_all();
        let mut column_of = vec![None; record.fields().len()];
        let mut steps = vec![END; self.names.len() + 1];
        for (column, name) in self.names.iter().enumerate() {
            let index = if self.by_name { record.index_of(name) } else { field_at(record, column) };
            let field = match index {
                Some(index) => {
                    if let Some(other) = column_of[index].replace(column) {
                        return Err(self.both(other, column, record.fields()[index].name()));
                    }
                    let unless_empty = if missing_if_empty(record, index) { UNLESS_EMPTY } else { 0 };
                    let no_text = if never_empty(record.fields()[index].shape()) { NO_TEXT } else { 0 };
                    Some(index as u32 | unless_empty | no_text)
                }
                None => record.unknown_key(name).map_err(|error| error.at(self.at))?.map(|index| index as u32 | KEPT),
            };
            if let Some(field) = field {
                steps[column] = Step { column: column as u32, field };
            }
        }
        let mut next = END;
        for step in steps.iter_mut().rev() {
            if step.column == END.column {
                *step = next;
            }
            next = *step;
        }
        let missing =
            |index: &usize| column_of[*index].is_none() && record.fields()[*index].required() && !keeps(record, *index);
        let missing: Vec<&str> =
            (0..column_of.len()).filter(missing).map(|index| record.fields()[index].key()).collect();
        if missing.is_empty() { Ok(steps) } else { Err(self.lacking(&missing)) }
    }

    #[cold]
    fn lacking(&self, missing: &[&str]) -> Error {
        let columns = if missing.len() == 1 { "column" } else { "columns" };
        let expected = format!("{columns} {}", fault::names(missing.iter().copied()));
        let found = match self.names.len() {
            1 if !self.by_name => "1 column".to_string(),
            count if !self.by_name => format!("{count} columns"),
            _ => format!("columns {}", fault::names(self.names.iter().map(|name| &**name))),
        };
        Error::mismatch(ErrorKind::Constraint, expected, found).at(self.at)
    }

    #[cold]
    fn both(&self, one: usize, other: usize, field: &str) -> Error {
        let (one, other) = (&self.names[one], &self.names[other]);
        let message = format!("the columns `{one}` and `{other}` are both the field `{field}`");
        Error::new(ErrorKind::Constraint, message).at(self.at)
    }
}

fn keeps(record: &Record, index: usize) -> bool {
    record.unknown() == Unknown::Keep(index)
}

/// Returns the field of a column without a name. Columns map to the fields in order, except to the field for unknown
/// fields; or to those that say which column they are.
fn field_at(record: &Record, column: usize) -> Option<usize> {
    if record.fields().iter().any(|field| field.column().is_some()) {
        return record.fields().iter().position(|field| field.column() == Some(column));
    }
    let index = match record.unknown() {
        Unknown::Keep(rest) if rest <= column => column + 1,
        _ => column,
    };
    (index < record.fields().len()).then_some(index)
}

/// Whether an empty cell means that the field is missing: the field is optional and can't be null.
fn missing_if_empty(record: &Record, index: usize) -> bool {
    let field = &record.fields()[index];
    !field.required() && !field.shape().allows_null()
}

/// Whether no value of the shape is empty text: numbers, dates and the like.
fn never_empty(shape: &Shape) -> bool {
    matches!(
        shape.inner(),
        Shape::Bool
            | Shape::Int(_)
            | Shape::Float(_)
            | Shape::Decimal
            | Shape::Date
            | Shape::Time
            | Shape::DateTime
            | Shape::Instant
            | Shape::Duration
            | Shape::Uuid
    )
}
