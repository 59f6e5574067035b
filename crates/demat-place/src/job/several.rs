//! Copies of several sources to one target.

use super::CopyJob;
use crate::columnar::Columnar;
use crate::database::{Database, DatabaseSource, is_same};
use crate::joined::Joined;
use crate::lift::lift;
use crate::on_error::Judge;
use crate::plan::{self, CopyPlan};
use crate::reading::{Reading, Receiver, Text, is_whole, listed};
use crate::server::ServerSource;
use crate::{Format, Input, Place, ReadOptions, collection};
use demat_core::{Error, ErrorKind, Result, Shape, Sink};
use demat_formats::codec::Visitor;
use demat_formats::stream::{self, Bordered, Choice, Window};
use std::path::{Path, PathBuf};

/// What the sources have to know of the targets.
pub(super) struct Beside {
    /// The databases of the targets, and the connections to read sources through that are in them.
    pub(super) databases: Vec<(PathBuf, Database)>,
    /// Whether the shape is not that of the first source.
    pub(super) shaped: bool,
    /// The smallest depth of the targets.
    pub(super) depth: u32,
}

impl Beside {
    fn connection(&self, path: &Path) -> Option<&Database> {
        let own = self.databases.iter().find(|(own, _)| is_same(own, path));
        own.map(|(_, database)| database)
    }
}

impl CopyJob<'_> {
    /// Copies all sources. Returns the numbers of written and refused records.
    pub(super) fn copy_all<R: Reading>(
        &self,
        reading: &mut R,
        plan: &CopyPlan,
        sink: &mut dyn Sink,
        judge: &mut Judge<'_>,
        mut choice: Option<&mut Choice<'_>>,
        beside: &Beside,
    ) -> Result<(u64, u64)> {
        if self.more.is_empty() {
            let summary = reading.copy(Receiver { shape: &plan.shape, sink, judge, choice })?;
            return Ok((summary.records, summary.rejected));
        }
        let mut joined = Joined::new(sink);
        let (shape, sink) = (&plan.shape, &mut joined);
        let first = reading.copy(Receiver { shape, sink, judge, choice: choice.as_deref_mut() })?;
        let (mut records, mut rejected) = (first.records, first.rejected);
        for source in &self.more {
            let name = source.0.name_as_source();
            judge.place.clone_from(&name);
            if let Some(field) = &self.path_field {
                field.set(&source.0);
            }
            let next = self.copy_next(source, plan, (&mut joined, judge, choice.as_deref_mut()), beside);
            let next = next.map_err(|error| CopyPlan::explain(plan.inferred, lift(error)).in_place(name))?;
            records += next.records;
            rejected += next.rejected;
        }
        joined.end()?;
        Ok((records, rejected))
    }

    /// Copies one of the sources after the first.
    fn copy_next(
        &self,
        (place, format, options): &(Place, Format, ReadOptions),
        plan: &CopyPlan,
        (sink, judge, choice): (&mut dyn Sink, &mut Judge<'_>, Option<&mut Choice<'_>>),
        beside: &Beside,
    ) -> Result<stream::Summary> {
        let shape = listed(plan.shape.clone());
        self.check_lax(place, *format)?;
        let check = |own: &Shape| if beside.shaped { Ok(()) } else { self.check_same(own, plan.whole()) };
        if let Place::Database(from) = place {
            let source = DatabaseSource::open(from, beside.connection(&from.path))?;
            check(source.shape())?;
            let read = if choice.is_some() { listed(plan.whole().clone()) } else { shape.clone() };
            return source.rows(&read)?.copy(Receiver { shape: &shape, sink, judge, choice });
        }
        if let Place::Server(from) = place {
            let source = ServerSource::open(from)?;
            check(source.shape())?;
            let read = if choice.is_some() { listed(plan.whole().clone()) } else { shape.clone() };
            return source.rows(&read)?.copy(Receiver { shape: &shape, sink, judge, choice });
        }
        if format.is_columnar() {
            let mut columns = Columnar::open(place, *format, None, None)?;
            check(&columns.shape()?)?;
            let whole = listed(plan.whole().clone());
            if let (Some(condition), Some(_)) = (&self.condition, &choice) {
                columns.skip(condition, &whole);
            }
            // The condition may compare fields that are not copied.
            columns.choose(core::iter::once(if choice.is_some() { &whole } else { &shape }))?;
            return columns.copy(Receiver { shape: &shape, sink, judge, choice });
        }
        let (input, format, options) = if let Place::Collection(from) = place {
            let (reader, own, format) = collection::open(from)?;
            check(&own)?;
            (Input::over(reader, from.to_string())?, format, format.read_options())
        } else {
            let input = Input::open(place)?.encoded(self.encodings.0);
            (input.flushing(self.flusher.clone()), *format, options.clone())
        };
        let reader = self.text_reader(format, &options)?;
        let window = Window::new(input).with_limit(options.window);
        reader.visit(Next { job: self, format, window, plan, shaped: beside.shaped, sink, judge, choice })
    }

    /// Checks that a source has the fields of the first one, in any order.
    fn check_same(&self, own: &Shape, first: &Shape) -> Result<()> {
        let (Some(own), Some(first)) = (own.row(), first.row()) else { return Ok(()) };
        let (own, first) = (own.get(), first.get());
        let place = self.from.0.name_as_source();
        let differs = |message: String| Err(Error::new(ErrorKind::Constraint, message));
        for field in first.fields() {
            let Some(index) = own.index_of(field.key()) else {
                return differs(format!("there is no field `{}`, which {place} has", field.key()));
            };
            let (one, other) = (own.fields()[index].shape().inner(), field.shape().inner());
            if one != other {
                return differs(format!("`{}` is {one}, and in {place} it is {other}", field.key()));
            }
        }
        match own.fields().iter().find(|field| first.index_of(field.key()).is_none()) {
            Some(field) => differs(format!("there is a field `{}`, which {place} lacks", field.key())),
            None => Ok(()),
        }
    }
}

/// Copies one of the sources after the first through a window.
struct Next<'n, 'j, 'i, 'g, 'c> {
    job: &'n CopyJob<'j>,
    format: Format,
    window: Window<Input<'i>>,
    plan: &'n CopyPlan,
    shaped: bool,
    sink: &'n mut dyn Sink,
    judge: &'n mut Judge<'g>,
    choice: Option<&'n mut Choice<'c>>,
}

impl Visitor for Next<'_, '_, '_, '_, '_> {
    type Output = Result<stream::Summary>;

    fn visit<F: Bordered + 'static>(self, mut reader: F) -> Result<stream::Summary> {
        let Self { job, format, mut window, plan, shaped, sink, judge, choice } = self;
        let mut shape = match &plan.shape {
            Shape::List(item) => (**item).clone(),
            other => other.clone(),
        };
        if format.is_table() && !shaped {
            job.check_columns(&plan::untold(format, &mut window, &mut reader)?, plan.whole())?;
        }
        if shape != Shape::Any {
            shape = if job.at.is_some() {
                stream::listed(plan.shape.clone())
            } else if matches!(plan.shape, Shape::List(_)) && (format.is_numbered() || is_whole(&shape)) {
                // A record that is a list does not tell whether it is the only one.
                shape.list()
            } else {
                plan::given(shape, &mut window, &mut reader)?
            };
        }
        let mut text = Text { window: &mut window, format: &mut reader, at: job.at.as_ref() };
        text.copy(Receiver { shape: &shape, sink, judge, choice })
    }
}

impl CopyJob<'_> {
    /// Checks that a table has the columns of the first source, whatever their types are.
    fn check_columns(&self, own: &Shape, first: &Shape) -> Result<()> {
        let typeless = |shape: &Shape| -> Result<Option<Shape>> {
            let Some(row) = shape.row() else { return Ok(None) };
            let row = row.get();
            let fields = row.fields().iter().map(|field| field.clone().with_inner(Shape::Any)).collect();
            Ok(Some(Shape::record(demat_core::Record::new("", fields)?)))
        };
        match (typeless(own)?, typeless(first)?) {
            (Some(own), Some(first)) => self.check_same(&own, &first),
            _ => Ok(()),
        }
    }
}
