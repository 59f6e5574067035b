//! The model of a table.
#![allow(unreachable_pub)]

use crate::model::Model;
use crate::{Connection, server};
use demat_core::Shape;
use demat_postgres::{Definition, TableName};
use demat_postgres_store::{Base, BaseOptions, Table};
use std::sync::Arc;

pub const TABLE: Model = Model {
    new: || {
        let address = server::schema().unwrap();
        let shape: Shape = "id: int? #sql:key, title: text, done: bool = false, due: date?".parse().unwrap();
        let record = shape.row().unwrap().get().clone();
        let definition = Definition::of(TableName::parse("tasks").unwrap(), &record).unwrap();
        Connection::open(&address).unwrap().create(&definition).unwrap();
        let options = BaseOptions { connections: 1, ..BaseOptions::default() };
        let base = Base::open(&address, &options).unwrap();
        Arc::new(Table::of(&base, "tasks", Some(&shape)).unwrap())
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
