//! What a reference leads to in a folder.

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

/// What a reference leads to.
#[derive(Debug)]
pub(super) enum Found {
    Folder(PathBuf),
    File(FoundFile),
    Nothing,
}

/// A file that is there.
#[derive(Debug)]
pub(super) struct FoundFile {
    /// Without symbolic links in it.
    pub(super) path: PathBuf,
    pub(super) version: Version,
}

impl Folder {
    /// What is there.
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

    /// What a path leads to, if that is within the root.
    fn looked_at(&self, at: &[String], path: &Path) -> Result<Found> {
        let about = fs::canonicalize(path).and_then(|path| Ok((fs::metadata(&path)?, path)));
        match about {
            Ok((_, path)) if !path.starts_with(&self.root) => Ok(Found::Nothing),
            Ok((about, path)) if about.is_dir() => Ok(Found::Folder(path)),
            Ok((about, path)) if about.is_file() => Ok(Found::File(FoundFile { path, version: version(&about) })),
            // To open a pipe is to wait for its other end.
            Ok(_) => Ok(Found::Nothing),
            Err(cause) if is_absence(&cause) => Ok(Found::Nothing),
            Err(cause) => Err(failed(at, cause)),
        }
    }

    /// The path of a file that is not there yet, with the folders on the way made.
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
                // A link that leads nowhere, or outside, is not written through.
                Found::Nothing if fs::symlink_metadata(&path).is_ok() => return Err(Fault::Conflict.about(here)),
                Found::Nothing => match fs::create_dir(&path) {
                    Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => return Err(failed(here, cause)),
                    _ => {}
                },
            }
        }
        Ok(path)
    }

    /// Whether something is at a path, of whatever kind, that a new file would replace.
    pub(super) fn is_taken(path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }
}

/// Whether a name leads one step down, to what is not hidden.
pub(super) fn is_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    let plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(own)), None) if own == name);
    plain && !name.starts_with('.') && !name.contains('\0')
}

/// The names that there are in a folder, sorted.
pub(super) fn names(at: &[String], path: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(path).map_err(|cause| failed(at, cause))? {
        let name = entry.map_err(|cause| failed(at, cause))?.file_name();
        // What is no text can't be named.
        names.extend(name.into_string().ok().filter(|name| is_name(name)));
    }
    names.sort_unstable();
    Ok(names)
}

/// What the names of files end with whose format is known.
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

/// A number for what a file holds, by what the system says of it.
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
