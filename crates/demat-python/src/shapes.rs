//! Shapes, for people and for classes: a plan as the text of its shape, and a shape as the description of classes that do
//! not exist yet.

use crate::bounded::Bounded;
use crate::columns::shape_of;
use crate::decode::DecodeOptions;
use crate::error::exception;
use crate::format::{Format, named};
use crate::plan::Program;
use crate::signals;
use demat_core::{
    FloatWidth, Inference, InferenceOptions, IntWidth, RecordRef, Shape, Tag, Union, UnionRef, Unknown, Value,
};
use demat_formats::codec::{AnyReader, Model};
use demat_formats::proto::Form;
use demat_formats::stream::Part;
use demat_place::{Place, Sample};
use demat_proto::Definitions;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// The text of the shape of a description.
#[pyfunction]
pub(crate) fn shape_text(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = root.py();
    let description = PyTuple::new(py, [root, records])?;
    Ok(Program::compile(description.as_any())?.shape(py)?.to_string())
}

/// The description of a shape that is given as text; its records have no classes.
#[pyfunction]
pub(crate) fn parse_shape<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let shape: Shape = text.parse().map_err(|error: demat_core::Error| exception(py, error.into()))?;
    Describing::default().whole(py, &shape)
}

/// The description of a message of a `.proto` file or of a descriptor set: its path or what is in it, and the message's name.
/// Its enums are `("names", name, ((member, number), …))`, as they have no classes.
#[pyfunction]
#[pyo3(signature = (place, message, includes, is_set))]
#[allow(clippy::needless_pass_by_value)] // so arguments come
pub(crate) fn define_message<'py>(
    py: Python<'py>,
    place: &Bound<'py, PyAny>,
    message: Option<&str>,
    includes: Vec<PathBuf>,
    is_set: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let includes: Vec<&Path> = includes.iter().map(PathBuf::as_path).collect();
    let definitions = if let Ok(set) = place.cast::<PyBytes>() {
        Definitions::from_descriptor_set(set.as_bytes())
    } else if let Ok(text) = place.cast::<PyString>() {
        Definitions::from_text(text.to_str()?)
    } else {
        let path: PathBuf = place.extract()?;
        py.detach(|| {
            if is_set { Definitions::from_descriptor_set_file(&path) } else { Definitions::read(&path, &includes) }
        })
    };
    let shape = definitions.and_then(|definitions| definitions.shape_apart(message));
    let shape = shape.map_err(|error| exception(py, error.into()))?;
    Describing { numbered: true, ..Describing::default() }.whole(py, &shape)
}

/// The `.proto` file of a description.
#[pyfunction]
pub(crate) fn proto_text(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>, package: &str) -> PyResult<String> {
    let py = root.py();
    let description = PyTuple::new(py, [root, records])?;
    let shape = Program::compile(description.as_any())?.numbered_shape(py)?;
    demat_proto::to_proto(&shape, package).map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// The description of what a file, or a piece of one, holds: of its records, if it is a list of them.
///
/// The format is told by the name of the file where it is not given; that many records are looked at.
#[pyfunction]
#[pyo3(signature = (place, format, limit))]
pub(crate) fn infer_shape<'py>(
    py: Python<'py>,
    place: &Bound<'py, PyAny>,
    format: Option<&str>,
    limit: Option<Bounded<u64>>,
) -> PyResult<Bound<'py, PyAny>> {
    let limit = limit.map(|limit| limit.0);
    let shape = if let Ok(sample) = place.cast::<PyBytes>() {
        let format = format.ok_or_else(|| PyTypeError::new_err("the format of bytes has to be said"))?;
        let format = named(format).ok_or_else(|| no_format(format))?;
        let options = DecodeOptions::new(format);
        let (sample, limit) = (sample.as_bytes(), limit.map_or(usize::MAX, |limit| limit as usize));
        signals::detached(py, || of_bytes(sample, &options, limit))?
    } else {
        let path: PathBuf = place.extract()?;
        signals::detached(py, || Ok(of_file(&path, format, limit)))?
            .map_err(|error| exception(py, error.into()))?
            .map_err(|unknown| unknown.map_or_else(|| no_format(format.unwrap_or("?")), |e| exception(py, e.into())))?
    };
    let shape = shape.map_err(|error| exception(py, error.into()))?;
    Describing::default().whole(py, &shape)
}

/// The description of the records of Arrow's columns, or of a schema of Arrow's.
#[pyfunction]
pub(crate) fn arrow_shape<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let shape = shape_of(object)?.map_err(|error| exception(py, error.into()))?;
    Describing::default().whole(py, &shape)
}

/// The description of a shape; its records have no classes.
pub(crate) fn described<'py>(py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyAny>> {
    Describing::default().whole(py, shape)
}

fn no_format(name: &str) -> PyErr {
    PyValueError::new_err(format!("no format is called {name:?}"))
}

/// Outside: there is no such format, or it can't be told.
type Found = Result<demat_core::Result<Shape>, Option<demat_core::Error>>;

fn of_file(path: &Path, format: Option<&str>, limit: Option<u64>) -> Found {
    let place = if path == Path::new("-") { Place::from(path) } else { Place::named(path.as_os_str()) };
    let format = match format {
        Some(name) => demat_place::Format::all().find(|format| format.name() == name).ok_or(None)?,
        None => place.format().ok_or_else(|| {
            let message = "the format can't be told by the name of the file: say format=";
            Some(demat_core::Error::new(demat_core::ErrorKind::Io, message))
        })?,
    };
    let sample = limit.map_or(Sample::All, Sample::First);
    Ok(demat_place::schema(&place, format, &format.read_options(), sample, true))
}

/// The shape of the records of a document, learnt from the first ones.
///
/// # Errors
/// Where the document is broken there.
pub(crate) fn of_bytes(sample: &[u8], options: &DecodeOptions, limit: usize) -> demat_core::Result<Shape> {
    if options.manner.format.needs_type() {
        return Err(unsaid(options.manner.format));
    }
    let how =
        if options.manner.model == Model::Cells { InferenceOptions::cells() } else { InferenceOptions::default() };
    let mut inference = Inference::new(how);
    let mut reader = options.reader()?.boxed();
    let records = inference.observe_items(&mut reader.boxed_source(Part::whole(sample)), limit)?;
    if records == 0
        && let Some(row) = reader.read_header()?
    {
        return Ok(Shape::record(row));
    }
    Ok(match inference.shape() {
        Shape::List(item) => (*item).clone(),
        other => other,
    })
}

/// The bytes of the format have no names.
#[cold]
pub(crate) fn unsaid(format: Format) -> demat_core::Error {
    let message = if format.is_numbered() {
        "Protocol Buffers do not say what their fields are: a type has to".to_string()
    } else {
        format!("{format} does not say what its values are: a type has to")
    };
    demat_core::Error::new(demat_core::ErrorKind::Type, message)
}

/// A shape's records, as they are described.
#[derive(Default)]
struct Describing<'py> {
    records: Vec<Bound<'py, PyDict>>,
    names: Vec<String>,
    /// The index of each record and union by address, so that a shared one is described once.
    known: HashMap<usize, usize>,
    /// Whether it is about places where fields, and names of enums, go by number.
    numbered: bool,
}

impl<'py> Describing<'py> {
    fn whole(mut self, py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyAny>> {
        let root = self.node(py, shape)?;
        Ok((root, PyList::new(py, self.records)?).into_pyobject(py)?.into_any())
    }

    fn node(&mut self, py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyTuple>> {
        let plain = |kind: &str| (kind,).into_pyobject(py);
        match shape {
            Shape::Any => plain("any"),
            Shape::Null => plain("none"),
            Shape::Bool => plain("bool"),
            Shape::Int(_) => plain("int"),
            Shape::Float(_) => plain("float"),
            Shape::Text => plain("str"),
            Shape::Bytes => plain("bytes"),
            Shape::Decimal => plain("decimal"),
            Shape::Date => plain("date"),
            Shape::Duration => plain("timedelta"),
            Shape::Uuid => plain("uuid"),
            Shape::Time => ("time", py.None()).into_pyobject(py),
            Shape::DateTime => ("datetime", false).into_pyobject(py),
            Shape::Instant => ("datetime", py.None()).into_pyobject(py),
            Shape::Option(inner) => ("optional", self.node(py, inner)?).into_pyobject(py),
            Shape::List(item) => ("list", py.get_type::<PyList>(), self.node(py, item)?).into_pyobject(py),
            Shape::Tuple(items) => {
                let items = items.iter().map(|item| self.node(py, item)).collect::<PyResult<Vec<_>>>()?;
                ("tuple", PyTuple::new(py, items)?).into_pyobject(py)
            }
            Shape::Map(key, value) => {
                ("dict", py.get_type::<PyDict>(), self.node(py, key)?, self.node(py, value)?).into_pyobject(py)
            }
            Shape::Enum(names) if self.numbered => {
                let members = (0..names.len()).map(|index| (names.name_at(index), names.number_at(index)));
                ("names", names.name(), PyTuple::new(py, members.collect::<Vec<_>>())?).into_pyobject(py)
            }
            Shape::Enum(names) => {
                let names = (0..names.len()).map(|index| names.name_at(index));
                ("literal", PyTuple::new(py, names)?).into_pyobject(py)
            }
            Shape::Record(record) => ("record", self.record(py, record)?).into_pyobject(py),
            Shape::Union(union) => self.union(py, union),
        }
    }

    fn union(&mut self, py: Python<'py>, union: &UnionRef) -> PyResult<Bound<'py, PyTuple>> {
        if let UnionRef::Link(name, _) = union
            && let Some(index) = self.names.iter().position(|own| *own == **name)
        {
            return ("named", index).into_pyobject(py);
        }
        let union = union.get();
        let address = std::ptr::from_ref(&*union).addr();
        if let Some(index) = self.known.get(&address) {
            return ("named", *index).into_pyobject(py);
        }
        let mut seen = HashSet::new();
        if !union.variants().iter().any(|variant| refers(variant.shape(), union.name(), &mut seen)) {
            return self.variants(py, &union);
        }
        let index = self.records.len();
        self.known.insert(address, index);
        let alias = PyDict::new(py);
        self.records.push(alias.clone());
        self.names.push(union.name().to_string());
        alias.set_item("name", union.name())?;
        alias.set_item("node", self.variants(py, &union)?)?;
        ("named", index).into_pyobject(py)
    }

    fn variants(&mut self, py: Python<'py>, union: &Union) -> PyResult<Bound<'py, PyTuple>> {
        let tag = match union.tag() {
            Tag::None => None,
            Tag::Field(key) => Some(key.to_string()),
            Tag::Key | Tag::Pair(_) => {
                return Err(PyTypeError::new_err("a union whose content stands beside its tag has no class in Python"));
            }
        };
        let variants = union.variants().iter().map(|variant| {
            let node = self.node(py, variant.shape())?;
            Ok((tag.as_ref().map(|_| variant.name().to_string()), node))
        });
        let variants = variants.collect::<PyResult<Vec<_>>>()?;
        ("union", tag, PyTuple::new(py, variants)?).into_pyobject(py)
    }

    /// The index of a record, which refers to itself by it where it contains itself.
    fn record(&mut self, py: Python<'py>, record: &RecordRef) -> PyResult<usize> {
        if let RecordRef::Link(name, _) = record
            && let Some(index) = self.names.iter().position(|own| *own == **name)
        {
            return Ok(index);
        }
        let record = record.get();
        let address = std::ptr::from_ref(&*record).addr();
        if let Some(index) = self.known.get(&address) {
            return Ok(*index);
        }
        // There each name is that of one message.
        if self.numbered
            && let Some(index) = self.names.iter().position(|own| own == record.name())
        {
            return Ok(index);
        }
        let index = self.records.len();
        self.known.insert(address, index);
        let made = PyDict::new(py);
        self.records.push(made.clone());
        self.names.push(record.name().to_string());
        made.set_item("cls", py.None())?;
        made.set_item("name", record.name())?;
        made.set_item("make", "fields")?;
        made.set_item("post_init", py.None())?;
        made.set_item("gc", true)?;
        made.set_item("tag", py.None())?;
        match record.unknown() {
            Unknown::Ignore => made.set_item("unknown", "ignore")?,
            Unknown::Forbid => made.set_item("unknown", "forbid")?,
            Unknown::Keep(field) => made.set_item("unknown", field)?,
        }
        let fields = PyList::empty(py);
        for field in record.fields() {
            let given = PyDict::new(py);
            let keys = std::iter::once(field.key()).chain(field.aliases().iter().map(AsRef::as_ref));
            given.set_item("name", field.name())?;
            given.set_item("key", field.key())?;
            given.set_item("read", PyTuple::new(py, keys.collect::<Vec<_>>())?)?;
            given.set_item("number", field.number())?;
            given.set_item("node", self.node(py, field.shape())?)?;
            given.set_item("required", field.required())?;
            given.set_item("init", field.name())?;
            given.set_item("omit", py.None())?;
            let notes = column(py, field)?;
            wire(&notes, field, self.numbered)?;
            given.set_item("notes", notes)?;
            if let Some(Value::Float(default)) = field.default().filter(|default| !has_json(default)) {
                given.set_item("default", default)?;
            } else if let Some(default) = field.default() {
                let text = demat_formats::json::encode(default).map_err(|error| exception(py, error.into()))?;
                // A default is of its field's kind; one of a record that is not made yet stays a dict.
                let alone = PyTuple::new(py, [want(&given, "node")?, PyList::empty(py).into_any()])?;
                let value = match Program::compile(alone.as_any()) {
                    Ok(program) => crate::decode::by_program(py, Format::DEFAULT, &text, &program)?,
                    Err(_) => crate::decode::bytes(py, Format::DEFAULT, &text, None)?,
                };
                given.set_item("default", value)?;
            } else if !field.required() {
                given.set_item("default", py.None())?;
            }
            fields.append(given)?;
        }
        made.set_item("fields", fields)?;
        Ok(index)
    }
}

/// Returns whether JSON can represent the value: it has no infinity and no NaN.
fn has_json(value: &Value) -> bool {
    !matches!(value, Value::Float(float) if !float.is_finite())
}

/// What a field notes for SQL, as `Field` has it.
fn column<'py>(py: Python<'py>, field: &demat_core::Field) -> PyResult<Bound<'py, PyDict>> {
    let said = PyDict::new(py);
    for note in field.notes_for("sql") {
        match note.split_once(' ').unwrap_or((note, "")) {
            (flag @ ("key" | "unique" | "index"), "") => said.set_item(flag, true)?,
            ("references", target) => said.set_item("references", target)?,
            ("type", declared) => said.set_item("sql", declared)?,
            _ => {}
        }
    }
    Ok(said)
}

/// What a field notes for Protocol Buffers, as `Field` has it; `numbered` is whether the widths of ints count, too.
fn wire(said: &Bound<'_, PyDict>, field: &demat_core::Field, numbered: bool) -> PyResult<()> {
    let mut words: Vec<String> = Vec::new();
    for note in field.notes_for("proto") {
        match note.split_once(' ') {
            Some(("in", group)) => said.set_item("oneof", group)?,
            // Words stand behind commas.
            Some(("json_name", name)) if name.contains(',') => {}
            _ => words.push(note.to_owned()),
        }
    }
    if numbered {
        let (key, value) = match field.shape().inner() {
            Shape::List(item) => (None, item.inner()),
            Shape::Map(key, value) => (Some(key.inner()), value.inner()),
            other => (None, other),
        };
        if let Some(word) = key.and_then(width).filter(|_| !words.iter().any(|word| word.starts_with("key "))) {
            words.push(format!("key {word}"));
        }
        let is_said = |word: &String| Form::named(word).is_some();
        if let Some(word) = width(value).filter(|_| !words.iter().any(is_said)) {
            words.push(word.to_owned());
        }
    }
    if words.is_empty() { Ok(()) } else { said.set_item("wire", words.join(", ")) }
}

/// What a number of a width is called where that is not what Python's numbers are anyway.
fn width(shape: &Shape) -> Option<&'static str> {
    Some(match shape {
        Shape::Int(IntWidth::Signed(..=32)) => "int32",
        Shape::Int(IntWidth::Unsigned(..=32)) => "uint32",
        Shape::Int(IntWidth::Unsigned(_)) => "uint64",
        Shape::Float(FloatWidth::F32) => "float",
        _ => return None,
    })
}

/// What a description says under a key.
fn want<'py>(given: &Bound<'py, PyDict>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    given.get_item(key)?.ok_or_else(|| PyValueError::new_err(format!("the description lacks {key:?}")))
}

/// Returns whether a shape contains a link to the union of this name. Skips records and unions in `seen`.
fn refers(shape: &Shape, name: &str, seen: &mut HashSet<usize>) -> bool {
    match shape {
        Shape::Option(inner) | Shape::List(inner) => refers(inner, name, seen),
        Shape::Tuple(items) => items.iter().any(|item| refers(item, name, seen)),
        Shape::Map(key, value) => refers(key, name, seen) || refers(value, name, seen),
        Shape::Union(UnionRef::Link(own, _)) => **own == *name,
        Shape::Union(union) => {
            let union = union.get();
            seen.insert(std::ptr::from_ref(&*union).addr())
                && union.variants().iter().any(|variant| refers(variant.shape(), name, seen))
        }
        Shape::Record(RecordRef::Link(..)) => false,
        Shape::Record(record) => {
            let record = record.get();
            seen.insert(std::ptr::from_ref(&*record).addr())
                && record.fields().iter().any(|field| refers(field.shape(), name, seen))
        }
        _ => false,
    }
}
