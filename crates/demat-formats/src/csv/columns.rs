//! The columns of a table, and which of them are which fields.

use super::fault;
use super::identity::Identity;
use demat_core::{Error, ErrorKind, Position, Record, Result, Unknown};
use std::sync::Arc;

/// The columns of the table that is being read; what is known of them outlives the windows.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// From the header, or `1`, `2` and on.
    names: Vec<Box<str>>,
    /// Whether there is a header, by which the columns go; otherwise they go by position.
    by_name: bool,
    /// How many there are, once a row (the header, mostly) has told.
    count: Option<usize>,
    /// Where the header stands.
    at: Position,
    /// The records that were asked for, in the order in which they were met first.
    mappings: Vec<Mapping>,
    /// Whether the header was refused: then every row is.
    pub(super) refused: bool,
}

/// Which columns are which fields of one record.
#[derive(Debug)]
struct Mapping {
    record: Identity,
    /// For each column the next one from it on that is wanted, and one more for the end.
    steps: Arc<[Step]>,
}

/// A column that is wanted, and as what.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    pub(super) column: u32,
    field: u32,
}

/// How a step is taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// It is the field.
    Field(usize),
    /// It is the field unless its cell is empty: then the field is missing.
    UnlessEmpty(usize),
    /// The field keeps it with others that the record does not have.
    Kept(usize),
}

const UNLESS_EMPTY: u32 = 1 << 30;
const KEPT: u32 = 1 << 31;
/// After the last column that is wanted.
pub(super) const END: Step = Step { column: u32::MAX, field: 0 };
/// More records than this are asked of one table only by somebody who makes a new one for each row.
const MOST_MAPPINGS: usize = 16;

impl Step {
    /// The field, if it is one without conditions.
    #[inline]
    pub(super) fn plain(self) -> Option<usize> {
        (self.field < UNLESS_EMPTY).then_some(self.field as usize)
    }

    /// Whether the column is wanted as the field of the same number, without conditions.
    pub(super) fn is_plain(self, column: usize) -> bool {
        self.column as usize == column && self.plain() == Some(column)
    }

    pub(super) fn wanted(self) -> Wanted {
        let field = (self.field & (UNLESS_EMPTY - 1)) as usize;
        match self.field {
            bits if bits & KEPT != 0 => Wanted::Kept(field),
            bits if bits & UNLESS_EMPTY != 0 => Wanted::UnlessEmpty(field),
            _ => Wanted::Field(field),
        }
    }
}

impl Columns {
    /// Begins a table without a header.
    pub(super) fn unnamed() -> Self {
        Self::default()
    }

    /// Begins a table with a header.
    pub(super) fn named(names: Vec<Box<str>>, at: Position) -> Self {
        Self { count: Some(names.len()), names, by_name: true, at, ..Self::default() }
    }

    /// The first two columns of one name.
    pub(super) fn repeated(&self) -> Option<(usize, usize)> {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        order.sort_by_key(|column| &self.names[*column]); // stable: equal names stay in order
        let pairs = order.windows(2).filter(|pair| self.names[pair[0]] == self.names[pair[1]]);
        pairs.map(|pair| (pair[0], pair[1])).min_by_key(|pair| pair.1)
    }

    /// How many columns there are, if that is known.
    #[inline]
    pub(super) fn count(&self) -> Option<usize> {
        self.count
    }

    /// Takes the number of columns from the first row.
    pub(super) fn set_count(&mut self, cells: usize) {
        self.count = Some(cells);
    }

    /// Whether an empty line is a row after so many rows: where it is known that there is one column.
    pub(super) fn has_blank_rows(&self, rows: u64) -> bool {
        self.count == Some(1) && (self.by_name || rows > 0)
    }

    pub(super) fn is_named(&self) -> bool {
        self.by_name
    }

    /// The name of a column, once there are [names](Self::name_all).
    pub(super) fn name(&self, column: usize) -> &str {
        self.names.get(column).map_or("", |name| name)
    }

    /// Gives columns without a header their names.
    #[inline]
    pub(super) fn name_all(&mut self) {
        for column in self.names.len()..self.count.unwrap_or(0) {
            self.names.push((column + 1).to_string().into());
        }
    }

    /// Which columns are which fields of a record: for each column the next one from it on that is wanted.
    ///
    /// # Errors
    /// As [`map`](Self::map), once; the table is refused from then on, unless it is asked for another record next.
    pub(super) fn steps(&mut self, record: &Record) -> Result<Arc<[Step]>> {
        let identity = Identity::of(record);
        if let Some(known) = self.mappings.iter().find(|mapping| mapping.record == identity) {
            self.refused = false;
            return Ok(Arc::clone(&known.steps));
        }
        let steps: Arc<[Step]> = self.map(record).inspect_err(|_| self.refused = true)?.into();
        // Of several records that were tried this one's columns are there.
        self.refused = false;
        if self.mappings.len() == MOST_MAPPINGS {
            self.mappings.clear();
        }
        self.mappings.push(Mapping { record: identity, steps: Arc::clone(&steps) });
        Ok(steps)
    }

    /// Finds out which column is which field.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) at the header, where a required field has no column or a field has two,
    /// or where there is a column that the record forbids.
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
                    Some(index as u32 | if missing_if_empty(record, index) { UNLESS_EMPTY } else { 0 })
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

/// The field of a column without a name: the columns are the fields in their order, less one that keeps the others.
fn field_at(record: &Record, column: usize) -> Option<usize> {
    let index = match record.unknown() {
        Unknown::Keep(rest) if rest <= column => column + 1,
        _ => column,
    };
    (index < record.fields().len()).then_some(index)
}

/// Whether an empty cell is a missing field: where one may be missing and can't be null.
fn missing_if_empty(record: &Record, index: usize) -> bool {
    let field = &record.fields()[index];
    !field.required() && !field.shape().allows_null()
}
