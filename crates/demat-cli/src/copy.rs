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
use crate::workers::Divided;
use crate::{report, shape, summary};
use demat_core::Shape;
use demat_formats::canonical::{Mapping, ReadOptions};
use demat_place::{CopyJob, CopyTarget, Format, OnError, Place, RecordPath, Summary};
use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::time::Instant;

pub(crate) fn run(mut arguments: CopyArguments, screen: Screen) -> Result<Exit, Failure> {
    let (places, output) = (core::mem::take(&mut arguments.places), arguments.output.take());
    let arguments = &arguments;
    let CopyArguments { source, also, target, shape, on_error, .. } = arguments;
    let Ends { sources, target: to } = Ends::of(places, output, source, screen)?;
    let (from, from_format) = (sources[0].place.clone(), sources[0].format);
    let Some(to_format) = target.to.or_else(|| to.format()).or_else(|| like(from_format, &to)) else {
        return Err(unknown("to", &to));
    };
    let others: Vec<_> = also.iter().map(|name| other(name, from_format, target)).collect::<Result<_, _>>()?;
    let to_json = to_format.is_json() || others.iter().any(|(_, format)| format.is_json());
    let to_standard = to == Place::Standard || others.iter().any(|(place, _)| *place == Place::Standard);
    let job = base(arguments, (from.clone(), from_format), (to.clone(), to_format))?;
    let shaping = Shaping::of(arguments, (from_format, to_json))?;
    let rejects = arguments.rejects.as_deref().map(Place::named);
    if let Some(rejects) = &rejects {
        let targets = core::iter::once(&to).chain(others.iter().map(|(place, _)| place));
        check_rejects(rejects, sources.iter().map(|one| &one.place), targets, *on_error)?;
    }
    let divided = Divided::of(arguments, &sources, (&to, to_format), &shaping, rejects.as_ref())?;

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
    let mut meter = Meter::new(arguments.progress, screen, !to_terminal);
    let mut refused = report::Refused::default();
    let done = if let Some(divided) = divided {
        divided.run(&mut meter, &mut refused, screen)
    } else {
        // Of several sources nobody knows the whole size.
        let several = sources.len() > 1;
        let job = whole(arguments, sources, others, shaping.apply(job), rejects)?;
        copied(job, several, &mut meter, &mut refused)
    };
    meter.clear();
    refused.tell(screen);
    match done {
        Ok(summary) if summary.rejected > 0 => {
            report::rejected(summary, OnError::from(*on_error), screen);
            Ok(Exit::Data)
        }
        Ok(done) => {
            if screen.verbose || (screen.terminal && !screen.quiet && !to_standard) {
                summary::tell(done, &from, &to, begun.elapsed());
            }
            Ok(Exit::Ok)
        }
        Err(Failure::Error { error, .. }) => Err(Failure::Error { error, about }),
        Err(other) => Err(other),
    }
}

/// Returns the copy of one source to one target, without its shape.
pub(crate) fn base<'j>(
    arguments: &CopyArguments,
    (from, from_format): (Place, Format),
    (to, to_format): (Place, Format),
) -> Result<CopyJob<'j>, Failure> {
    let CopyArguments { source, target, shape, .. } = arguments;
    let job = CopyJob::new(from, from_format, to, to_format)
        .read_options(source.options(from_format)?)
        .write_options(target.options(source, from_format, to_format)?)
        .infer(shape.infer)
        .lax(shape.lax)
        .flatten(flatten(shape.flatten, to_format)?)
        .sample(arguments.sample.unwrap_or_default())
        .on_error(arguments.on_error.into());
    let job = arguments.records.apply(job)?;
    Ok(job.encodings(source.encoding(from_format)?, target.encoding(to_format)?))
}

/// Adds to a copy what several parts of it would not have: other sources and targets, a limit, refused records.
fn whole<'j>(
    arguments: &CopyArguments,
    mut sources: Vec<Opened>,
    others: Vec<(Place, Format)>,
    job: CopyJob<'j>,
    rejects: Option<Place>,
) -> Result<CopyJob<'j>, Failure> {
    let mut job = joined(job, &sources, &arguments.source)?;
    if let Some(name) = &arguments.add_path {
        job = job.path_field(name);
    }
    for (place, format) in others {
        job = job.also(CopyTarget::new(place, format));
    }
    if let Some(limit) = arguments.limit {
        job = job.first(limit);
    }
    if let Some(rejects) = rejects {
        job = job.rejects(rejects);
    }
    Ok(sources.remove(0).apply(job))
}

/// Runs a copy on this thread.
fn copied(
    job: CopyJob<'_>,
    several: bool,
    meter: &mut Meter,
    refused: &mut report::Refused,
) -> Result<Summary, Failure> {
    let done = job
        .on_progress(|so_far| {
            if !several {
                meter.show(so_far);
            }
            Ok(())
        })
        .on_reject(|error, _| refused.keep(error))
        .run();
    Ok(done?)
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
fn joined<'j>(mut job: CopyJob<'j>, sources: &[Opened], source: &SourceArguments) -> Result<CopyJob<'j>, Failure> {
    let at = same_path(sources, source)?;
    for Opened { place, format, .. } in &sources[1..] {
        source.encoding(*format)?;
        job = job.and(place.clone(), *format, source.options(*format)?);
    }
    Ok(match at {
        Some(at) => job.at(at),
        None => job,
    })
}

/// Returns the path of the records, which is the same in all sources.
pub(crate) fn same_path(sources: &[Opened], source: &SourceArguments) -> Result<Option<RecordPath>, Failure> {
    let at = source.at(sources[0].format)?;
    for Opened { format, .. } in &sources[1..] {
        if source.at(*format)? != at {
            return Err(Failure::usage("`--at` means the same only in sources of one format"));
        }
    }
    Ok(at)
}

/// The shape of a copy, and how messages are read and written as JSON.
pub(crate) struct Shaping {
    shape: Option<Shape>,
    mapping: Option<(Arc<Mapping>, ReadOptions)>,
}

impl Shaping {
    fn of(arguments: &CopyArguments, (from, to_json): (Format, bool)) -> Result<Self, Failure> {
        let CopyArguments { mapping, ignore_unknown, .. } = *arguments;
        let formats = || one_of(Format::all().filter(|format| format.is_json()));
        if ignore_unknown && !(mapping == JsonMapping::Canonical && from.is_json()) {
            return Err(only("--ignore-unknown", &format!("{} is read with --mapping canonical", formats())));
        }
        match (arguments.shape.shape.as_deref(), mapping) {
            (Some(text), JsonMapping::Plain) => Ok(Self { shape: Some(shape::read(text)?), mapping: None }),
            (Some(text), JsonMapping::Canonical) => {
                if !(from.is_json() || to_json) {
                    return Err(only("--mapping canonical", &format!("{} is read or written", formats())));
                }
                let (shape, mapping) = shape::read_exactly(text)?;
                Ok(Self { shape: Some(shape), mapping: Some((mapping, ReadOptions { ignore_unknown })) })
            }
            (None, JsonMapping::Plain) => Ok(Self { shape: None, mapping: None }),
            (None, JsonMapping::Canonical) => Err(Failure::usage_with(
                "`--mapping canonical` needs a message type",
                "set it with --shape FILE.proto:NAME",
            )),
        }
    }

    /// The shape, if it is set.
    pub(crate) fn shape(&self) -> Option<&Shape> {
        self.shape.as_ref()
    }

    /// Sets both for a copy.
    pub(crate) fn apply<'j>(&self, mut job: CopyJob<'j>) -> CopyJob<'j> {
        if let Some(shape) = &self.shape {
            job = job.shape(shape.clone());
        }
        match &self.mapping {
            Some((mapping, options)) => job.canonical(Arc::clone(mapping), *options),
            None => job,
        }
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
