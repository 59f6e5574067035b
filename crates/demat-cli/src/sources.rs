//! The sources of a copy, and its target.

use crate::failure::Failure;
use crate::matching::FilePattern;
use crate::output;
use crate::screen::Screen;
use crate::source::{SourceArguments, unknown};
use demat_http::{Fetched, RemoteOptions};
use demat_place::{CopyJob, Format, Place};
use glob::Pattern;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

/// The sources of a copy, and its target.
#[derive(Debug)]
pub(crate) struct Ends {
    /// At least one.
    pub(crate) sources: Vec<Opened>,
    pub(crate) target: Place,
}

/// A source, as it is named on the command line.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) place: Place,
    pub(crate) format: Format,
    /// The data at a URL.
    pub(crate) fetched: Option<Fetched>,
    /// The statement over a file.
    pub(crate) query: Option<String>,
}

impl Opened {
    fn of((place, format): (Place, Format)) -> Self {
        Self { place, format, fetched: None, query: None }
    }

    /// Opens a source: a place, a URL, or a file with a statement over it (`people.csv?select …`).
    pub(crate) fn open(
        name: &OsStr,
        source: &SourceArguments,
        command: &'static str,
        screen: Screen,
    ) -> Result<Self, Failure> {
        if let Some(url) = name.to_str().filter(|text| is_url(text)) {
            let fetched = Fetched::open(url, &RemoteOptions::default())?;
            let place = Place::Given(url.to_string());
            return match source.from.or(fetched.format()) {
                Some(format) => Ok(Self { place, format, fetched: Some(fetched), query: None }),
                None => Err(unknown("from", &Place::File(url.into()))),
            };
        }
        let Some((file, sql)) = queried(name) else { return source.place(name, command).map(Self::of) };
        let (place, format) = source.place(OsStr::new(file), command)?;
        if !screen.quiet {
            output::line(&format!("{} {file} is read into a database in memory", screen.note()));
        }
        Ok(Self { place, format, fetched: None, query: Some(sql.to_string()) })
    }

    /// Sets the source's data or statement.
    pub(crate) fn apply(self, mut job: CopyJob<'_>) -> CopyJob<'_> {
        if let Some(fetched) = self.fetched {
            job = job.reader(fetched);
        }
        match self.query {
            Some(sql) => job.query(sql),
            None => job,
        }
    }
}

/// Whether a name is a URL, and not that of a file.
pub(crate) fn is_url(name: &str) -> bool {
    (name.starts_with("http://") || name.starts_with("https://")) && !Path::new(name).exists()
}

/// Splits the name of a file and a statement over it. `None` for databases, which SQLite reads itself.
fn queried(name: &OsStr) -> Option<(&str, &str)> {
    let Place::File(whole) = Place::named(name) else { return None };
    let (file, sql) = name.to_str()?.split_once('?')?;
    let word = sql.trim_start().split(char::is_whitespace).next()?;
    let is_statement = ["select", "with", "values"].iter().any(|own| own.eq_ignore_ascii_case(word));
    (is_statement && !whole.exists() && Path::new(file).is_file()).then_some((file, sql))
}

impl Ends {
    /// Finds the places of a copy: the last one is the target, unless that is an option.
    pub(crate) fn of(
        mut places: Vec<OsString>,
        output: Option<OsString>,
        source: &SourceArguments,
        screen: Screen,
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
            return Ok(Self { sources: vec![Opened::of(folder)], target });
        }
        let mut sources = Vec::new();
        for name in places {
            match matches(&name)? {
                None => sources.push(Opened::open(&name, source, "copy", screen)?),
                Some(paths) => {
                    for path in paths {
                        sources.push(Opened::of(source.place(path.as_os_str(), "copy")?));
                    }
                }
            }
        }
        let standard = sources.iter().filter(|source| source.place == Place::Standard).count();
        if standard > 1 {
            return Err(Failure::usage("standard input can be read once only"));
        }
        let whole = |source: &Opened| source.fetched.is_none() && source.query.is_none();
        if sources.len() > 1 && !sources.iter().all(whole) {
            return Err(Failure::usage("a URL, or a statement over a file, can only be the one source"));
        }
        if sources.len() > 1
            && let Some(source) = sources.iter().find(|source| source.place == target && target != Place::Standard)
        {
            let message = format!("`{}` is a source and the target", crate::report::name(&source.place, "-"));
            return Err(Failure::usage(message));
        }
        Ok(Self { sources, target })
    }
}

/// Returns the files that a pattern matches, sorted. `None` if the name is no pattern, or that of a file.
fn matches(name: &OsStr) -> Result<Option<Vec<PathBuf>>, Failure> {
    let Some(pattern) = name.to_str() else { return Ok(None) };
    let is_pattern = matches!(Place::named(name), Place::File(path) if !path.exists());
    if !is_pattern || is_url(pattern) || queried(name).is_some() || Pattern::escape(pattern) == pattern {
        return Ok(None);
    }
    let files = FilePattern::new(pattern)
        .map_err(|error| Failure::usage(format!("`{pattern}` is not a pattern of files: {error}")))?;
    let paths = files.files().map_err(|error| Failure::from(demat_core::Error::from(error).in_place(pattern)))?;
    if paths.is_empty() {
        return Err(Failure::usage(format!("no file matches `{pattern}`")));
    }
    Ok(Some(paths))
}
