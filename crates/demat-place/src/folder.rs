//! Copies the files of a folder to the tables of one database.

use crate::database::{DatabasePlace, DatabaseTarget, Part, stem};
use crate::lift::refused;
use crate::out::Out;
use crate::{CopyJob, Format, Place, ReadOptions, Summary};
use demat_core::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};

/// A file, and its table.
#[derive(Debug)]
struct Member {
    path: PathBuf,
    format: Format,
    table: String,
}

/// Returns the files of a folder in a known format, by name. Refuses two files with the same table.
fn files(folder: &Path) -> Result<Vec<Member>> {
    let name = folder.display().to_string();
    let entries = std::fs::read_dir(folder).map_err(|cause| refused("can't be read", name.clone(), cause))?;
    let mut found: Vec<Member> = Vec::new();
    for entry in entries {
        let path = entry.map_err(|cause| refused("can't be read", name.clone(), cause))?.path();
        let format = Format::of_path(&path).filter(|format| format.is_streamed());
        if let (Some(format), Some(table), true) = (format, stem(&path), path.is_file()) {
            found.push(Member { path, format, table });
        }
    }
    found.sort_by(|one, other| one.path.cmp(&other.path));
    if found.is_empty() {
        let error = Error::new(ErrorKind::Io, "there is no file of a known format in the folder");
        return Err(error.in_place(name));
    }
    for (index, part) in found.iter().enumerate() {
        if let Some(other) = found[..index].iter().find(|other| other.table.eq_ignore_ascii_case(&part.table)) {
            let (one, other) = (other.path.display(), part.path.display());
            let message = format!("`{one}` and `{other}` would both be the table `{}`", part.table);
            return Err(Error::new(ErrorKind::Store, message).in_place(name));
        }
    }
    Ok(found)
}

/// Returns the options for a file other than CSV, from options that were set for CSV: those that all formats share.
fn others(options: &ReadOptions, format: Format) -> ReadOptions {
    let mut own = format.read_options();
    if options.depth != Format::TABLE.read_options().depth {
        own.depth = options.depth;
    }
    ReadOptions { repeated_keys: options.repeated_keys, window: options.window, ..own }
}

/// Copies all files of a folder to one database: all of them or none.
pub(crate) fn run(job: &mut CopyJob<'_>, folder: &Path, to: &DatabasePlace) -> Result<Summary> {
    let files = files(folder)?;
    let mut whole = Summary { records: 0, rejected: 0, written: true, read: 0 };
    let first = DatabasePlace { path: to.path.clone(), part: Part::Table(files[0].table.clone()) };
    let mut target = DatabaseTarget::create(&first, &Place::File(folder.to_path_buf()), false)?;
    if job.is_shaped() {
        target.trust();
    }
    let options = job.source_options().clone();
    for file in files {
        target = target.table(&file.table)?;
        let own = if file.format == Format::TABLE { options.clone() } else { others(&options, file.format) };
        job.set_source(Place::File(file.path), file.format, own);
        let (summary, out) = job.run_into(Out::Rows(Box::new(target)))?;
        whole.records += summary.records;
        whole.rejected += summary.rejected;
        whole.read += summary.read;
        whole.written &= summary.written;
        let Out::Rows(rest) = out else { return Err(Error::new(ErrorKind::Store, "the target is no database")) };
        target = *rest;
    }
    if whole.written {
        target.finish()?;
    }
    Ok(whole)
}
