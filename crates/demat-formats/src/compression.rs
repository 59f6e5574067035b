//! How the bytes of a place are packed.

use core::fmt;
use std::path::Path;

/// How the bytes of a place are packed.
///
/// A place is written as its suffix says. What is read says by its first bytes how it is packed, since standard input
/// has no suffix and files are renamed; a file whose suffix promises what its first bytes are not is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compression {
    /// gzip (RFC 1952): one member after the other, written at level 6.
    Gzip,
    /// Zstandard (RFC 8878): one frame after the other, written at level 3.
    Zstd,
}

impl Compression {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Gzip, Self::Zstd];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// The suffix of files that are packed so.
    pub const fn suffix(self) -> &'static str {
        match self {
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
        }
    }

    /// The bytes that data packed so begins with.
    pub const fn magic(self) -> &'static [u8] {
        match self {
            Self::Gzip => b"\x1F\x8B",
            Self::Zstd => b"\x28\xB5\x2F\xFD",
        }
    }

    /// What a path's suffix says, upper case or lower.
    ///
    /// ```
    /// use demat_formats::Compression;
    /// assert_eq!(Compression::of_path("a.json.gz".as_ref()), Some(Compression::Gzip));
    /// assert_eq!(Compression::of_path("a.json".as_ref()), None);
    /// ```
    pub fn of_path(path: &Path) -> Option<Self> {
        Self::of_name(path.file_name()?.to_str()?)
    }

    fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| name.to_ascii_lowercase().ends_with(one.suffix()))
    }

    /// Returns a file's name without its suffix of compression, if it has one.
    pub fn strip_suffix(name: &str) -> &str {
        // The suffix is ASCII, so that what is in front of it ends at a character.
        Self::of_name(name).map_or(name, |one| &name[..name.len() - one.suffix().len()])
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
