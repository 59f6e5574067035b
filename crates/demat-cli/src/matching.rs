//! The files that a pattern such as `logs/**/*.csv` matches.

use glob::{MatchOptions, Pattern, PatternError};
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

/// As in a shell: `*` matches neither a separator nor a dot at the beginning of a name.
const OPTIONS: MatchOptions =
    MatchOptions { case_sensitive: true, require_literal_separator: true, require_literal_leading_dot: true };

/// A pattern of files, by the parts of its path.
pub(crate) struct FilePattern {
    parts: Vec<Part>,
}

enum Part {
    /// A name as it stands, a root, or `..`.
    Literal(OsString),
    Pattern(Pattern),
    /// `**`: this directory and all those in it.
    All,
}

impl FilePattern {
    /// Reads a pattern.
    ///
    /// # Errors
    /// If it is none.
    pub(crate) fn new(text: &str) -> Result<Self, PatternError> {
        // The whole, so that the position in an error counts from its beginning.
        Pattern::new(text)?;
        let mut parts = Vec::new();
        for component in Path::new(text).components() {
            let name = component.as_os_str();
            match (component, name.to_str()) {
                (Component::Normal(_), Some("**")) => {
                    if !matches!(parts.last(), Some(Part::All)) {
                        parts.push(Part::All);
                    }
                }
                (Component::Normal(_), Some(name)) if Pattern::escape(name) != name => {
                    parts.push(Part::Pattern(Pattern::new(name)?));
                }
                _ => parts.push(Part::Literal(name.to_owned())),
            }
        }
        if text.ends_with(std::path::is_separator) {
            // Only a directory could match. No file has this part.
            parts.push(Part::Literal(OsString::from(".")));
        }
        Ok(Self { parts })
    }

    /// Returns the files that it matches, sorted. A name that is no Unicode is compared with U+FFFD in the place of what
    /// is none. `**` does not enter directories by symbolic links, which may lead back.
    ///
    /// # Errors
    /// If a directory can't be read.
    pub(crate) fn files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        find(&self.parts, Path::new(""), &mut files)?;
        files.sort();
        files.dedup();
        Ok(files)
    }
}

fn find(parts: &[Part], path: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    let Some((part, rest)) = parts.split_first() else {
        if path.is_file() {
            files.push(path.to_owned());
        }
        return Ok(());
    };
    match part {
        Part::Literal(name) => find(rest, &path.join(name), files),
        Part::Pattern(pattern) => {
            for (name, _) in entries(path)? {
                if pattern.matches_with(&name.to_string_lossy(), OPTIONS) {
                    find(rest, &path.join(name), files)?;
                }
            }
            Ok(())
        }
        Part::All => {
            find(rest, path, files)?;
            for (name, is_directory) in entries(path)? {
                if is_directory && !starts_with_dot(&name) {
                    find(parts, &path.join(name), files)?;
                }
            }
            Ok(())
        }
    }
}

/// Returns the names in a directory, and whether each is that of a directory. What is no directory has none.
fn entries(path: &Path) -> io::Result<Vec<(OsString, bool)>> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    if !path.is_dir() {
        return Ok(Vec::new());
    }
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
    std::fs::read_dir(path)
        .and_then(|entries| {
            entries.map(|entry| entry.and_then(|entry| Ok((entry.file_name(), entry.file_type()?.is_dir())))).collect()
        })
        .map_err(named)
}

fn starts_with_dot(name: &OsStr) -> bool {
    name.as_encoded_bytes().first() == Some(&b'.')
}
