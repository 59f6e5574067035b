//! The model of a table.
#![allow(unreachable_pub)]

use crate::model::Model;
use demat_sqlite::Database;
use demat_sqlite_store::{Table, TableOptions};
use std::sync::Arc;

pub const TABLE: Model = Model {
    new: || {
        let database = Database::memory().unwrap();
        let shape = "id: int? #sql:key, title: text, done: bool = false, due: date?".parse().unwrap();
        Arc::new(Table::of(&database, "tasks", Some(&shape), &TableOptions::default()).unwrap())
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
