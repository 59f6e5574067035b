//! `demat copy`.

use crate::arguments::CopyArguments;
use crate::choice::{JsonMapping, Refusal};
use crate::exit::Exit;
use crate::failure::{About, Failure};
use crate::progress::Meter;
use crate::screen::Screen;
use crate::source::{SourceArguments, one_of, only, unknown};
use crate::sources::{Ends, Opened};
use crate::target::TargetArguments;
use crate::{report, shape, summary};
use demat_formats::canonical::ReadOptions;
use demat_place::{CopyJob, CopyTarget, Format, OnError, Place};
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::time::Instant;

pub(crate) fn run(arguments: CopyArguments, screen: Screen) -> Result<Exit, Failure> {
    let CopyArguments {
        places,
        source,
        output,
        also,
        add_path,
        target,
        shape,
        records,
        limit,
        mapping,
        ignore_unknown,
        sample,
        on_error,
        rejects,
        progress,
    } = arguments;
    let Ends { mut sources, target: to } = Ends::of(places, output, &source, screen)?;
    let first = sources.remove(0);
    let (from, from_format) = (first.place.clone(), first.format);
    let Some(to_format) = target.to.or_else(|| to.format()).or_else(|| like(from_format, &to)) else {
        return Err(unknown("to", &to));
    };
    let mut job = CopyJob::new(from.clone(), from_format, to.clone(), to_format)
        .read_options(source.options(from_format)?)
        .write_options(target.options(&source, from_format, to_format)?)
        .infer(shape.infer)
        .lax(shape.lax)
        .flatten(flatten(shape.flatten, to_format)?)
        .sample(sample.unwrap_or_default())
        .on_error(on_error.into());
    job = records.apply(job)?;
    job =
        joined(job, (&first, &sources), &source)?.encodings(source.encoding(from_format)?, target.encoding(to_format)?);
    if let Some(name) = &add_path {
        job = job.path_field(name);
    }
    let others: Vec<_> = also.iter().map(|name| other(name, from_format, &target)).collect::<Result<_, _>>()?;
    let to_json = to_format.is_json() || others.iter().any(|(_, format)| format.is_json());
    let to_standard = to == Place::Standard || others.iter().any(|(place, _)| *place == Place::Standard);
    for (place, format) in &others {
        job = job.also(CopyTarget::new(place.clone(), *format));
    }
    if let Some(limit) = limit {
        job = job.first(limit);
    }
    job = shaped(job, shape.shape.as_deref(), (mapping, ignore_unknown), (from_format, to_json))?;
    if let Some(rejects) = rejects {
        let rejects = Place::named(&rejects);
        let targets = core::iter::once(&to).chain(others.iter().map(|(place, _)| place));
        check_rejects(
            &rejects,
            core::iter::once(&from).chain(sources.iter().map(|one| &one.place)),
            targets,
            on_error,
        )?;
        job = job.rejects(rejects);
    }

    let about = About {
        source: Some((from.clone(), from_format)),
        target: Some(to_format),
        flatten: shape.flatten,
        typed: shape.infer || shape.shape.is_some(),
        strict: !shape.lax && !from_format.is_columnar() && !matches!(from, Place::Database(_) | Place::Server(_)),
        encoded: source.encoding.is_some(),
    };
    let begun = Instant::now();
    let to_terminal = to_standard && io::stdout().is_terminal();
    let mut meter = Meter::new(progress, screen, !to_terminal);
    let mut refused = report::Refused::default();
    // Of several sources nobody knows the whole size.
    let several = !sources.is_empty();
    let done = first
        .apply(job)
        .on_progress(|so_far| {
            if !several {
                meter.show(so_far);
            }
            Ok(())
        })
        .on_reject(|error, _| refused.keep(error))
        .run();
    meter.clear();
    refused.tell(screen);
    match done {
        Ok(summary) if summary.rejected > 0 => {
            report::rejected(summary, OnError::from(on_error), screen);
            Ok(Exit::Data)
        }
        Ok(done) => {
            if screen.verbose || (screen.terminal && !screen.quiet && !to_standard) {
                summary::tell(done, &from, &to, begun.elapsed());
            }
            Ok(Exit::Ok)
        }
        Err(error) => Err(Failure::Error { error, about }),
    }
}

/// Returns a target besides the first, and its format.
fn other(name: &OsStr, from: Format, target: &TargetArguments) -> Result<(Place, Format), Failure> {
    let place = Place::named(name);
    let Some(format) = place.format().or_else(|| like(from, &place)) else {
        let message = format!("the format of `{}` can't be told by its suffix", name.display());
        return Err(Failure::usage_with(message, "--also is for places whose suffix says it"));
    };
    target.encoding(format)?;
    Ok((place, format))
}

/// Adds the other sources, and the path of the records in all of them.
fn joined<'j>(
    mut job: CopyJob<'j>,
    (first, others): (&Opened, &[Opened]),
    source: &SourceArguments,
) -> Result<CopyJob<'j>, Failure> {
    let at = source.at(first.format)?;
    for Opened { place, format, .. } in others {
        source.encoding(*format)?;
        if source.at(*format)? != at {
            return Err(Failure::usage("`--at` means the same only in sources of one format"));
        }
        job = job.and(place.clone(), *format, source.options(*format)?);
    }
    Ok(match at {
        Some(at) => job.at(at),
        None => job,
    })
}

/// Sets the shape, and how messages are read and written as JSON.
fn shaped<'j>(
    job: CopyJob<'j>,
    shape: Option<&OsStr>,
    (mapping, ignore_unknown): (JsonMapping, bool),
    (from, to_json): (Format, bool),
) -> Result<CopyJob<'j>, Failure> {
    let formats = || one_of(Format::all().filter(|format| format.is_json()));
    if ignore_unknown && !(mapping == JsonMapping::Canonical && from.is_json()) {
        return Err(only("--ignore-unknown", &format!("{} is read with --mapping canonical", formats())));
    }
    match (shape, mapping) {
        (Some(text), JsonMapping::Plain) => Ok(job.shape(shape::read(text)?)),
        (Some(text), JsonMapping::Canonical) => {
            if !(from.is_json() || to_json) {
                return Err(only("--mapping canonical", &format!("{} is read or written", formats())));
            }
            let (shape, mapping) = shape::read_exactly(text)?;
            Ok(job.shape(shape).canonical(mapping, ReadOptions { ignore_unknown }))
        }
        (None, JsonMapping::Plain) => Ok(job),
        (None, JsonMapping::Canonical) => Err(Failure::usage_with(
            "`--mapping canonical` needs a message type",
            "set it with --shape FILE.proto:NAME",
        )),
    }
}

/// Returns the format of standard output where none is set: that of the source if it is text.
fn like(source: Format, to: &Place) -> Option<Format> {
    use demat_formats::codec::Model;
    let is_text = matches!(source.about().model, Model::Json | Model::JsonLines | Model::Cells);
    (*to == Place::Standard).then_some(if is_text { source } else { Format::LINES })
}

/// Checks that `--flatten` applies: only tables need it.
pub(crate) fn flatten(given: bool, to: demat_place::Format) -> Result<bool, Failure> {
    if given && !to.is_table() {
        return Err(crate::source::only("--flatten", "a table is written"));
    }
    Ok(given)
}

fn check_rejects<'p>(
    rejects: &Place,
    mut sources: impl Iterator<Item = &'p Place>,
    mut targets: impl Iterator<Item = &'p Place>,
    on_error: Refusal,
) -> Result<(), Failure> {
    if on_error == Refusal::Stop {
        return Err(Failure::usage_with(
            "`--rejects` needs `--on-error`",
            "--on-error skip writes the other records, --on-error all writes nothing",
        ));
    }
    if targets.any(|to| to == rejects) || sources.any(|from| from == rejects && *from != Place::Standard) {
        return Err(Failure::usage(format!("`--rejects {rejects}` would overwrite the source or the target")));
    }
    Ok(())
}
