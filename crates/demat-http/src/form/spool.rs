//! The bytes of a file: in memory, or in a temporary file if there are many.

use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};

/// The maximum number of bytes in memory.
const MEMORY: usize = 256 << 10;

/// Bytes in memory, or in a temporary file without a name.
#[derive(Debug)]
pub enum Spool {
    /// Few bytes.
    Memory(Vec<u8>),
    /// Many bytes: the file, and their number. The file stands at its beginning.
    File(File, u64),
}

impl Default for Spool {
    fn default() -> Self {
        Self::Memory(Vec::new())
    }
}

impl Spool {
    /// The number of bytes.
    ///
    /// ```
    /// assert_eq!(demat_http::Spool::Memory(b"abc".to_vec()).len(), 3);
    /// ```
    #[allow(clippy::len_without_is_empty)] // nobody would ask
    pub fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File(_, len) => *len,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Memory(own) if own.len() + bytes.len() <= MEMORY => own.extend_from_slice(bytes),
            Self::Memory(own) => {
                let mut file = tempfile::tempfile()?;
                file.write_all(own)?;
                file.write_all(bytes)?;
                *self = Self::File(file, (own.len() + bytes.len()) as u64);
            }
            Self::File(file, len) => {
                file.write_all(bytes)?;
                *len += bytes.len() as u64;
            }
        }
        Ok(())
    }

    /// Returns to the beginning, for the reader.
    pub(super) fn rewound(mut self) -> io::Result<Self> {
        if let Self::File(file, _) = &mut self {
            file.seek(SeekFrom::Start(0))?;
        }
        Ok(self)
    }
}
