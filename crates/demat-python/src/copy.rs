//! `demat.copy`: copies records from place to place without creating Python objects.

use crate::columns::{ArrowReader, is_arrow, reader_of};
use crate::error::{Failure, all_of, exception, exception_for};
use crate::file_object::{FileObject, Raised, no_place};
use crate::format::Format;
use crate::plan;
use crate::plan::{Face, Program};
use crate::read::{self, Meter, Open, Packed, ProgressTarget, Rejects};
use crate::setting::{Unset, setting_value};
use crate::target::{Packing, name_of, path};
use demat_arrow::IpcBytes;
use demat_core::{Error, ErrorKind, Shape};
use demat_formats::Keep;
use demat_formats::canonical::{self, Mapping};
use demat_formats::codec::Setting;
use demat_formats::csv::Dialect;
use demat_formats::stream::RecordPath;
use demat_place::{
    CopyJob, CopyTarget, Encoding, Host, OnError, Place, Progress, ReadOptions, Sample, Summary, Where, WriteOptions,
    record_path,
};
use demat_proto::MessagePath;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The maximum number of refused records that are reported one by one.
const MOST: usize = 1000;
/// The interval between two checks for signals.
const SIGNALS: Duration = Duration::from_millis(20);

/// The arguments of `demat.copy` besides the places.
#[allow(clippy::struct_excessive_bools)] // each is an argument of its own
#[derive(FromPyObject)]
pub(crate) struct Settings<'py> {
    #[pyo3(item)]
    r#type: Bound<'py, PyAny>,
    #[pyo3(item)]
    from_: Option<String>,
    #[pyo3(item)]
    to: Option<String>,
    #[pyo3(item)]
    fields: Option<Vec<String>>,
    #[pyo3(item)]
    r#where: Option<String>,
    #[pyo3(item)]
    rename: Option<Vec<(String, String)>>,
    #[pyo3(item)]
    at: Option<String>,
    #[pyo3(item)]
    lax: bool,
    #[pyo3(item)]
    encoding: Option<String>,
    #[pyo3(item)]
    to_encoding: Option<String>,
    #[pyo3(item)]
    infer: bool,
    #[pyo3(item)]
    flatten: bool,
    #[pyo3(item)]
    sample: Option<u64>,
    #[pyo3(item)]
    first: Option<u64>,
    #[pyo3(item)]
    on_error: String,
    #[pyo3(item)]
    rejects: Bound<'py, PyAny>,
    #[pyo3(item)]
    progress: Bound<'py, PyAny>,
    #[pyo3(item)]
    compression: Bound<'py, PyAny>,
    #[pyo3(item)]
    read: Option<Bound<'py, PyDict>>,
    #[pyo3(item)]
    write: Option<Bound<'py, PyDict>>,
    #[pyo3(item)]
    mapping: String,
    #[pyo3(item)]
    ignore_unknown: bool,
    /// Whether the source are objects of the program, of which nothing may be lost.
    #[pyo3(item)]
    strict: bool,
    #[pyo3(item)]
    others: Vec<OtherTarget<'py>>,
    /// Of a part of a table: the number of cells of the rows in front of what is read, and whether there are any in front
    /// of what is written.
    #[pyo3(item)]
    behind: Option<(Option<usize>, bool)>,
}

/// A target besides the first: the place, its format, how it is packed, and the options for writing.
type OtherTarget<'py> = (Bound<'py, PyAny>, Option<String>, Bound<'py, PyAny>, Option<Bound<'py, PyDict>>);

/// Parses `on_error`: how to handle a refused record.
fn on_error(name: &str) -> PyResult<OnError> {
    match name {
        "stop" => Ok(OnError::Stop),
        "skip" | "collect" => Ok(OnError::Skip),
        "all" => Ok(OnError::All),
        other => {
            Err(PyValueError::new_err(format!("on_error is \"stop\", \"skip\", \"collect\" or \"all\", not {other:?}")))
        }
    }
}

/// Copies. Returns the numbers of written and refused records, whether the target was written, and the number of bytes
/// read.
#[pyfunction]
pub(crate) fn copy(
    src: &Bound<'_, PyAny>,
    dst: &Bound<'_, PyAny>,
    settings: Settings<'_>,
) -> PyResult<(u64, u64, bool, u64)> {
    let py = src.py();
    let raised = Raised::default();
    let from = path(src)?.map(|path| Place::named(path.as_os_str()));
    let columns = if from.is_none() && is_arrow(src)? { Some(columns_bytes(src, &settings)?) } else { None };
    let input = if from.is_none() && columns.is_none() { Some(InputObject::new(src)?) } else { None };
    let from = from.unwrap_or_else(|| {
        Place::Given(input.as_ref().map_or_else(|| "the columns".to_string(), |input| input.name.clone()))
    });
    let to = target_place(dst)?;
    let from_format = match columns {
        Some(_) => demat_place::Format::BATCHES,
        None => format_of(&from, settings.from_.as_deref(), "from_")?,
    };
    let to_format = format_of(&to, settings.to.as_deref(), "to")?;
    let packed = Packing::parse(&settings.compression)?.of(&to);
    let mut reading = read_options(from_format, settings.read.as_ref())?;
    let mut writing = write_options(to_format, settings.write.as_ref())?;
    if let Some((cells, is_behind)) = settings.behind {
        if from_format.is_table() {
            reading.own.change(|own: &mut Dialect| own.behind = cells);
        }
        if to_format.is_table() && is_behind {
            // The number of cells is that of the sink's own columns.
            writing.own.change(|own: &mut Dialect| own.behind = Some(0));
        }
    }
    let source_raised = input.as_ref().map(|input| input.open.raised.clone()).unwrap_or_default();
    let file = if let Place::Given(_) = to { Some(FileObject::new(dst, raised.clone())?) } else { None };
    let others = settings.others.iter().map(|other| other_target(other, &raised)).collect::<PyResult<Vec<_>>>()?;
    let to_formats: Vec<_> = core::iter::once(to_format).chain(others.iter().map(CopyTarget::format)).collect();
    let chosen = Chosen::parse(&settings, from_format, &to_formats)?;
    // A collection that is there says by itself how its records are encoded.
    let mut stored_formats = to_formats.clone();
    stored_formats[0] = stored_format(py, &to).unwrap_or(to_format);
    let stored = (stored_format(py, &from).unwrap_or(from_format), &*stored_formats);
    let typed = Typed::parse(&settings, from_format, &to_formats, stored)?;
    let Settings { infer, flatten, sample, first, progress, .. } = settings;
    if settings.on_error == "collect" && settings.rejects.is_none() {
        return Err(read::lacks_rejects());
    }
    let on_error = on_error(&settings.on_error)?;
    let refused = Refused::new(on_error, &settings.rejects, raised.clone())?;
    let rejects = refused.kept.as_ref().map(|path| Place::named(path.as_os_str()));
    let telling = refused.clone_for(py);
    let meter = Mutex::new(Meter::of(ProgressTarget::of(&progress)?));
    let total = input.as_ref().and_then(|input| input.open.total);
    let mut watch = Watch { meter: &meter, total, next: Instant::now() + SIGNALS, raised: raised.clone() };
    let done = py.detach(|| {
        let mut job = CopyJob::new(from, from_format, to, to_format)
            .read_options(reading)
            .write_options(writing)
            .packed(packed)
            .infer(infer)
            .flatten(flatten)
            .sample(sample.map_or(Sample::All, Sample::First))
            .on_error(on_error)
            .on_reject(move |error, bytes| telling.tell(error, bytes))
            .on_progress(move |so_far| watch.look(so_far.read, so_far.total));
        if let Some(input) = input {
            job = job.prompt(!input.open.at_hand).reader(input.open.pipe);
        }
        if let Some(columns) = columns {
            job = job.reader(columns);
        }
        if let Some(file) = file {
            job = job.writer(file);
        }
        job = others.into_iter().fold(job, CopyJob::also);
        job = chosen.apply(typed.apply(job));
        if let Some(first) = first {
            job = job.first(first);
        }
        if let Some(rejects) = rejects {
            job = job.rejects(rejects);
        }
        job.run()
    });
    meter.into_inner().unwrap_or_else(PoisonError::into_inner).clear();
    if let Some(raised) = source_raised.take().or_else(|| raised.take()) {
        return Err(raised);
    }
    let Summary { records, rejected, written, read } = done.map_err(|error| exception(py, Failure::from(error)))?;
    if on_error == OnError::All && rejected > 0 {
        return Err(refused.all(py)?);
    }
    Ok((records, rejected, written, read))
}

/// The type of the records, and what checks them.
struct Typed {
    shape: Option<Shape>,
    mapping: Option<Mapping>,
    unknown: canonical::ReadOptions,
    host: Host,
}

impl Typed {
    /// Reads the type. `stored`: the formats of the records, also in collections.
    ///
    /// # Errors
    /// `ValueError` for options that do not apply; `TypeError` if it is no type.
    fn parse(
        settings: &Settings<'_>,
        from: demat_place::Format,
        to: &[demat_place::Format],
        stored: (demat_place::Format, &[demat_place::Format]),
    ) -> PyResult<Self> {
        let canonical = match settings.mapping.as_str() {
            "plain" => false,
            "canonical" => true,
            other => {
                return Err(PyValueError::new_err(format!("mapping is \"plain\" or \"canonical\", not {other:?}")));
            }
        };
        if settings.ignore_unknown && !(canonical && from.is_json()) {
            return Err(PyValueError::new_err("ignore_unknown is for JSON that is read with mapping=\"canonical\""));
        }
        let unknown = canonical::ReadOptions { ignore_unknown: settings.ignore_unknown };
        let (shape, mapping) = if canonical {
            if !(from.is_json() || to.iter().any(|to| to.is_json())) {
                return Err(PyValueError::new_err("mapping=\"canonical\" is about JSON: neither place has it"));
            }
            let (shape, mapping) = mapping_of(&settings.r#type)?;
            (Some(shape), Some(mapping))
        } else {
            (shape_of(&settings.r#type, stored.0, stored.1, settings.strict)?, None)
        };
        let host = if settings.r#type.is_none() || settings.r#type.is_instance_of::<PyString>() || canonical {
            Host { patterns: Some(plan::pattern), ..Host::default() }
        } else {
            let face = shape.as_ref().map_or(Face::Read, Face::of_copy);
            let plan = plan::plan_of(&settings.r#type)?;
            let mut host = Program::host(&plan, face)?;
            if stored.1.iter().any(|to| to.is_numbered()) {
                let (py, program) = (plan.py(), &plan.get().program);
                host.collected = Some(program.shape_read_of(py, &program.root, true)?);
            }
            host
        };
        Ok(Self { shape, mapping, unknown, host })
    }

    fn apply(self, mut job: CopyJob<'_>) -> CopyJob<'_> {
        if let Some(shape) = self.shape {
            job = job.shape(shape);
        }
        job = job.host(self.host);
        match self.mapping {
            Some(mapping) => job.canonical(Arc::new(mapping), self.unknown),
            None => job,
        }
    }
}

/// What is copied of the source, and how its text and the target's are encoded.
struct Chosen {
    fields: Option<Vec<String>>,
    rename: Option<Vec<(String, String)>>,
    lax: bool,
    condition: Option<Where>,
    at: Option<RecordPath>,
    encodings: (Option<Encoding>, Option<Encoding>),
}

impl Chosen {
    /// Parses the options.
    ///
    /// # Errors
    /// `ValueError` if one can't be parsed, or does not apply to the format.
    fn parse(settings: &Settings<'_>, from: demat_place::Format, to: &[demat_place::Format]) -> PyResult<Self> {
        fn wrong(name: &str) -> impl Fn(Error) -> PyErr {
            move |error| PyValueError::new_err(format!("{name}: {error}"))
        }
        let condition = settings.r#where.as_deref().map(str::parse).transpose().map_err(wrong("where"))?;
        let at = settings.at.as_ref().map(|text| record_path(from, text)).transpose().map_err(wrong("at"))?;
        let encoding = |name: &Option<String>, format| -> demat_core::Result<Option<Encoding>> {
            let Some(name) = name else { return Ok(None) };
            Encoding::check(format)?;
            name.parse().map(Some)
        };
        let source = encoding(&settings.encoding, from).map_err(wrong("encoding"))?;
        let targets = to.iter().map(|to| encoding(&settings.to_encoding, *to));
        let targets = targets.collect::<demat_core::Result<Vec<_>>>().map_err(wrong("to_encoding"))?;
        let target = targets.first().copied().flatten();
        if let Some(target) = target {
            target.check_output().map_err(wrong("to_encoding"))?;
        }
        let Settings { fields, rename, lax, .. } = settings;
        let (fields, rename, lax) = (fields.clone(), rename.clone(), *lax);
        Ok(Self { fields, rename, lax, condition, at, encodings: (source, target) })
    }

    fn apply(self, job: CopyJob<'_>) -> CopyJob<'_> {
        let mut job = job.lax(self.lax).encodings(self.encodings.0, self.encodings.1);
        if let Some(fields) = self.fields {
            job = job.fields(fields);
        }
        if let Some(condition) = self.condition {
            job = job.matching(condition);
        }
        if let Some(names) = self.rename {
            job = job.rename(names);
        }
        match self.at {
            Some(path) => job.at(path),
            None => job,
        }
    }
}

/// Opens a target besides the first.
fn other_target((dst, to, compression, write): &OtherTarget<'_>, raised: &Raised) -> PyResult<CopyTarget> {
    let place = target_place(dst)?;
    let format = format_of(&place, to.as_deref(), "to")?;
    let packed = Packing::parse(compression)?.of(&place);
    let is_given = matches!(place, Place::Given(_));
    let target = CopyTarget::new(place, format).packed(packed).write_options(write_options(format, write.as_ref())?);
    Ok(if is_given { target.writer(FileObject::new(dst, raised.clone())?) } else { target })
}

/// Returns the place that is a path or takes bytes.
fn target_place(dst: &Bound<'_, PyAny>) -> PyResult<Place> {
    match path(dst)? {
        Some(path) => Ok(Place::named(path.as_os_str())),
        None if FileObject::takes(dst)? => Ok(Place::Given(name_of(dst))),
        None => Err(no_place(dst)?),
    }
}

/// Returns the format of a place to write to.
///
/// # Errors
/// `ValueError` if neither the place nor `format` says it; `TypeError` if it is no place.
pub(crate) fn target_format(dst: &Bound<'_, PyAny>, format: Option<&str>) -> PyResult<Format> {
    format_of(&target_place(dst)?, format, "format")
}

/// Returns the name of the format of a place to write to.
///
/// # Errors
/// `ValueError` if neither the place nor `to` says it; `TypeError` if it is no place.
#[pyfunction]
pub(crate) fn format_name(dst: &Bound<'_, PyAny>, to: Option<&str>) -> PyResult<&'static str> {
    Ok(format_of(&target_place(dst)?, to, "to")?.name())
}

/// Returns the bytes of an Arrow stream of an object's columns, which are made batch by batch.
fn columns_bytes(src: &Bound<'_, PyAny>, settings: &Settings<'_>) -> PyResult<IpcBytes<ArrowReader>> {
    let own = demat_place::Format::BATCHES.name();
    if let Some(name) = settings.from_.as_deref().filter(|name| *name != own) {
        return Err(PyValueError::new_err(format!(
            "from_={name:?}: these are columns in memory, which need no format"
        )));
    }
    let reader = reader_of(src)?;
    let schema = reader.schema.clone();
    IpcBytes::new(&schema, reader).map_err(|error| exception(src.py(), Failure::from(error)))
}

/// Returns the format of the records of a collection that is there.
fn stored_format(py: Python<'_>, place: &Place) -> Option<Format> {
    match place {
        Place::Collection(place) => py.detach(|| place.stored_format()),
        _ => None,
    }
}

fn format_of(place: &Place, named: Option<&str>, option: &str) -> PyResult<demat_place::Format> {
    match named {
        Some(name) => {
            name.parse().map_err(|error: demat_place::UnknownFormat| PyValueError::new_err(error.to_string()))
        }
        None => place.format().ok_or_else(|| {
            PyValueError::new_err(format!("the format of {place} can't be told by its name: say {option}="))
        }),
    }
}

/// Returns the shape of a type, of a shape's text, or of a path to a message, for a copy between formats.
fn shape_of(
    type_: &Bound<'_, PyAny>,
    from: demat_place::Format,
    to: &[demat_place::Format],
    strict: bool,
) -> PyResult<Option<Shape>> {
    if type_.is_none() {
        return Ok(None);
    }
    if let Ok(text) = type_.cast::<PyString>() {
        let text = text.to_cow()?;
        let shape = match MessagePath::of(&text) {
            Some(path) => path.shape().map_err(|error| error.in_place(path.file.display().to_string())),
            None => text.parse(),
        };
        return shape.map(Some).map_err(|error| exception(type_.py(), Failure::from(error)));
    }
    let plan = plan::plan_of(type_)?;
    plan.get().program.without_others()?;
    plan.get().program.shape_copied(type_.py(), from, to, strict).map(Some)
}

/// Returns the shape and its mapping to canonical JSON; the shape of a message is lossless.
fn mapping_of(type_: &Bound<'_, PyAny>) -> PyResult<(Shape, Mapping)> {
    let raise = |error| exception(type_.py(), Failure::from(error));
    if let Ok(text) = type_.cast::<PyString>()
        && let Some(path) = MessagePath::of(&text.to_cow()?)
    {
        let exact = path.exact().and_then(|(shape, types)| Ok((Mapping::new(&shape)?.with_types(types), shape)));
        let (mapping, shape) = exact.map_err(|error| raise(error.in_place(path.file.display().to_string())))?;
        return Ok((path.listed(shape), mapping));
    }
    let message = "mapping=\"canonical\" needs to know the message: type=\"tasks.proto:pkg.Task\", or a class";
    let shape = match shape_of(type_, Format::DEFAULT, &[], false)? {
        None => return Err(PyTypeError::new_err(message)),
        Some(shape) if type_.is_instance_of::<PyString>() => shape,
        // With enums by name, and fields as messages number them.
        Some(_) => plan::plan_of(type_)?.get().program.numbered_shape(type_.py())?,
    };
    let mapping = Mapping::new(&shape).map_err(raise)?;
    Ok((shape, mapping))
}

fn read_options(format: Format, given: Option<&Bound<'_, PyDict>>) -> PyResult<ReadOptions> {
    let mut options = format.read_options();
    let Some(given) = given else { return Ok(options) };
    known(given, format.about().read.iter().map(|setting| setting.name), "read")?;
    for (name, value) in given {
        let value = |setting: &'static Setting| setting_value(setting, &value).map_err(Unset::Raised);
        format.set_read(&mut options, &name.cast::<PyString>()?.to_cow()?, value).map_err(PyErr::from)?;
    }
    if let Some(codec) = format.codec() {
        // Checks that the options do not contradict each other.
        codec.reader(&options).map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(options)
}

pub(crate) fn write_options(format: Format, given: Option<&Bound<'_, PyDict>>) -> PyResult<WriteOptions> {
    let mut options = WriteOptions::of(format);
    let Some(given) = given else { return Ok(options) };
    known(given, format.about().write.iter().map(|setting| setting.name), "write")?;
    for (name, value) in given {
        let value = |setting: &'static Setting| setting_value(setting, &value).map_err(Unset::Raised);
        format.set_write(&mut options, &name.cast::<PyString>()?.to_cow()?, value).map_err(PyErr::from)?;
    }
    if let Some(codec) = format.codec() {
        let sink = codec.sink(&options, Box::new(Keep)).map(drop);
        sink.map_err(|error| PyValueError::new_err(error.to_string()))?;
    }
    Ok(options)
}

/// Refuses options that only concern Python objects: they mean nothing to a copy.
fn known<'n>(given: &Bound<'_, PyDict>, names: impl Iterator<Item = &'n str>, option: &str) -> PyResult<()> {
    let names: Vec<_> = names.collect();
    for name in given.keys() {
        let name: String = name.extract()?;
        if !names.contains(&&*name) {
            let has = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            let message = format!("{option}= has no option {name:?} for this format; it has {has}");
            return Err(PyTypeError::new_err(message));
        }
    }
    Ok(())
}

/// The errors to raise, and the number of further errors.
type Errors = (Vec<PyErr>, u64);

/// Collects refused records, and reports them.
pub(crate) struct Refused {
    /// The file to write them to.
    kept: Option<std::path::PathBuf>,
    /// The list or function that gets each.
    taken: Option<Rejects>,
    errors: Option<Arc<Mutex<Errors>>>,
    raised: Raised,
}

impl Refused {
    pub(crate) fn new(on_error: OnError, rejects: &Bound<'_, PyAny>, raised: Raised) -> PyResult<Self> {
        let errors = (on_error == OnError::All).then(Arc::default);
        let mut refused = Self { kept: None, taken: None, errors, raised };
        if rejects.is_none() {
            return Ok(refused);
        }
        if on_error == OnError::Stop {
            return Err(PyValueError::new_err("rejects= needs on_error=\"collect\", \"skip\" or \"all\""));
        }
        refused.kept = path(rejects)?;
        if refused.kept.is_none() {
            refused.taken = Some(Rejects::of(rejects, "a path, ")?);
        }
        Ok(refused)
    }

    fn clone_for(&self, py: Python<'_>) -> Self {
        let taken = self.taken.as_ref().map(|taken| taken.clone_ref(py));
        Self { kept: None, taken, errors: self.errors.clone(), raised: self.raised.clone() }
    }

    pub(crate) fn tell(&self, error: &Error, bytes: &[u8]) {
        if self.taken.is_none() && self.errors.is_none() {
            return;
        }
        Python::attach(|py| {
            let made = exception_for(py, error);
            if let Some(taken) = &self.taken
                && let Err(raised) = taken.take(py, made.value(py), &PyBytes::new(py, bytes))
            {
                // The copy ends at its next read.
                self.raised.keep(raised);
            }
            if let Some(errors) = &self.errors {
                let mut errors = errors.lock().unwrap_or_else(PoisonError::into_inner);
                if errors.0.len() < MOST { errors.0.push(made) } else { errors.1 += 1 }
            }
        });
    }

    fn all(self, py: Python<'_>) -> PyResult<PyErr> {
        let mut errors = self.errors.as_ref().map(|errors| errors.lock().unwrap_or_else(PoisonError::into_inner));
        let (made, more) = errors.as_mut().map(|errors| core::mem::take(&mut **errors)).unwrap_or_default();
        all_of(py, made, more)
    }
}

/// An input that is not a path: bytes or a file object.
struct InputObject {
    open: Open,
    /// The name in error messages.
    name: String,
}

impl InputObject {
    fn new(src: &Bound<'_, PyAny>) -> PyResult<Self> {
        match read::open(src, Packed::Not)? {
            read::Opened::Now(open) => {
                let name = if open.total.is_some() { "the data".to_string() } else { name_of(src) };
                Ok(Self { open, name })
            }
            read::Opened::Later(..) => {
                let message = "a copy is not made of a place whose bytes are awaited: await them first";
                Err(PyTypeError::new_err(message))
            }
        }
    }
}

/// Reports progress, and checks for signals.
struct Watch<'m> {
    meter: &'m Mutex<Meter>,
    /// The number of bytes, if the place itself does not know it.
    total: Option<u64>,
    next: Instant,
    raised: Raised,
}

impl Watch<'_> {
    fn look(&mut self, read: u64, total: Option<u64>) -> demat_core::Result<()> {
        let (now, total) = (Instant::now(), total.or(self.total));
        let mut meter = self.meter.lock().unwrap_or_else(PoisonError::into_inner);
        let done = total == Some(read);
        if now < self.next && !done && matches!(*meter, Meter::None) && !self.raised.is_set() {
            return Ok(());
        }
        self.next = now + SIGNALS;
        let looked = Python::attach(|py| {
            py.check_signals()?;
            meter.show(py, Progress { read, total })
        });
        if let Err(raised) = looked {
            self.raised.keep(raised);
        }
        // An I/O error ends the copy; an error of another kind could be attributed to a record and skipped.
        if self.raised.is_set() { Err(Error::new(ErrorKind::Io, "interrupted")) } else { Ok(()) }
    }
}
