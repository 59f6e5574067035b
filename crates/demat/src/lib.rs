//! Moves typed data between any two places with nothing in between.
//!
//! Derive [`Decode`] and [`Encode`] for a type, and every format moves it; the [`tutorial`] shows how.
//!
//! ```
//! use demat::{Decode, Encode, json};
//!
//! #[derive(Encode, Decode)]
//! struct Task {
//!     title: String,
//!     done: bool,
//! }
//!
//! let task: Task = json::decode(br#"{"title": "sleep", "done": false}"#)?;
//! assert_eq!(json::encode(&Task { done: true, ..task })?, br#"{"title":"sleep","done":true}"#);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! With the feature `place`, `demat::read::<Task>("tasks.csv.gz")` is an iterator over the typed records of a file of any
//! format, of a table or of a collection, and `demat::write::<Task>("tasks.parquet", &tasks)` writes them.
//!
//! | feature | brings |
//! |---|---|
//! | `derive` | the derives of [`Decode`], [`Encode`] and [`Shaped`] |
//! | `formats` | the codecs: [`json`], [`ndjson`], [`csv`], [`proto`], [`msgpack`], [`cbor`], and what they stand on, as [`formats`] |
//! | `proto-schema` | `proto_schema`: `.proto` files as shapes, and shapes as `.proto` files |
//! | `arrow` | `arrow`: columns of Arrow; Arrow and Parquet also in `place`, `store` and `http` |
//! | `lmdb` | `lmdb`: collections of LMDB; also in `place` |
//! | `postgres` | `postgres`: tables of PostgreSQL; also in `place` |
//! | `sqlite` | `sqlite`: tables of SQLite; databases also in `place` |
//! | `place` | `read`, `write`; `place`: files, streams and compression, and the job that copies between them |
//! | `store` | `store`: places with references, and stores over stores; brings `place` |
//! | `postgres-store` | `postgres_store`: tables of PostgreSQL as stores; brings `postgres` and `store` |
//! | `sqlite-store` | `sqlite_store`: tables of SQLite as stores; brings `sqlite` and `store` |
//! | `lmdb-store` | `lmdb_store`: collections of LMDB as stores; brings `lmdb` and `store` |
//! | `http` | `http`: a server for any store, and a store that is a client; brings `store` |
//! | `chrono`, `jiff`, `rust_decimal`, `uuid` | types of these crates as fields: dates and times, decimals, UUIDs |
//! | `tls` | encrypted connections; brings `http` |
//!
//! The first two are on unless `default-features = false`. Most of the others are a crate each, re-exported as a module.
#![forbid(unsafe_code)]

#[cfg(all(feature = "derive", feature = "formats"))]
pub mod tutorial;

pub use demat_core::*;

/// Functions for derived code, in addition to the contract. Not for other use: they change without notice.
#[doc(hidden)]
pub mod derived {
    pub use demat_core::derived::*;

    /// Returns the vocabulary of the notes that an attribute of a field is for.
    ///
    /// # Panics
    /// If no format has such notes: at compile time, since the derive calls this in constants only.
    #[track_caller]
    pub const fn vocabulary(attribute: &'static str) -> &'static crate::Vocabulary {
        #[cfg(feature = "formats")]
        if let Some(vocabulary) = demat_formats::Format::vocabulary(attribute) {
            return vocabulary;
        }
        let known = "neither an attribute of a field nor a format that has notes";
        demat_core::Refusal::of(&["`", attribute, "` is ", known]).panic()
    }
}

/// Decodes a value from any source; the derive writes the code of it, and the type's shape:
///
/// ```
/// use demat::{Decode, Encode, Value};
///
/// #[derive(Debug, PartialEq, Encode, Decode)]
/// #[demat(rename_all = "camelCase")]
/// struct Task {
///     title: String,
///     #[demat(default)]
///     is_done: bool,
///     due: Option<u64>,
/// }
///
/// let value = Value::Map(vec![(Value::Text("title".into()), Value::Text("sleep".into()))]);
/// let task: Task = value.to()?;
/// assert_eq!(task, Task { title: "sleep".to_string(), is_done: false, due: None });
/// assert_eq!(Value::of(&task)?.get("isDone"), Some(&Value::Bool(false)));
/// # Ok::<(), demat::Error>(())
/// ```
///
/// With notes for formats:
///
/// ```
/// use demat::{Decode, Encode, nbt, xml};
///
/// #[derive(Debug, PartialEq, Encode, Decode)]
/// struct Book {
///     #[demat(xml = "attribute", nbt = "byte")]
///     id: i64,
///     #[demat(xml = "wrapped author")]
///     authors: Vec<String>,
/// }
///
/// let book = Book { id: 7, authors: vec!["A".into(), "B".into()] };
/// let text = r#"<Book id="7"><authors><author>A</author><author>B</author></authors></Book>"#;
/// assert_eq!(xml::decode::<Book>(text.as_bytes())?, book);
/// assert!(nbt::encode(&book)?.starts_with(b"\x0a\0\0\x01\0\x02id\x07"));
/// # Ok::<(), demat::Error>(())
/// ```
///
/// ```compile_fail
/// #[derive(demat::Decode)]
/// struct Book {
///     #[demat(xml = "atribute")] // `atribute` is no note for xml; its notes are element, attribute, …
///     id: i64,
/// }
/// ```
#[cfg(feature = "derive")]
pub use demat_derive::Decode;

/// Encodes a value into any sink; the derive writes the code of it:
///
/// ```
/// use demat::{Encode, Shaped, Value};
///
/// #[derive(Shaped, Encode)]
/// struct Answer<'a> {
///     text: &'a str,
/// }
///
/// assert_eq!(Value::of(&Answer { text: "42" })?.get("text"), Some(&Value::Text("42".into())));
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "derive")]
pub use demat_derive::Encode;

/// Has a shape; the derive takes it from the type's definition:
///
/// ```
/// use demat::{Shape, Shaped};
///
/// #[derive(Shaped)]
/// struct Metres(f64);
///
/// assert_eq!(Metres::SHAPE, f64::SHAPE);
/// ```
#[cfg(feature = "derive")]
pub use demat_derive::Shaped;

#[cfg(feature = "formats")]
pub use demat_formats as formats;
#[cfg(feature = "formats")]
pub use demat_formats::{
    avro, cbor, csv, json, msgpack, nbt, ndjson, plist, proto, raw, region, snbt, stream, toml, txtpb, xml, yaml,
};

/// Definitions of Protocol Buffers as shapes, and shapes as definitions.
///
/// ```
/// let task: demat::Shape = "Task{id: int, title: text}".parse()?;
/// assert!(demat::proto_schema::to_proto(&task, "todo")?.ends_with("  int64 id = 1;\n  string title = 2;\n}\n"));
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "proto-schema")]
pub use demat_proto as proto_schema;

/// Columns of Arrow as sources and sinks; Arrow files and Parquet.
///
/// ```
/// let schema = demat::arrow::schema(&"[{id: int64}]".parse()?)?;
/// assert_eq!(demat::arrow::shape(&schema)?, "[{id: int64}]".parse()?);
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "arrow")]
pub use demat_arrow as arrow;

/// Collections of LMDB: records in the order of their keys, read where the pages are mapped.
///
/// ```
/// use demat::lmdb::{Part, key_of};
/// let (before, after) = (key_of(&[Part::from(-824)])?, key_of(&[Part::from(7), Part::from("a")])?);
/// assert!(before < after);
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "lmdb")]
pub use demat_lmdb as lmdb;

/// Reads and writes tables of PostgreSQL by binary `COPY`.
///
/// ```
/// use demat::{Shape, postgres::{Definition, TableName}};
/// let shape: Shape = "id: int #sql:key, at: instant?".parse()?;
/// let table = Definition::of(TableName::parse("app.events")?, &shape.row().expect("a record").get())?;
/// assert!(table.create()[0].contains(r#""at" timestamptz"#));
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "postgres")]
pub use demat_postgres as postgres;

/// Tables of SQLite as sources and sinks.
///
/// ```
/// let database = demat::sqlite::Database::memory()?;
/// database.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY)")?;
/// assert_eq!(database.tables()?, ["tasks"]);
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "sqlite")]
pub use demat_sqlite as sqlite;

/// Files, streams and compression as places, and the job that copies between them.
///
/// ```
/// use demat::place::{CopyJob, Format, Place};
/// let (from, to) = (Place::Given("rows".into()), Place::Given("nowhere".into()));
/// let job = CopyJob::new(from, Format::CSV, to, Format::NDJSON);
/// assert_eq!(job.reader(&b"id\n1\n2\n"[..]).writer(std::io::empty()).run()?.records, 2);
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "place")]
pub use demat_place as place;
#[cfg(feature = "place")]
pub use demat_place::{TypedRecords, read, read_as, write, write_as};

/// Places with references: folders, values in memory, and stores over stores.
///
/// ```
/// use demat::store::{Memory, Query, Store, When, ValueBody, collected};
/// let store = Memory::new();
/// let at = ["first".to_string()];
/// store.put(&at, &mut ValueBody(&demat::Value::Bool(true)), &When::Absent)?;
/// assert_eq!(collected(&store, &at, &Query::default())?, demat::Value::Bool(true));
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "store")]
pub use demat_store as store;

/// Tables of SQLite as stores.
///
/// ```
/// use demat::{sqlite::Database, store::{Query, Store}};
/// use demat::sqlite_store::{Table, TableOptions};
/// let shape = "id: int? #sql:key, title: text".parse()?;
/// let tasks = Table::of(&Database::memory()?, "tasks", Some(&shape), &TableOptions::default())?;
/// assert_eq!(tasks.count(&[], &Query::default())?, Some(0));
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "sqlite-store")]
pub use demat_sqlite_store as sqlite_store;

/// Collections of LMDB as stores.
///
/// ```
/// use demat::{lmdb::{Environment, Options, Wanted}, lmdb_store::Records, store::{Query, Store}};
/// # let folder = std::env::temp_dir().join(format!("demat-lmdb-store-{}", std::process::id()));
/// # let path = &folder;
/// let environment = Environment::open(path, &Options::default())?;
/// let wanted = Wanted { shape: Some("id: int #sql:key, title: text".parse()?), ..Wanted::default() };
/// let tasks = Records::of(&environment.collection("tasks", &wanted)?)?;
/// assert_eq!(tasks.count(&[], &Query::default())?, Some(0));
/// # drop((tasks, environment));
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "lmdb-store")]
pub use demat_lmdb_store as lmdb_store;

/// Tables of PostgreSQL as stores.
///
/// ```no_run
/// use demat::postgres_store::{Base, BaseOptions, Table};
/// use demat::{postgres::Address, store::{Query, Store}};
/// let base = Base::open(&Address::parse("postgresql://ada@localhost/tasks")?, &BaseOptions::default())?;
/// let tasks = Table::of(&base, "tasks", None)?;
/// assert_eq!(tasks.count(&[], &Query::parse("done=false")?)?, Some(0));
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "postgres-store")]
pub use demat_postgres_store as postgres_store;

/// Any store over HTTP, and a store that is somebody else's.
///
/// ```
/// use demat::http::{Mount, Options, Server};
/// use demat::store::Memory;
/// let routes = vec![("/notes".to_string(), Mount::Store(std::sync::Arc::new(Memory::new())))];
/// let server = Server::bind(routes, Options { port: 0, ..Options::default() })?;
/// assert_ne!(server.address().port(), 0);
/// # Ok::<(), demat::Error>(())
/// ```
#[cfg(feature = "http")]
pub use demat_http as http;

/// The examples of the README, run.
#[cfg(all(doctest, feature = "formats", feature = "derive"))]
#[doc = include_str!("../../../README.md")]
struct Readme;
