//! `demat check`.

use crate::arguments::CheckArguments;
use crate::exit::Exit;
use crate::failure::{About, Failure};
use crate::screen::Screen;
use crate::source::OneSource;
use crate::sources::Opened;
use crate::{output, report, shape};
use demat_core::{Nothing, Result as Checked, Shape};
use demat_place::{CopyJob, Format, Host, OnError, Place};

/// Finds a class by `module:Class`: its shape in a format, and what else is checked of its values. The Python package has one.
pub type Classes = fn(&str, Format) -> Checked<(Shape, Host)>;

pub(crate) fn run(arguments: CheckArguments, classes: Option<Classes>, screen: Screen) -> Result<Exit, Failure> {
    let CheckArguments { source, shape, class, lax, rejects } = arguments;
    let OneSource { source: name, how: source } = source;
    let opened = Opened::open(&name, &source, "check", screen)?;
    let (from, format) = (opened.place.clone(), opened.format);
    let mut job = CopyJob::new(from.clone(), format, Place::Given("nowhere".to_string()), Format::LINES)
        .read_options(source.options(format)?)
        .encodings(source.encoding(format)?, None)
        .lax(lax)
        .on_error(OnError::Skip);
    if let Some(at) = source.at(format)? {
        job = job.at(at);
    }
    if lax && shape.is_none() && class.is_none() {
        return Err(Failure::usage_with("`--lax` needs to know the shape", "--shape or --class says it"));
    }
    let typed = shape.is_some() || class.is_some();
    if let Some(text) = &shape {
        job = job.shape(shape::read(text)?);
    }
    if let Some(name) = &class {
        let Some(classes) = classes else {
            return Err(Failure::usage_with(
                "`--class` is about classes of Python",
                "`python -m demat check` and the `demat` of the package have it",
            ));
        };
        let (shape, host) =
            classes(name, format).map_err(|error| Failure::usage(format!("--class: {}", error.reason())))?;
        job = job.shape(shape).host(host);
    }
    if let Some(rejects) = &rejects {
        job = job.rejects(Place::named(rejects));
    }
    let strict = !lax && !format.is_columnar() && !matches!(from, Place::Database(_) | Place::Server(_));
    let encoded = source.encoding.is_some();
    let about = About { source: Some((from.clone(), format)), typed, strict, encoded, ..About::default() };
    let mut refused = report::Refused::default();
    let done = opened.apply(job).on_reject(|error, _| refused.keep(error)).run_to(Nothing);
    refused.tell(screen);
    let done = done.map_err(|error| Failure::Error { error, about })?;
    let count = |count: u64| if count == 1 { "1 record".to_string() } else { format!("{count} records") };
    if done.rejected > 0 {
        let all = count(done.records + done.rejected);
        let are = if done.rejected == 1 { "is" } else { "are" };
        output::line(&format!("{} {} of {all} {are} invalid", screen.error(), done.rejected));
        return Ok(Exit::Data);
    }
    if screen.verbose || (screen.terminal && !screen.quiet) {
        output::line(&format!("{} of {}: no error", count(done.records), report::name(&from, "standard input")));
    }
    Ok(Exit::Ok)
}
