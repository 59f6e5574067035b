//! Runs of items: Avro writes arrays and maps as counts, each in front of so many items, and a zero.

use super::super::header::write_len;
use super::fault::wrong_count;
use demat_core::Result;

/// The largest count of one byte.
const MOST: u8 = 63;

/// The current run of an array or map. If its length is unknown, it reserves a byte for the count.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// Where the count is; `None` before the first item.
    header: Option<usize>,
    count: u8,
    /// The count that was written, and the number of items so far.
    exact: Option<(u64, u64)>,
}

impl Run {
    /// Begins an array or map of `len` items; `None` if unknown.
    pub(super) fn open(buffer: &mut Vec<u8>, len: Option<usize>) -> Self {
        let Some(len) = len else { return Self::default() };
        if len > 0 {
            write_len(buffer, len);
        }
        Self { exact: Some((len as u64, 0)), ..Self::default() }
    }

    /// Begins another item.
    pub(super) fn item(&mut self, buffer: &mut Vec<u8>) {
        if let Some((_, came)) = &mut self.exact {
            *came += 1;
            return;
        }
        if self.count == MOST {
            self.seal(buffer);
        }
        if self.header.is_none() {
            self.header = Some(buffer.len());
            buffer.push(0);
        }
        self.count += 1;
    }

    /// Writes the count of the run.
    fn seal(&mut self, buffer: &mut [u8]) {
        if let Some(header) = self.header.take().and_then(|at| buffer.get_mut(at)) {
            *header = self.count << 1;
        }
        self.count = 0;
    }

    /// Ends the array or map.
    ///
    /// # Errors
    /// If another count was announced.
    pub(super) fn close(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        match self.exact {
            Some((announced, came)) if announced != came => return Err(wrong_count(announced, came)),
            Some(_) => {}
            None => self.seal(buffer),
        }
        buffer.push(0);
        Ok(())
    }
}
