//! `demat diff`.

mod change;
mod compare;
#[cfg(test)]
mod tests;

use crate::arguments::DiffArguments;
use crate::exit::Exit;
use crate::failure::{About, Failure};
use crate::printed::printed;
use crate::screen::Screen;
use crate::sources::Opened;
use crate::{output, report, shape};
use change::Change;
use compare::Comparison;
use demat_core::{Encode as _, Value};
use demat_place::{CopyJob, Format, Place, Records};
use std::ffi::OsStr;
use std::sync::{Arc, Mutex, PoisonError};

/// Compares two places. As other programs that compare files, it exits with 2 if it fails.
pub(crate) fn run(arguments: &DiffArguments, screen: Screen) -> Exit {
    match compared(arguments, screen) {
        Ok(exit) => exit,
        Err(failure) => match report::failure(failure, screen) {
            Exit::Closed => Exit::Closed,
            _ => Exit::Usage,
        },
    }
}

/// The maximum depth of records: they are compared with recursion.
const DEEPEST: u32 = 1024;

fn compared(arguments: &DiffArguments, screen: Screen) -> Result<Exit, Failure> {
    if arguments.source.depth.is_some_and(|depth| depth > DEEPEST) {
        return Err(Failure::usage(format!("`--depth` is at most {DEEPEST} here")));
    }
    let comparison = Arc::new(Mutex::new(Comparison::new(&arguments.key)));
    read(arguments, &arguments.old, &comparison, Comparison::old, screen)?;
    read(arguments, &arguments.new, &comparison, Comparison::new_record, screen)?;
    let changes = comparison.lock().unwrap_or_else(PoisonError::into_inner).changes();
    let text = match arguments.to {
        None => changes.iter().map(Change::to_string).collect::<String>(),
        Some(format) => {
            let records = Value::List(changes.iter().flat_map(Change::records).collect());
            printed(format, "the changes", |sink| {
                sink.begin(&Change::shape()?)?;
                records.encode(sink).and_then(|()| sink.finish())
            })?
        }
    };
    output::data(&text)?;
    Ok(if changes.is_empty() { Exit::Ok } else { Exit::Differs })
}

/// Reads all records of a place.
fn read(
    arguments: &DiffArguments,
    name: &OsStr,
    comparison: &Arc<Mutex<Comparison>>,
    take: fn(&mut Comparison, Value) -> demat_core::Result<()>,
    screen: Screen,
) -> Result<(), Failure> {
    let source = &arguments.source;
    let opened = Opened::open(name, source, "diff", screen)?;
    let (place, format) = (opened.place.clone(), opened.format);
    let nowhere = Place::Given("the comparison".to_string());
    let mut job = CopyJob::new(place.clone(), format, nowhere, Format::LINES)
        .read_options(source.options(format)?)
        .encodings(source.encoding(format)?, None)
        .infer(arguments.infer);
    job = arguments.records.apply(job)?;
    if let Some(at) = source.at(format)? {
        job = job.at(at);
    }
    if let Some(text) = &arguments.shape {
        job = job.shape(shape::read(text)?);
    }
    let own = Arc::clone(comparison);
    let records = Records::new(move |record| take(&mut own.lock().unwrap_or_else(PoisonError::into_inner), record));
    let typed = arguments.infer || arguments.shape.is_some();
    let about = About { source: Some((place, format)), typed, encoded: source.encoding.is_some(), ..About::default() };
    opened.apply(job).run_to(records).map(drop).map_err(|error| Failure::Error { error, about })
}
