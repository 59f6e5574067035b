//! The values of a column in memory.

use super::kind::{CellKind, IntForm};
use crate::value::{moment, numeric};

/// The values of a column, contiguous.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    /// The values; those at nulls are zero, or empty.
    pub values: Values,
    /// Whether each value is not null; `None` if none is null.
    pub valid: Option<Vec<bool>>,
}

/// Values of one kind.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Bools.
    Bools(Vec<bool>),
    /// Dates, in days since 1970.
    Days(Vec<i32>),
    /// Integers; times of day, points in time since 1970 and durations, in microseconds.
    Ints(Vec<i64>),
    /// Floats of four bytes.
    Singles(Vec<f32>),
    /// Floats.
    Floats(Vec<f64>),
    /// Texts: their offsets, one more than there are texts, and their UTF-8 behind each other.
    Texts(Vec<i32>, Vec<u8>),
    /// Bytes, as texts.
    Bytes(Vec<i32>, Vec<u8>),
    /// UUIDs, of 16 bytes each.
    Uuids(Vec<u8>),
}

/// The bytes of a UUID.
const UUID: usize = 16;

impl Vector {
    /// Returns a column without values.
    pub(super) fn new(kind: CellKind) -> Self {
        let values = match kind {
            CellKind::Bool => Values::Bools(Vec::new()),
            CellKind::Int { .. } | CellKind::Time | CellKind::Moment | CellKind::Duration => Values::Ints(Vec::new()),
            CellKind::Single => Values::Singles(Vec::new()),
            CellKind::Widened | CellKind::Float | CellKind::Nearest => Values::Floats(Vec::new()),
            CellKind::Digits | CellKind::Text => Values::Texts(vec![0], Vec::new()),
            CellKind::Bytes => Values::Bytes(vec![0], Vec::new()),
            CellKind::Date => Values::Days(Vec::new()),
            CellKind::Uuid => Values::Uuids(Vec::new()),
        };
        Self { values, valid: None }
    }

    /// The number of values.
    pub fn len(&self) -> usize {
        match &self.values {
            Values::Bools(values) => values.len(),
            Values::Days(values) => values.len(),
            Values::Ints(values) => values.len(),
            Values::Singles(values) => values.len(),
            Values::Floats(values) => values.len(),
            Values::Texts(offsets, _) | Values::Bytes(offsets, _) => offsets.len() - 1,
            Values::Uuids(bytes) => bytes.len() / UUID,
        }
    }

    /// Whether there are no values.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the value of a cell. Returns false, with nothing appended, if the cell has none that the column can hold.
    #[inline]
    pub(super) fn push(&mut self, kind: CellKind, cell: &[u8]) -> bool {
        if self.append(kind, cell).is_none() {
            return false;
        }
        if let Some(valid) = &mut self.valid {
            valid.push(true);
        }
        true
    }

    #[inline]
    fn append(&mut self, kind: CellKind, cell: &[u8]) -> Option<()> {
        match (&mut self.values, kind) {
            (Values::Bools(values), _) => match cell {
                [flag @ (0 | 1)] => values.push(*flag == 1),
                _ => return None,
            },
            (Values::Ints(values), CellKind::Int { form, least, most }) => {
                let value = int(form, cell)?;
                if value < least || value > most {
                    return None;
                }
                values.push(value);
            }
            (Values::Ints(values), CellKind::Time) => values.push(moment::micros_of_day(long(cell)?)?),
            (Values::Ints(values), CellKind::Duration) => values.push(moment::micros_of_interval(cell)?),
            (Values::Ints(values), _) => values.push(moment::unix_micros(long(cell)?)?),
            (Values::Days(values), _) => {
                values.push(moment::unix_days(i32::from_be_bytes(cell.try_into().ok()?))?);
            }
            (Values::Singles(values), _) => values.push(f32::from_be_bytes(cell.try_into().ok()?)),
            (Values::Floats(values), CellKind::Widened) => {
                values.push(f32::from_be_bytes(cell.try_into().ok()?).into());
            }
            (Values::Floats(values), CellKind::Nearest) => values.push(numeric::float(&numeric::decode(cell)?)?),
            (Values::Floats(values), _) => values.push(f64::from_be_bytes(cell.try_into().ok()?)),
            (Values::Texts(offsets, data), CellKind::Digits) => {
                let number = numeric::decimal(&numeric::decode(cell)?)?;
                extend(offsets, data, number.as_str().as_bytes())?;
            }
            (Values::Texts(offsets, data), _) => {
                core::str::from_utf8(cell).ok()?;
                extend(offsets, data, cell)?;
            }
            (Values::Bytes(offsets, data), _) => extend(offsets, data, cell)?,
            (Values::Uuids(bytes), _) => bytes.extend_from_slice(<&[u8; UUID]>::try_from(cell).ok()?),
        }
        Some(())
    }

    /// Appends null. Returns true.
    pub(super) fn push_null(&mut self) -> bool {
        let before = self.len();
        match &mut self.values {
            Values::Bools(values) => values.push(false),
            Values::Days(values) => values.push(0),
            Values::Ints(values) => values.push(0),
            Values::Singles(values) => values.push(0.0),
            Values::Floats(values) => values.push(0.0),
            Values::Texts(offsets, _) | Values::Bytes(offsets, _) => {
                offsets.push(offsets.last().copied().unwrap_or_default());
            }
            Values::Uuids(bytes) => bytes.extend_from_slice(&[0; UUID]),
        }
        self.valid.get_or_insert_with(|| vec![true; before]).push(false);
        true
    }

    /// Drops the values behind the first ones.
    pub(super) fn truncate(&mut self, len: usize) {
        match &mut self.values {
            Values::Bools(values) => values.truncate(len),
            Values::Days(values) => values.truncate(len),
            Values::Ints(values) => values.truncate(len),
            Values::Singles(values) => values.truncate(len),
            Values::Floats(values) => values.truncate(len),
            Values::Texts(offsets, data) | Values::Bytes(offsets, data) => {
                offsets.truncate(len + 1);
                data.truncate(offsets.last().map_or(0, |end| end.unsigned_abs() as usize));
            }
            Values::Uuids(bytes) => bytes.truncate(len * UUID),
        }
        if let Some(valid) = &mut self.valid {
            valid.truncate(len);
        }
    }
}

#[inline]
fn long(cell: &[u8]) -> Option<i64> {
    Some(i64::from_be_bytes(cell.try_into().ok()?))
}

#[inline]
fn int(form: IntForm, cell: &[u8]) -> Option<i64> {
    Some(match form {
        IntForm::Int2 => i16::from_be_bytes(cell.try_into().ok()?).into(),
        IntForm::Int4 => i32::from_be_bytes(cell.try_into().ok()?).into(),
        IntForm::Int8 => long(cell)?,
        IntForm::Oid => u32::from_be_bytes(cell.try_into().ok()?).into(),
    })
}

/// Appends a text. `None` if its end is beyond the offsets.
#[inline]
fn extend(offsets: &mut Vec<i32>, data: &mut Vec<u8>, text: &[u8]) -> Option<()> {
    let end = i32::try_from(data.len() + text.len()).ok()?;
    data.extend_from_slice(text);
    offsets.push(end);
    Some(())
}
