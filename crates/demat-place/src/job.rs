//! A copy from one place to another.

use crate::collection;
use crate::columnar::Columnar;
use crate::condition::{Bound, Where};
use crate::database::{Database, DatabaseSource};
use crate::flatten::{Columns, Flatten};
use crate::host::Host;
use crate::input::{OnProgress, Reader};
use crate::on_error::{Judge, OnReject};
use crate::out::Out;
use crate::path_field::PathField;
use crate::plan::{self, CopyPlan};
use crate::reading::{Reading, listed};
use crate::renamed::Renaming;
use crate::server::{Pushed, ServerPlace, ServerSource};
use crate::take::Take;
use crate::target::Flusher;
use crate::{
    Compression, DatabasePlace, Encoding, Format, Input, OnError, Part, Place, Progress, ReadOptions, Rejects, Sample,
    Summary, WriteOptions, folder, lift::lift, table,
};
use demat_core::{Checked, Error, ErrorKind, InferenceOptions, Kind, Result, Shape, Sink, Validated};
use demat_formats::canonical::{self, Canonical, Mapping};
use demat_formats::codec;
use demat_formats::stream::{self, Bordered, Choice, LaxFormat, RecordPath, Window};
use std::io::{Read, Write};
use std::sync::Arc;

mod debug;
mod fields;
mod queried;
mod several;
mod targets;
#[cfg(test)]
mod tests;
mod windowed;

pub use targets::CopyTarget;

use several::Beside;
use targets::Other;
use windowed::RunCopy;

/// A configurable copy from one place to another.
///
/// # The shape of the copy
///
/// * A [configured shape](Self::shape) is that of the source; or, if the source is a list and the shape is not, that of
///   its records.
/// * Without one, JSON and NDJSON are copied to each other unchanged.
/// * Cells of a table are text, and empty cells are null. With [`infer`](Self::infer), each column has the type that
///   fits all of its cells in a [sample](Self::sample); in other formats that hold nothing but text, each field has.
/// * Arrow and Parquet have typed rows. Copies between them pass batches unchanged.
/// * For a table or columns as the target, or with `infer`, the shape of JSON and NDJSON is inferred from a sample,
///   too. A later record with a field that the sample lacks is refused, so that nothing is silently lost.
///
/// # When the target is written
///
/// A file appears complete after the copy, or not at all ([`AtomicFile`](crate::AtomicFile)). Standard output gets
/// records as they are copied, unless [`OnError::All`] delays them until all are known to be valid.
///
/// A folder can be copied to a database: each file of a known format becomes the table with its name.
///
/// Values are checked against the shape's `check` notes.
///
/// Rows are added to an existing table in one transaction. A missing table is created from the shape. A new database
/// appears complete, like any other file.
#[allow(clippy::struct_excessive_bools)] // each is an option of its own
pub struct CopyJob<'j> {
    from: (Place, Format, ReadOptions),
    /// The sources after the first.
    more: Vec<(Place, Format, ReadOptions)>,
    path_field: Option<PathField>,
    query: Option<String>,
    /// The database in memory that the query reads.
    memory: Option<Database>,
    to: (Place, Format, WriteOptions),
    /// The targets after the first.
    others: Vec<Other>,
    reader: Option<Reader<'j>>,
    writer: Option<Box<dyn Write + Send>>,
    packed: Option<Compression>,
    /// Whether a target that somebody follows gets what is complete before more is waited for.
    prompt: bool,
    /// Passes on what was written, before any of the sources waits.
    flusher: Option<Flusher>,
    shape: Option<Shape>,
    /// Whether the shape is configured.
    shaped: bool,
    at: Option<RecordPath>,
    /// The encodings of the sources' text and of the target's.
    encodings: (Option<Encoding>, Option<Encoding>),
    fields: Option<Vec<String>>,
    renames: Vec<(Vec<String>, String)>,
    condition: Option<Where>,
    infer: bool,
    lax: bool,
    sample: Sample,
    flatten: bool,
    first: Option<u64>,
    canonical: Option<(Arc<Mapping>, canonical::ReadOptions)>,
    host: Host,
    on_error: OnError,
    rejects: Option<Place>,
    on_reject: Option<OnReject<'j>>,
    on_progress: Option<OnProgress<'j>>,
}

impl<'j> CopyJob<'j> {
    /// Returns a copy with the default options of the formats.
    pub fn new(source: Place, source_format: Format, target: Place, target_format: Format) -> Self {
        let packed = target.compression();
        Self {
            from: (source.holding(source_format), source_format, source_format.read_options()),
            more: Vec::new(),
            path_field: None,
            query: None,
            memory: None,
            to: (target.holding(target_format), target_format, WriteOptions::of(target_format)),
            others: Vec::new(),
            reader: None,
            writer: None,
            packed,
            prompt: true,
            flusher: None,
            shape: None,
            shaped: false,
            at: None,
            encodings: (None, None),
            fields: None,
            renames: Vec::new(),
            condition: None,
            infer: false,
            lax: false,
            sample: Sample::default(),
            flatten: false,
            first: None,
            canonical: None,
            host: Host::default(),
            on_error: OnError::default(),
            rejects: None,
            on_reject: None,
            on_progress: None,
        }
    }

    /// Sets the options for reading.
    #[must_use]
    pub fn read_options(mut self, options: ReadOptions) -> Self {
        self.from.2 = options;
        self
    }

    /// Whether the caller gave the shape.
    pub(crate) fn is_shaped(&self) -> bool {
        self.shaped
    }

    pub(crate) fn source_options(&self) -> &ReadOptions {
        &self.from.2
    }

    pub(crate) fn set_source(&mut self, place: Place, format: Format, options: ReadOptions) {
        self.from = (place, format, options);
    }

    /// Adds another source, whose records follow in the same list. A source that is no list is one record.
    ///
    /// All sources have one shape: that of the first, unless one is [set](Self::shape).
    #[must_use]
    pub fn and(mut self, source: Place, format: Format, options: ReadOptions) -> Self {
        self.more.push((source.holding(format), format, options));
        self
    }

    /// Adds a field to each record: the name of the place that it comes from.
    #[must_use]
    pub fn path_field(mut self, name: &str) -> Self {
        self.path_field = Some(PathField::new(name));
        self
    }

    /// Reads all sources into a table of a database in memory, and copies the result of a statement.
    ///
    /// The table has the name of the first source's file without its suffixes, or else `input`. The
    /// [shape](Self::shape), the [path](Self::at) and the [encoding](Self::encodings) are those of the sources;
    /// everything else counts for the result.
    ///
    /// ```
    /// use demat_place::{CopyJob, Format, Place};
    /// let (from, to) = (Place::Given("rows".into()), Place::Given("nowhere".into()));
    /// let job = CopyJob::new(from, Format::CSV, to, Format::NDJSON).query("select sum(n) as n from input");
    /// assert_eq!(job.reader(&b"n\n1\n2\n"[..]).writer(std::io::empty()).run()?.records, 1);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    #[must_use]
    pub fn query(mut self, sql: impl Into<String>) -> Self {
        self.query = Some(sql.into());
        self
    }

    /// Sets the options for writing.
    #[must_use]
    pub fn write_options(mut self, options: WriteOptions) -> Self {
        self.to.2 = options;
        self
    }

    /// Sets the reader, if the source is [`Place::Given`].
    #[must_use]
    pub fn reader(mut self, reader: impl Read + Send + 'j) -> Self {
        self.reader = Some(Box::new(reader));
        self
    }

    /// Sets the writer, if the target is [`Place::Given`]. It gets the bytes as they are produced.
    ///
    /// ```
    /// use demat_place::{CopyJob, Format, Place};
    /// let (from, to) = (Place::Given("rows".into()), Place::Given("nowhere".into()));
    /// let job = CopyJob::new(from, Format::CSV, to, Format::NDJSON);
    /// let done = job.reader(&b"id,title\n1,a\n2,b\n"[..]).writer(std::io::empty()).run()?;
    /// assert_eq!(done.records, 2);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    #[must_use]
    pub fn writer(mut self, writer: impl Write + Send + 'static) -> Self {
        self.writer = Some(Box::new(writer));
        self
    }

    /// Sets the compression of the target, regardless of its suffix.
    #[must_use]
    pub fn packed(mut self, compression: Option<Compression>) -> Self {
        self.packed = compression;
        self
    }

    /// Sets whether a pipe or a writer gets what is complete before the copy waits for more of its source; default true.
    /// It costs a little, and nothing waits for a source that is all there.
    #[must_use]
    pub fn prompt(mut self, prompt: bool) -> Self {
        self.prompt = prompt;
        self
    }

    /// Copies only these fields of each record, in this order, and skips the others.
    ///
    /// The names are those in the source, or in the [shape](Self::shape). `by.name` is the field `name` of the record
    /// in `by`: see [`projected`](crate::projected). Without a shape, it is inferred from a sample.
    #[must_use]
    pub fn fields<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.fields = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Gives fields other names in the target: pairs of the name in the source, which may lead into a record
    /// (`by.name`), and the new one.
    ///
    /// [`fields`](Self::fields) and [`matching`](Self::matching) see the source's names. Without a shape, it is
    /// inferred from a sample.
    #[must_use]
    pub fn rename<N: Into<String>>(mut self, names: impl IntoIterator<Item = (N, N)>) -> Self {
        let path = |old: String| old.split('.').map(str::to_string).collect();
        self.renames = names.into_iter().map(|(old, new)| (path(old.into()), new.into())).collect();
        self
    }

    /// Sets the encodings of the sources' text and of the target's; `None` is UTF-8. Positions in errors are those in
    /// the decoded text. See [`Encoding::check`].
    #[must_use]
    pub fn encodings(mut self, source: Option<Encoding>, target: Option<Encoding>) -> Self {
        self.encodings = (source, target);
        self
    }

    /// Copies the values that a [path](crate::record_path) leads to in the source, as a list.
    ///
    /// What the path skips need not fit in memory, and each record must.
    #[must_use]
    pub fn at(mut self, path: RecordPath) -> Self {
        self.at = Some(path);
        self
    }

    /// Copies only the records for which a condition is true. It sees the records of the source, with all their
    /// [fields](Self::fields); [`first`](Self::first) counts the records that it chooses.
    ///
    /// Of other records only the fields are read that the condition names. Each record must fit in memory. If the shape
    /// is unknown, a sample says which fields there are.
    ///
    /// ```
    /// use demat_place::{CopyJob, Format, Place};
    /// let (from, to) = (Place::Given("rows".into()), Place::Given("nowhere".into()));
    /// let job = CopyJob::new(from, Format::NDJSON, to, Format::CSV).matching("id > 1".parse()?);
    /// let done = job.reader(&b"{\"id\":1}\n{\"id\":2}\n"[..]).writer(std::io::empty()).run()?;
    /// assert_eq!(done.records, 1);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    #[must_use]
    pub fn matching(mut self, condition: Where) -> Self {
        self.condition = Some(condition);
        self
    }

    /// Sets the shape: of the source, or of its records.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self.shaped = true;
        self
    }

    /// Reads and writes JSON and NDJSON in the canonical mapping of the Protocol Buffers specification. The shape is
    /// the mapping's.
    #[must_use]
    pub fn canonical(mut self, mapping: Arc<Mapping>, options: canonical::ReadOptions) -> Self {
        self.shape.get_or_insert_with(|| mapping.shape().clone());
        self.canonical = Some((mapping, options));
        self
    }

    /// Sets the constraints and validators of the shape's host: see [`Host`].
    #[must_use]
    pub fn host(mut self, host: Host) -> Self {
        self.host = host;
        self
    }

    /// Sets whether to infer the shape from a sample even where that is not necessary.
    #[must_use]
    pub fn infer(mut self, infer: bool) -> Self {
        self.infer = infer;
        self
    }

    /// Sets whether values are converted to the kinds that the shape has: text that holds a number, `yes` as a bool, and
    /// what else [`Lax`](demat_core::Lax) accepts. Of a source whose values have types, such as a database, nothing is
    /// converted; and without a shape, there is nothing to convert to. Both are refused.
    ///
    /// ```
    /// use demat_place::{CopyJob, Format, Place};
    /// let (from, to) = (Place::Given("rows".into()), Place::Given("nowhere".into()));
    /// let job = CopyJob::new(from, Format::NDJSON, to, Format::CSV).shape("id: int".parse()?).lax(true);
    /// assert_eq!(job.reader(&b"{\"id\":\"1\"}\n"[..]).writer(std::io::empty()).run()?.records, 1);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    #[must_use]
    pub fn lax(mut self, lax: bool) -> Self {
        self.lax = lax;
        self
    }

    /// Sets the number of records from which to infer the shape.
    #[must_use]
    pub fn sample(mut self, sample: Sample) -> Self {
        self.sample = sample;
        self
    }

    /// Sets whether nested records become columns `outer.inner`, and lists and maps JSON text.
    #[must_use]
    pub fn flatten(mut self, flatten: bool) -> Self {
        self.flatten = flatten;
        self
    }

    /// Copies only the first records, and reads no further.
    #[must_use]
    pub fn first(mut self, records: u64) -> Self {
        self.first = Some(records);
        self
    }

    /// Sets the treatment of refused records.
    #[must_use]
    pub fn on_error(mut self, on_error: OnError) -> Self {
        self.on_error = on_error;
        self
    }

    /// Sets the place for refused records. They are written as NDJSON with the reasons: `record`, `line`, `column`,
    /// `offset`, `path`, `kind`, `expected`, `found`, `reason` and `data`, which is the record's text (or
    /// `data_base64`, if it is not UTF-8).
    #[must_use]
    pub fn rejects(mut self, place: Place) -> Self {
        self.rejects = Some(place);
        self
    }

    /// Registers a callback for each refused record that the copy leaves out: its error, and its bytes in the source.
    #[must_use]
    pub fn on_reject(mut self, told: impl FnMut(&Error, &[u8]) + 'j) -> Self {
        self.on_reject = Some(Box::new(told));
        self
    }

    /// Registers a callback for the progress of reading. Its error ends the copy.
    #[must_use]
    pub fn on_progress(mut self, told: impl FnMut(Progress) -> Result<()> + Send + 'j) -> Self {
        self.on_progress = Some(Box::new(told));
        self
    }

    /// Runs the copy.
    ///
    /// # Errors
    /// The error that ended the copy: that of the first refused record or, if refused records are left out, one that
    /// prevents continuing.
    pub fn run(mut self) -> Result<Summary> {
        self.know_fields()?;
        if let (Place::File(folder), Place::Database(to)) = (&self.from.0, &self.to.0)
            && self.more.is_empty()
            && to.part == Part::Whole
            && folder.is_dir()
        {
            if !self.others.is_empty() {
                let message = "a folder is copied to one database, and to nothing else";
                return Err(Error::new(ErrorKind::Constraint, message).in_place(self.from.0.name_as_source()));
            }
            let (folder, to) = (folder.clone(), to.clone());
            return folder::run(&mut self, &folder, &to);
        }
        self.check_targets()?;
        self.open_query()?;
        self.open_collection()?;
        let out = self.out()?;
        self.run_all(out)
    }

    /// Runs the copy to a sink of the program, such as [`Records`](crate::Records), in place of the target.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    ///
    /// ```
    /// use demat_place::{CopyJob, Format, Place, Records};
    /// let nowhere = Place::Given("nowhere".into());
    /// let job = CopyJob::new(Place::Given("rows".into()), Format::CSV, nowhere, Format::NDJSON).infer(true);
    /// let (records, told) = std::sync::mpsc::channel();
    /// job.reader(&b"id\n1\n2\n"[..]).run_to(Records::new(move |record| Ok(records.send(record).unwrap_or(()))))?;
    /// assert_eq!(told.iter().count(), 2);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn run_to(mut self, sink: impl Sink + 'static) -> Result<Summary> {
        self.check_targets()?;
        self.open_query()?;
        self.open_collection()?;
        self.run_all(Out::Own(Box::new(sink)))
    }

    /// Copies into all targets, of which the first is open.
    fn run_all(mut self, first: Out) -> Result<Summary> {
        self.open_others(&first)?;
        let (summary, first) = self.run_into(first)?;
        self.finish(first, summary)
    }

    /// Turns a collection as the source into the document that it is.
    fn open_collection(&mut self) -> Result<()> {
        let Place::Collection(place) = &self.from.0 else { return Ok(()) };
        let (reader, shape, format) = collection::open(place)?;
        self.reader = Some(Box::new(reader));
        self.shape = Some(listed(self.shape.take().unwrap_or(shape)));
        self.from = (Place::Given(place.to_string()), format, format.read_options());
        Ok(())
    }

    /// Copies into an open target. What was written is final when the target is finished.
    pub(crate) fn run_into(&mut self, mut out: Out) -> Result<(Summary, Out)> {
        self.check_lax(&self.from.0, self.from.1)?;
        if let Place::Server(server) = &self.from.0 {
            let server = server.clone();
            self.relax(&mut out);
            return self.run_server(&server, out);
        }
        let waits_not = matches!(self.from.0, Place::Database(_)) || self.from.1.is_columnar();
        if waits_not {
            self.relax(&mut out);
        }
        if let Place::Database(database) = &self.from.0 {
            return self.run_database(&database.clone(), out);
        }
        if self.from.1.is_columnar() {
            return self.run_columns(out);
        }
        let input = Input::open_with(&self.from.0, self.reader.take(), self.on_progress.take())?;
        let flusher = if self.prompt && (input.may_wait() || !self.more.is_empty()) {
            self.flusher(&out)
        } else {
            self.relax(&mut out);
            None
        };
        self.flusher.clone_from(&flusher);
        let input = input.encoded(self.encodings.0).flushing(flusher.clone());
        let window = Window::new(input).with_limit(self.from.2.window);
        let reader = self.text_reader(self.from.1, &self.from.2)?;
        let copied = reader.visit(RunCopy { job: self, window, out });
        // If the target fails while the input is waited for, the input is not to blame.
        copied.map_err(|error| flusher.and_then(|flusher| flusher.failure()).unwrap_or(error))
    }

    /// Returns the reader of a source that is bytes.
    fn text_reader(&self, format: Format, options: &ReadOptions) -> Result<codec::Reader> {
        let Some(codec) = format.codec() else { return Err(crate::database::no_stream()) };
        let reader = codec.reader(options)?;
        let reader = match &self.canonical {
            Some((mapping, how)) if format.is_json() => Canonical::reader(reader, Arc::clone(mapping), *how),
            _ => reader,
        };
        Ok(if self.lax { LaxFormat::reader(reader) } else { reader })
    }

    /// Refuses to convert values that have types.
    fn check_lax(&self, place: &Place, format: Format) -> Result<()> {
        let what = match place {
            Place::Database(_) | Place::Server(_) => "a database",
            _ if format.is_columnar() => format.name(),
            _ => return Ok(()),
        };
        if !self.lax {
            return Ok(());
        }
        let message = format!("no value of {what} is converted, as they have types");
        Err(Error::new(ErrorKind::Constraint, message).in_place(place.name_as_source()))
    }

    /// Copies a columnar source, whose shape is known.
    fn run_columns(&mut self, mut out: Out) -> Result<(Summary, Out)> {
        let place = self.from.0.name_as_source();
        let opened = Columnar::open(&self.from.0, self.from.1, self.reader.take(), self.on_progress.take());
        let mut columns = opened.map_err(|error| lift(error).in_place(&place))?;
        let is_plain = self.shape.is_none() && !self.flatten && self.others.is_empty();
        let as_they_are = is_plain && self.is_whole() && self.on_error == OnError::Stop;
        if as_they_are
            && Columnar::passes_to(self.to.1, &self.to.2)
            && let Out::Stream(target) = &mut out
        {
            let passed = columns.pass(&self.to.0, self.to.1, target, self.first);
            let records = passed.map_err(|error| lift(error).in_place(&place))?;
            return Ok((Summary { records, rejected: 0, written: true, read: columns.read() }, out));
        }
        let shape = self.shape.take().map_or_else(|| columns.shape(), |shape| Ok(listed(shape)));
        let plan = shape.and_then(|shape| self.projected(CopyPlan::certain(shape)));
        let plan = plan.map_err(|error| error.in_place(&place))?;
        let bound = self.bound(plan.whole(), false).map_err(|error| error.in_place(&place))?;
        if let (Some(condition), Some(_)) = (&self.condition, &bound) {
            columns.skip(condition, plan.whole());
        }
        let shapes = core::iter::once(&plan.shape).chain(bound.as_ref().map(Bound::shape));
        columns.choose(shapes).map_err(|error| lift(error).in_place(&place))?;
        self.run_with(&mut columns, (&plan, bound), out)
    }

    /// Whether all fields of all records are copied, with their names.
    fn is_whole(&self) -> bool {
        let all = self.fields.is_none() && self.condition.is_none();
        all && self.renames.is_empty() && self.more.is_empty() && self.path_field.is_none()
    }

    /// Compiles the condition.
    fn bound(&self, shape: &Shape, as_read: bool) -> Result<Option<Bound>> {
        self.condition.as_ref().map_or(Ok(None), |condition| condition.bound_to(shape, as_read))
    }

    /// Copies rows of a database.
    fn run_database(&mut self, from: &DatabasePlace, out: Out) -> Result<(Summary, Out)> {
        let place = from.to_string();
        let memory = self.memory.take();
        let shared = self.outs(&out).find_map(|(_, out)| out.database());
        let source = DatabaseSource::open(from, memory.as_ref().or(shared))?;
        let shape = match self.shape.take() {
            Some(shape) => listed(shape),
            None if self.formats().any(|to| to.is_columnar() || to.needs_type()) => {
                source.observed().map_err(|error| error.in_place(&place))?.list()
            }
            None => source.shape().clone().list(),
        };
        let plan = self.projected(CopyPlan::certain(shape)).map_err(|error| error.in_place(&place))?;
        let bound = self.bound(plan.whole(), false).map_err(|error| error.in_place(&place))?;
        // The condition may read columns that are not copied.
        let read = if bound.is_some() { plan.whole() } else { &plan.shape };
        let mut rows = source.rows(read).map_err(|error| error.in_place(&place))?;
        self.run_with(&mut rows, (&plan, bound), out)
    }

    /// Copies rows of a server's database.
    fn run_server(&mut self, from: &ServerPlace, out: Out) -> Result<(Summary, Out)> {
        let located = |error: Error| error.in_place(from.to_string());
        let source = ServerSource::open(from)?;
        let shape = self.shape.take().map_or_else(|| source.shape().clone().list(), listed);
        let plan = self.projected(CopyPlan::certain(shape)).map_err(located)?;
        let bound = self.bound(plan.whole(), false).map_err(located)?;
        let pushed = match (&self.condition, &bound) {
            (Some(condition), Some(_)) => source.pushed(condition, plan.whole()).map_err(located)?,
            _ => Pushed::default(),
        };
        // Other sources need the condition, too.
        let bound = bound.filter(|_| !(pushed.exact && self.more.is_empty()));
        let is_sure = bound.is_none() && self.more.is_empty() && self.on_error == OnError::Stop;
        let compared = bound.as_ref().map(|bound| bound.shape().clone().list());
        let read: Vec<&Shape> = core::iter::once(&plan.shape).chain(&compared).collect();
        let mut rows = source.chosen(&read, &pushed, self.first.filter(|_| is_sure)).map_err(located)?;
        self.run_with(&mut rows, (&plan, bound), out)
    }

    /// Copies by the plan, and handles refused records.
    fn run_with<R: Reading>(
        &mut self,
        reading: &mut R,
        (plan, bound): (&CopyPlan, Option<Bound>),
        mut out: Out,
    ) -> Result<(Summary, Out)> {
        let place = self.from.0.name_as_source();
        let written = self.written(plan).map_err(|error| error.in_place(&place))?;
        let columns = self.columns(&written).map_err(|error| error.in_place(&place))?;
        let rejects = self.rejects.as_ref().map(Rejects::create).transpose()?;
        let inferred = plan.inferred;
        let mut judge = Judge {
            policy: self.on_error,
            place: place.clone(),
            rejects,
            told: self.on_reject.take(),
            rejected: 0,
            explain: Box::new(move |error| CopyPlan::explain(inferred, error)),
        };
        let beside = self.beside(&out);
        let mut others = core::mem::take(&mut self.others);
        let sink = self.sink(&mut out, &mut others, &written);
        let copied = sink.and_then(|sink| {
            self.tell(reading, (plan, bound), (&written, columns.as_ref()), (sink, &beside), &mut judge)
        });
        self.others = others;
        let one_message = self.from.1.is_numbered() && !plan.shape.accepts(Kind::List);
        let copied = copied.map_err(|error| if one_message { plan::of_one_message(error) } else { error });
        // Refused records are kept, whatever ended the copy.
        let kept = judge.rejects.take().map_or(Ok(()), Rejects::finish);
        let (records, rejected) = copied.map_err(|error| CopyPlan::explain(inferred, lift(error)).in_place(&place))?;
        kept?;
        let written = rejected == 0 || self.on_error != OnError::All;
        let records = if written { records } else { 0 };
        Ok((Summary { records, rejected, written, read: reading.read() }, out))
    }

    /// Copies all records to the target's sink. Returns the numbers of written and refused records.
    fn tell<R: Reading>(
        &self,
        reading: &mut R,
        (plan, bound): (&CopyPlan, Option<Bound>),
        (written, columns): (&Shape, Option<&Columns>),
        (mut sink, beside): (Box<dyn Sink + '_>, &Beside),
        judge: &mut Judge<'_>,
    ) -> Result<(u64, u64)> {
        let (mut flatten, mut with_path, mut renamed);
        let mut sink: &mut dyn Sink = &mut *sink;
        if let Some(columns) = columns {
            flatten = Flatten::new(sink, columns, beside.depth);
            sink = &mut flatten;
        }
        if let Some(field) = &self.path_field {
            field.set(&self.from.0);
            with_path = field.sink(sink, written);
            sink = &mut with_path;
        }
        if let Some(renaming) = plan.renaming() {
            renamed = renaming.sink(sink);
            sink = &mut renamed;
        }
        let (mut checked, mut validated);
        let shape = if self.more.is_empty() { plan.shape.clone() } else { listed(plan.shape.clone()) };
        if let Some(checks) = self.host.checks(&shape)? {
            checked = Checked::new(sink, checks);
            sink = &mut checked;
        }
        if let Some(validator) = &self.host.validator {
            validated = Validated::new(sink, &shape, &**validator);
            sink = &mut validated;
        }
        let mut decide = bound.map(|bound| (bound.shape().clone(), bound.sink()));
        let mut choice = decide.as_mut().map(|(shape, sink)| Choice::new(shape.clone(), sink));
        let Some(first) = self.first else {
            return self.copy_all(reading, plan, sink, judge, choice.as_mut(), beside);
        };
        let mut take = Take::new(sink, first);
        match self.copy_all(reading, plan, &mut take, judge, choice.as_mut(), beside) {
            Err(_) if take.has_enough() => {
                take.end_early()?;
                Ok((take.items(), judge.rejected))
            }
            other => other,
        }
    }

    /// Returns the shape in the target.
    fn written(&self, plan: &CopyPlan) -> Result<Shape> {
        let shape = plan.written().clone();
        let shape = if self.more.is_empty() { shape } else { listed(shape) };
        self.path_field.as_ref().map_or(Ok(shape.clone()), |field| field.added_to(&shape))
    }

    fn plan<F: Bordered>(&mut self, window: &mut Window<Input<'_>>, reader: &mut F, out: &Out) -> Result<CopyPlan> {
        // An existing table determines the shape of its rows.
        let shape = match self.shape.take() {
            Some(shape) => Some(shape),
            None => self.accepted(out).map(|shape| self.unrenamed(shape)).transpose()?,
        };
        let (place, from, options) = &self.from;
        if let Some(shape) = shape {
            if self.at.is_some() {
                return Ok(CopyPlan::certain(stream::listed(shape)));
            }
            // Only the shape distinguishes a single message from a stream of them.
            if from.is_numbered() {
                return Ok(CopyPlan::certain(shape));
            }
            return plan::given(shape, window, reader).map(CopyPlan::certain);
        }
        let records = self.infer
            || self.flatten
            || self.fields.is_some()
            || !self.renames.is_empty()
            || self.formats().any(|to| to.about().needs_shape);
        let learn = if from.is_table() { self.infer } else { records && !from.needs_type() };
        if !learn {
            return plan::untold(*from, window, reader).map(CopyPlan::certain);
        }
        let how = (plan::inference(*from, self.infer), self.on_error != OnError::Stop);
        // Records that are not copied need not be sampled.
        let sample = match self.first {
            Some(first) if self.condition.is_none() => Sample::First(first.min(self.sample.limit())),
            _ => self.sample,
        };
        plan::learn(place, options, sample, window, reader, how, (self.at.as_ref(), self.encodings.0))
    }

    /// Compiles the condition. If the records' shape is unknown, a sample says which fields there are.
    fn bound_to_sample<F: Bordered>(
        &self,
        plan: &CopyPlan,
        window: &mut Window<Input<'_>>,
        reader: &mut F,
    ) -> Result<Option<Bound>> {
        let Some(condition) = &self.condition else { return Ok(None) };
        if let Some(bound) = condition.bound_to(plan.whole(), false)? {
            return Ok(Some(bound));
        }
        let (place, _, options) = &self.from;
        let how = (InferenceOptions::default(), self.on_error != OnError::Stop);
        let seen = plan::learn(place, options, self.sample, window, reader, how, (self.at.as_ref(), self.encodings.0))?;
        condition.bound_to(&seen.shape, true).map_err(|error| CopyPlan::explain(seen.inferred, error))
    }

    /// Returns the columns of a flattened copy. Otherwise checks that a table can hold the records.
    fn columns(&self, shape: &Shape) -> Result<Option<Columns>> {
        let row = shape.row();
        match row {
            Some(row) if self.flatten => match self.formats().find(|to| to.is_columnar()) {
                None => Columns::of(row).map(Some),
                Some(to) => Err(Error::new(
                    ErrorKind::Encode,
                    format!("{to} holds records within records as they are: there is nothing to flatten"),
                )),
            },
            // An unknown shape has nothing to flatten, and an empty list is no error.
            None if self.flatten && !table::is_open(shape) => Err(Error::new(
                ErrorKind::Encode,
                format!("only records can be flattened, and this is a {}", shape.name()),
            )),
            Some(row) if self.formats().any(Format::is_table) => table::check(&row.get()).map(|()| None),
            _ => Ok(None),
        }
    }
}
