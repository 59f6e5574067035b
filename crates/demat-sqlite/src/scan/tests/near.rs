//! Rows of a leaf that are written together equal the rows of a statement.

use crate::database::Database;
use crate::param::Param;
use crate::scan::PagedRows;
use crate::source::{RowSource, copy_rows};
use demat_core::{Result, Shape};
use demat_formats::json::CompactSink;
use demat_formats::{Keep, Output};
use proptest::prelude::*;

/// A value for a row's column: mostly one of its field's kind.
fn value() -> impl Strategy<Value = Param> {
    prop_oneof![
        20 => any::<i64>().prop_map(Param::Int),
        10 => (0i64..3).prop_map(Param::Int),
        1 => any::<f64>().prop_filter("NaN is none", |value| !value.is_nan()).prop_map(Param::Real),
        1 => Just(Param::Null),
        1 => "[a-z\"\\\\é]{0,12}".prop_map(Param::Text),
        1 => proptest::collection::vec(any::<u8>(), 0..5).prop_map(Param::Blob),
    ]
}

fn text() -> impl Strategy<Value = Param> {
    prop_oneof![
        30 => "[a-z\"\\\\é\n]{0,40}".prop_map(Param::Text),
        2 => Just(Param::Null),
        1 => (0usize..6000).prop_map(|len| Param::Text("x".repeat(len))),
        1 => any::<i64>().prop_map(Param::Int),
    ]
}

fn encoded(rows: PagedRows, shape: &Shape) -> Result<String> {
    let mut sink = CompactSink::new(Output::new(Vec::new(), Keep));
    copy_rows(&mut RowSource::new(rows, &[]), shape, &mut sink)?;
    Ok(String::from_utf8(sink.into_output().into_parts().0).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn are_what_a_statement_tells(
        rows in proptest::collection::vec((value(), text(), value(), value()), 0..200),
        plain in any::<bool>(),
        late in any::<bool>(),
        kinds in (0usize..4, 0usize..3, 0usize..4),
    ) {
        let database = Database::memory().unwrap();
        database.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, a, b, c REAL)").unwrap();
        for (a, b, c, _) in &rows {
            let a = if plain { Param::Int(7) } else { a.clone() };
            let c = if plain { Param::Int(3) } else { c.clone() };
            database.change("INSERT INTO t(a, b, c) VALUES (?, ?, ?)", &[a, b.clone(), c]).unwrap();
        }
        if late {
            // Existing rows have no value for it.
            database.execute("ALTER TABLE t ADD COLUMN d").unwrap();
            for (_, b, _, d) in &rows {
                database.change("INSERT INTO t(a, b, c, d) VALUES (1, ?, 1.5, ?)", &[b.clone(), d.clone()]).unwrap();
            }
        }
        let a = ["int", "any", "int?", "bool?"][kinds.0];
        let b = ["text?", "any", "text"][kinds.1];
        let d = ["any", "int?", "text?", "float?"][kinds.2];
        let names = if late { "c, b, id, a, d" } else { "c, b, id, a" };
        let rest = if late { format!(", d: {d}") } else { String::new() };
        let shape: Shape = format!("[{{id: int, a: {a}, b: {b}, c: float?{rest}}}]").parse().unwrap();
        let sql = format!("SELECT {names} FROM t");
        let columns: Vec<String> = names.split(", ").map(str::to_string).collect();
        let statement = || database.statement(&sql).unwrap();
        let told = encoded(PagedRows::of_table(statement(), &database, "t", &columns, true), &shape);
        let wanted = encoded(statement().into(), &shape);
        prop_assert_eq!(told.map_err(|error| error.to_string()), wanted.map_err(|error| error.to_string()));
    }
}
