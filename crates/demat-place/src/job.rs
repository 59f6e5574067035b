//! A copy from one place to another.

use crate::columnar::Columnar;
use crate::database::DatabaseSource;
use crate::flatten::{Columns, Flatten};
use crate::host::Host;
use crate::input::{OnProgress, Reader};
use crate::on_error::{Judge, OnReject};
use crate::out::Out;
use crate::plan::{self, CopyPlan};
use crate::reading::{Reading, Text, listed};
use crate::rejects::Rejects;
use crate::take::Take;
use crate::{
    Compression, DatabasePlace, Format, Input, OnError, Part, Place, Progress, ReadOptions, Sample, Summary, Target,
    WriteOptions, folder, lift::lift, table,
};
use core::fmt;
use demat_core::{Checked, Error, ErrorKind, Kind, Result, Shape, Sink, Validated};
use demat_formats::canonical::{self, Canonical, Mapping};
use demat_formats::codec::Visitor;
use demat_formats::stream::{Bordered, Window, Windowed};
use std::io::{Read, Write};
use std::sync::Arc;

#[cfg(test)]
mod tests;

/// Everything that is to be known to copy from one place to another.
///
/// # Of which shape the copy is
///
/// * A shape that is [given](Self::shape) is the shape of the place; or, where the place is a list and the shape is not,
///   of its records.
/// * Without one, JSON and NDJSON pass to each other as they are.
/// * Cells of a table are text, and empty cells null; with [`infer`](Self::infer) they are what all cells of their column
///   look like in a [sample](Self::sample).
/// * Arrow and Parquet know the shape of their rows; to each other they pass batch by batch, as they are.
/// * For a table or columns, or with `infer`, the shape of JSON and NDJSON is learnt from a sample, too. Then a record that has
///   a field which the sample has not is refused, so that nothing is lost in silence.
///
/// # What is written when
///
/// A file appears whole when all has been copied, or not at all ([`AtomicFile`](crate::AtomicFile)). Standard output
/// gets the records as they come, unless [`OnError::All`] says that none may be seen before all are known to be good.
///
/// A folder can be copied to a database: each of its files of a known format becomes the table that is called as it is.
///
/// Values are checked against the shape's `check` notes.
///
/// A table gets rows besides those that it has, in one transaction; where it is not there it is made, of the shape. A
/// database that is not there appears whole, as any other file.
pub struct CopyJob<'j> {
    from: (Place, Format, ReadOptions),
    to: (Place, Format, WriteOptions),
    reader: Option<Reader<'j>>,
    writer: Option<Box<dyn Write + Send>>,
    packed: Option<Compression>,
    shape: Option<Shape>,
    fields: Option<Vec<String>>,
    infer: bool,
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
    /// A copy as it is usual for the formats.
    pub fn new(source: Place, source_format: Format, target: Place, target_format: Format) -> Self {
        let packed = target.compression();
        Self {
            from: (source.holding(source_format), source_format, source_format.read_options()),
            to: (target.holding(target_format), target_format, WriteOptions::of(target_format)),
            reader: None,
            writer: None,
            packed,
            shape: None,
            fields: None,
            infer: false,
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

    /// How the source is read.
    #[must_use]
    pub fn read_options(mut self, options: ReadOptions) -> Self {
        self.from.2 = options;
        self
    }

    pub(crate) fn source_options(&self) -> &ReadOptions {
        &self.from.2
    }

    pub(crate) fn set_source(&mut self, place: Place, format: Format, options: ReadOptions) {
        self.from = (place, format, options);
    }

    /// How the target is written.
    #[must_use]
    pub fn write_options(mut self, options: WriteOptions) -> Self {
        self.to.2 = options;
        self
    }

    /// What is read, where the source is a place that is [given](Place::Given).
    #[must_use]
    pub fn reader(mut self, reader: impl Read + Send + 'j) -> Self {
        self.reader = Some(Box::new(reader));
        self
    }

    /// What is written to, where the target is a place that is [given](Place::Given); it gets the bytes as they come.
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

    /// How the target is packed, whatever its suffix says.
    #[must_use]
    pub fn packed(mut self, compression: Option<Compression>) -> Self {
        self.packed = compression;
        self
    }

    /// Copies these fields of the records only, in this order; the others are passed over.
    ///
    /// They are named as they are in the source, or as in the [shape](Self::shape). Without a shape it is learnt from a sample.
    #[must_use]
    pub fn fields<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.fields = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Gives the shape: of the source, or of its records.
    #[must_use]
    pub fn shape(mut self, shape: Shape) -> Self {
        self.shape = Some(shape);
        self
    }

    /// Reads and writes JSON and NDJSON as the specification of Protocol Buffers maps messages to it; the shape is the mapping's.
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

    /// Whether the shape is learnt from a sample also where it need not be.
    #[must_use]
    pub fn infer(mut self, infer: bool) -> Self {
        self.infer = infer;
        self
    }

    /// How many records a shape is learnt from.
    #[must_use]
    pub fn sample(mut self, sample: Sample) -> Self {
        self.sample = sample;
        self
    }

    /// Whether records within records become columns `outer.inner`, and lists and maps their JSON text.
    #[must_use]
    pub fn flatten(mut self, flatten: bool) -> Self {
        self.flatten = flatten;
        self
    }

    /// Copies the first records only, and reads no further.
    #[must_use]
    pub fn first(mut self, records: u64) -> Self {
        self.first = Some(records);
        self
    }

    /// What happens where a record is refused.
    #[must_use]
    pub fn on_error(mut self, on_error: OnError) -> Self {
        self.on_error = on_error;
        self
    }

    /// Where refused records are kept, as NDJSON with the reasons: `record`, `line`, `column`, `offset`, `path`, `kind`,
    /// `expected`, `found`, `reason` and `data`, which is the record's text (or `data_base64`, where it is no UTF-8).
    #[must_use]
    pub fn rejects(mut self, place: Place) -> Self {
        self.rejects = Some(place);
        self
    }

    /// Wants to know of each refused record that the copy goes on without: why, and its bytes as they stand.
    #[must_use]
    pub fn on_reject(mut self, told: impl FnMut(&Error, &[u8]) + 'j) -> Self {
        self.on_reject = Some(Box::new(told));
        self
    }

    /// Wants to know how far reading has come; an error ends the copy.
    #[must_use]
    pub fn on_progress(mut self, told: impl FnMut(Progress) -> Result<()> + Send + 'j) -> Self {
        self.on_progress = Some(Box::new(told));
        self
    }

    /// Copies.
    ///
    /// # Errors
    /// What ends the copy: the first refused record, or, where the copy goes on without these, what it can't go on after.
    pub fn run(mut self) -> Result<Summary> {
        if let (Place::File(folder), Place::Database(to)) = (&self.from.0, &self.to.0)
            && to.part == Part::Whole
            && folder.is_dir()
        {
            let (folder, to) = (folder.clone(), to.clone());
            return folder::run(&mut self, &folder, &to);
        }
        let out = self.out()?;
        let (summary, out) = self.run_into(out)?;
        if summary.written {
            out.finish(self.to.1)?;
        }
        Ok(summary)
    }

    /// Copies into a target that is there; what was written is final when that is finished.
    pub(crate) fn run_into(&mut self, out: Out) -> Result<(Summary, Out)> {
        if let Place::Database(database) = &self.from.0 {
            return self.run_database(&database.clone(), out);
        }
        if self.from.1.is_columnar() {
            return self.run_columns(out);
        }
        let input = Input::open_with(&self.from.0, self.reader.take(), self.on_progress.take())?;
        let window = Window::new(input).with_limit(self.from.2.window);
        let Some(codec) = self.from.1.codec() else { return Err(crate::database::no_stream()) };
        let reader = codec.reader(&self.from.2)?;
        let reader = match &self.canonical {
            Some((mapping, how)) if self.from.1.is_json() => Canonical::reader(reader, Arc::clone(mapping), *how),
            _ => reader,
        };
        reader.visit(RunCopy { job: self, window, out })
    }

    /// Copies columns, of which it is known what they hold.
    fn run_columns(&mut self, mut out: Out) -> Result<(Summary, Out)> {
        let place = self.from.0.name_as_source();
        let opened = Columnar::open(&self.from.0, self.from.1, self.reader.take(), self.on_progress.take());
        let mut columns = opened.map_err(|error| lift(error).in_place(&place))?;
        let as_they_are =
            self.shape.is_none() && self.fields.is_none() && !self.flatten && self.on_error == OnError::Stop;
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
        self.run_with(&mut columns, &plan, out)
    }

    /// Copies rows of a database.
    fn run_database(&mut self, from: &DatabasePlace, out: Out) -> Result<(Summary, Out)> {
        let place = from.to_string();
        let mut source = DatabaseSource::open(from, out.database())?;
        let to = self.to.1;
        let shape = match self.shape.take() {
            Some(shape) => listed(shape),
            None if to.is_columnar() || to.needs_type() => {
                source.observed().map_err(|error| error.in_place(&place))?.list()
            }
            None => source.shape().clone().list(),
        };
        let plan = self.projected(CopyPlan::certain(shape)).map_err(|error| error.in_place(&place))?;
        let mut rows = source.rows(&plan.shape).map_err(|error| error.in_place(&place))?;
        self.run_with(&mut rows, &plan, out)
    }

    /// Copies what is read as is planned, while it is judged what becomes of refused records.
    fn run_with<R: Reading>(&mut self, reading: &mut R, plan: &CopyPlan, mut out: Out) -> Result<(Summary, Out)> {
        let place = self.from.0.name_as_source();
        let columns = self.columns(&plan.shape).map_err(|error| error.in_place(&place))?;
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
        let copied = self.tell(reading, plan, columns.as_ref(), &mut out, &mut judge);
        let one_message = self.from.1.is_numbered() && !plan.shape.accepts(Kind::List);
        let copied = copied.map_err(|error| if one_message { plan::of_one_message(error) } else { error });
        // What was refused is kept whatever ended the copy.
        let kept = judge.rejects.take().map_or(Ok(()), Rejects::finish);
        let (records, rejected) = copied.map_err(|error| CopyPlan::explain(inferred, lift(error)).in_place(&place))?;
        kept?;
        let written = rejected == 0 || self.on_error != OnError::All;
        let records = if written { records } else { 0 };
        Ok((Summary { records, rejected, written, read: reading.read() }, out))
    }

    /// Copies all records to the sink of the target, and says how many were written and refused.
    fn tell<R: Reading>(
        &self,
        reading: &mut R,
        plan: &CopyPlan,
        columns: Option<&Columns>,
        out: &mut Out,
        judge: &mut Judge<'_>,
    ) -> Result<(u64, u64)> {
        let (place, to, options) = &self.to;
        let canonical = self.canonical.as_ref().map(|(mapping, _)| mapping);
        let mut sink = out.sink((place, *to, options), &plan.shape, self.on_error, canonical)?;
        let mut flatten;
        let mut sink: &mut dyn Sink = &mut *sink;
        if let Some(columns) = columns {
            flatten = Flatten::new(sink, columns, options.json.depth);
            sink = &mut flatten;
        }
        let (mut checked, mut validated);
        if let Some(checks) = self.host.checks(&plan.shape)? {
            checked = Checked::new(sink, checks);
            sink = &mut checked;
        }
        if let Some(validator) = &self.host.validator {
            validated = Validated::new(sink, &plan.shape, &**validator);
            sink = &mut validated;
        }
        let Some(first) = self.first else {
            let summary = reading.copy(&plan.shape, sink, judge)?;
            return Ok((summary.records, summary.rejected));
        };
        let mut take = Take::new(sink, first);
        match reading.copy(&plan.shape, &mut take, judge) {
            Err(_) if take.has_enough() => {
                take.end_early()?;
                Ok((take.items(), judge.rejected))
            }
            Ok(summary) => Ok((summary.records, summary.rejected)),
            Err(error) => Err(error),
        }
    }

    fn out(&mut self) -> Result<Out> {
        match (&self.to.0, self.writer.take()) {
            (Place::Given(name), Some(writer)) if self.to.1.is_streamed() => {
                let held = self.on_error == OnError::All;
                Target::given(writer, name.clone(), self.packed, held).map(Out::Stream)
            }
            (place, _) => Out::create(place, self.to.1, &self.from.0, self.packed, self.on_error),
        }
    }

    /// The plan, of the fields that were chosen.
    fn projected(&self, plan: CopyPlan) -> Result<CopyPlan> {
        match &self.fields {
            Some(names) => plan.projected(names),
            None => Ok(plan),
        }
    }

    fn plan<F: Windowed>(&mut self, window: &mut Window<Input<'_>>, reader: &mut F, out: &Out) -> Result<CopyPlan> {
        let (place, from, options) = &self.from;
        // A table that is there says what its rows are.
        if let Some(shape) = self.shape.take().or_else(|| out.shape()) {
            // Whether messages are one or many nothing says but the shape.
            if from.is_numbered() {
                return Ok(CopyPlan::certain(shape));
            }
            return plan::given(shape, window, reader).map(CopyPlan::certain);
        }
        let records = self.infer || self.flatten || self.fields.is_some() || self.to.1.about().needs_shape;
        let learn = if from.is_table() { self.infer } else { records && !from.needs_type() };
        if !learn {
            return plan::untold(*from, window, reader).map(CopyPlan::certain);
        }
        let how = (from.is_table(), self.on_error != OnError::Stop);
        // What is not copied need not be known.
        let sample = self.first.map_or(self.sample, |first| Sample::First(first.min(self.sample.limit())));
        plan::learn(place, options, sample, window, reader, how)
    }

    /// The columns of a flattened copy; where it is not to be flattened, whether a table can be made of it.
    fn columns(&self, shape: &Shape) -> Result<Option<Columns>> {
        let row = shape.row();
        match row {
            Some(_) if self.flatten && self.to.1.is_columnar() => Err(Error::new(
                ErrorKind::Encode,
                format!("{} holds records within records as they are: there is nothing to flatten", self.to.1),
            )),
            Some(row) if self.flatten => Columns::of(row).map(Some),
            // Nothing is there to be flattened, and an empty list is no reason to complain.
            None if self.flatten && !table::is_open(shape) => Err(Error::new(
                ErrorKind::Encode,
                format!("only records can be flattened, and this is a {}", shape.name()),
            )),
            Some(row) if self.to.1.is_table() => table::check(&row.get()).map(|()| None),
            _ => Ok(None),
        }
    }
}

/// Copies what a reader reads from a window.
struct RunCopy<'c, 'j, 'i> {
    job: &'c mut CopyJob<'j>,
    window: Window<Input<'i>>,
    out: Out,
}

impl Visitor for RunCopy<'_, '_, '_> {
    type Output = Result<(Summary, Out)>;

    fn visit<F: Bordered + 'static>(self, mut reader: F) -> Result<(Summary, Out)> {
        let Self { job, mut window, out } = self;
        let plan = job.plan(&mut window, &mut reader, &out).and_then(|plan| job.projected(plan));
        let plan = plan.map_err(|error| lift(error).in_place(job.from.0.name_as_source()))?;
        job.run_with(&mut Text { window: &mut window, format: &mut reader }, &plan, out)
    }
}

impl fmt::Debug for CopyJob<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CopyJob").field("from", &self.from).field("to", &self.to).finish_non_exhaustive()
    }
}
