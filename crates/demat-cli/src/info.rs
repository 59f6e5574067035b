//! `demat info`.

use crate::arguments::InfoArguments;
use crate::exit::Exit;
use crate::failure::{About, Failure};
use crate::output;
use crate::printed::printed;
use crate::source::{only, path as path_of, unknown};
use core::fmt::Write as _;
use demat_core::{Encode as _, Result as Told, Shape, Value};
use demat_lmdb::{By, Environment, IndexDefinition, Options, Wanted};
use demat_place::{CollectionPlace, CopyJob, DatabasePlace, Format, Input, Part, Place, RecordPath, ServerPlace};
use demat_postgres::{Address, Connection, TableName, record_of};
use demat_sqlite::{Database, OpenOptions, quoted};
use std::io;
use std::path::Path;

/// Facts about a place, in the order in which they are shown.
#[derive(Default)]
struct Facts(Vec<(Value, Value)>);

impl Facts {
    fn with(mut self, name: &str, value: impl Into<Fact>) -> Self {
        if let Some(value) = value.into().0 {
            self.0.push((Value::Text(name.to_string().into()), value));
        }
        self
    }

    fn of_all(facts: impl IntoIterator<Item = (String, Self)>) -> Value {
        Value::Map(facts.into_iter().map(|(name, facts)| (Value::Text(name.into()), Value::Map(facts.0))).collect())
    }
}

/// The value of a fact; `None` if there is none.
struct Fact(Option<Value>);

impl From<u64> for Fact {
    fn from(value: u64) -> Self {
        Self(Some(Value::Int(value.into())))
    }
}

impl From<Option<u64>> for Fact {
    fn from(value: Option<u64>) -> Self {
        Self(value.map(|value| Value::Int(value.into())))
    }
}

impl From<String> for Fact {
    fn from(value: String) -> Self {
        Self(Some(Value::Text(value.into())))
    }
}

impl From<Option<String>> for Fact {
    fn from(value: Option<String>) -> Self {
        Self(value.map(|value| Value::Text(value.into())))
    }
}

impl From<Value> for Fact {
    fn from(value: Value) -> Self {
        Self(Some(value))
    }
}

pub(crate) fn run(arguments: &InfoArguments) -> Result<Exit, Failure> {
    let place = Place::named(&arguments.source.place);
    let format = arguments.source.from.or_else(|| place.format()).ok_or_else(|| unknown("from", &place))?;
    let about = || About { source: Some((place.clone(), format)), ..About::default() };
    let located = |error| Failure::Error { error, about: about() };
    if arguments.source.at.is_some() && !matches!(&place, Place::File(_)) {
        return Err(only("--at", "a file of nested values is read"));
    }
    let facts = match &place {
        Place::Collection(collection) => of_collections(collection).map_err(located)?,
        Place::Database(database) => of_tables(database, format).map_err(located)?,
        Place::Server(server) => of_server(server).map_err(located)?,
        Place::File(path) if !format.is_streamed() => {
            of_tables(&DatabasePlace { path: path.clone(), part: Part::Whole }, format).map_err(located)?
        }
        Place::File(path) => {
            let at = arguments.source.at.as_ref().map(|at| path_of(format, at)).transpose()?;
            of_file(path, &place, format, at.as_ref(), arguments).map_err(located)?
        }
        _ => return Err(Failure::usage("expected a file, a database or an LMDB environment, which can be read twice")),
    };
    let facts = Value::Map(facts.0);
    let text = if let Some(format) = arguments.to {
        printed(format, "the facts", |sink| facts.encode(sink).and_then(|()| sink.finish()))?
    } else {
        let mut text = String::new();
        write(&facts, 0, &mut text);
        text
    };
    output::data(&text)?;
    Ok(Exit::Ok)
}

/// Writes facts as text: a line each, those of a part indented.
fn write(facts: &Value, depth: usize, text: &mut String) {
    let Value::Map(entries) = facts else { return };
    for (name, value) in entries {
        let Value::Text(name) = name else { continue };
        let _ = match value {
            Value::Map(_) => writeln!(text, "{:depth$}{name}:", ""),
            Value::Int(value) => writeln!(text, "{:depth$}{name}: {value}", ""),
            Value::Text(value) => writeln!(text, "{:depth$}{name}: {value}", ""),
            other => writeln!(text, "{:depth$}{name}: {other:?}", ""),
        }; // writing to a String cannot fail
        write(value, depth + 2, text);
    }
}

/// The facts about a file: it is read to its end, so damage is found.
fn of_file(
    path: &Path,
    place: &Place,
    format: Format,
    at: Option<&RecordPath>,
    arguments: &InfoArguments,
) -> Told<Facts> {
    let size = path.metadata().map_err(|cause| demat_core::Error::from(cause).in_place(path.display().to_string()))?;
    let compression = Input::open(place)?.compression();
    let options = format.read_options();
    let shape =
        demat_place::schema_at(place, format, &options, (arguments.sample.unwrap_or_default(), true), (at, None))?;
    let job =
        CopyJob::new(place.clone(), format, Place::Given("nowhere".to_string()), Format::LINES).writer(io::sink());
    let job = if format.needs_type() { job.shape(shape.clone().list()) } else { job };
    let job = match at {
        Some(at) => job.at(at.clone()),
        None => job,
    };
    let summary = job.run()?;
    Ok(Facts::default()
        .with("format", format.to_string())
        .with("size", size.len())
        .with("compression", compression.map(|compression| compression.to_string()))
        .with("records", summary.records)
        .with("shape", shape.to_string()))
}

/// The facts about a database, or about one of its tables.
fn of_tables(place: &DatabasePlace, format: Format) -> Told<Facts> {
    let database =
        Database::open_with(&place.path, OpenOptions { readonly: true, create: false, ..OpenOptions::default() })?;
    let number = |sql: &str| database.number(sql, &[]).map(i64::cast_unsigned);
    let names = match &place.part {
        Part::Whole => database.tables()?,
        Part::Table(name) => vec![name.clone()],
        Part::Query(sql) => {
            let shape = Shape::record(database.statement(sql)?.record()?);
            let rows = number(&format!("SELECT count(*) FROM ({sql})"))?;
            return Ok(Facts::default().with("records", rows).with("shape", shape.to_string()));
        }
    };
    let mut tables = Vec::new();
    for name in names {
        let table = database.existing(&name)?;
        let facts = Facts::default()
            .with("records", number(&format!("SELECT count(*) FROM {}", quoted(&name)))?)
            .with("key", (!table.key.is_empty()).then(|| table.key.join(", ")))
            .with("shape", Shape::record(table.record()?).to_string());
        tables.push((name, facts));
    }
    Ok(Facts::default()
        .with("format", format.to_string())
        .with("size", number("PRAGMA page_count")? * number("PRAGMA page_size")?)
        .with("free", number("PRAGMA freelist_count")? * number("PRAGMA page_size")?)
        .with("tables", Facts::of_all(tables)))
}

/// The facts about a server's database, or about one of its tables.
fn of_server(place: &ServerPlace) -> Told<Facts> {
    let located = |error: demat_core::Error| error.in_place(place.to_string());
    facts_of_server(place).map_err(located)
}

fn facts_of_server(place: &ServerPlace) -> Told<Facts> {
    let connection = Connection::open(&Address::parse(place.url())?)?;
    let reading = connection.reading()?;
    let number = |sql: &str| connection.number(sql).map(i64::cast_unsigned);
    let names = match &place.part {
        Part::Whole => {
            connection.tables()?.into_iter().map(|name| TableName { schema: None, name }).collect::<Vec<_>>()
        }
        Part::Table(name) => vec![TableName::parse(name)?],
        Part::Query(sql) => {
            let shape = Shape::record(record_of(&connection.prepare(sql)?.columns()?)?);
            let rows = number(&format!("SELECT count(*) FROM ({sql}\n) AS demat"))?;
            return Ok(Facts::default().with("records", rows).with("shape", shape.to_string()));
        }
    };
    let mut tables = Vec::new();
    for name in names {
        let table = connection.existing(&name)?;
        let facts = Facts::default()
            .with("records", number(&format!("SELECT count(*) FROM {}", table.quoted))?)
            .with("key", (!table.key.is_empty()).then(|| table.key.join(", ")))
            .with("shape", Shape::record(table.record()?).to_string());
        tables.push((name.name, facts));
    }
    let size = number("SELECT pg_database_size(current_database())")?;
    drop(reading);
    Ok(Facts::default()
        .with("format", "postgresql".to_string())
        .with("size", size)
        .with("tables", Facts::of_all(tables)))
}

/// The facts about an environment, or about one of its collections.
fn of_collections(place: &CollectionPlace) -> Told<Facts> {
    let environment = Environment::open(&place.path, &Options { readonly: true, create: false, ..Options::default() })?;
    let snapshot = environment.read()?;
    let names = match &place.name {
        Some(name) => vec![name.clone()],
        None => environment.collections(&snapshot)?,
    };
    let mut collections = Vec::new();
    for name in names {
        let collection = environment.collection(&name, &Wanted::default())?;
        let definition = collection.definition();
        let sizes = collection.sizes(&snapshot)?;
        let indexes = definition.indexes.iter().map(|index| (index.name.clone(), of_index(index)));
        let facts = Facts::default()
            .with("records", collection.len(&snapshot)?)
            .with("size", sizes.records)
            .with("key", definition.key.to_string())
            .with("encoding", definition.encoding.to_string())
            .with("compression", definition.compression.map(|compression| compression.name().to_string()))
            .with("dictionaries", definition.compression.map(|_| u64::from(definition.dictionaries)))
            .with(
                "indexes",
                Value::Map(
                    indexes.map(|(name, facts)| (Value::Text(name.into()), Value::Text(facts.into()))).collect(),
                ),
            )
            .with("index size", (!definition.indexes.is_empty()).then_some(sizes.indexes))
            .with("shape", definition.shape.to_string());
        collections.push((name, facts));
    }
    drop(snapshot);
    let reader = |reader: demat_lmdb::Reader| {
        let facts = Facts::default().with("transaction", reader.transaction).with("behind", reader.behind);
        (format!("process {}", reader.process), facts)
    };
    let readers = environment.readers()?.into_iter().map(reader);
    Ok(Facts::default()
        .with("size", environment.file_size()?)
        .with("map", environment.map_size() as u64)
        .with("transaction", environment.last_transaction())
        .with("readers", Facts::of_all(readers))
        .with("collections", Facts::of_all(collections)))
}

fn of_index(index: &IndexDefinition) -> String {
    let unique = if index.unique { ", unique" } else { "" };
    match &index.by {
        By::Fields(names) => format!("by {}{unique}", names.join(", ")),
        by @ By::Function(_) => format!("{by}{unique}"),
    }
}
