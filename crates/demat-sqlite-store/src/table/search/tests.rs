use super::options;
use crate::{Table, TableOptions};
use demat_sqlite::Database;
use demat_store::{BulkChange, Fault, Query, Store, When, fault_of};

fn notes(index: &str) -> Table {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE \"my notes\" (id INTEGER PRIMARY KEY, title TEXT, body TEXT)").unwrap();
    database.execute(index).unwrap();
    let rows = "(1, 'Milk', 'buy milk and bread'), (2, 'Trip', 'milk \"the\" cow'), (3, 'NEAR', 'x OR y')";
    database.execute(&format!("INSERT INTO \"my notes\" VALUES {rows}")).unwrap();
    if !index.is_empty() && index.contains("fts") {
        database.execute("INSERT INTO fts (fts) VALUES ('rebuild')").unwrap();
    }
    Table::of(&database, "my notes", None, &TableOptions::default()).unwrap()
}

const INDEXES: [&str; 3] = [
    "CREATE VIRTUAL TABLE fts USING fts5(title, body, content='my notes', content_rowid='id')",
    "CREATE VIRTUAL TABLE fts USING fts5 (title, body, content = \"my notes\")",
    "CREATE VIRTUAL TABLE fts USING FTS4(title, body, content=\"my notes\")",
];

fn counted(own: &Table, query: &str) -> demat_core::Result<Option<u64>> {
    own.count(&[], &Query::parse(query)?)
}

#[test]
fn rows_with_all_words_are_found() {
    for index in INDEXES {
        let own = notes(index);
        for (query, count) in [
            ("search=milk", 2),
            ("search=milk+bread", 1),
            ("search=MILK&id.gt=1", 1),
            ("search=%22the%22", 1),
            ("search=near", 1),
            ("search=x+OR", 1),
            ("search=milk&where=not id = 1", 1),
            ("search=nothing", 0),
            ("search=title:milk", 0),
        ] {
            assert_eq!(counted(&own, query).unwrap(), Some(count), "{index} {query}");
        }
        assert_eq!(
            own.change_each(&[], &Query::parse("search=bread").unwrap(), BulkChange::Delete, &When::Always).unwrap(),
            1
        );
    }
}

#[test]
fn words_are_no_query_of_the_index() {
    for index in INDEXES {
        let own = notes(index);
        for text in ["(", "milk AND", "*", "-", "NEAR(", "a\"b", "^x", "milk OR", "{title}: x", "'"] {
            let query = Query { search: Some(text.to_string()), ..Query::default() };
            own.count(&[], &query).unwrap_or_else(|error| panic!("{text}: {error}"));
        }
        for text in ["", " ", "\"", &"a ".repeat(65)] {
            let query = Query { search: Some(text.to_string()), ..Query::default() };
            assert_eq!(fault_of(&own.count(&[], &query).unwrap_err()), Some(Fault::BadQuery), "{text}");
        }
    }
}

#[test]
fn the_index_itself_is_searched() {
    let database = Database::memory().unwrap();
    database.execute("CREATE VIRTUAL TABLE mails USING fts5(subject, body)").unwrap();
    database.execute("INSERT INTO mails VALUES ('a', 'milk'), ('b', 'x')").unwrap();
    let own = Table::of(&database, "mails", None, &TableOptions::default()).unwrap();
    assert_eq!(counted(&own, "search=milk").unwrap(), Some(1));
}

#[test]
fn without_an_index_nothing_is_searched() {
    let own = notes("CREATE TABLE other (x)");
    assert_eq!(fault_of(&counted(&own, "search=milk").unwrap_err()), Some(Fault::BadQuery));
}

#[test]
fn options_are_read_from_the_definition() {
    let told =
        options("CREATE VIRTUAL TABLE x USING fts5(a, \"b,c\", content='it''s, all', tokenize = 'porter')").unwrap();
    assert_eq!(
        told,
        [("content".to_string(), "it's, all".to_string()), ("tokenize".to_string(), "porter".to_string())]
    );
    assert_eq!(options("CREATE VIRTUAL TABLE x USING rtree(a, b, c)"), None);
}
