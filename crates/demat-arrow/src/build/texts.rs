use core::fmt;
use demat_core::{Error, Result};

/// Variable-length values in one buffer: Arrow's texts, bytes and JSON.
#[derive(Debug)]
pub(crate) struct Texts {
    /// The start of each value, and the end of the last one.
    pub(crate) offsets: Vec<i32>,
    pub(crate) data: Vec<u8>,
}

/// The error of a full column: the batch must end before this row.
#[derive(Debug)]
pub(crate) struct Full;

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Arrow's offsets have 32 bits")
    }
}

impl std::error::Error for Full {}

impl Full {
    #[cold]
    pub(crate) fn error(what: &str) -> Error {
        Error::limit(what, i32::MAX).because(Self)
    }

    /// Whether this is the cause of the error.
    pub(crate) fn is(error: &Error) -> bool {
        std::error::Error::source(error).is_some_and(<dyn std::error::Error>::is::<Self>)
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self { offsets: vec![0], data: Vec::new() }
    }
}

impl Texts {
    #[inline(always)]
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Result<()> {
        self.data.extend_from_slice(bytes);
        let Ok(end) = i32::try_from(self.data.len()) else {
            self.data.truncate(self.data.len() - bytes.len());
            return Err(Full::error("the size of a column in bytes"));
        };
        self.offsets.push(end);
        Ok(())
    }

    /// Ends a value whose bytes were already appended within the limit.
    #[inline(always)]
    pub(crate) fn push_end(&mut self) {
        self.push_empty();
    }

    /// Appends an empty value.
    pub(crate) fn push_empty(&mut self) {
        // Below the limit, which was checked when the bytes were appended.
        self.offsets.push(self.data.len() as i32);
    }

    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub(crate) fn get(&self, row: usize) -> &[u8] {
        &self.data[self.offsets[row] as usize..self.offsets[row + 1] as usize]
    }

    pub(crate) fn truncate(&mut self, rows: usize) {
        if rows < self.len() {
            self.offsets.truncate(rows + 1);
        }
        // Removes a partly appended value, too.
        self.data.truncate(self.offsets.last().map_or(0, |end| *end as usize));
    }
}
