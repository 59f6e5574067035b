use demat_core::{Encode, Sink};
use demat_lmdb::{Environment, Key, Options, Wanted};
use demat_lmdb_store::Records;
use demat_place::Format;
use demat_sqlite::Database;
use demat_sqlite_store::{Table, TableOptions};
use demat_store::{Encoded, Fault, Memory, Query, Reference, Store, When, collected, fault_of, representation};
use std::sync::OnceLock;

/// A reference and, behind a line break, a query, of any text: what is one is written as text that says the same, and a table
/// and a collection answer it, or say what is wrong with it; never is the wrong in the SQL.
pub fn store_questions(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let (reference, query) = text.split_once('\n').unwrap_or((text, ""));
    let Ok(at) = reference.parse::<Reference>() else { return };
    let written = at.to_string();
    // What is written anew may be too long to be read, as more of it is encoded.
    if written.len() <= 8 * 1024 {
        assert_eq!(written.parse::<Reference>().expect("what was written is read"), at, "{written}");
    }
    assert_eq!(Reference::of(at.to_vec()), at);
    let Ok(query) = Query::parse(query) else { return };
    let written = query.to_string();
    assert_eq!(Query::parse(&written).expect("what was written is read"), query, "{written}");
    let (table, records, memory) = stores();
    for at in [&at[..], &[]] {
        for store in [table as &dyn Store, records] {
            match store.encoded(at, &query, Format::JSON, usize::MAX) {
                Ok(json) => assert!(json.is_some_and(|json| !json.is_empty())),
                Err(error) => {
                    let fault = fault_of(&error);
                    assert!(matches!(fault, Some(Fault::BadQuery | Fault::NotFound)), "{at:?} {query}: {error}");
                }
            }
        }
        if let Ok(value) = collected(memory, at, &query) {
            let tell = |sink: &mut dyn Sink| value.encode(sink).and_then(|()| sink.finish());
            representation(Format::JSON, usize::MAX, tell).expect("JSON of what was JSON");
        }
    }
}

const ROWS: &str = r#"[{"id":1,"title":"a","done":true,"due":"2026-01-02","at":"2026-01-02T03:04:05Z","part":0.5,"limit":"x"},
{"id":2,"title":"B%_","done":false,"due":null,"at":null,"part":null,"limit":null}]"#;

/// The same rows as a table, as a collection, and in memory.
fn stores() -> &'static (Table, Records, Memory) {
    static STORES: OnceLock<(Table, Records, Memory)> = OnceLock::new();
    STORES.get_or_init(|| {
        let database = Database::memory().expect("a database");
        let shape = "id: int #sql:key, title: text, done: bool, due: date?, at: instant?, part: float?, limit: text?";
        let shape: demat_core::Shape = shape.parse().expect("a shape");
        let table = Table::of(&database, "rows", Some(&shape), &TableOptions::default()).expect("a table");
        // Nothing removes a folder of a static; the system does.
        let folder = tempfile::tempdir().expect("a folder").keep();
        let environment = Environment::open(&folder, &Options::default()).expect("an environment");
        let key = Some(Key::Fields(vec!["id".to_string()]));
        let wanted = Wanted { shape: Some(shape.clone()), key, ..Wanted::default() };
        let records = environment.collection("rows", &wanted).and_then(|own| Records::of(&own)).expect("a collection");
        let memory = Memory::new();
        let rows = || Encoded::new(Format::JSON, ROWS.as_bytes());
        table.post(&[], &mut rows()).expect("rows");
        records.post(&[], &mut rows()).expect("rows");
        memory.put(&[], &mut rows(), &When::Always).expect("rows");
        (table, records, memory)
    })
}
