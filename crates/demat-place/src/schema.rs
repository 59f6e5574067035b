//! The shape of a place.

use crate::collection::{self, CollectionPlace};
use crate::columnar::Columnar;
use crate::database::{self, DatabasePlace, DatabaseSource};
use crate::lift::lift;
use crate::plan;
use crate::sample::{self, Sample, Taking};
use crate::server::{self, ServerPlace, ServerSource};
use crate::{Encoding, Format, Input, Place, ReadOptions};
use demat_core::{InferenceOptions, Result, Shape};
use demat_formats::codec::Visitor;
use demat_formats::stream::{Bordered, RecordPath, Window, Windowed};

/// Returns the shape of the records in a place (of the place itself, if it is no list), inferred from a sample.
///
/// Columnar formats have their own shape. The values of a format that holds nothing but text, such as the cells of a
/// table, have inferred types if `infer` is set; otherwise they are text.
///
/// # Errors
/// Errors of reading the sample.
pub fn schema(place: &Place, format: Format, options: &ReadOptions, sample: Sample, infer: bool) -> Result<Shape> {
    schema_at(place, format, options, (sample, infer), (None, None))
}

/// As [`schema`], for the records that a path leads to, and for text in an encoding.
///
/// # Errors
/// As [`schema`], and if the path does not exist.
pub fn schema_at(
    place: &Place,
    format: Format,
    options: &ReadOptions,
    (sample, infer): (Sample, bool),
    (at, encoding): (Option<&RecordPath>, Option<Encoding>),
) -> Result<Shape> {
    if let Place::Database(database) = place.clone().holding(format) {
        let source = DatabaseSource::open(&database, None)?;
        return Ok(source.shape().clone());
    }
    if let Place::Collection(collection) = place {
        return collection::open(collection).map(|(_, shape, _)| shape);
    }
    if let Place::Server(server) = place {
        return ServerSource::open(server).map(|source| source.shape().clone());
    }
    let name = place.name_as_source();
    if format.is_columnar() {
        let shape = Columnar::open(place, format, None, None).and_then(|columns| columns.shape());
        return shape.map(item).map_err(|error| lift(error).in_place(name));
    }
    let window = Window::new(Input::open(place)?.encoded(encoding)).with_limit(options.window);
    let found = match format.codec() {
        Some(codec) => {
            codec.reader(options).and_then(|reader| reader.visit(LearnShape { window, format, sample, infer, at }))
        }
        None => Err(database::no_stream()),
    };
    found.map_err(|error| lift(error).in_place(name))
}

/// Infers a shape from a sample.
struct LearnShape<'i, 'a> {
    window: Window<Input<'i>>,
    format: Format,
    sample: Sample,
    infer: bool,
    at: Option<&'a RecordPath>,
}

impl Visitor for LearnShape<'_, '_> {
    type Output = Result<Shape>;

    fn visit<F: Bordered + 'static>(self, mut reader: F) -> Result<Shape> {
        let Self { mut window, format, sample, infer, at } = self;
        if format.needs_type() || format.is_table() && !infer {
            return plan::untold(format, &mut window, &mut reader).map(item);
        }
        let how =
            Taking { limit: sample.limit(), inference: plan::inference(format, infer), keep: false, tolerant: false };
        sample::take(&mut window, &mut reader, how, at).map(|seen| seen.shape)
    }
}

/// Returns the shape of the first records in a window, inferred from up to `records` of them. They stay in the window,
/// which grows for that.
///
/// `inference`: what to infer; by default, texts stay text.
///
/// # Errors
/// Errors of reading the sample.
///
/// ```
/// use demat_core::InferenceOptions;
/// use demat_formats::{ndjson::Ndjson, stream::Window};
/// use demat_place::{Input, learnt};
///
/// let mut window = Window::new(Input::over(&b"{\"id\": 1}\n{\"id\": 2}\n"[..], "rows")?);
/// assert_eq!(learnt(&mut window, &mut Ndjson::default(), 1, InferenceOptions::default())?.to_string(), "id:int, !");
/// # Ok::<(), demat_core::Error>(())
/// ```
pub fn learnt<F: Windowed>(
    window: &mut Window<Input<'_>>,
    format: &mut F,
    records: u64,
    inference: InferenceOptions,
) -> Result<Shape> {
    let how = Taking { limit: records, inference, keep: true, tolerant: false };
    sample::take(window, format, how, None).map(|seen| seen.shape).map_err(lift)
}

/// Returns the shapes of the rows of all tables of a database, each a record with the table's name; only that of one
/// table, if the place names it.
///
/// # Errors
/// Errors of reading the database.
pub fn tables(place: &DatabasePlace) -> Result<Vec<Shape>> {
    database::tables(place)
}

/// Returns the shapes of the records of all collections of an environment, each with the collection's name; only that of
/// one collection, if the place names it.
///
/// # Errors
/// Errors of reading the environment.
pub fn collections(place: &CollectionPlace) -> Result<Vec<Shape>> {
    collection::shapes(place)
}

/// Returns the shapes of the rows of all tables of a server's database, each with the table's name; only that of one
/// table, if the place names it.
///
/// # Errors
/// Errors of the server.
pub fn server_tables(place: &ServerPlace) -> Result<Vec<Shape>> {
    server::tables(place)
}

fn item(shape: Shape) -> Shape {
    match shape {
        Shape::List(item) => (*item).clone(),
        other => other,
    }
}
