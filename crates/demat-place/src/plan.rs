//! Determines the shape of a copy.

use crate::fields;
use crate::reading::is_whole;
use crate::renamed::{Renames, Renaming};
use crate::sample::{self, Sample, Seen, Taking};
use crate::{Encoding, Format, Input, Place, ReadOptions, table};
use core::fmt;
use demat_core::{Error, ErrorKind, InferenceOptions, Record, Result, Shape, Signal, Source, Unknown};
use demat_formats::stream::{Bordered, RecordPath, Window, Windowed};
use std::io::Read;

/// The cause of an error about an inferred shape. Find it through [`std::error::Error::source`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InferredShape {
    /// The number of records in the sample.
    pub records: u64,
}

impl fmt::Display for InferredShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.records {
            1 => f.write_str("the shape was inferred from the first record"),
            records => write!(f, "the shape was inferred from the first {records} records"),
        }
    }
}

impl std::error::Error for InferredShape {}

/// Marker inside a Protocol Buffers error: the input was read as a single message.
///
/// A message and a file of messages look alike; only the shape tells them apart. Find the marker through
/// [`std::error::Error::source`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OneMessage;

impl fmt::Display for OneMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "it was read as one message; the shape of a file of messages, each behind its length, is a list: [...]",
        )
    }
}

impl std::error::Error for OneMessage {}

/// The shape of a copy, and its origin.
#[derive(Debug)]
pub(crate) struct CopyPlan {
    pub(crate) shape: Shape,
    /// Set if the shape was inferred from the first records only.
    pub(crate) inferred: Option<InferredShape>,
    /// The shape before projection: recursive records refer to it.
    whole: Option<Shape>,
    /// The new names of fields.
    renaming: Option<Renaming>,
}

impl CopyPlan {
    pub(crate) fn certain(shape: Shape) -> Self {
        Self { shape, inferred: None, whole: None, renaming: None }
    }

    /// Projects the records to these fields.
    pub(crate) fn projected(self, names: &[String]) -> Result<Self> {
        let shape = fields::projected(&self.shape, names)?;
        Ok(Self { whole: Some(self.shape), shape, ..self })
    }

    /// Gives fields new names.
    pub(crate) fn renamed(self, renames: &Renames) -> Result<Self> {
        if renames.is_empty() || table::is_open(&self.shape) {
            return Ok(self);
        }
        let renaming = Renaming::new(&self.shape, renames)?;
        let whole = self.whole.or(Some(self.shape));
        Ok(Self { shape: renaming.read.clone(), whole, renaming: Some(renaming), ..self })
    }

    /// The new names of fields.
    pub(crate) fn renaming(&self) -> Option<&Renaming> {
        self.renaming.as_ref()
    }

    /// The shape in the target.
    pub(crate) fn written(&self) -> &Shape {
        self.renaming.as_ref().map_or(&self.shape, |renaming| &renaming.written)
    }

    /// Returns the shape of a sample.
    pub(crate) fn learnt(seen: &Seen) -> Self {
        let inferred = (!seen.all).then_some(InferredShape { records: seen.records });
        Self { shape: seen.whole(), inferred, whole: None, renaming: None }
    }

    /// The shape before projection.
    pub(crate) fn whole(&self) -> &Shape {
        self.whole.as_ref().unwrap_or(&self.shape)
    }

    /// Adds the origin of the shape to an error about it.
    pub(crate) fn explain(inferred: Option<InferredShape>, error: Error) -> Error {
        use demat_core::ErrorKind::{Constraint, Encode, Type};
        match inferred {
            Some(inferred) if matches!(error.kind(), Type | Constraint | Encode) => error.because(inferred),
            _ => error,
        }
    }
}

/// Adds a hint to an error about a message: the input may be a file of messages.
pub(crate) fn of_one_message(error: Error) -> Error {
    match error.kind() {
        ErrorKind::Syntax | ErrorKind::Type | ErrorKind::Constraint => error.because(OneMessage),
        _ => error,
    }
}

/// Returns the shape of the source for a given one, which may be that of its records.
pub(crate) fn given<R: Read, F: Windowed>(shape: Shape, window: &mut Window<R>, format: &mut F) -> Result<Shape> {
    // A record that stands as a list is one of a list of them.
    if is_whole(&shape) {
        return Ok(shape);
    }
    format.begin(&shape)?;
    let record = match &shape {
        Shape::Record(record) => Some(record.get()),
        _ => None,
    };
    let listed = filled(window, format, |source| source.lists_records(record.as_deref()))?;
    drop(record);
    Ok(if listed { shape.list() } else { shape })
}

/// Returns what to infer from a sample of a format. Without `types`, texts stay text where the format has nothing else.
pub(crate) fn inference(format: Format, types: bool) -> InferenceOptions {
    if types { format.about().model.inference() } else { InferenceOptions::default() }
}

/// Infers the shape from a sample.
pub(crate) fn learn<F: Bordered>(
    place: &Place,
    options: &ReadOptions,
    sample: Sample,
    window: &mut Window<Input<'_>>,
    format: &mut F,
    (inference, tolerant): (InferenceOptions, bool),
    (at, encoding): (Option<&RecordPath>, Option<Encoding>),
) -> Result<CopyPlan> {
    let how = Taking { limit: sample.limit(), inference, keep: true, tolerant };
    // What a path skips before the first record need not fit in memory.
    let again = if sample == Sample::All || at.is_some() { again(place, options, encoding)? } else { None };
    let seen = match again {
        // Another reader, since this one is to begin at the start of its own window.
        Some(mut other) => sample::take(&mut other, &mut format.anew(), Taking { keep: false, ..how }, at)?,
        None => sample::take(window, format, how, at)?,
    };
    Ok(CopyPlan::learnt(&seen))
}

/// Opens a second window over a place, if it can be read twice.
fn again(place: &Place, options: &ReadOptions, encoding: Option<Encoding>) -> Result<Option<Window<Input<'static>>>> {
    match place.path().map(std::fs::metadata) {
        Some(Ok(about)) if about.is_file() => {
            Ok(Some(Window::new(Input::open(place)?.encoded(encoding)).with_limit(options.window)))
        }
        _ => Ok(None),
    }
}

/// Returns the shape of a place without a given one. The columns of a table are those of its header, each text or null.
pub(crate) fn untold<R: Read, F: Windowed>(format: Format, window: &mut Window<R>, reader: &mut F) -> Result<Shape> {
    if format.needs_type() {
        return Err(unsaid(format));
    }
    if !format.is_table() {
        return Ok(Shape::Any);
    }
    filled(window, reader, |source| source.list().map(drop))?;
    if !reader.is_headed() {
        return Ok(Shape::Any);
    }
    let row = match reader.header()? {
        Some(row) => row,
        None => Record::new("", Vec::new())?.with_unknown(Unknown::Forbid),
    };
    Ok(Shape::record(row).list())
}

/// Returns the error for a format that needs a shape, if none was given.
#[cold]
pub(crate) fn unsaid(format: Format) -> Error {
    let message = format!("{format} does not say what its fields are: the shape has to be given");
    Error::new(ErrorKind::Constraint, message)
}

/// Reads from a source over the start of the place, and fills the window as needed.
pub(crate) fn filled<R: Read, F: Windowed, T>(
    window: &mut Window<R>,
    format: &mut F,
    mut ask: impl for<'w> FnMut(&mut F::Source<'w>) -> Result<T>,
) -> Result<T> {
    loop {
        match ask(&mut format.source(window.part())) {
            Err(error) if error.signal() == Some(Signal::Incomplete) => {}
            other => return other,
        }
        window.fill(true)?;
    }
}
