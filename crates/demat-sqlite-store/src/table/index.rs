//! Detects changes of a database by reading a file instead of calling SQLite.

use demat_sqlite::{Database, Rows as _};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The WAL index (`-shm` file), which every connection changes when it commits.
///
/// Its header (48 bytes; "WAL-Index File Format", sqlite.org/walformat.html) contains a count of transactions and the
/// checksums of the last frame. So it is different for each state of the database, and changes only with a commit. As
/// long as the database is open, the file exists, and no connection can change the journal mode.
#[derive(Debug)]
pub(super) struct Index {
    file: File,
}

/// The size of the header in bytes.
const HEAD: usize = 48;

impl Index {
    /// Opens the index of a database that this connection has open; `None` in another journal mode.
    pub(super) fn of(database: &Database, path: &Path) -> Option<Self> {
        let mut mode = database.statement("PRAGMA journal_mode").ok()?;
        if !mode.step().ok()? || mode.bytes(0) != b"wal" {
            return None;
        }
        mode.reset();
        // The file exists once the connection has read something.
        database.number("SELECT count(*) FROM sqlite_schema", &[]).ok()?;
        let mut name = path.as_os_str().to_os_string();
        name.push("-shm");
        Some(Self { file: File::open(PathBuf::from(name)).ok()? })
    }

    /// Returns a hash of the database's state; `None` if the file can't be read.
    pub(super) fn state(&self) -> Option<u64> {
        let mut head = [0; HEAD];
        if read_at(&self.file, &mut head)? < HEAD {
            return None;
        }
        // A multiplication by an odd number spreads each word over all bits. The hash depends only on the words and
        // their order.
        Some(head.chunks_exact(8).fold(0x9E37_79B9_7F4A_7C15, |state: u64, word| {
            let word = word.try_into().map_or(0, u64::from_ne_bytes);
            (state ^ word).wrapping_mul(0xFF51_AFD7_ED55_8CCD).rotate_left(29)
        }))
    }
}

#[cfg(unix)]
fn read_at(file: &File, to: &mut [u8]) -> Option<usize> {
    std::os::unix::fs::FileExt::read_at(file, to, 0).ok()
}

#[cfg(not(unix))]
fn read_at(file: &File, to: &mut [u8]) -> Option<usize> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = file;
    file.seek(SeekFrom::Start(0)).ok()?;
    file.read(to).ok()
}
