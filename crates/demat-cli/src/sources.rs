//! The sources of a copy, and its target.

use crate::failure::Failure;
use crate::source::SourceArguments;
use demat_place::{Format, Place};
use glob::{MatchOptions, Pattern};
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The sources of a copy, and its target.
#[derive(Debug)]
pub(crate) struct Ends {
    /// At least one.
    pub(crate) sources: Vec<(Place, Format)>,
    pub(crate) target: Place,
}

impl Ends {
    /// Finds the places of a copy: the last one is the target, unless that is an option.
    pub(crate) fn of(
        mut places: Vec<OsString>,
        output: Option<OsString>,
        source: &SourceArguments,
    ) -> Result<Self, Failure> {
        let target = match output {
            None if places.len() > 1 => places.pop(),
            output => output,
        };
        let target = target.map_or(Place::Standard, |name| Place::named(&name));
        if places.is_empty() {
            places.push("-".into());
        }
        if let [one] = &*places
            && let Some(folder) = SourceArguments::folder(one, &target)
        {
            return Ok(Self { sources: vec![folder], target });
        }
        let mut sources = Vec::new();
        for name in places {
            match matches(&name)? {
                None => sources.push(source.place(&name, "copy")?),
                Some(paths) => {
                    for path in paths {
                        sources.push(source.place(path.as_os_str(), "copy")?);
                    }
                }
            }
        }
        let standard = sources.iter().filter(|(place, _)| *place == Place::Standard).count();
        if standard > 1 {
            return Err(Failure::usage("standard input can be read once only"));
        }
        if sources.len() > 1
            && let Some((place, _)) = sources.iter().find(|(place, _)| *place == target && target != Place::Standard)
        {
            let message = format!("`{}` is a source and the target", crate::report::name(place, "-"));
            return Err(Failure::usage(message));
        }
        Ok(Self { sources, target })
    }
}

/// Returns the files that a pattern matches, sorted. `None` if the name is no pattern, or that of a file.
fn matches(name: &OsStr) -> Result<Option<Vec<PathBuf>>, Failure> {
    let Some(pattern) = name.to_str() else { return Ok(None) };
    let is_pattern = matches!(Place::named(name), Place::File(path) if !path.exists());
    if !is_pattern || Pattern::escape(pattern) == pattern {
        return Ok(None);
    }
    let options = MatchOptions { require_literal_leading_dot: true, ..MatchOptions::new() };
    let options = MatchOptions { require_literal_separator: true, ..options };
    let wrong =
        |error: &dyn core::fmt::Display| Failure::usage(format!("`{pattern}` is not a pattern of files: {error}"));
    let mut paths = Vec::new();
    for path in glob::glob_with(pattern, options).map_err(|error| wrong(&error))? {
        let path = path
            .map_err(|error| Failure::from(demat_core::Error::from(std::io::Error::from(error)).in_place(pattern)))?;
        if path.is_file() {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(Failure::usage(format!("no file matches `{pattern}`")));
    }
    paths.sort();
    Ok(Some(paths))
}
