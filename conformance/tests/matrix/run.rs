//! Runs one cell of the matrix: writes, reads and compares.

use crate::cases::{Case, Cases, Document, Form};
use crate::exact::exact;
use crate::exceptions::Exceptions;
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Value, ValueSource, caught};
use demat_formats::codec::Visitor;
use demat_formats::stream::{self, Bordered, Stop, Window};
use demat_place::{CopyJob, DatabasePlace, Format, Part, Place, ReadOptions, WriteOptions};
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// What became of a value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Outcome {
    /// It came back as it was.
    Exact,
    /// An error said that it can't be.
    Refused(String),
    /// It came back as another value.
    Changed(String),
    /// A fault of Demat, whatever the value.
    Panicked(String),
}

impl Outcome {
    pub(crate) fn compared(expected: &str, found: &str) -> Self {
        if expected == found { Self::Exact } else { Self::Changed(format!("{}, not {}", cut(found), cut(expected))) }
    }
}

/// What a format has written: bytes, or a file where it is no stream of bytes.
enum Written {
    Bytes(Vec<u8>),
    File(tempfile::TempDir, String),
}

/// Tries whether a format holds documents of this form at all.
pub(crate) fn form(form: &Form, format: Format) -> Outcome {
    round_trip(&form.simplest(), format)
}

/// Writes a case in a format and reads it back.
pub(crate) fn cell(cases: &Cases, case: &Case, format: Format, exceptions: &Exceptions) -> Outcome {
    let held = cases.forms.iter().find(|form| exceptions.form(format, form).is_none());
    // Documents of their own stand in no form.
    let Some(form) = held.or(if case.is_document() { cases.forms.first() } else { None }) else {
        return Outcome::Refused("it holds no form of documents".to_string());
    };
    let outcomes = case.documents(form).into_iter().map(|document| round_trip(&document, format));
    outcomes.into_iter().find(|outcome| *outcome != Outcome::Exact).unwrap_or(Outcome::Exact)
}

fn round_trip(document: &Document, format: Format) -> Outcome {
    outcome(|| {
        let written = write(document, format)?;
        let found = read(&written, document, format)?;
        Ok(Outcome::compared(&exact(&document.becomes, &document.read), &exact(&found, &document.read)))
    })
}

/// Copies a case between all formats, from or to one of these, where both hold it and have a form of documents in common.
pub(crate) fn copies(
    cases: &Cases,
    case: &Case,
    of: &[Format],
    exceptions: &Exceptions,
) -> Vec<(Format, Format, Outcome)> {
    let mut found = Vec::new();
    if case.evolves() {
        return found;
    }
    let holding: Vec<_> = Format::all().filter(|format| exceptions.cell(*format, case).is_none()).collect();
    for (index, form) in cases.forms.iter().enumerate() {
        if index > 0 && case.is_document() {
            break;
        }
        let documents = case.documents(form);
        let in_form = |format: &Format| case.is_document() || exceptions.form(*format, form).is_none();
        let earlier = |from: Format, to: Format| {
            let both = |form: &Form| exceptions.form(from, form).is_none() && exceptions.form(to, form).is_none();
            cases.forms[..index].iter().any(both)
        };
        for from in holding.iter().filter(|format| in_form(format)) {
            let written: Vec<_> = documents.iter().map(|document| write(document, *from)).collect();
            let is_of = |to: &Format| of.contains(from) || of.contains(to);
            for to in holding.iter().filter(|to| is_of(to) && in_form(to) && !earlier(*from, **to)) {
                let copied = |(document, written): (&Document, &Result<Written>)| {
                    outcome(|| {
                        let written = written.as_ref().map_err(again)?;
                        let there = copy(written, document, *from, *to)?;
                        let value = read(&there, document, *to)?;
                        Ok(Outcome::compared(&exact(&document.value, &document.shape), &exact(&value, &document.shape)))
                    })
                };
                let mut outcomes = documents.iter().zip(&written).map(copied);
                let outcome = outcomes.find(|outcome| *outcome != Outcome::Exact).unwrap_or(Outcome::Exact);
                found.push((*from, *to, outcome));
            }
        }
    }
    found
}

fn outcome(task: impl FnOnce() -> Result<Outcome>) -> Outcome {
    match caught(task) {
        Ok(outcome) => outcome,
        Err(error) if error.kind() == ErrorKind::Internal => Outcome::Panicked(error.to_string()),
        Err(error) => Outcome::Refused(cut(&error.to_string())),
    }
}

fn again(error: &Error) -> Error {
    Error::new(error.kind(), error.to_string())
}

fn cut(text: &str) -> String {
    if text.chars().count() > 300 {
        format!("{}…", text.chars().take(300).collect::<String>())
    } else {
        text.to_string()
    }
}

/// Writes a value by a format's sink, or by a copy where the format is no stream of bytes.
fn write(document: &Document, format: Format) -> Result<Written> {
    if !format.is_streamed() {
        let raw = write(document, Format::RAW)?;
        return copy(&raw, document, Format::RAW, format);
    }
    let mut bytes = Vec::new();
    let mut sink = demat_place::sink(format, &WriteOptions::of(format), &mut bytes)?;
    stream::copy_from(&mut ValueSource::new(&document.value), &document.shape, &mut *sink, &mut Stop)?;
    drop(sink);
    Ok(Written::Bytes(bytes))
}

/// Reads what was written as the type that the document is to be read as.
fn read(written: &Written, document: &Document, format: Format) -> Result<Value> {
    let mut options = format.read_options();
    // Bytes that say nothing of their type need the one that they were written as.
    let evolves = document.read != document.shape;
    if evolves && format.read_setting("written_as").is_some() {
        format.set_read(&mut options, "written_as", |setting| setting.parse(&document.text))?;
    }
    let bytes = match written {
        Written::Bytes(bytes) => bytes,
        Written::File(folder, name) => {
            let mut bytes = Shared::default();
            let place = Place::Given("copied".to_string());
            let job =
                CopyJob::new(Place::from(&folder.path().join(name)), format, place, Format::RAW).read_options(options);
            job.shape(document.read.clone()).writer(bytes.clone()).run()?;
            return decode(&bytes.take(), &document.read, Format::RAW, &Format::RAW.read_options());
        }
    };
    decode(bytes, &document.read, format, &options)
}

fn decode(bytes: &[u8], shape: &Shape, format: Format, options: &ReadOptions) -> Result<Value> {
    let Some(codec) = format.codec() else {
        let found = Value::build(|sink| demat_place::tell(format, options, bytes, Some(shape), sink).map(drop))?;
        return Value::decode_as(&mut ValueSource::new(&found), shape);
    };
    Value::build(|sink| codec.reader(options)?.visit(Decode { bytes, shape, sink }))
}

/// Reads bytes as exactly this shape, which a copy may take for that of a list's items.
struct Decode<'d> {
    bytes: &'d [u8],
    shape: &'d Shape,
    sink: &'d mut dyn Sink,
}

impl Visitor for Decode<'_> {
    type Output = Result<()>;

    fn visit<F: Bordered + 'static>(self, mut reader: F) -> Result<()> {
        stream::copy(&mut Window::new(self.bytes), &mut reader, self.shape, self.sink, &mut Stop).map(drop)
    }
}

/// Copies what was written from a format to another, as the command does.
fn copy(written: &Written, document: &Document, from: Format, to: Format) -> Result<Written> {
    let place = match written {
        Written::Bytes(_) => Place::Given("written".to_string()),
        Written::File(folder, name) => Place::from(&folder.path().join(name)),
    };
    let mut bytes = Shared::default();
    let (target, file) = if to.is_streamed() {
        (Place::Given("copied".to_string()), None)
    } else {
        let (folder, name) = (tempfile::tempdir()?, format!("copied{}", to.suffixes()[0]));
        let part = Part::Table("rows".to_string());
        let place = Place::Database(DatabasePlace { path: folder.path().join(&name), part });
        (place, Some(Written::File(folder, name)))
    };
    let mut job = CopyJob::new(place, from, target, to).shape(document.shape.clone());
    if file.is_none() {
        job = job.writer(bytes.clone());
    }
    match written {
        Written::Bytes(bytes) => job.reader(&bytes[..]).run()?,
        Written::File(..) => job.run()?,
    };
    Ok(file.unwrap_or_else(|| Written::Bytes(bytes.take())))
}

/// Bytes that a job writes and the test reads.
#[derive(Default, Clone)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Shared {
    fn take(&mut self) -> Vec<u8> {
        core::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
