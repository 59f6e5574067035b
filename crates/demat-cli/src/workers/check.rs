//! What a copy with workers refuses, since its result would not be that of one.

use super::joined::How;
use super::part::Source;
use super::piece::{Spool, aside};
use crate::arguments::CopyArguments;
use crate::failure::Failure;
use crate::source::one_of;
use crate::sources::Opened;
use crate::target::TargetArguments;
use demat_core::{ErrorKind, Shape};
use demat_formats::codec::{Model, SettingValue};
use demat_formats::csv::Dialect;
use demat_place::{CopyJob, Format, Place, WriteOptions};
use std::io::Read;
use std::path::Path;

/// Checks the sources and the options.
pub(super) fn check(arguments: &CopyArguments, sources: &[Opened], shape: Option<&Shape>) -> Result<(), Failure> {
    for source in sources {
        let is_file = matches!(source.place, Place::File(_)) && source.fetched.is_none() && source.query.is_none();
        if !is_file || !source.format.is_streamed() {
            let hint = "several workers read files; leave --workers out for other sources";
            return Err(Failure::usage_with(format!("`--workers` can't read {}", source.place), hint));
        }
    }
    let given = |given: bool, option: &str, why: &str| {
        if given { Err(Failure::usage(format!("`--workers` can't be used with `{option}`: {why}"))) } else { Ok(()) }
    };
    given(!arguments.also.is_empty(), "--also", "workers fill one target")?;
    given(arguments.limit.is_some(), "--limit", "it counts records from the beginning")?;
    let learnt = "it learns from the first records, which not each worker sees";
    given(arguments.shape.infer, "--infer", learnt)?;
    given(arguments.sample.is_some(), "--sample", learnt)?;
    if shape.is_some() {
        return Ok(());
    }
    let records = &arguments.records;
    let learns = [
        (arguments.shape.flatten, "--flatten"),
        (records.condition.is_some(), "--where"),
        (records.fields.is_some(), "--fields"),
        (!records.rename.is_empty(), "--rename"),
    ];
    match learns.into_iter().find(|(given, _)| *given) {
        Some((_, option)) => {
            let message = format!("`--workers` with `{option}` needs `--shape`");
            Err(Failure::usage_with(message, "without it, the fields are learnt from the first records"))
        }
        None => Ok(()),
    }
}

/// Returns how the parts of a target are joined.
pub(super) fn how(
    target: &TargetArguments,
    (to, options): (Format, &WriteOptions),
    shape: Option<&Shape>,
) -> Result<How, Failure> {
    let about = to.about();
    let sequence = to.write_setting("sequence");
    match about.model {
        Model::JsonLines => Ok(How::Ends),
        Model::Numbered if about.name == Format::PROTO.name() => Ok(How::Ends),
        Model::Cells => match shape {
            Some(shape) if shape.row().is_none() => {
                Err(Failure::usage("`--workers` writes a table of records, and the shape is none of a record"))
            }
            _ => Ok(How::Header),
        },
        Model::Json if target.pretty || target.indent.is_some() => {
            Err(Failure::usage("`--workers` writes an array without `--indent` and `--pretty`"))
        }
        Model::Json if target.to_encoding.is_some() => Err(Failure::usage("`--workers` writes an array as UTF-8")),
        Model::Json => Ok(How::Array),
        _ if sequence.is_some_and(|own| options.own.get(own) == Some(&SettingValue::Flag(true))) => Ok(How::Ends),
        _ if sequence.is_some() => {
            let message = format!("`--workers` joins parts of {to} as a sequence only");
            Err(Failure::usage_with(message, "--to-option sequence=true writes one"))
        }
        _ => {
            let joins = |format: &Format| {
                let model = format.about().model;
                format.write_setting("sequence").is_some()
                    || matches!(model, Model::Json | Model::JsonLines | Model::Cells)
                    || *format == Format::PROTO
            };
            let hint = format!("copy into {} with --workers, and from there", one_of(Format::all().filter(joins)));
            Err(Failure::usage_with(format!("`--workers` can't write {to}: its parts can't be joined"), hint))
        }
    }
}

/// Checks that no file is read and written at once.
pub(super) fn check_places(sources: &[Source], to: &Place, rejects: Option<&Place>) -> Result<(), Failure> {
    let is_same = |path: &Path, place: &Place| {
        let Some(other) = place.path() else { return false };
        match (path.canonicalize(), other.canonicalize()) {
            (Ok(path), Ok(other)) => path == other,
            _ => path == other,
        }
    };
    let refused = rejects.is_some_and(|rejects| {
        sources.iter().any(|source| is_same(&source.path, rejects))
            || to.path().is_some_and(|path| is_same(path, rejects))
    });
    if refused {
        let message = "refused records can't be written to what is read or written";
        return Err(demat_core::Error::new(ErrorKind::Constraint, message).into());
    }
    Ok(())
}

/// Returns the source whose table has the target's header. Refuses sources whose records would have other fields in one part
/// than in another.
pub(super) fn titled(
    arguments: &CopyArguments,
    sources: &[Source],
    how: How,
    shape: Option<&Shape>,
) -> Result<usize, Failure> {
    if shape.is_some() {
        return Ok(0);
    }
    let needs = |why: &str| Err(Failure::usage(format!("`--workers` needs `--shape` {why}")));
    let tables = sources.iter().filter(|source| source.format.is_table()).count();
    if how == How::Header && tables < sources.len() {
        return needs("where a table is written: without it the columns are learnt from records");
    }
    let typed = sources.iter().any(|source| source.format.is_table() || source.format.is_columnar());
    if sources.len() == 1 || !typed {
        return Ok(0);
    }
    if tables < sources.len() {
        return needs("for several sources with columns: without it the first one says which fields there are");
    }
    let mut rows = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let row = first_row(arguments, source)?;
        if !row.is_empty() {
            rows.push((index, row));
        }
    }
    if rows.iter().any(|(_, row)| *row != rows[0].1) && !arguments.source.table.no_header {
        return needs("for tables with different headers");
    }
    Ok(rows.first().map_or(0, |(index, _)| *index))
}

/// Returns the first row of a table, as a line of JSON.
fn first_row(arguments: &CopyArguments, source: &Source) -> Result<Vec<u8>, Failure> {
    let mut options = source.options.clone();
    options.own.change(|own: &mut Dialect| own.header = false);
    let spool = Spool::new(&std::env::temp_dir());
    let nowhere = Place::Given("nowhere".to_string());
    let job = CopyJob::new(Place::from(&source.path), source.format, nowhere, Format::LINES)
        .read_options(options)
        .encodings(arguments.source.encoding(source.format)?, None)
        .writer(spool.clone())
        .first(1);
    if let Err(error) = job.run() {
        if error.kind() == ErrorKind::Io {
            return Err(error.into());
        }
        let message = format!("`--workers` needs `--shape` for tables whose first row can't be read: {error}");
        return Err(Failure::usage(message));
    }
    let mut row = Vec::new();
    spool.read().and_then(|mut from| from.read_to_end(&mut row)).map_err(aside)?;
    Ok(row)
}
