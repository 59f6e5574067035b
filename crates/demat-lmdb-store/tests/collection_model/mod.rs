//! The model of a collection.
#![allow(unreachable_pub)]

use crate::model::Model;
use demat_core::Result;
use demat_lmdb::{Environment, Key, Options, Sync, Wanted};
use demat_lmdb_store::Records;
use demat_store::{BulkChange, Layer, Node, Query, Store, When};
use std::sync::Arc;
use tempfile::TempDir;

/// A collection whose folder is removed with it.
struct Temporary {
    records: Records,
    _folder: TempDir,
}

impl Layer for Temporary {
    fn below(&self) -> &dyn Store {
        &self.records
    }

    fn describe(&self) -> Node {
        self.records.describe()
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        self.records.change_each(at, query, each, when)
    }
}

pub const COLLECTION: Model = Model {
    new: || {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { map_size: Some(1 << 24), sync: Sync::Off, ..Options::default() };
        let environment = Environment::open(folder.path(), &options).unwrap();
        let shape = "id: int64 = 0, title: text, done: bool = false, due: date?".parse().unwrap();
        let key = Some(Key::Fields(vec!["id".into()]));
        let wanted = Wanted { shape: Some(shape), key, ..Wanted::default() };
        let records = Records::of(&environment.collection("tasks", &wanted).unwrap()).unwrap();
        Arc::new(Temporary { records, _folder: folder })
    },
    places: &["/", "/1", "/2", "/1/title", "/2/done", "/x", "/1/none"],
    values: &[
        r#"{"title":"a"}"#,
        r#"{"title":"b","due":"2026-01-02"}"#,
        r#"{"id":2,"title":"c","done":true}"#,
        r#"{"done":true}"#,
        r#"{"title":5}"#,
        "{}",
        r#"[{"id":1,"title":"d"},{"title":"e"}]"#,
        r#"[{"id":1,"title":"d"},{"id":1,"title":"e"}]"#,
        r#""text""#,
        "true",
    ],
    queries: &["", "order=-id", "title=a&fields=id", "done=true", "none=1"],
};
