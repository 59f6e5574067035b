//! Resolves references to files and folders.

use super::{Folder, failed, format_of};
use crate::fault::Fault;
use crate::version::Version;
use core::hash::{Hash as _, Hasher as _};
use demat_core::Result;
use demat_place::{Compression, Format};
use std::fs::{self, Metadata};
use std::hash::DefaultHasher;
use std::io;
use std::path::{Component, Path, PathBuf};

/// The target of a reference.
#[derive(Debug)]
pub(super) enum Found {
    Folder(PathBuf),
    File(FoundFile),
    Nothing,
}

/// An existing file.
#[derive(Debug)]
pub(super) struct FoundFile {
    /// Canonical: without symbolic links.
    pub(super) path: PathBuf,
    pub(super) version: Version,
}

impl Folder {
    /// Resolves a reference, also without its suffix.
    pub(super) fn found(&self, at: &[String]) -> Result<Found> {
        let mut path = self.root.clone();
        for name in at {
            if !is_name(name) {
                return Err(Fault::NotFound.about(at));
            }
            path.push(name);
        }
        let found = self.looked_at(at, &path)?;
        let Some(name) = at.last() else { return Ok(found) };
        if !matches!(found, Found::Nothing) || self.raw || format_of(Path::new(name)).is_some() {
            return Ok(found);
        }
        let (mut named, mut several) = (Found::Nothing, Vec::new());
        for suffix in suffixes() {
            let own = format!("{name}{suffix}");
            if let Found::File(file) = self.looked_at(at, &path.with_file_name(&own))? {
                several.push(own);
                named = Found::File(file);
            }
        }
        if several.len() > 1 {
            return Err(Fault::Conflict.because(format!("`{name}` may be any of {}", several.join(", "))));
        }
        Ok(named)
    }

    /// Resolves a path, if it is within the root.
    fn looked_at(&self, at: &[String], path: &Path) -> Result<Found> {
        let about = fs::canonicalize(path).and_then(|path| Ok((fs::metadata(&path)?, path)));
        match about {
            Ok((_, path)) if !path.starts_with(&self.root) => Ok(Found::Nothing),
            Ok((about, path)) if about.is_dir() => Ok(Found::Folder(path)),
            Ok((about, path)) if about.is_file() => Ok(Found::File(FoundFile { path, version: version(&about) })),
            // Opening a pipe would wait for its other end.
            Ok(_) => Ok(Found::Nothing),
            Err(cause) if is_absence(&cause) => Ok(Found::Nothing),
            Err(cause) => Err(failed(at, cause)),
        }
    }

    /// Returns the path of a new folder, and creates it with all folders above it.
    pub(super) fn made(&self, at: &[String]) -> Result<PathBuf> {
        let mut path = self.root.clone();
        for (index, name) in at.iter().enumerate() {
            let here = &at[..=index];
            if !is_name(name) {
                return Err(Fault::BadReference.about(here));
            }
            path.push(name);
            match self.looked_at(here, &path)? {
                Found::Folder(real) => path = real,
                Found::File(_) => return Err(Fault::Conflict.about(here)),
                // Never follow a broken link, or one that leads outside.
                Found::Nothing if fs::symlink_metadata(&path).is_ok() => return Err(Fault::Conflict.about(here)),
                Found::Nothing => match fs::create_dir(&path) {
                    Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => return Err(failed(here, cause)),
                    _ => {}
                },
            }
        }
        Ok(path)
    }

    /// Returns whether a path exists, as any kind of file.
    pub(super) fn is_taken(path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }
}

/// Returns whether a name is a plain child: no separators, not hidden.
pub(super) fn is_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(own)), None) if own == name);
    plain && !name.starts_with('.') && !name.contains('\0')
}

/// Returns the sorted names in a folder.
pub(super) fn names(at: &[String], path: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(|cause| failed(at, cause))? {
        let name = entry.map_err(|cause| failed(at, cause))?.file_name();
        // References are UTF-8, so other names can't be reached.
        names.extend(name.into_string().ok().filter(|name| is_name(name)));
    }
    names.sort_unstable();
    Ok(names)
}

/// Returns the suffixes of all known formats, also compressed.
fn suffixes() -> impl Iterator<Item = String> {
    let plain = Format::all().filter(|format| format.is_streamed()).flat_map(Format::suffixes);
    plain.flat_map(|suffix| {
        let packed = [Compression::Gzip, Compression::Zstd].map(|packed| format!("{suffix}{}", packed.suffix()));
        core::iter::once((*suffix).to_string()).chain(packed)
    })
}

fn is_absence(cause: &io::Error) -> bool {
    matches!(cause.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory | io::ErrorKind::InvalidFilename)
}

/// Returns the version of a file: a hash of its time, size and number.
pub(super) fn version(about: &Metadata) -> Version {
    let mut hasher = DefaultHasher::new();
    about.modified().ok().hash(&mut hasher);
    about.len().hash(&mut hasher);
    number(about).hash(&mut hasher);
    Version(hasher.finish())
}

#[cfg(unix)]
fn number(about: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(about)
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> u64 {
    0
}
