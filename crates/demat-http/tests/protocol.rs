//! The protocol itself: framing, limits, and everything besides the stores.

mod support;

use demat_http::Options;
use std::io::{Read, Write};
use std::time::{Duration, Instant};
use support::{Running, parsed};

#[test]
fn a_request_is_never_two() {
    let own = Running::new(Options::default());
    let bad = [
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n{}   ",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: +5\r\n\r\n{}   ",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n10000000000000000\r\n{}",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n",
        "GET /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n{}",
        "GET /tasks HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        "GET /tasks HTTP/1.1\r\nhost : h\r\n\r\n",
        "GET  /tasks HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "\0\0\0\0\r\n\r\n",
        "GET /tasks HTTP/1.1\nhost: localhost\r\n\r\n",
        "GET /tasks HTTP/1.1\r\nhost: localhost\n\r\n",
        "GET /tasks HTTP/1.1\r\nhost: localhost\r\n\n",
        "\nGET /tasks HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 13\r\ncontent-length: 13\r\n\r\n{\"title\":\"a\"}",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 13\r\ntransfer-encoding: chunked\r\n\r\nd\r\n{\"title\":\"a\"}\r\n0\r\n\r\n",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\ncontent-length: 13\r\n\r\nd\r\n{\"title\":\"a\"}\r\n0\r\n\r\n",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: gzip, chunked\r\n\r\nd\r\n{\"title\":\"a\"}\r\n0\r\n\r\n",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nd;x\n{\"title\":\"a\"}\r\n0\r\n\r\n",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nd\r\n{\"title\":\"a\"}\r\n0\r\nx: y\n\r\n\r\n",
    ];
    for request in bad {
        let got = own.raw(&format!("{request}GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n"));
        assert_eq!(got.status, 400, "{request:?}");
        assert!(!got.text().contains("\"ok\""), "the bytes after it are not parsed as a request: {request:?}");
    }
}

#[test]
fn line_feeds_are_no_matter_in_bodies_however_they_come() {
    let own = Running::new(Options::default());
    let pretty = "{\n  \"title\":\n\n\"a\"\n}\n";
    let whole = format!(
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{pretty}",
        pretty.len()
    );
    let chunk = format!("{:x};note\r\n{pretty}\r\n", pretty.len());
    let chunks = format!(
        "\r\nPOST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n{chunk}0\r\nx: y\r\n\r\n"
    );
    let last = "GET /tasks?fields=id HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";
    let all = [whole.as_str(), &chunks, &whole, last].concat();
    for (turn, part) in [all.len(), 1, 7].into_iter().enumerate() {
        let mut stream = own.open();
        stream.set_nodelay(true).unwrap();
        for part in all.as_bytes().chunks(part) {
            stream.write_all(part).unwrap();
        }
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(answer.matches("HTTP/1.1 201").count(), 3, "{answer}");
        let ids: Vec<_> = (1..=3 * (turn + 1)).map(|id| format!("{{\"id\":{id}}}")).collect();
        assert!(answer.ends_with(&format!("[{}]", ids.join(","))), "{answer}");
    }
}

#[test]
fn one_connection_serves_many_also_at_once() {
    let own = Running::new(Options::default());
    let mut stream = own.open();
    let one = "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";
    stream.write_all(one.repeat(20).as_bytes()).unwrap();
    let mut read = Vec::new();
    let mut part = [0; 4096];
    while read.windows(13).filter(|part| *part == b"\"status\":\"ok\"").count() < 20 {
        let len = stream.read(&mut part).unwrap();
        assert_ne!(len, 0);
        read.extend_from_slice(&part[..len]);
    }
    assert_eq!(parsed(&read).status, 200);
}

#[test]
fn limits_are_kept() {
    let short = Duration::from_millis(300);
    let options = Options { max_body: 100, head_timeout: short, body_timeout: short, ..Options::default() };
    let own = Running::new(options);
    let long = format!(r#"{{"title":"{}"}}"#, "x".repeat(200));
    assert_eq!(own.ask("POST", "/tasks", "", &long).status, 413);
    let chunked = "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n";
    let chunk = format!("{:x}\r\n{long}\r\n0\r\n\r\n", long.len());
    assert_eq!(own.raw(&format!("{chunked}{chunk}")).status, 413);
    let many = (0..200).fold(String::new(), |many, number| many + &format!("x-{number}: 1\r\n"));
    assert_eq!(own.ask("GET", "/health", &many, "").status, 431);
    assert_eq!(own.ask("GET", "/health", &format!("x: {}\r\n", "y".repeat(100_000)), "").status, 431);
    // Slow clients are disconnected.
    for begun in [
        "GET /heal",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{",
    ] {
        let mut stream = own.open();
        stream.write_all(begun.as_bytes()).unwrap();
        let since = Instant::now();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(since.elapsed() < Duration::from_secs(5), "{begun:?}");
        assert!(matches!(parsed(&answer).status, 0 | 408), "{begun:?}");
    }
}

#[test]
fn a_body_that_nobody_wants_is_in_nobodys_way() {
    let own = Running::new(Options { max_body: 1 << 20, ..Options::default() });
    let later = Duration::from_millis(30);
    let refused = [
        "POST /tasks/1 HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n",
        "PUT /none HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n",
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\n",
        "POST /health HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n2\r\n",
    ];
    let mut stream = own.open();
    stream.set_nodelay(true).unwrap();
    for head in refused {
        // The head alone: it is enough to refuse the request.
        stream.write_all(head.as_bytes()).unwrap();
        std::thread::sleep(later);
        stream.write_all(if head.contains("chunked") { b"{}\r\n0\r\n\r\n" } else { b"{}" }).unwrap();
    }
    stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").unwrap();
    let mut answers = String::new();
    stream.read_to_string(&mut answers).unwrap();
    let statuses: Vec<_> = answers.match_indices("HTTP/1.1 ").map(|(at, _)| &answers[at + 9..at + 12]).collect();
    assert_eq!(statuses, ["405", "404", "415", "405", "200"], "{answers}");

    // A body that is long, or announced with `Expect`, or does not arrive, is not waited for; the answer says so.
    let gone = [
        ("POST /tasks/1 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n", Duration::from_millis(900)),
        (
            "POST /tasks/1 HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n",
            Duration::from_millis(900),
        ),
        ("POST /tasks/1 HTTP/1.1\r\nhost: localhost\r\ncontent-length: 2\r\n\r\n", Duration::from_secs(3)),
    ];
    for (head, most) in gone {
        let begun = Instant::now();
        let mut stream = own.open();
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 405"), "{head}: {answer}");
        assert!(answer.to_lowercase().contains("\r\nconnection: close\r\n"), "{head}: {answer}");
        assert!(begun.elapsed() < most, "{head}: {:?}", begun.elapsed());
    }
}

#[test]
fn a_token_is_asked_for() {
    let own =
        Running::new(Options { token: Some("secret".into()), cors: vec!["http://a".into()], ..Options::default() });
    assert_eq!(own.get("/health").status, 200);
    for headers in
        ["", "authorization: Bearer wrong\r\n", "authorization: Bearer secre\r\n", "authorization: secret\r\n"]
    {
        let got = own.ask("GET", "/tasks", headers, "");
        assert_eq!((got.status, got.header("www-authenticate")), (401, Some("Bearer")));
    }
    assert_eq!(own.get("/metrics").status, 401);
    assert_eq!(own.ask("GET", "/tasks", "authorization: bearer secret\r\n", "").status, 200);
    let preflight = own.ask("OPTIONS", "/tasks", "origin: http://a\r\naccess-control-request-method: POST\r\n", "");
    assert_eq!(preflight.status, 204);
    assert_eq!(preflight.header("access-control-allow-origin"), Some("http://a"));
    assert!(preflight.header("access-control-allow-methods").unwrap().contains("POST"));
    assert!(preflight.header("access-control-allow-headers").unwrap().contains("authorization"));
}

#[test]
fn heads_are_those_of_the_values() {
    let own = Running::new(Options::default());
    own.ask("POST", "/tasks", "", r#"{"title":"a"}"#);
    let (get, head) = (own.get("/tasks"), own.ask("HEAD", "/tasks", "", ""));
    assert_eq!(head.status, 200);
    assert!(head.body.is_empty());
    for name in ["content-length", "content-type", "etag"] {
        assert_eq!(head.header(name), get.header(name), "{name}");
    }
}

#[test]
fn changes_are_told_as_they_are_made() {
    let own = Running::new(Options::default());
    let mut stream = own.open();
    stream.write_all(b"GET /tasks HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n").unwrap();
    let mut read = String::new();
    let mut until = |wanted: &str| {
        let since = Instant::now();
        while !read.contains(wanted) {
            assert!(since.elapsed() < Duration::from_secs(8), "{wanted} did not come: {read}");
            let mut part = [0; 4096];
            let len = stream.read(&mut part).unwrap();
            read.push_str(&String::from_utf8_lossy(&part[..len]));
        }
        read.clear();
    };
    until("event: hello");
    own.ask("POST", "/tasks", "", r#"{"title":"a"}"#);
    until(r#"data: {"verb":"post","at":"/tasks/1"}"#);
    own.ask("PATCH", "/tasks/1", "", r#"{"completed":true}"#);
    until(r#"data: {"verb":"patch","at":"/tasks/1"}"#);
    own.ask("DELETE", "/tasks", "", "");
    until(r#"data: {"verb":"delete","at":"/tasks"}"#);
    // A change by another process, without a notification.
    own.database.execute("INSERT INTO tasks(title) VALUES ('b')").unwrap();
    until(r#"data: {"verb":"put","at":"/tasks"}"#);
}

#[test]
fn what_was_accepted_is_answered_before_the_end() {
    let mut own = Running::new(Options::default());
    let mut stream = own.open();
    stream.write_all(b"POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 13\r\nexpect: 100-continue\r\n\r\n").unwrap();
    // The server asks for the body once it has accepted the request.
    let mut asked = [0; 25];
    stream.read_exact(&mut asked).unwrap();
    assert_eq!(&asked, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(b"{\"title\"").unwrap();
    let rest = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(300));
        stream.write_all(b":\"a\"}").unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        parsed(&answer).status
    });
    own.stop();
    assert_eq!(rest.join().unwrap(), 201);
    assert_eq!(own.database.number("SELECT count(*) FROM tasks", &[]).unwrap(), 1);
    assert!(std::net::TcpStream::connect(own.address).is_err());
}

#[test]
fn the_interface_is_described_and_counted() {
    let own = Running::new(Options { urls: Some("url".into()), ..Options::default() });
    let described = own.get("/openapi.json").text();
    let described: demat_core::Value = demat_formats::json::decode(described.as_bytes()).unwrap();
    let schema = described.get("components").and_then(|all| all.get("schemas")?.get("tasks")).unwrap();
    assert_eq!(demat_formats::json::encode(schema.get("x-key").unwrap()).unwrap(), br#"["id"]"#);
    let paths = described.get("paths").unwrap();
    assert!(paths.get("/tasks").unwrap().get("post").is_some());
    assert!(paths.get("/tasks/{key}").unwrap().get("patch").is_some());
    // Metadata parameters exist where they apply: a row has no count, and changes have none.
    let asides = |path: &str, method: &str| -> (Vec<String>, usize) {
        let operation = paths.get(path).and_then(|path| path.get(method)).unwrap();
        let mut names = Vec::new();
        if let Some(demat_core::Value::List(all)) = operation.get("parameters") {
            let named = all.iter().filter_map(|own| match own.get("name") {
                Some(demat_core::Value::Text(name)) => Some(name.to_string()),
                _ => None,
            });
            names.extend(named.filter(|name| name == "count" || name == "children"));
        }
        let ok = operation.get("responses").and_then(|all| all.get("200")?.get("content")?.get("application/json"));
        let count = match ok.and_then(|ok| ok.get("schema")?.get("anyOf")) {
            Some(demat_core::Value::List(all)) => all.len(),
            _ => 0,
        };
        (names, count)
    };
    assert_eq!(asides("/tasks", "get"), (vec!["count".to_string()], 3));
    assert_eq!(asides("/tasks/{key}", "get"), (vec!["children".to_string()], 2));
    assert_eq!(asides("/notes", "get").0, ["children"]);
    for (path, method) in [("/tasks", "post"), ("/tasks", "put"), ("/tasks/{key}", "patch"), ("/notes", "put")] {
        assert_eq!(asides(path, method), (vec![], 0), "{method} {path}");
    }
    let metrics = own.get("/metrics").text();
    assert!(metrics.contains("demat_http_requests_total{method=\"GET\",status=\"2xx\"} 1\n"), "{metrics}");
    assert_eq!(own.ask("OPTIONS", "*", "", "").status, 204);
}

#[test]
fn what_is_told_in_the_place_of_a_value() {
    let own = Running::new(Options::default());
    assert_eq!(own.ask("POST", "/tasks", "", r#"[{"title":"a"},{"title":"b","order":3},{"title":"b"}]"#).status, 201);
    assert_eq!(own.get("/tasks?count").text(), r#"{"count":3}"#);
    assert_eq!(own.get("/tasks?title=b&count").text(), r#"{"count":2}"#);
    for alone in ["count=whatever", "children&title=b"] {
        assert_eq!(own.get(&format!("/tasks?{alone}")).status, 400, "{alone}");
    }
    assert_eq!(own.get("/tasks?children").text(), r#"{"children":["1","2","3"]}"#);
    assert_eq!(own.get("/tasks/2?children").text(), r#"{"children":["id","title","completed","order"]}"#);
    assert_eq!(own.get("/tasks/2?count").status, 400);
    assert_eq!(own.get("/tasks/9?children").status, 404);
    // A store without its own count is counted by reading it.
    assert!(own.ask("PUT", "/notes", "", r#"{"a":[1,[2,3],{"b":4}],"c":5}"#).status < 300);
    assert_eq!(own.get("/notes/a?count").text(), r#"{"count":3}"#);
    assert_eq!(own.get("/notes/a?count&limit=2").text(), r#"{"count":2}"#);
    assert_eq!(own.get("/notes?children").text(), r#"{"children":["a","c"]}"#);
    assert_eq!(own.get("/notes?count").status, 400);
    assert_eq!(own.get("/notes/c?count").status, 400);
    assert_eq!(own.get("/notes/d?count").status, 404);
}
