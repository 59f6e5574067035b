//! Converts plans to the text of their shapes, and shapes to descriptions of classes that do not exist yet.

use crate::bounded::Bounded;
use crate::columns::shape_of;
use crate::decode::DecodeOptions;
use crate::error::exception;
use crate::format::{Format, named};
use crate::plan::{NO_FIELD, Program};
use crate::signals;
use demat_core::{FloatWidth, Inference, IntWidth, RecordRef, Shape, Tag, Union, UnionRef, Unknown, Value};
use demat_formats::codec::{AnyReader, verify_shape};
use demat_formats::proto::Form;
use demat_formats::stream::Part;
use demat_place::{Place, Sample};
use demat_proto::Definitions;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Returns the text of a description's shape.
#[pyfunction]
pub(crate) fn shape_text(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = root.py();
    let description = PyTuple::new(py, [root, records])?;
    Ok(Program::compile(description.as_any())?.shape(py)?.to_string())
}

/// Parses the text of a shape to a description; its records have no classes. Refuses notes that no format has.
#[pyfunction]
pub(crate) fn parse_shape<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let shape = text.parse().and_then(|shape: Shape| verify_shape(&shape).map(|()| shape));
    let shape = shape.map_err(|error| exception(py, error.into()))?;
    Describing::default().whole(py, &shape)
}

/// Returns the description of a message in a `.proto` file or a descriptor set, given by path or contents, and the
/// message's name. Its enums are `("names", name, ((member, number), …))`, as they have no classes.
#[pyfunction]
#[pyo3(signature = (place, message, includes, is_set))]
#[allow(clippy::needless_pass_by_value)] // PyO3 passes arguments by value
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
    described_by_number(py, &shape)
}

/// Returns the `.proto` file of a description.
#[pyfunction]
pub(crate) fn proto_text(root: &Bound<'_, PyAny>, records: &Bound<'_, PyAny>, package: &str) -> PyResult<String> {
    let py = root.py();
    let description = PyTuple::new(py, [root, records])?;
    let shape = Program::compile(description.as_any())?.numbered_shape(py)?;
    demat_proto::to_proto(&shape, package).map_err(|error| PyTypeError::new_err(error.to_string()))
}

/// Infers the description of the data in a file or a sample: of its records, if it is a list of them.
///
/// Without a format, the file's name determines it. `limit` is the number of records to inspect.
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

/// Returns the description of the records in Arrow columns, or of an Arrow schema.
#[pyfunction]
pub(crate) fn arrow_shape<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = object.py();
    let shape = shape_of(object)?.map_err(|error| exception(py, error.into()))?;
    Describing::default().whole(py, &shape)
}

/// Returns the description of a shape; its records have no classes.
pub(crate) fn described<'py>(py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyAny>> {
    Describing::default().whole(py, shape)
}

/// As [`described`], for a shape whose fields and names of enums are identified by number: its enums are
/// `("names", name, ((member, number), …))`, unless a note says that they are texts.
pub(crate) fn described_by_number<'py>(py: Python<'py>, shape: &Shape) -> PyResult<Bound<'py, PyAny>> {
    Describing { numbered: true, ..Describing::default() }.whole(py, shape)
}

fn no_format(name: &str) -> PyErr {
    PyValueError::new_err(format!("no format is called {name:?}"))
}

/// The outer error: an unknown format (`None`), or one that can't be determined.
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

/// Infers the shape of a document's records from the first ones.
///
/// # Errors
/// If the document is malformed there.
pub(crate) fn of_bytes(sample: &[u8], options: &DecodeOptions, limit: usize) -> demat_core::Result<Shape> {
    if options.manner.format.needs_type() {
        return Err(unsaid(options.manner.format));
    }
    let mut inference = Inference::new(options.manner.model.inference());
    let mut reader = options.reader()?.boxed();
    if reader.has_schema() {
        reader.boxed_source(Part::whole(sample)).lists_records(None)?;
        if let Some(shape) = reader.read_schema() {
            return Ok(shape);
        }
    }
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

/// Returns the error for formats whose bytes contain no names or types.
#[cold]
pub(crate) fn unsaid(format: Format) -> demat_core::Error {
    let message = if format.is_numbered() {
        "Protocol Buffers do not say what their fields are: a type has to".to_string()
    } else {
        format!("{format} does not say what its values are: a type has to")
    };
    demat_core::Error::new(demat_core::ErrorKind::Type, message)
}

/// Builds the description of a shape.
#[derive(Default)]
struct Describing<'py> {
    records: Vec<Bound<'py, PyDict>>,
    names: Vec<String>,
    /// The index of each record and union by address, so that a shared one is described once.
    known: HashMap<usize, usize>,
    /// Whether fields and names of enums are identified by number.
    numbered: bool,
    /// Whether the names of enums in the current field are texts all the same, as keys and as values.
    texts: (bool, bool),
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
                let texts = self.texts;
                self.texts.1 = texts.0;
                let key = self.node(py, key)?;
                self.texts = texts;
                ("dict", py.get_type::<PyDict>(), key, self.node(py, value)?).into_pyobject(py)
            }
            Shape::Enum(names) if self.numbered && !self.texts.1 => {
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

    /// Returns the index of a record; a recursive record refers to itself by the index.
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
        // In this case, names of messages are unique.
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
            // The number of a oneof is one that no field can have, and stands for its place.
            given.set_item("number", field.number() & !NO_FIELD)?;
            let says = |words: &str| field.notes_for("proto").any(|note| note == words);
            let outer = core::mem::replace(&mut self.texts, (says("key string"), says("string")));
            let node = self.node(py, field.shape());
            self.texts = outer;
            given.set_item("node", node?)?;
            given.set_item("required", field.required())?;
            given.set_item("init", field.name())?;
            given.set_item("omit", py.None())?;
            let notes = column(py, field)?;
            wire(&notes, field, self.numbered)?;
            of_formats(&notes, field)?;
            given.set_item("notes", notes)?;
            if let Some(Value::Float(default)) = field.default().filter(|default| !has_json(default)) {
                given.set_item("default", default)?;
            } else if let Some(default) = field.default() {
                let text = demat_formats::json::encode(default).map_err(|error| exception(py, error.into()))?;
                // A default is decoded as its field's type; that of an incomplete recursive record stays a dict.
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

/// Returns a field's SQL options, as keyword arguments of `Field`.
fn column<'py>(py: Python<'py>, field: &demat_core::Field) -> PyResult<Bound<'py, PyDict>> {
    let said = PyDict::new(py);
    let mut was = Vec::new();
    for note in field.notes_for("sql") {
        match note.split_once(' ').unwrap_or((note, "")) {
            (flag @ ("key" | "unique" | "index"), "") => said.set_item(flag, true)?,
            ("references", target) => said.set_item("references", target)?,
            ("type", declared) => said.set_item("sql", declared)?,
            ("was", name) => was.push(demat_sqlite::unquoted(name)),
            _ => {}
        }
    }
    match &*was {
        [] => {}
        [name] => said.set_item("was", name)?,
        names => said.set_item("was", PyTuple::new(py, names)?)?,
    }
    Ok(said)
}

/// Adds a field's notes for the formats that have an argument of `Field` of their own.
fn of_formats(said: &Bound<'_, PyDict>, field: &demat_core::Field) -> PyResult<()> {
    // Columns and messages have functions of their own.
    for vocabulary in Format::vocabularies().filter(|vocabulary| !matches!(vocabulary.place, "sql" | "proto")) {
        let mut words: Vec<&str> = field.notes_for(vocabulary.place).collect();
        // Commas separate the words, except in the last one.
        words.sort_by_key(|word| word.contains(','));
        if !words.is_empty() {
            said.set_item(vocabulary.attribute, words.join(", "))?;
        }
    }
    Ok(())
}

/// Adds a field's Protocol Buffers options, as keyword arguments of `Field`; with `numbered`, including the widths of
/// ints.
fn wire(said: &Bound<'_, PyDict>, field: &demat_core::Field, numbered: bool) -> PyResult<()> {
    let mut words: Vec<String> = Vec::new();
    for note in field.notes_for("proto") {
        match note.split_once(' ') {
            Some(("in", group)) => said.set_item("oneof", group)?,
            // The words are separated by commas, so a name with a comma can't be included.
            Some(("json_name", name)) if name.contains(',') => {}
            None if note == "oneof"
                && let Shape::Union(union) = field.shape().inner() =>
            {
                let union = union.get();
                let numbers = union.variants().iter().map(|variant| format!(" {}", variant.number()));
                words.push(numbers.fold(note.to_owned(), |all, number| all + &number));
            }
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

/// Returns the wire type for a number's width, if it is not the default of the Python type.
fn width(shape: &Shape) -> Option<&'static str> {
    Some(match shape {
        Shape::Int(IntWidth::Signed(..=32)) => "int32",
        Shape::Int(IntWidth::Unsigned(..=32)) => "uint32",
        Shape::Int(IntWidth::Unsigned(_)) => "uint64",
        Shape::Float(FloatWidth::F32) => "float",
        _ => return None,
    })
}

/// Returns a required entry of a description.
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
