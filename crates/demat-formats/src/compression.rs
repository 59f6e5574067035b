//! The compression of a place's bytes, from its suffix or from its first bytes.

use core::fmt;
use std::path::Path;

/// A compression of a place's bytes.
///
/// A written place is compressed according to its suffix. A read place is decompressed according to its first bytes,
/// since standard input has no suffix and files are renamed. A file whose suffix and first bytes disagree is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compression {
    /// gzip (RFC 1952). Reads concatenated members; writes at level 6.
    Gzip,
    /// Zstandard (RFC 8878). Reads concatenated frames; writes at level 3.
    Zstd,
}

impl Compression {
    /// All compressions.
    pub const ALL: [Self; 2] = [Self::Gzip, Self::Zstd];

    /// The name of the compression.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The suffix of compressed files.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
        }
    }

    /// The first bytes of compressed data.
    pub const fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => b"\x1F\x8B",
            Self::Zstd => b"\x28\xB5\x2F\xFD",
        }
    }

    /// Returns the compression that a path's suffix means. Upper and lower case are the same.
    ///
    /// ```
    /// use demat_formats::Compression;
    /// assert_eq!(Compression::of_path("a.json.gz".as_ref()), Some(Compression::Gzip));
    /// assert_eq!(Compression::of_path("a.json".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Self> {
        Self::of_name(&path.file_name()?.to_string_lossy())
    }

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| name.to_ascii_lowercase().ends_with(one.suffix()))
    }

    /// Returns a file's name without its suffix of compression, if it has one.
    pub fn strip_suffix(name: &str) -> &str {
        // The suffix is ASCII, so this cuts at a character boundary.
        Self::of_name(name).map_or(name, |one| &name[..name.len() - one.suffix().len()])
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
