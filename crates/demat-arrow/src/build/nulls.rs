use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};

/// The null rows of a column: a bit for each row, the first row's lowest in its byte, zero for a null. Rows past the end
/// are no nulls.
#[derive(Debug, Default)]
pub(crate) struct Nulls(Vec<u8>);

/// The bits of eight rows that are no nulls.
const ALL: u8 = u8::MAX;

impl Nulls {
    /// Marks a row as null.
    #[inline]
    pub(crate) fn push(&mut self, row: usize) {
        let at = row / 8;
        if at >= self.0.len() {
            self.grow(at);
        }
        self.0[at] &= !(1 << (row % 8));
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, at: usize) {
        self.0.resize((at + 1).next_multiple_of(128), ALL);
    }

    /// Removes the rows from this one on.
    pub(crate) fn truncate(&mut self, rows: usize) {
        self.0.truncate(rows.div_ceil(8));
        if let Some(last) = self.0.get_mut(rows / 8) {
            *last |= ALL << (rows % 8);
        }
    }

    /// Returns the null buffer for a number of rows, and resets itself.
    pub(crate) fn finish(&mut self, rows: usize) -> Option<NullBuffer> {
        if self.0.is_empty() {
            return None;
        }
        let mut bits = std::mem::take(&mut self.0);
        bits.resize(rows.div_ceil(8), ALL);
        let nulls = NullBuffer::new(BooleanBuffer::new(Buffer::from_vec(bits), 0, rows));
        (nulls.null_count() > 0).then_some(nulls)
    }

    /// The number of bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against a list of bools, with rows that are taken back and columns that begin again.
    #[test]
    fn rows_are_as_in_a_list() {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut below = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 20) as usize % bound
        };
        let (mut nulls, mut twin) = (Nulls::default(), Vec::new());
        for _ in 0..20_000 {
            match below(50) {
                0 => {
                    let rows = below(twin.len() + 1);
                    nulls.truncate(rows);
                    twin.truncate(rows);
                }
                1 if below(20) == 0 => {
                    let found = nulls.finish(twin.len());
                    let found: Vec<bool> = found
                        .map_or_else(|| vec![false; twin.len()], |nulls| nulls.iter().map(|valid| !valid).collect());
                    assert_eq!(found, twin);
                    twin.clear();
                }
                _ => {
                    let is_null = below(3) == 0;
                    if is_null {
                        nulls.push(twin.len());
                    }
                    twin.push(is_null);
                }
            }
        }
        assert_eq!(Nulls::default().finish(9), None);
        // Taken back, the only null is none.
        nulls = Nulls::default();
        nulls.push(8);
        nulls.truncate(8);
        assert_eq!(nulls.finish(100), None);
    }
}
