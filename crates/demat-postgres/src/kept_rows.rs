//! Rows that are kept, each value as a parameter.

use crate::failure::refused;
use crate::param::Param;
use crate::sink::RowWriter;
use demat_core::Result;
use std::sync::Arc;

/// A row: the indices of its columns, and their values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptRow {
    /// The columns that the row has values for.
    pub columns: Arc<[usize]>,
    /// Their values.
    pub values: Vec<Param>,
}

/// Keeps the rows that are written to it, for statements with parameters.
#[derive(Debug, Default)]
pub struct KeptRows(pub Vec<KeptRow>);

impl RowWriter for KeptRows {
    fn write(&mut self, columns: &Arc<[usize]>, mut rows: &[u8], count: u64) -> Result<()> {
        for _ in 0..count {
            let (values, rest) = row(rows).ok_or_else(|| refused("a row ends early"))?;
            self.0.push(KeptRow { columns: Arc::clone(columns), values });
            rows = rest;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Splits the first row off: the number of its cells, then the length of each and its bytes.
fn row(bytes: &[u8]) -> Option<(Vec<Param>, &[u8])> {
    let (count, mut rest) = bytes.split_first_chunk::<2>()?;
    let mut values = Vec::new();
    for _ in 0..u16::from_be_bytes(*count) {
        let (len, behind) = rest.split_first_chunk::<4>()?;
        rest = behind;
        values.push(match usize::try_from(i32::from_be_bytes(*len)) {
            Ok(len) => {
                let (cell, behind) = rest.split_at_checked(len)?;
                rest = behind;
                Param::of_cell(Some(cell))
            }
            Err(_) => Param::of_cell(None),
        });
    }
    Some((values, rest))
}

#[cfg(test)]
mod tests {
    use super::{KeptRows, RowWriter as _};
    use crate::Param;
    use std::sync::Arc;

    #[test]
    fn rows_are_split_into_values() {
        let mut kept = KeptRows::default();
        let columns: Arc<[usize]> = Arc::from([0, 2]);
        let bytes = b"\0\x02\0\0\0\x01a\xFF\xFF\xFF\xFF\0\x02\0\0\0\0\0\0\0\x02bc";
        kept.write(&columns, bytes, 2).unwrap();
        let values: Vec<_> = kept.0.iter().map(|row| row.values.clone()).collect();
        let cell = |bytes: &'static [u8]| Param::of_cell(Some(bytes));
        assert_eq!(values, [vec![cell(b"a"), Param::of_cell(None)], vec![cell(b""), cell(b"bc")]]);
        for end in 0..bytes.len() {
            assert!(KeptRows::default().write(&columns, &bytes[..end], 2).is_err(), "{end}");
        }
    }
}
