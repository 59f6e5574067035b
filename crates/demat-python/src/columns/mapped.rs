//! Files that are looked at where the system keeps them.

use demat_core::Result;
use std::fs::File;
use std::path::Path;

/// A file in memory, as far as it went when it was mapped. Whoever makes it shorter meanwhile ends the program, as with all that
/// is mapped.
#[cfg(unix)]
pub(super) struct Mapped {
    start: *mut libc::c_void,
    len: usize,
}

// SAFETY: it is memory that nothing is written to, and that is there until the end.
#[cfg(unix)]
unsafe impl Send for Mapped {}
// SAFETY: as above.
#[cfg(unix)]
unsafe impl Sync for Mapped {}

#[cfg(unix)]
impl Mapped {
    /// All of a file.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn file(path: &Path) -> Result<Self> {
        use std::os::fd::AsRawFd;
        let file = File::open(path)?;
        let len = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        if len == 0 {
            return Ok(Self { start: core::ptr::null_mut(), len });
        }
        // SAFETY: new memory is asked for, of a file that is open; that is checked to have been given.
        let start =
            unsafe { libc::mmap(core::ptr::null_mut(), len, libc::PROT_READ, libc::MAP_PRIVATE, file.as_raw_fd(), 0) };
        if start == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error().into());
        }
        Ok(Self { start, len })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: so many bytes were mapped, and are until this ends; nobody here writes to them.
        unsafe { core::slice::from_raw_parts(self.start.cast(), self.len) }
    }
}

#[cfg(unix)]
impl Drop for Mapped {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: this is what was mapped, and no borrow of it is left.
            unsafe { libc::munmap(self.start, self.len) };
        }
    }
}

/// A file that was read.
#[cfg(not(unix))]
pub(super) struct Mapped(Vec<u8>);

#[cfg(not(unix))]
impl Mapped {
    /// All of a file.
    ///
    /// # Errors
    /// What the system says.
    pub(super) fn file(path: &Path) -> Result<Self> {
        Ok(Self(super::loaded::file(path, 1)?))
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}
