//! Records of other tables within a record, by foreign keys.

mod support;

use demat_http::{Mount, Options, Route, Server, Stopper, Token};
use demat_sqlite::Database;
use demat_sqlite_store::{Table, TableOptions, tables};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use support::Got;

const SCHEMA: &str = "
    CREATE TABLE countries (code TEXT PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT REFERENCES countries);
    CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author_id INTEGER REFERENCES authors (id),
        editor_id INTEGER REFERENCES authors (id), next INTEGER REFERENCES books);
    CREATE TABLE prints (book INTEGER REFERENCES books, number INTEGER, PRIMARY KEY (book, number));
    CREATE TABLE copies (id INTEGER PRIMARY KEY, book INTEGER, number INTEGER, prints TEXT,
        FOREIGN KEY (book, number) REFERENCES prints);
    INSERT INTO countries VALUES ('UK', 'Britain'), ('XX', 'Nowhere');
    INSERT INTO authors VALUES (1, 'Ada', 'UK'), (2, 'Bob', NULL), (3, 'Cy', 'ZZ');
    INSERT INTO books VALUES (1, 'A', 1, 2, 2), (2, 'B', 1, NULL, NULL), (3, 'C', NULL, 1, 1);
    INSERT INTO prints VALUES (1, 1), (1, 2), (3, 1);
    INSERT INTO copies VALUES (1, 1, 2, NULL), (2, 3, NULL, 'x')";

struct Shop {
    address: SocketAddr,
    stopper: Stopper,
    database: Database,
    thread: Option<std::thread::JoinHandle<demat_core::Result<()>>>,
    _folder: tempfile::TempDir,
}

impl Shop {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("shop.db")).unwrap();
        database.execute("PRAGMA foreign_keys = OFF").unwrap();
        for statement in SCHEMA.split(';') {
            database.execute(statement).unwrap();
        }
        Self::with(database, folder, |routes| routes, Options::default())
    }

    fn with(
        database: Database,
        folder: tempfile::TempDir,
        more: impl FnOnce(Vec<Route>) -> Vec<Route>,
        options: Options,
    ) -> Self {
        let all = tables(&database, &TableOptions::default()).unwrap();
        let routes = more(vec![Route::new("/", Mount::Store(Arc::new(all)))]);
        let server = Server::bind(routes, Options { port: 0, ..options }).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run()));
        Self { address, stopper, database, thread, _folder: folder }
    }

    fn ask(&self, target: &str, headers: &str) -> Got {
        let mut stream = TcpStream::connect(self.address).unwrap();
        write!(stream, "GET {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        support::parsed(&answer)
    }

    fn get(&self, target: &str) -> String {
        let got = self.ask(target, "");
        assert_eq!(got.status, 200, "{target}: {}", got.text());
        got.text()
    }
}

impl Drop for Shop {
    fn drop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }
}

#[test]
fn one_record_or_many_are_embedded() {
    let own = Shop::new();
    assert_eq!(
        own.get("/authors?embed=countries&order=-id&fields=id"),
        r#"[{"id":3,"countries":null},{"id":2,"countries":null},{"id":1,"countries":{"code":"UK","name":"Britain"}}]"#
    );
    assert_eq!(
        own.get("/authors?embed=books:author_id(title)&fields=name"),
        concat!(
            r#"[{"name":"Ada","books:author_id":[{"title":"A"},{"title":"B"}]},"#,
            r#"{"name":"Bob","books:author_id":[]},{"name":"Cy","books:author_id":[]}]"#
        )
    );
    assert_eq!(
        own.get("/books/1?embed=author_id:authors(name,%2Bcountries(name)),prints(number)&fields=title"),
        concat!(
            r#"{"title":"A","author_id:authors":{"name":"Ada","countries":{"name":"Britain"}},"#,
            r#""prints":[{"number":1},{"number":2}]}"#
        )
    );
    // A table that refers to itself, both ways.
    assert_eq!(
        own.get("/books?embed=next:books(title),books:next(title)&fields=id&limit=2"),
        concat!(
            r#"[{"id":1,"next:books":{"title":"B"},"books:next":[{"title":"C"}]},"#,
            r#"{"id":2,"next:books":null,"books:next":[{"title":"A"}]}]"#
        )
    );
    // A key of two columns.
    assert_eq!(
        own.get("/copies?embed=book%5C,number:prints&fields=id"),
        r#"[{"id":1,"book,number:prints":{"book":1,"number":2}},{"id":2,"book,number:prints":null}]"#
    );
    assert_eq!(
        own.ask("/authors?embed=countries&fields=id&format=ndjson&limit=1", "").text(),
        "{\"id\":1,\"countries\":{\"code\":\"UK\",\"name\":\"Britain\"}}\n"
    );
}

#[test]
fn what_is_embedded_counts_for_the_version() {
    let own = Shop::new();
    for target in ["/authors?embed=countries", "/authors/1?embed=countries"] {
        let tag = own.ask(target, "").header("etag").unwrap().to_string();
        let known = format!("if-none-match: {tag}\r\n");
        assert_eq!(own.ask(target, &known).status, 304);
        own.database.execute("UPDATE countries SET name = name || '!'").unwrap();
        assert_eq!(own.ask(target, &known).status, 200, "{target}");
    }
    assert_ne!(own.ask("/authors", "").header("etag"), own.ask("/authors?embed=countries", "").header("etag"));
}

#[test]
fn what_can_not_be_embedded_is_refused_with_the_choices() {
    let own = Shop::new();
    for (target, said) in [
        ("/authors?embed=nothing", "no foreign key is called `nothing`; there are `country:countries`"),
        ("/books?embed=authors", "several foreign keys; there are `author_id:authors`, `editor_id:authors`"),
        ("/authors?embed=books", "`books:author_id`, `books:editor_id`"),
        ("/books?embed=books", "`next:books`, `books:next`"),
        ("/copies?embed=prints", "`prints` is a field already; say `book,number:prints`"),
        ("/countries?embed=books", "no foreign key is called `books`"),
        ("/authors?embed=", "expected the name of a foreign key at column 1"),
        ("/authors?embed=countries(nothing)", "there is no field `nothing`"),
        ("/authors?embed=countries&embed=countries", "said twice"),
        ("/authors?embed=countries,countries", "embedded twice"),
        ("/authors?embed=countries&count", "can't be said besides"),
        ("/countries?embed=authors(%2Bbooks:author_id(%2Bprints(%2Bcopies)))", "3 deep at most"),
        ("/authors/1/name?embed=countries", "this is none"),
        ("/?embed=authors", "no foreign key is called `authors`; there are none"),
    ] {
        let got = own.ask(target, "");
        assert_eq!(got.status, 400, "{target}: {}", got.text());
        assert!(got.text().contains(said), "{target}: {}", got.text());
    }
    assert_eq!(own.ask("/authors/9?embed=countries", "").status, 404);
    // A table has columns only, and a record within is none.
    assert_eq!(own.ask("/authors?embed=countries&format=csv", "").status, 406);
}

#[test]
fn so_much_is_held_and_no_more() {
    let own = Shop::new();
    own.database
        .execute(
            "WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
             INSERT INTO books (id, title, author_id) SELECT i, 't', 2 FROM n",
        )
        .unwrap();
    for target in ["/books?embed=author_id:authors", "/authors?embed=books:author_id"] {
        let got = own.ask(target, "");
        assert_eq!(got.status, 400);
        assert!(got.text().contains("more than 10000 records"), "{}", got.text());
    }
    let page = own.get("/books?embed=author_id:authors(name)&fields=id&limit=9000");
    assert_eq!(page.matches("\"Bob\"").count(), 8997);
}

#[test]
fn the_description_lists_the_foreign_keys() {
    let own = Shop::new();
    let described = own.get("/openapi.json");
    let said = r#"{"name":"countries","alias":"country:countries","fields":["country"],"to":"/countries","toFields":["code"],"many":false}"#;
    assert!(described.contains(said), "{described}");
}

#[test]
fn what_another_route_serves_is_not_embedded() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::open(&folder.path().join("own.db")).unwrap();
    database.execute("CREATE TABLE staff (id INTEGER PRIMARY KEY, name TEXT)").unwrap();
    database.execute("CREATE TABLE pay (id INTEGER PRIMARY KEY, staff INTEGER REFERENCES staff, sum INTEGER)").unwrap();
    database.execute("CREATE TABLE desks (id INTEGER PRIMARY KEY, staff INTEGER REFERENCES staff)").unwrap();
    let pay = Table::of(&database, "pay", None, &TableOptions::default()).unwrap();
    let more = |mut routes: Vec<Route>| {
        routes.push(Route::new("/pay", Mount::Store(Arc::new(pay))).readers(["hr"]));
        routes
    };
    let tokens = vec![Token::new("a", ["read"]), Token::new("b", ["read", "hr"])];
    let own = Shop::with(database, folder, more, Options { tokens, ..Options::default() });
    for token in ["a", "b"] {
        let token = format!("authorization: Bearer {token}\r\n");
        for target in ["/staff?embed=pay", "/staff/1?embed=pay", "/desks?embed=staff:staff(%2Bpay)"] {
            let got = own.ask(target, &token);
            assert_eq!(got.status, 400, "{target}: {}", got.text());
            assert!(got.text().contains("served by another route"), "{target}: {}", got.text());
        }
        assert_eq!(own.ask("/staff?embed=desks", &token).text(), "[]");
    }
}

#[test]
fn copies_of_shared_records_are_counted() {
    let own = Shop::new();
    own.database
        .execute(
            "WITH RECURSIVE n (i) AS (SELECT 4 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
             INSERT INTO books (id, title, author_id) SELECT i, 't', 2 FROM n",
        )
        .unwrap();
    let got = own.ask("/books?embed=author_id:authors(%2Bbooks:author_id)&limit=9000", "");
    assert_eq!(got.status, 400);
    assert!(got.text().contains("too much to be held in memory"), "{}", got.text());
}
