//! The engine, instantiated for each format's source.

use super::Engine;
use super::options::DecodeOptions;
use crate::collector::Paused;
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::input::Input;
use crate::known;
use crate::object::Object;
use crate::plan::{Node, Plan, Program, plan_of};
use demat_core::Source;
use demat_formats::csv::Csv;
use demat_formats::json::JsonSource;
use demat_formats::ndjson::NdjsonSource;
use demat_formats::stream::Part;
use pyo3::prelude::*;
use std::sync::OnceLock;

/// The program of values without a type.
pub(crate) fn untyped() -> &'static Program {
    static ANY: OnceLock<Program> = OnceLock::new();
    ANY.get_or_init(|| Program { root: Node::Any, records: Box::default(), aliases: Box::default(), runs_code: false })
}

/// The plan of a type; none for values without a type.
///
/// # Errors
/// Where the type cannot be described.
pub(crate) fn planned<'py>(
    py: Python<'py>,
    type_: Option<&Bound<'py, PyAny>>,
    options: &DecodeOptions,
) -> PyResult<Option<Bound<'py, Plan>>> {
    let Some(type_) = type_ else { return Ok(None) };
    match &options.describe {
        Some(table) => crate::plan::make(type_, Some(table.bind(py))).map(Some),
        None if type_.is(known::any(py)?) => Ok(None),
        None => plan_of(type_).map(Some),
    }
}

/// Decodes an object's bytes.
///
/// # Errors
/// `demat.Error` for what is wrong with the data, what hooks raise, `TypeError` for objects without bytes.
#[inline]
pub(crate) fn decode<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    plan: Option<&Plan>,
    options: &DecodeOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let program = match plan {
        Some(plan) => &plan.program,
        None => untyped(),
    };
    let input = Input::of(data, program.runs_code)?;
    let paused = Paused::for_input(input.bytes().len());
    let decoded = run(py, input.bytes(), program, options);
    drop(paused);
    decoded.map(|object| object.into_bound(py)).map_err(|failure| exception(py, failure))
}

/// Decodes bytes of a format without options.
///
/// # Errors
/// As [`decode`].
pub(crate) fn bytes<'py>(
    py: Python<'py>,
    format: Format,
    bytes: &[u8],
    type_: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let plan = planned(py, type_, &DecodeOptions::new(format))?;
    let program = match &plan {
        Some(plan) => &plan.get().program,
        None => untyped(),
    };
    by_program(py, format, bytes, program)
}

/// Decodes bytes of a format as a program says.
///
/// # Errors
/// As [`decode`].
pub(crate) fn by_program<'py>(
    py: Python<'py>,
    format: Format,
    bytes: &[u8],
    program: &Program,
) -> PyResult<Bound<'py, PyAny>> {
    let options = DecodeOptions::new(format);
    let paused = Paused::for_input(bytes.len());
    let decoded = run(py, bytes, program, &options);
    drop(paused);
    decoded.map(|object| object.into_bound(py)).map_err(|failure| exception(py, failure))
}

/// Documents up to this size are copied to where there is room behind them.
const SHORT: usize = 256;
/// As much as the fast paths look at in one go.
const ROOM: usize = 64;

fn run<'e>(py: Python<'e>, bytes: &[u8], program: &'e Program, options: &'e DecodeOptions) -> Result<Object, Failure> {
    match options.manner.format {
        Format::Json if bytes.len() <= SHORT => {
            let mut room = [b'\n'; SHORT + ROOM];
            room[..bytes.len()].copy_from_slice(bytes);
            whole(py, JsonSource::with_room(&room, bytes.len(), options.json), program, options)
        }
        Format::Json => whole(py, JsonSource::with_options(bytes, options.json), program, options),
        Format::Ndjson => whole(py, NdjsonSource::over(Part::whole(bytes), options.json), program, options),
        Format::Csv => {
            let mut csv = Csv::new(options.csv)?;
            whole(py, csv.over(Part::whole(bytes)), program, options)
        }
    }
}

#[inline(always)]
pub(crate) fn whole<'e, 'a, S: Source<'a>>(
    py: Python<'e>,
    source: S,
    program: &'e Program,
    options: &'e DecodeOptions,
) -> Result<Object, Failure> {
    if options.manner.errors == 1 {
        Engine::<S, false>::new(py, source, program, &options.manner).whole()
    } else {
        Engine::<S, true>::new(py, source, program, &options.manner).whole()
    }
}
