//! Tests of the crate.

mod changes;
mod drifts;
mod environments;
mod indexes;
mod model;
mod packed;
mod scans;

use crate::{Collection, Encoding, Environment, Key, Options, Part, Put, Query, Scan, Sync, Wanted, key_of};
use demat_core::{Encode, Shape};

/// An environment in a folder that is removed.
pub(crate) struct Place {
    pub(crate) folder: tempfile::TempDir,
}

impl Place {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn open(&self) -> Environment {
        let options = Options { map_size: Some(64 << 20), sync: Sync::Off, ..Options::default() };
        Environment::open(self.folder.path(), &options).unwrap()
    }
}

/// What most tests open.
pub(crate) fn wanted(encoding: &str) -> Wanted {
    Wanted {
        shape: Some("id: int64, title: text, tags: [text] = [], due: date? = null".parse::<Shape>().unwrap()),
        key: Some(Key::Fields(vec!["id".into()])),
        encoding: Some(encoding.parse::<Encoding>().unwrap()),
        ..Wanted::default()
    }
}

/// A record as JSON.
pub(crate) fn json(id: i64, title: &str, tags: &[&str]) -> Vec<u8> {
    let quoted = |text: &str| format!("{text:?}");
    let tags: Vec<_> = tags.iter().map(|tag| quoted(tag)).collect();
    format!("{{\"id\":{id},\"title\":{},\"tags\":[{}]}}", quoted(title), tags.join(",")).into_bytes()
}

pub(crate) fn key(part: impl Into<Part<'static>>) -> Vec<u8> {
    key_of(&[part.into()]).unwrap()
}

pub(crate) fn put(collection: &Collection, records: &[Vec<u8>]) {
    let mut writing = collection.environment().write().unwrap();
    for record in records {
        collection.put(&mut writing, &collection.key_of(record).unwrap(), record, Put::Always).unwrap();
    }
    writing.commit().unwrap();
}

/// The records of a query.
pub(crate) fn read(collection: &Collection, query: &Query) -> Vec<Vec<u8>> {
    let mut scan = Scan::new(collection.environment().read().unwrap(), collection, query).unwrap();
    let mut records = Vec::new();
    while let Some(entry) = scan.next().unwrap() {
        records.push(entry.record.into_owned());
    }
    records
}

/// Encodes a value.
pub(crate) fn encoded<T: Encode>(value: &T) -> Vec<u8> {
    demat_formats::json::encode(value).unwrap()
}
