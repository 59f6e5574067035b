//! Validation: data is checked against a type, without objects where that is possible.

use super::DecodeOptions;
use super::run::{decode_by, untyped};
use crate::format::Format;
use crate::input::Input;
use crate::plan::{Plan, Program};
use crate::signals;
use demat_core::scalar::{Date, DateTime, Decimal, Duration, Int, Offset, Time, Uuid};
use demat_core::{Checked, Checks, Copier, Error, ErrorKind, Progress, Record, Result, Shape, Sink, Source};
use demat_formats::codec::{Engine as Which, ReadOptions};
use demat_formats::json::JsonSource;
use demat_formats::msgpack::MsgpackSource;
use demat_formats::ndjson::NdjsonSource;
use demat_formats::stream::Part;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::sync::{Arc, OnceLock};

/// The shape and the checks of a program.
type Checking = (Shape, Option<Arc<Checks>>);

/// How the values of a program are checked; `None` if that needs objects.
pub(crate) type Known = OnceLock<Option<Checking>>;

/// A depth for which every stack has room.
const DEEP: u32 = 1024;
/// The number of bytes from which on other threads run meanwhile, and signals are heard.
const MUCH: usize = 64 * 1024;

/// Checks that an object's bytes are a value of the plan's type, as [`decode`](super::decode) would.
///
/// Where the [shape says it all](Program::is_told_by_shape), the value is copied to a sink that discards it. What that
/// refuses is decoded, as the decoder has rules of its own, and the errors that users know.
///
/// # Errors
/// As [`decode`](super::decode).
pub(crate) fn validate(
    py: Python<'_>,
    data: &Bound<'_, PyAny>,
    plan: Option<&Plan>,
    options: &DecodeOptions,
) -> PyResult<()> {
    let program = match plan {
        Some(plan) => &plan.program,
        None => untyped(),
    };
    let manner = &options.manner;
    // Other formats have rules of their own for what a class is; conversions need their values; and great depth is the
    // stack's affair.
    let is_plain = matches!(manner.format.about().engine, Which::Json | Which::JsonLines | Which::Packed);
    let is_plain = is_plain
        && !options.read.accepts_single()
        && manner.strict
        && manner.times.is_none()
        && options.read.depth <= DEEP;
    if is_plain && let Some((shape, checks)) = known(py, program) {
        let input = Input::of(data, false)?;
        let (bytes, format, read) = (input.bytes(), manner.format, &options.read);
        let work = || is_valid(bytes, (format, read), (shape, checks.as_ref()));
        let valid = match bytes.len() {
            0..MUCH => work(),
            // Nothing else can change these bytes.
            _ if data.is_exact_instance_of::<PyBytes>() => signals::detached(py, work)?,
            _ => signals::attached(py, work)?,
        };
        if valid.is_ok() {
            return Ok(());
        }
    }
    decode_by(py, data, program, options).map(drop)
}

fn known<'p>(py: Python<'_>, program: &'p Program) -> Option<&'p Checking> {
    let known = || {
        if !program.is_told_by_shape() {
            return None;
        }
        // A class without a shape is decoded.
        let shape = program.shape_read(py).ok()?;
        let checks = program.checks_of(py, &shape, &program.root).ok()?;
        Some((shape, checks))
    };
    program.validation.get_or_init(known).as_ref()
}

/// Copies bytes of a format to nowhere.
fn is_valid(
    bytes: &[u8],
    (format, read): (Format, &ReadOptions),
    (shape, checks): (&Shape, Option<&Arc<Checks>>),
) -> Result<()> {
    let part = Part::whole(bytes);
    match format.about().engine {
        Which::Json => holds(JsonSource::over(part, read.into()), shape, checks),
        Which::JsonLines => holds(NdjsonSource::over(part, read.into()), shape, checks),
        Which::Packed => holds(MsgpackSource::over(part, read.into()), shape, checks),
        Which::Messages | Which::Cells | Which::Any => Err(unsure()),
    }
}

/// Kept out of line: each source would enlarge the caller's stack frame.
#[inline(never)]
fn holds<'a, S: Source<'a>>(mut source: S, shape: &Shape, checks: Option<&Arc<Checks>>) -> Result<()> {
    let mut held = Held::default();
    let mut checked;
    let sink: &mut dyn Sink = match checks {
        Some(checks) => {
            checked = Checked::new(held, Arc::clone(checks));
            &mut checked
        }
        None => &mut held,
    };
    let mut copier = Copier::new(shape.clone());
    copier.begin(&source);
    // A key that comes again is an error here: a copy would take the last value without a look at the others.
    while copier.run(&mut source, sink)? == Progress::Unit {}
    source.end()
}

/// A sink that discards what Python's types certainly hold, and refuses the rest, which is little: integers of many
/// digits, nanoseconds, years beyond 9999, all durations and decimals, and keys that are no text.
#[derive(Debug, Default)]
struct Held {
    is_key: bool,
}

impl Held {
    /// Handles what is no text.
    fn other(&self) -> Result<()> {
        if self.is_key { Err(unsure()) } else { Ok(()) }
    }
}

/// The decoder decides.
#[cold]
fn unsure() -> Error {
    Error::new(ErrorKind::Constraint, "a value that Python's types may not hold")
}

fn sure(holds: bool) -> Result<()> {
    if holds { Ok(()) } else { Err(unsure()) }
}

fn has_micros(time: Time) -> bool {
    time.nanosecond().is_multiple_of(1000)
}

fn is_in_years(date: Date) -> bool {
    (1..=9999).contains(&date.year())
}

impl Sink for Held {
    fn null(&mut self) -> Result<()> {
        self.other()
    }
    fn bool(&mut self, _: bool) -> Result<()> {
        self.other()
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        sure(!self.is_key && !matches!(value, Int::Big(_)))
    }
    fn float(&mut self, _: f64) -> Result<()> {
        self.other()
    }
    fn text(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn bytes(&mut self, _: &[u8]) -> Result<()> {
        self.other()
    }
    fn uuid(&mut self, _: Uuid) -> Result<()> {
        self.other()
    }
    fn decimal(&mut self, _: &Decimal<'_>) -> Result<()> {
        Err(unsure())
    }
    fn duration(&mut self, _: Duration) -> Result<()> {
        Err(unsure())
    }
    fn date(&mut self, value: Date) -> Result<()> {
        sure(!self.is_key && is_in_years(value))
    }
    fn time(&mut self, value: Time) -> Result<()> {
        sure(!self.is_key && has_micros(value))
    }
    fn date_time(&mut self, at: DateTime) -> Result<()> {
        sure(!self.is_key && is_in_years(at.date) && has_micros(at.time))
    }
    fn instant(&mut self, at: DateTime, _: Offset) -> Result<()> {
        self.date_time(at)
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.other()
    }
    fn item(&mut self) -> Result<()> {
        Ok(())
    }
    fn end_list(&mut self) -> Result<()> {
        Ok(())
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.other()
    }
    fn entry(&mut self) -> Result<()> {
        self.is_key = true;
        Ok(())
    }
    fn value(&mut self) -> Result<()> {
        self.is_key = false;
        Ok(())
    }
    fn end_map(&mut self) -> Result<()> {
        Ok(())
    }
    fn begin_record(&mut self, _: &Record) -> Result<()> {
        self.other()
    }
    fn field(&mut self, _: &Record, _: usize) -> Result<()> {
        Ok(())
    }
    fn key(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn commit(&mut self) -> Result<()> {
        Ok(())
    }
    fn rollback(&mut self) -> Result<()> {
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
