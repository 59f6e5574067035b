//! Seeing by a look at a file that a database is another now.

use demat_sqlite::{Database, Rows as _};
use std::fs::File;
use std::path::{Path, PathBuf};

/// The index of the log that a database is written by (`wal`), which every connection changes when it commits.
///
/// Its head (48 bytes; "WAL-Index File Format", sqlite.org/walformat.html) counts transactions and has the sums of the last
/// frame, so that no two states of a database have the same one; it says nothing of a change before that was committed. Whoever
/// has the database open keeps its file there, and keeps others from writing in another way.
#[derive(Debug)]
pub(super) struct Index {
    file: File,
}

/// So many bytes the head has.
const HEAD: usize = 48;

impl Index {
    /// The index of a database that is open by this connection; nothing where it is written in another way.
    pub(super) fn of(database: &Database, path: &Path) -> Option<Self> {
        let mut mode = database.statement("PRAGMA journal_mode").ok()?;
        if !mode.step().ok()? || mode.bytes(0) != b"wal" {
            return None;
        }
        mode.reset();
        // It is there when something was read.
        database.number("SELECT count(*) FROM sqlite_schema", &[]).ok()?;
        let mut name = path.as_os_str().to_os_string();
        name.push("-shm");
        Some(Self { file: File::open(PathBuf::from(name)).ok()? })
    }

    /// A number for the state of the database; nothing where the file does not say.
    pub(super) fn state(&self) -> Option<u64> {
        let mut head = [0; HEAD];
        if read_at(&self.file, &mut head)? < HEAD {
            return None;
        }
        // Each word is spread over all bits by an odd number; which words are the same in what order is all that counts.
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
