//! What a client prefers of an answer (RFC 7240).

mod support;

use demat_http::{Mount, Options, Route, Server, Token};
use demat_sqlite::Database;
use demat_sqlite_store::{Table, TableOptions};
use demat_store::Memory;
use std::sync::Arc;
use support::{Got, Running};

const JSON: &str = "content-type: application/json\r\n";

fn sent(own: &Running, method: &str, target: &str, prefer: &str, body: &str) -> Got {
    own.ask(method, target, &format!("prefer: {prefer}\r\n{JSON}"), body)
}

fn tasks() -> Running {
    let own = Running::new(Options::default());
    let rows = r#"[{"title":"a"},{"title":"b","completed":true},{"title":"c","completed":true}]"#;
    assert_eq!(own.ask("POST", "/tasks", JSON, rows).status, 201);
    own
}

const A: &str = r#"{"id":1,"title":"a","completed":false,"order":null}"#;

#[test]
fn a_change_returns_what_is_preferred() {
    let own = tasks();
    for (prefer, has_body, has_tag) in [
        ("return=minimal", false, false),
        ("return=headers-only", false, true),
        ("Return=\"representation\"", true, true),
    ] {
        let made = sent(&own, "POST", "/tasks", prefer, r#"{"title":"x"}"#);
        assert_eq!((made.status, !made.body.is_empty(), made.header("etag").is_some()), (201, has_body, has_tag));
        assert!(made.header("location").unwrap().starts_with("http://localhost/tasks/"));
        let applied = prefer.to_ascii_lowercase().replace('"', "");
        assert_eq!(made.header("preference-applied"), Some(&*applied));
        for (method, body) in [("PATCH", r#"{"order":1}"#), ("PUT", r#"{"title":"y"}"#)] {
            let changed = sent(&own, method, "/tasks/1", prefer, body);
            let status = if has_body { 200 } else { 204 };
            assert_eq!(
                (changed.status, !changed.body.is_empty(), changed.header("etag").is_some()),
                (status, has_body, has_tag)
            );
            assert_eq!(changed.header("preference-applied"), Some(&*applied));
        }
    }
    let plain = own.ask("PATCH", "/tasks/1", JSON, r#"{"order":1}"#);
    assert_eq!((plain.status, plain.header("preference-applied")), (200, None));
}

#[test]
fn what_is_deleted_is_returned() {
    let own = tasks();
    let one = own.ask("DELETE", "/tasks/1", "prefer: return=representation\r\n", "");
    assert_eq!((one.status, one.text()), (200, A.to_string()));
    let rest = own.ask("DELETE", "/tasks?completed=true", "prefer: return=representation\r\naccept: text/csv\r\n", "");
    assert_eq!((rest.status, rest.header("demat-count")), (200, Some("2")));
    assert_eq!(rest.text(), "id,title,completed,order\n2,b,true,\n3,c,true,\n");
    assert_eq!(rest.header("preference-applied"), Some("return=representation"));
    assert_eq!(own.get("/tasks").text(), "[]");
    let none = own.ask("DELETE", "/tasks?completed=true", "prefer: return=representation\r\n", "");
    assert_eq!((none.status, none.text(), none.header("demat-count")), (200, "[]".to_string(), Some("0")));
    assert_eq!(own.ask("DELETE", "/tasks/1", "prefer: return=representation\r\n", "").status, 404);
}

#[test]
fn what_is_patched_by_conditions_is_returned() {
    let own = tasks();
    // The rows no longer meet the condition once they are patched.
    let patched = sent(&own, "PATCH", "/tasks?completed=true", "return=representation", r#"{"completed":false}"#);
    assert_eq!((patched.status, patched.header("demat-count")), (200, Some("2")));
    let row = |id: u32, title: &str| format!(r#"{{"id":{id},"title":"{title}","completed":false,"order":null}}"#);
    assert_eq!(patched.text(), format!("[{},{}]", row(2, "b"), row(3, "c")));
    let tag = own.get("/tasks").header("etag").unwrap().to_string();
    sent(&own, "PATCH", "/tasks/1", "return=minimal", r#"{"order":3}"#);
    let late = own.ask(
        "PATCH",
        "/tasks?completed=false",
        &format!("{JSON}prefer: return=representation\r\nif-match: {tag}\r\n"),
        r#"{"order":9}"#,
    );
    assert_eq!(late.status, 412);
    assert_eq!(own.get("/tasks?count&order.eq=9").text(), r#"{"count":0}"#);
}

#[test]
fn several_added_records_are_returned() {
    let own = tasks();
    let made = sent(&own, "POST", "/tasks", "return=representation", r#"[{"title":"x"},{"title":"y","order":2}]"#);
    assert_eq!((made.status, made.header("demat-count")), (201, Some("2")));
    assert_eq!(
        made.text(),
        r#"[{"id":4,"title":"x","completed":false,"order":null},{"id":5,"title":"y","completed":false,"order":2}]"#
    );
    let one = sent(&own, "POST", "/tasks", "return=representation", r#"{"title":"z"}"#);
    assert_eq!(one.text(), r#"{"id":6,"title":"z","completed":false,"order":null}"#);
}

#[test]
fn duplicates_are_merged() {
    let own = tasks();
    let body = r#"[{"id":2,"order":7},{"id":9,"title":"new"},{"title":"newer"}]"#;
    let merged = sent(&own, "POST", "/tasks", "resolution=merge-duplicates, return=representation", body);
    assert_eq!((merged.status, merged.header("demat-count")), (201, Some("3")), "{}", merged.text());
    assert_eq!(merged.header("preference-applied"), Some("return=representation, resolution=merge-duplicates"));
    assert_eq!(
        merged.text(),
        concat!(
            r#"[{"id":2,"title":"b","completed":true,"order":7},{"id":9,"title":"new","completed":false,"order":null},"#,
            r#"{"id":10,"title":"newer","completed":false,"order":null}]"#
        )
    );
    let again = sent(&own, "POST", "/tasks", "resolution=merge-duplicates", r#"{"id":2,"order":8}"#);
    assert_eq!((again.status, again.header("demat-count")), (204, Some("1")));
    // All or none.
    let bad = sent(&own, "POST", "/tasks", "resolution=merge-duplicates", r#"[{"id":2,"order":1},{"id":77}]"#);
    assert_eq!(bad.status, 422, "{}", bad.text());
    assert!(bad.text().contains("title"), "{}", bad.text());
    assert_eq!(own.get("/tasks/2?fields=order").text(), r#"{"order":8}"#);
    // Without the preference, a duplicate is a conflict.
    assert_eq!(own.ask("POST", "/tasks", JSON, r#"[{"id":2,"title":"x"}]"#).status, 409);
}

#[test]
fn a_page_has_the_number_of_all_records() {
    let own = tasks();
    let page = own.ask("GET", "/tasks?completed=true&limit=1", "prefer: count=exact\r\n", "");
    assert_eq!((page.status, page.header("demat-count")), (200, Some("2")));
    assert_eq!(page.header("preference-applied"), Some("count=exact"));
    let known = format!("prefer: count=exact\r\nif-none-match: {}\r\n", page.header("etag").unwrap());
    let again = own.ask("GET", "/tasks?completed=true&limit=1", &known, "");
    assert_eq!((again.status, again.header("demat-count")), (304, Some("2")));
    assert_eq!(own.ask("HEAD", "/tasks", "prefer: count=exact\r\n", "").header("demat-count"), Some("3"));
    assert_eq!(own.ask("GET", "/tasks/1", "prefer: count=exact\r\n", "").status, 400, "a row has no count");
}

#[test]
fn what_can_not_be_honoured_is_refused() {
    let own = tasks();
    let before = own.get("/tasks").text();
    for (method, target, prefer) in [
        ("GET", "/tasks", "return=minimal"),
        ("GET", "/tasks", "resolution=merge-duplicates"),
        ("GET", "/tasks", "count=planned"),
        ("GET", "/tasks?count", "count=exact"),
        ("POST", "/tasks", "return=everything"),
        ("POST", "/tasks", "return"),
        ("POST", "/tasks", "resolution=ignore-duplicates"),
        ("POST", "/tasks", "count=exact"),
        ("POST", "/tasks", "handling=strict, respond-async"),
        ("POST", "/tasks", "handling=so"),
        ("PUT", "/tasks/1", "resolution=merge-duplicates"),
        ("PATCH", "/tasks/1", "count=exact"),
        ("DELETE", "/tasks/1", "resolution=merge-duplicates"),
        ("DELETE", "/tasks/1", "count=exact"),
        ("POST", "/notes", "resolution=merge-duplicates"),
    ] {
        let body = if matches!(method, "GET" | "DELETE") { "" } else { r#"{"id":1,"title":"z"}"# };
        let got = own.ask(method, target, &format!("prefer: {prefer}\r\n"), body);
        assert_eq!(got.status, 400, "{method} {target} {prefer}: {}", got.text());
    }
    assert_eq!(own.get("/tasks").text(), before);
    // RFC 7240: an unknown preference is ignored, unless the client is strict.
    let lenient = own.ask("GET", "/tasks", "prefer: respond-async, wait=10\r\n", "");
    assert_eq!((lenient.status, lenient.header("preference-applied")), (200, None));
    // Any store that has versions tells what it deletes.
    own.ask("PUT", "/notes/a", JSON, "[1]");
    assert_eq!(own.ask("DELETE", "/notes/a", "prefer: return=representation\r\n", "").text(), "[1]");
}

#[test]
fn a_table_without_a_primary_key_merges_nothing() {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE logs (line TEXT)").unwrap();
    let table = Table::of(&database, "logs", None, &TableOptions::default()).unwrap();
    let routes =
        [Route::new("/logs", Mount::Store(Arc::new(table))), Route::new("/m", Mount::Store(Arc::new(Memory::new())))];
    let server = Server::bind(routes, Options { port: 0, ..Options::default() }).unwrap();
    let (address, stopper) = (server.address(), server.stopper());
    let thread = std::thread::spawn(move || server.run());
    let ask = |method: &str, target: &str, prefer: &str, body: &str| {
        use std::io::{Read as _, Write as _};
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let head = format!(
            "{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{JSON}prefer: {prefer}\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        support::parsed(&answer)
    };
    let merged = ask("POST", "/logs", "resolution=merge-duplicates", r#"[{"line":"a"}]"#);
    assert_eq!(merged.status, 400, "{}", merged.text());
    assert!(merged.text().contains("no primary key"), "{}", merged.text());
    let made = ask("POST", "/logs", "return=representation", r#"[{"line":"a"},{"line":"b"}]"#);
    assert_eq!((made.status, made.text()), (201, r#"[{"line":"a"},{"line":"b"}]"#.to_string()));
    let patched = ask("PATCH", "/logs?line=a", "return=representation", r#"{"line":"c"}"#);
    assert_eq!(patched.status, 400, "rows without a key can't be found again: {}", patched.text());
    stopper.stop();
    thread.join().unwrap().unwrap();
}

/// Serves a table with tokens, by a route with some methods.
fn guarded(methods: Option<Vec<http::Method>>) -> (Server, Database) {
    let database = Database::memory().unwrap();
    database.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT)").unwrap();
    database.execute("INSERT INTO tasks VALUES (1, 'secret')").unwrap();
    let table = Table::of(&database, "tasks", None, &TableOptions::default()).unwrap();
    let mut route = Route::new("/tasks", Mount::Store(Arc::new(table)));
    if let Some(methods) = methods {
        route = route.methods(methods);
    }
    let tokens = vec![Token::new("writer", ["write"]), Token::new("both", ["read", "write"])];
    (Server::bind([route], Options { port: 0, tokens, ..Options::default() }).unwrap(), database)
}

fn asked(server: Server, requests: &[(&str, &str, &str, &str, &str)]) -> Vec<Got> {
    use std::io::{Read as _, Write as _};
    let (address, stopper) = (server.address(), server.stopper());
    let thread = std::thread::spawn(move || server.run());
    let ask = |(token, method, target, prefer, body): &(&str, &str, &str, &str, &str)| {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        let prefer = if prefer.is_empty() { String::new() } else { format!("prefer: {prefer}\r\n") };
        write!(
            stream,
            "{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
             {prefer}{JSON}content-length: {}\r\n\r\n{body}",
            body.len()
        )
        .unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        support::parsed(&answer)
    };
    let answers = requests.iter().map(ask).collect();
    stopper.stop();
    thread.join().unwrap().unwrap();
    answers
}

#[test]
fn who_may_only_write_is_told_nothing() {
    let all = "return=representation";
    let requests = [
        ("writer", "PATCH", "/tasks?where=id%20%3D%201", all, "{}"),
        ("writer", "PATCH", "/tasks/1", all, "{}"),
        ("writer", "PATCH", "/tasks/1", "", "{}"),
        ("writer", "PUT", "/tasks/1", "", r#"{"title":"x"}"#),
        ("writer", "POST", "/tasks", "", r#"{"title":"y"}"#),
        ("both", "PATCH", "/tasks/1", "", "{}"),
    ];
    let (server, _) = guarded(None);
    let answers = asked(server, &requests);
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [403, 403, 204, 204, 201, 200]);
    assert!(answers[2..5].iter().all(|answer| answer.body.is_empty()));
    assert!(!answers[..2].iter().any(|answer| answer.text().contains("secret")));
}

#[test]
fn what_only_takes_new_records_merges_none() {
    let (server, database) = guarded(Some(vec![http::Method::GET, http::Method::POST]));
    let merge = "resolution=merge-duplicates";
    let answers = asked(server, &[("both", "POST", "/tasks", merge, r#"[{"id":1,"title":"x"}]"#)]);
    assert_eq!(answers[0].status, 403, "{}", answers[0].text());
    database.execute("SELECT 1").unwrap();
}

#[test]
fn an_empty_token_is_refused() {
    for options in [
        Options { token: Some(String::new()), ..Options::default() },
        Options { tokens: vec![Token::new("", ["read"])], ..Options::default() },
        Options { token: Some("a b".to_string()), ..Options::default() },
    ] {
        let routes = [Route::new("/m", Mount::Store(Arc::new(Memory::new())))];
        let error = Server::bind(routes, Options { port: 0, ..options }).err().unwrap();
        assert!(error.reason().contains("a token has visible ASCII characters"), "{error}");
    }
}

#[test]
fn what_is_changed_needs_no_format_unless_it_is_returned() {
    let own = tasks();
    let plain = own.ask("DELETE", "/tasks?completed=true", "accept: text/plain\r\n", "");
    assert_eq!((plain.status, plain.header("demat-count")), (204, Some("2")));
    let returned = own.ask("DELETE", "/tasks?id=1", "accept: text/plain\r\nprefer: return=representation\r\n", "");
    assert_eq!(returned.status, 406);
}
