//! Values are read, replaced, changed, added and deleted.

mod support;

use demat_http::Options;
use std::io::Write as _;
use support::Running;

const JSON: &str = "content-type: application/json\r\n";

#[test]
fn tasks_are_made_changed_and_deleted() {
    let own = Running::new(Options { urls: Some("url".into()), cors: vec!["*".into()], ..Options::default() });
    assert_eq!(own.get("/tasks").text(), "[]");
    let made = own.ask("POST", "/tasks", JSON, r#"{"title":"a"}"#);
    let task = r#"{"id":1,"title":"a","completed":false,"order":null,"url":"http://localhost/tasks/1"}"#;
    assert_eq!((made.status, made.text()), (201, task.to_string()));
    assert_eq!(made.header("location"), Some("http://localhost/tasks/1"));
    assert_eq!(made.header("access-control-allow-origin"), Some("*"));
    assert_eq!(own.get("/tasks").text(), format!("[{task}]"));
    assert_eq!(own.get("/tasks/1").text(), task);
    let changed = own.ask("PATCH", "/tasks/1", JSON, r#"{"completed":true,"order":9}"#);
    assert_eq!((changed.status, changed.text()), (200, task.replace("false", "true").replace("null", "9")));
    let put = own.ask("PUT", "/tasks/1", JSON, r#"{"title":"b"}"#);
    assert_eq!((put.status, put.text()), (200, task.replace("\"a\"", "\"b\"")));
    assert_eq!(own.ask("PUT", "/tasks/7", JSON, r#"{"title":"c"}"#).status, 201);
    assert_eq!(own.ask("DELETE", "/tasks/7", "", "").status, 204);
    assert_eq!(own.get("/tasks/7").status, 404);
    assert_eq!(own.ask("DELETE", "/tasks", "", "").status, 204);
    assert_eq!(own.get("/tasks").text(), "[]");
}

#[test]
fn a_value_is_had_in_the_format_that_is_wanted() {
    let own = Running::new(Options::default());
    own.ask("POST", "/tasks", JSON, r#"[{"title":"a"},{"title":"b","completed":true}]"#);
    let in_format = |accept: &str| own.ask("GET", "/tasks?fields=id,title", &format!("accept: {accept}\r\n"), "");
    assert_eq!(in_format("text/csv").text(), "id,title\n1,a\n2,b\n");
    assert_eq!(in_format("application/x-ndjson").text(), "{\"id\":1,\"title\":\"a\"}\n{\"id\":2,\"title\":\"b\"}\n");
    assert!(in_format("application/vnd.apache.arrow.stream").body.starts_with(&[0xff; 4]));
    assert_eq!(in_format("application/protobuf").body, b"\x05\x08\x01\x12\x01a\x05\x08\x02\x12\x01b");
    assert_eq!(in_format("image/png").status, 406);
    assert_eq!(own.get("/tasks?format=csv&fields=title").text(), "title\na\nb\n");
    assert_eq!(own.get("/tasks?completed=true&fields=id").text(), r#"[{"id":2}]"#);
    assert_eq!(own.get("/tasks?count&completed=true").text(), r#"{"count":1}"#);
    let page = own.get("/tasks?limit=1&order=-id&fields=id");
    assert_eq!(page.text(), r#"[{"id":2}]"#);
    assert_eq!(
        page.header("link"),
        Some("<http://localhost/tasks?order=-id&limit=1&offset=1&fields=id>; rel=\"next\"")
    );
    // And accepted in any format.
    let posted = own.ask("POST", "/tasks", "content-type: text/csv\r\n", "title,completed\nc,true\nd,false\n");
    assert_eq!((posted.status, posted.header("location")), (201, Some("http://localhost/tasks")));
    assert_eq!(
        own.get("/tasks?fields=title,completed&id.gt=2").text(),
        r#"[{"title":"c","completed":true},{"title":"d","completed":false}]"#
    );
    assert_eq!(own.ask("POST", "/tasks", "content-type: image/png\r\n", "x").status, 415);
}

#[test]
fn tags_tell_whether_it_has_changed() {
    let own = Running::new(Options::default());
    own.ask("POST", "/tasks", JSON, r#"{"title":"a"}"#);
    for target in ["/tasks", "/tasks/1"] {
        let first = own.get(target);
        let tag = first.header("etag").unwrap().to_string();
        let again = own.ask("GET", target, &format!("if-none-match: {tag}\r\n"), "");
        assert_eq!((again.status, again.text()), (304, String::new()));
        assert_eq!(again.header("etag"), Some(&*tag));
        let late =
            |method: &str| own.ask(method, "/tasks/1", &format!("{JSON}if-match: \"1-2\"\r\n"), r#"{"title":"z"}"#);
        assert_eq!([late("PATCH").status, late("PUT").status], [412, 412]);
        let mine = own.get("/tasks/1").header("etag").unwrap().to_string();
        let put = own.ask(
            "PATCH",
            "/tasks/1",
            &format!("{JSON}if-match: {mine}\r\n"),
            &format!(r#"{{"title":"{}"}}"#, target.len()),
        );
        assert_eq!(put.status, 200);
        let new = own.ask("GET", target, &format!("if-none-match: {tag}\r\n"), "");
        assert_eq!(new.status, 200);
        assert_ne!(new.header("etag"), Some(&*tag));
    }
    assert_eq!(own.ask("PUT", "/tasks/1", &format!("{JSON}if-none-match: *\r\n"), r#"{"title":"z"}"#).status, 412);
    assert_eq!(own.ask("PUT", "/tasks/2", &format!("{JSON}if-none-match: *\r\n"), r#"{"title":"z"}"#).status, 201);
    let by_hand = own.get("/tasks").header("etag").unwrap().to_string();
    own.database.execute("UPDATE tasks SET title = 'by another way'").unwrap();
    assert_ne!(own.get("/tasks").header("etag"), Some(&*by_hand));
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let own = Running::new(Options::default());
    let wrong = own.ask("POST", "/tasks", JSON, r#"{"title":5}"#);
    let said = r#"{"error":{"status":422,"kind":"type","message":"expected `text`, found `int` 5","path":"$.title","expected":"text","found":"int","value":"5","line":1,"column":10,"offset":9}}"#;
    assert_eq!((wrong.status, wrong.text()), (422, said.to_string()));
    assert_eq!(own.ask("POST", "/tasks", JSON, "{").status, 400);
    // A value that the table can't store is the client's fault.
    assert_eq!(own.ask("POST", "/tasks", JSON, r#"{"title":"a","order":1092468864188884582400}"#).status, 422);
    assert_eq!(own.ask("POST", "/tasks", JSON, "").status, 400);
    assert_eq!(own.ask("POST", "/tasks", JSON, r#"{"id":1,"title":"a"}"#).status, 201);
    assert_eq!(own.ask("POST", "/tasks", JSON, r#"{"id":1,"title":"a"}"#).status, 409);
    let method = own.ask("POST", "/tasks/1", JSON, "{}");
    assert_eq!((method.status, method.header("allow")), (405, Some("GET, HEAD, PUT, PATCH, DELETE, OPTIONS")));
    assert_eq!(own.ask("PATCH", "/tasks", JSON, "{}").status, 409, "rows are chosen");
    for (target, status) in [
        ("/", 404),
        ("/nothing", 404),
        ("/tasks/x", 404),
        ("/tasks/1/nothing", 404),
        ("/tasks?nothing=1", 400),
        ("/tasks?limit=x", 400),
        ("/tasks/%ff", 400),
        ("/tasks/../tasks", 400),
        ("/tasks?format=sqlite", 406),
    ] {
        assert_eq!(own.get(target).status, status, "{target}");
    }
}

#[test]
fn a_memory_store_is_served_as_any_other() {
    let own = Running::new(Options::default());
    assert_eq!(own.ask("PUT", "/notes/a/b", JSON, r#"{"x":[1,2.5,null]}"#).status, 201);
    assert_eq!(own.get("/notes/a/b/x").text(), "[1,2.5,null]");
    assert_eq!(own.ask("POST", "/notes", JSON, "\"n\"").header("location"), Some("http://localhost/notes/1"));
    assert_eq!(own.get("/notes").text(), r#"{"a":{"b":{"x":[1,2.5,null]}},"1":"n"}"#);
}

#[test]
fn answers_are_packed_where_that_is_wanted_and_worth_it() {
    let own = Running::new(Options::default());
    let rows: Vec<_> = (0..2000).map(|id| format!(r#"{{"id":{id},"title":"some title"}}"#)).collect();
    own.ask("POST", "/tasks", JSON, &format!("[{}]", rows.join(",")));
    let plain = own.get("/tasks");
    for (accept, name, magic) in
        [("gzip, deflate, br", "gzip", &[0x1f, 0x8b][..]), ("gzip, zstd", "zstd", &[0x28, 0xb5])]
    {
        let packed = own.ask("GET", "/tasks", &format!("accept-encoding: {accept}\r\n"), "");
        assert_eq!(packed.header("content-encoding"), Some(name));
        assert!(packed.body.starts_with(magic) && packed.body.len() < plain.body.len() / 4);
        let mut text = String::new();
        let mut unpacked = demat_place::Input::over(&*packed.body, "answer").unwrap();
        std::io::Read::read_to_string(&mut unpacked, &mut text).unwrap();
        assert_eq!(text, plain.text());
        assert_ne!(packed.header("etag"), plain.header("etag"), "two forms are two representations");
    }
    assert_eq!(own.ask("GET", "/tasks/1", "accept-encoding: gzip\r\n", "").header("content-encoding"), None);
}

#[test]
fn of_no_records_nothing_is_added() {
    let own = Running::new(Options::default());
    for (kind, body) in [("application/json", "[]"), ("application/json", " [ ] "), ("text/csv", "title\n")] {
        let got = own.ask("POST", "/tasks", &format!("content-type: {kind}\r\n"), body);
        assert_eq!((got.status, got.header("location"), got.body.len()), (204, None, 0), "{body:?}");
    }
    assert_eq!(own.get("/tasks").text(), "[]");
    // In a store of values, an empty list is a value.
    assert_eq!(own.ask("POST", "/notes", JSON, "[]").header("location"), Some("http://localhost/notes/1"));
}

#[test]
fn bodies_may_be_packed() {
    let own = Running::new(Options { max_body: 100_000, ..Options::default() });
    let send = |encoding: &str, body: &[u8]| {
        let head = format!(
            "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n{encoding}\r\n",
            body.len()
        );
        own.sent(&[head.as_bytes(), body].concat())
    };
    let packed = |encoding: &str, body: &[u8]| -> Vec<u8> {
        if encoding == "zstd" {
            return zstd::encode_all(body, 1).unwrap();
        }
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap()
    };
    let bomb = format!(r#"{{"title":"{}"}}"#, "x".repeat(3_000_000));
    for name in ["gzip", "zstd", "x-gzip", "GZIP"] {
        let encoding = format!("content-encoding: {name}\r\n");
        let task = packed(name, br#"{"title":"packed"}"#);
        assert_eq!(send(&encoding, &task).status, 201, "{name}");
        assert_eq!(send(&encoding, &packed(name, bomb.as_bytes())).status, 413, "{name}");
        assert_eq!(send(&encoding, &task[..task.len() - 3]).status, 400, "{name}, cut");
        assert_eq!(send(&encoding, br#"{"title":"plain"}"#).status, 400, "{name}, not packed");
        let other = packed(if name == "zstd" { "gzip" } else { "zstd" }, br#"{"title":"other"}"#);
        assert_eq!(send(&encoding, &other).status, 400, "{name}, packed otherwise");
    }
    assert_eq!(send("content-encoding: identity\r\n", br#"{"title":"plain"}"#).status, 201);
    for encoding in ["br", "deflate", "gzip, gzip", "gzip\r\ncontent-encoding: gzip"] {
        let got = send(&format!("content-encoding: {encoding}\r\n"), br#"{"title":"plain"}"#);
        assert_eq!(got.status, 415, "{encoding}");
    }
    assert_eq!(own.get("/tasks?title=packed&count").text(), r#"{"count":4}"#);
    assert_eq!(own.get("/tasks?count").text(), r#"{"count":5}"#);
}

#[test]
fn what_is_long_is_sent_as_it_is_made() {
    let own = Running::new(Options { whole: 10_000, ..Options::default() });
    let rows: Vec<_> = (0..20_000).map(|id| format!(r#"{{"id":{id},"title":"t{id}"}}"#)).collect();
    assert_eq!(own.ask("POST", "/tasks", JSON, &format!("[{}]", rows.join(","))).status, 201);
    let all = own.get("/tasks?fields=id,title");
    assert_eq!(all.header("transfer-encoding"), Some("chunked"));
    assert_eq!(all.text(), format!("[{}]", rows.join(",")));
    let csv = own.get("/tasks?fields=id&format=csv");
    assert_eq!(csv.text().lines().count(), 20_001);
    let packed = own.ask("GET", "/tasks?fields=id,title", "accept-encoding: gzip\r\n", "");
    let mut text = String::new();
    let mut unpacked = demat_place::Input::over(&*packed.body, "answer").unwrap();
    std::io::Read::read_to_string(&mut unpacked, &mut text).unwrap();
    assert_eq!(text, all.text());
}
