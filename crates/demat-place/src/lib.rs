//! Files, streams, databases and compression as **places** that Demat copies between.
//!
//! | is | type |
//! |---|---|
//! | the content of a place, by name or suffix | [`Format`], [`Compression`] |
//! | a file, or standard input and output | [`Place`] |
//! | a place open for reading: decompressed, its bytes counted | [`Input`] |
//! | any reader, decompressed | [`Unpacked`] |
//! | a place open for writing, which appears complete or not at all | [`Target`], [`AtomicFile`] |
//! | the typed records of a place | [`read`](read()), [`write`](write()) |
//! | a configurable copy from one place to another | [`CopyJob`] |
//! | a format over any reader or writer, without a job | [`tell`], [`sink`](sink()) |
//! | a table of a database | [`DatabasePlace`] |
//! | a collection of an LMDB environment | [`CollectionPlace`] |
//! | a condition on records, and on one of their fields | [`Where`], [`Condition`] |
//! | the shape of a place's records | [`schema`](schema()), [`tables`] |
//!
//! ```
//! # fn main() -> demat_core::Result<()> {
//! use demat_place::{CopyJob, Format, Place};
//! # let folder = tempfile::tempdir()?;
//! # let (from, to) = (folder.path().join("tasks.jsonl"), folder.path().join("tasks.json"));
//! # std::fs::write(&from, "{\"id\":1}\n{\"id\":2}\n")?;
//! let summary = CopyJob::new(Place::from(&from), Format::LINES, Place::from(&to), Format::JSON).run()?;
//! assert_eq!(summary.records, 2);
//! assert_eq!(std::fs::read_to_string(&to)?, "[{\"id\":1},{\"id\":2}]\n");
//! # Ok(())
//! # }
//! ```
#![forbid(unsafe_code)]

#[cfg(not(all(feature = "lmdb", feature = "postgres", feature = "sqlite")))]
mod absent;
mod at;
mod atomic_file;
mod codec;
mod collection;
mod columnar;
mod condition;
mod database;
mod early_sync;
mod edit;
mod encoding;
mod fields;
mod flatten;
mod folder;
mod host;
mod input;
mod job;
mod joined;
mod lift;
mod magic;
mod media_type;
mod on_error;
mod out;
mod path_field;
mod place;
#[cfg(any(feature = "postgres", feature = "sqlite"))]
mod plain_notes;
mod plan;
mod read;
mod reading;
mod records;
mod rejected_record;
mod rejects;
mod renamed;
mod sample;
mod schema;
mod server;
mod sinks;
mod summary;
mod table;
mod take;
mod target;
mod temporaries;
mod unpacked;
mod write;
mod written;

pub use at::record_path;
pub use atomic_file::AtomicFile;
pub use codec::{sink, tell};
pub use collection::CollectionPlace;
#[cfg(feature = "arrow")]
pub use columnar::ColumnBatches;
pub use condition::{
    Bound, Condition, Number, Term, Test, Where, WhereSink, against, compare, ends_escaping, like_pattern,
};
pub use database::{DatabasePlace, Part};
pub use demat_formats::codec::{ReadOptions, WriteOptions};
pub use demat_formats::stream::RecordPath;
pub use demat_formats::{Compression, Format, TakenName, UnknownFormat};
pub use edit::EditJob;
pub use encoding::Encoding;
pub use fields::projected;
pub use host::Host;
pub use input::{Input, Progress};
pub use job::{CopyJob, CopyTarget};
pub use lift::lift;
pub use media_type::media_type;
pub use on_error::OnError;
pub use place::Place;
pub use plan::{InferredShape, OneMessage};
pub use read::{TypedRecords, read, read_as};
pub use records::Records;
pub use rejected_record::RejectedRecord;
pub use rejects::Rejects;
pub use sample::Sample;
pub use schema::{collections, learnt, schema, schema_at, server_tables, tables};
pub use server::ServerPlace;
#[cfg(feature = "postgres")]
pub use server::{sql_code_points, sql_comparison, sql_comparison_of};
pub use summary::Summary;
pub use target::Target;
pub use temporaries::{Held as HeldTemporaries, remove as remove_temporaries};
pub use unpacked::Unpacked;
pub use write::{write, write_as};
