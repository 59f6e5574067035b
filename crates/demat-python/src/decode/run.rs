//! Runs the engine, instantiated for each format's source.

use super::options::DecodeOptions;
use super::{Engine, Repeats};
use crate::collector::Paused;
use crate::error::{Failure, exception};
use crate::format::Format;
use crate::input::Input;
use crate::known;
use crate::lazy::Encoding;
use crate::object::Object;
use crate::plan::{Node, Plan, Program, plan_at};
use crate::quick;
use demat_core::{AcceptSingle, Error, ErrorKind, Source, Tape, Value, ValueSource};
use demat_formats::codec::{AnyReader, Engine as Which, Model, Reader};
use demat_formats::csv::Csv;
use demat_formats::json::JsonSource;
use demat_formats::msgpack::MsgpackSource;
use demat_formats::ndjson::NdjsonSource;
use demat_formats::proto::ProtoSource;
use demat_formats::stream::Part;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::mem::MaybeUninit;
use std::sync::OnceLock;

/// Returns the program for values without a type.
pub(crate) fn untyped() -> &'static Program {
    static ANY: OnceLock<Program> = OnceLock::new();
    ANY.get_or_init(|| Program { straight: true, ..Program::of_scalar(Node::Any) })
}

impl Program {
    /// Returns the program for a value without parts that have types.
    pub(crate) fn of_scalar(root: Node) -> Self {
        Self {
            root,
            records: Box::default(),
            aliases: Box::default(),
            runs_code: false,
            straight: false,
            row_checks: OnceLock::new(),
            validation: OnceLock::new(),
            written: OnceLock::new(),
        }
    }
}

/// Extracts a type argument. `None` is a type too, and differs from no argument.
#[allow(clippy::unnecessary_wraps)] // the signature of an argument's extractor
pub(crate) fn given_type<'py>(type_: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    Ok(Some(type_.clone()))
}

/// Returns the plan of a type; `None` without a type.
///
/// # Errors
/// If the type can't be described.
pub(crate) fn planned<'py>(
    py: Python<'py>,
    type_: Option<&Bound<'py, PyAny>>,
    options: &DecodeOptions,
) -> PyResult<Option<Bound<'py, Plan>>> {
    let Some(type_) = type_ else {
        if options.describe.as_ref().is_some_and(|table| table.bind(py).contains("fields").unwrap_or(false)) {
            return planned(py, Some(known::any(py)?), options);
        }
        let said = options.describe.as_ref().and_then(|table| table.bind(py).keys().iter().next());
        return match said {
            // Without a type, nothing is built of a class and nothing has fields, so the option would have no effect.
            Some(name) => Err(PyTypeError::new_err(format!("{name}= is for values of a type, and none was given"))),
            None => Ok(None),
        };
    };
    match &options.describe {
        Some(table) => {
            let plan = plan_at(type_, Some(table.bind(py)), options.place)?;
            has_fields(&plan, type_, table.bind(py))?;
            Ok(Some(plan))
        }
        None if type_.is(known::any(py)?) => Ok(None),
        None => plan_at(type_, None, options.place).map(Some),
    }
}

/// Refuses options about fields if the type has none.
///
/// # Errors
/// `TypeError` with the name of the option that has no effect.
pub(crate) fn has_fields(
    plan: &Bound<'_, Plan>,
    type_: &Bound<'_, PyAny>,
    options: &Bound<'_, PyDict>,
) -> PyResult<()> {
    let program = &plan.get().program;
    if !program.records.is_empty() || program.runs_code {
        return Ok(()); // code such as a hook may use the options in ways that can't be seen here
    }
    for name in ["rename", "unknown"] {
        if options.contains(name)? {
            let type_ = type_.repr()?;
            return Err(PyTypeError::new_err(format!("{name}= has no effect on {type_}, which has no fields")));
        }
    }
    Ok(())
}

/// Decodes an object's bytes.
///
/// # Errors
/// `demat.Error` for errors of the data, exceptions of hooks, `TypeError` for objects without bytes.
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
    decode_by(py, data, program, options)
}

#[inline]
pub(super) fn decode_by<'py>(
    py: Python<'py>,
    data: &Bound<'py, PyAny>,
    program: &Program,
    options: &DecodeOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let input = Input::of(data, program.runs_code)?;
    let paused = Paused::for_input(input.bytes().len());
    let decoded = run(py, input.bytes(), program, options);
    drop(paused);
    decoded.map(|object| object.into_bound(py)).map_err(|failure| exception(py, failure))
}

/// As [`decode`], for functions that the interpreter calls directly. Returns `None` if a Python exception is set.
///
/// # Safety
/// The GIL is held, and the object is alive.
#[inline(always)]
pub(crate) unsafe fn decode_quickly(
    data: *mut ffi::PyObject,
    program: Option<&Program>,
    options: &DecodeOptions,
) -> Option<*mut ffi::PyObject> {
    let program = match program {
        Some(program) => program,
        None => untyped(),
    };
    // SAFETY: as the caller guarantees. A bytes object's memory is read after a check of its class, and the object is
    // held, as user code could drop it.
    unsafe {
        if ffi::PyBytes_CheckExact(data) == 0 || program.runs_code {
            return decode_attached(data, program, options);
        }
        let _held = Object::shared(data);
        let len = ffi::Py_SIZE(data).cast_unsigned();
        let bytes = core::slice::from_raw_parts(ffi::PyBytes_AS_STRING(data).cast::<u8>(), len);
        let paused = Paused::for_input(len);
        let decoded = run(Python::assume_attached(), bytes, program, options);
        drop(paused);
        match decoded {
            Ok(object) => Some(object.into_ptr()),
            Err(failure) => {
                quick::raise(|py| exception(py, failure));
                None
            }
        }
    }
}

/// As [`decode_quickly`], for any object and for programs that run user code: with PyO3's preparations for a call.
///
/// # Safety
/// As [`decode_quickly`].
#[inline(never)]
unsafe fn decode_attached(
    data: *mut ffi::PyObject,
    program: &Program,
    options: &DecodeOptions,
) -> Option<*mut ffi::PyObject> {
    Python::attach(|py| {
        // SAFETY: as the caller guarantees.
        let data = unsafe { pyo3::Borrowed::from_ptr(py, data) };
        match decode_by(py, &data, program, options) {
            Ok(object) => Some(object.into_ptr()),
            Err(error) => {
                error.restore(py);
                None
            }
        }
    })
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

/// Decodes bytes of a format according to a program.
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

/// Decodes a recorded value.
///
/// # Errors
/// As [`decode`].
pub(crate) fn of_tape<'py>(
    py: Python<'py>,
    tape: &Tape,
    plan: Option<&Plan>,
    options: &DecodeOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let program = match plan {
        Some(plan) => &plan.program,
        None => untyped(),
    };
    let paused = Paused::for_input(tape.parts());
    let mut source = tape.source();
    let mut accepting;
    let source: &mut dyn Source<'_> = if options.read.accepts_single() {
        accepting = AcceptSingle::new(source);
        &mut accepting
    } else {
        &mut source
    };
    let decoded = whole(py, source, program, options);
    drop(paused);
    decoded.map(|object| object.into_bound(py)).map_err(|failure| exception(py, failure))
}

/// Decodes a value that was kept from a document that these options read.
///
/// # Errors
/// As [`decode`].
pub(crate) fn of_value<'py>(
    py: Python<'py>,
    value: &Value,
    plan: Option<&Plan>,
    options: &DecodeOptions,
) -> PyResult<Bound<'py, PyAny>> {
    let program = match plan {
        Some(plan) => &plan.program,
        None => untyped(),
    };
    let mut manner = options.manner;
    manner.model = Model::Nested;
    let source: &mut dyn Source<'_> = &mut ValueSource::new(value);
    let decoded = if manner.errors == 1 {
        Engine::<&mut dyn Source<'_>, false>::new(py, source, program, &manner).whole()
    } else {
        Engine::<&mut dyn Source<'_>, true>::new(py, source, program, &manner).whole()
    };
    decoded.map(|object| object.into_bound(py)).map_err(|failure| exception(py, failure))
}

/// Decodes the value of a record's only field from the bytes of that field. If they contain several values, they are
/// merged as the format defines it. Returns `None` if the field is absent.
///
/// # Errors
/// Errors of the value.
pub(crate) fn one_field(
    py: Python<'_>,
    part: Part<'_>,
    program: &Program,
    alone: &demat_core::Record,
    (node, label): (&Node, &str),
    depth: u32,
) -> Result<Option<Object>, Failure> {
    let mut options = DecodeOptions::new(Format::PROTO);
    options.read.depth = depth;
    let mut engine = Engine::<ProtoSource<'_>, false>::new(
        py,
        ProtoSource::over(part, (&options.read).into()),
        program,
        &options.manner,
    );
    engine.of_field(alone, node, label)
}

/// Decodes bytes of an encoding with keys to a value of a program's node.
///
/// # Errors
/// Errors of the value.
pub(crate) fn keyed_value(
    py: Python<'_>,
    encoding: Encoding,
    part: Part<'_>,
    read: demat_formats::json::ReadOptions,
    strict: bool,
    program: &Program,
    node: &Node,
) -> Result<Object, Failure> {
    let mut options = DecodeOptions::new(encoding.format());
    options.manner.strict = strict;
    if read.repeated_keys == demat_formats::json::RepeatedKeys::Refuse {
        options.manner.repeats = Repeats::ReadAgain;
    }
    if encoding == Encoding::Packed {
        return packed_value(py, MsgpackSource::over(part, read), &options, program, node);
    }
    let source = JsonSource::over(part, read);
    Engine::<JsonSource<'_>, false>::new(py, source, program, &options.manner).of_node(node)
}

/// Decodes JSON to a value of a program's node, in which outermost records have names although their classes are
/// `array_like`: they were rows.
///
/// # Errors
/// Errors of the value.
pub(crate) fn named_value(py: Python<'_>, bytes: &[u8], program: &Program, node: &Node) -> Result<Object, Failure> {
    let options = DecodeOptions::of_rows();
    let source = JsonSource::new(bytes);
    Engine::<JsonSource<'_>, false>::new(py, source, program, &options.manner).of_node(node)
}

/// Kept out of line: a second engine would enlarge the caller's stack frame.
#[inline(never)]
fn packed_value(
    py: Python<'_>,
    source: MsgpackSource<'_>,
    options: &DecodeOptions,
    program: &Program,
    node: &Node,
) -> Result<Object, Failure> {
    Engine::<MsgpackSource<'_>, false>::new(py, source, program, &options.manner).of_node(node)
}

/// Decodes a message to a record of a program.
///
/// # Errors
/// As [`decode`].
pub(crate) fn record_of_message(
    py: Python<'_>,
    bytes: &[u8],
    program: &Program,
    record: usize,
    depth: u32,
) -> Result<Object, Failure> {
    let mut options = DecodeOptions::new(Format::PROTO);
    options.read.depth = depth;
    let source = ProtoSource::over(Part::whole(bytes), (&options.read).into());
    let mut engine = Engine::<ProtoSource<'_>, false>::new(py, source, program, &options.manner);
    engine.of_record(record)
}

/// Documents up to this size, in bytes, are copied to a buffer with room behind them.
const SHORT: usize = 256;
/// The number of bytes that the fast paths read at once.
const ROOM: usize = 64;

fn run<'e>(py: Python<'e>, bytes: &[u8], program: &'e Program, options: &'e DecodeOptions) -> Result<Object, Failure> {
    match options.manner.format.about().engine {
        // Rare: of those that accept single values there is no engine of their own.
        _ if options.read.accepts_single() => any(py, bytes, program, options),
        Which::Json if bytes.len() <= SHORT => {
            let mut room = [MaybeUninit::<u8>::uninit(); SHORT + ROOM];
            let room = wide(bytes, &mut room);
            whole(py, JsonSource::with_room(room, bytes.len(), (&options.read).into()), program, options)
        }
        Which::Json => whole(py, JsonSource::with_options(bytes, (&options.read).into()), program, options),
        Which::JsonLines => whole(py, NdjsonSource::over(Part::whole(bytes), (&options.read).into()), program, options),
        Which::Cells => {
            let mut csv = Csv::new(options.read.own.typed())?;
            whole(py, csv.over(Part::whole(bytes)), program, options)
        }
        Which::Messages => messages(py, bytes, program, options),
        Which::Packed => packed(py, bytes, program, options),
        Which::Any => any(py, bytes, program, options),
    }
}

/// Kept out of line: the message source would enlarge the callers' stack frames.
#[inline(never)]
fn messages<'e>(
    py: Python<'e>,
    bytes: &[u8],
    program: &'e Program,
    options: &'e DecodeOptions,
) -> Result<Object, Failure> {
    whole(py, ProtoSource::over(Part::whole(bytes), (&options.read).into()), program, options)
}

/// Kept out of line for the same reason.
#[inline(never)]
fn packed<'e>(
    py: Python<'e>,
    bytes: &[u8],
    program: &'e Program,
    options: &'e DecodeOptions,
) -> Result<Object, Failure> {
    whole(py, MsgpackSource::over(Part::whole(bytes), (&options.read).into()), program, options)
}

/// Decodes with a dynamically dispatched source.
#[inline(never)]
fn any<'e>(py: Python<'e>, bytes: &[u8], program: &'e Program, options: &'e DecodeOptions) -> Result<Object, Failure> {
    let mut reader = options.reader()?;
    begin(py, &mut reader, program, options)?;
    let mut reader = reader.boxed();
    let source: &mut dyn Source<'_> = &mut *reader.boxed_source(Part::whole(bytes));
    whole(py, source, program, options)
}

/// Tells a reader the shape that the data was written with, if its format has to know it.
fn begin(py: Python<'_>, reader: &mut Reader, program: &Program, options: &DecodeOptions) -> Result<(), Failure> {
    if options.manner.model != Model::Shaped {
        return Ok(());
    }
    let shape = program
        .shape_written(py)
        .map_err(|raised| Failure::one(Error::new(ErrorKind::Type, "the type has no shape"), Some(raised)))?;
    Ok(reader.begin(shape)?)
}

/// Copies the bytes and fills the room behind them with line ends.
#[inline(always)]
fn wide<'r>(bytes: &[u8], room: &'r mut [MaybeUninit<u8>; SHORT + ROOM]) -> &'r [u8] {
    let len = bytes.len();
    assert!(len <= SHORT);
    let to = room.as_mut_ptr().cast::<u8>();
    // SAFETY: the buffer has `SHORT + ROOM` bytes, and `len + ROOM` of them are written here.
    unsafe {
        to.copy_from_nonoverlapping(bytes.as_ptr(), len);
        to.add(len).cast::<[u8; ROOM]>().write([b'\n'; ROOM]);
        core::slice::from_raw_parts(to, len + ROOM)
    }
}

#[inline(always)]
fn whole<'e, 'a, S: Source<'a>>(
    py: Python<'e>,
    mut source: S,
    program: &'e Program,
    options: &'e DecodeOptions,
) -> Result<Object, Failure> {
    if options.manner.errors == 1 {
        let mut engine = Engine::<S, false>::new(py, source, program, &options.manner);
        engine.heeds = true;
        engine.whole()
    } else {
        all(py, &mut source, program, options)
    }
}

/// Decodes with errors gathered, with one engine for all sources: reporting all errors is not time-critical.
#[inline(never)]
fn all<'e, 'a>(
    py: Python<'e>,
    source: &mut dyn Source<'a>,
    program: &'e Program,
    options: &'e DecodeOptions,
) -> Result<Object, Failure> {
    let mut engine = Engine::<&mut dyn Source<'a>, true>::new(py, source, program, &options.manner);
    engine.heeds = true;
    engine.whole()
}
