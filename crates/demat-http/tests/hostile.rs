//! Hostile or foreign servers: the result is an error or the answer's value, in bounded time and memory.
#![cfg(feature = "remote")]

use demat_core::{Error, ErrorKind, Shape, Value};
use demat_http::{Remote, RemoteOptions};
use demat_place::Format;
use demat_store::{Encoded, Fault, Put, Query, Reference, Store, Verb, Verbs, When, collected, fault_of};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

type Act = Arc<dyn Fn(&mut TcpStream) + Send + Sync>;

/// A server that answers each request by a function, and records the heads of requests.
struct Fake {
    url: String,
    asked: Arc<Mutex<Vec<String>>>,
    ends: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Fake {
    fn new(act: impl Fn(&mut TcpStream) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/s", listener.local_addr().unwrap());
        let (asked, ends) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicBool::new(false)));
        let act: Act = Arc::new(act);
        let (heads, end) = (Arc::clone(&asked), Arc::clone(&ends));
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if end.load(Ordering::SeqCst) {
                    return;
                }
                let (mut stream, act, heads) = (stream.unwrap(), Arc::clone(&act), Arc::clone(&heads));
                std::thread::spawn(move || {
                    while let Some(head) = head(&mut stream) {
                        heads.lock().unwrap().push(head);
                        act(&mut stream);
                    }
                });
            }
        });
        Self { url, asked, ends, thread: Some(thread) }
    }

    /// Returns a server with this answer, which keeps the connection open.
    fn saying(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::new(move |stream| drop(stream.write_all(&answer)))
    }

    /// As [`saying`](Self::saying), but closes the connection.
    fn ending(answer: impl Into<Vec<u8>>) -> Self {
        let answer = answer.into();
        Self::new(move |stream| {
            drop(stream.write_all(&answer));
            drop(stream.shutdown(std::net::Shutdown::Both));
        })
    }

    fn remote(&self) -> Remote {
        let timeout = Duration::from_millis(700);
        Remote::new(&self.url, RemoteOptions { timeout, max_body: 1 << 20, ..RemoteOptions::default() }).unwrap()
    }

    fn got(&self) -> Result<Value, Error> {
        collected(&self.remote(), &[], &Query::default())
    }

    fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        self.ends.store(true, Ordering::SeqCst);
        drop(TcpStream::connect(self.url.strip_prefix("http://").unwrap().strip_suffix("/s").unwrap()));
        drop(self.thread.take().map(JoinHandle::join));
    }
}

/// Reads a request's head, and its body if that has a length.
fn head(stream: &mut TcpStream) -> Option<String> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).ok()?;
    let len = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; len.unwrap_or(0)];
    stream.read_exact(&mut body).ok()?;
    Some(head)
}

fn json(body: &str) -> String {
    answer("200 OK", "content-type: application/json\r\n", body)
}

fn answer(status: &str, headers: &str, body: &str) -> String {
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
}

fn put(remote: &Remote) -> Result<Put, Error> {
    remote.put(&[], &mut Encoded::new(Format::JSON, &b"1"[..]), &When::Always)
}

#[test]
fn an_answer_that_breaks_off_is_none() {
    let chunked = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n";
    for broken in [
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n12".to_string(),
        format!("{chunked}2\r\n12\r\n"),
        format!("{chunked}5\r\n12"),
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-len".to_string(),
        String::new(),
    ] {
        let fake = Fake::ending(broken.clone());
        for error in [
            fake.got().unwrap_err(),
            fake.remote().encoded(&[], &Query::default(), Format::JSON, 1000).unwrap_err(),
            fake.remote().read(&[], &Query::default(), Format::JSON, &mut Vec::new()).unwrap_err(),
        ] {
            assert_eq!((error.kind(), fault_of(&error)), (ErrorKind::Io, None), "{broken:?} {error}");
        }
        // A change may have been made, so it is not repeated.
        let asked = fake.asked().len();
        assert_eq!(put(&fake.remote()).is_err(), !broken.contains("\r\n\r\n"));
        assert_eq!(fake.asked().len(), asked + 1);
    }
    // A body without a visible end is refused.
    let error = Fake::ending("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n12").got().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Store, "{error}");
    let chunks = Fake::saying(format!("{chunked}1\r\n1\r\n1;x=y\r\n2\r\n0\r\n\r\n"));
    assert_eq!(chunks.got().unwrap(), Value::Int(12.into()));
}

#[test]
fn an_answer_is_of_a_type_that_is_known() {
    for media in ["text/html", "", "application/octet-stream", "application/json2"] {
        let fake = Fake::saying(answer("200 OK", &format!("content-type: {media}\r\n"), "1"));
        let error = fake.got().unwrap_err();
        assert_eq!(
            (error.kind(), error.expectation(), error.found()),
            (ErrorKind::Store, Some("application/json"), Some(media))
        );
    }
    let error = Fake::saying(answer("200 OK", "", "1")).got().unwrap_err();
    assert_eq!(error.found(), Some("nothing"));
    // A body that is declared as JSON must be JSON.
    for body in ["<html>", "", "{", "1 2", "nul"] {
        assert_eq!(Fake::saying(json(body)).got().unwrap_err().kind(), ErrorKind::Syntax, "{body}");
    }
    // A body in another format than requested is read in its own format.
    let csv = Fake::saying(answer("200 OK", "content-type: text/csv; charset=utf-8\r\n", "a\n1\n"));
    let bytes = csv.remote().encoded(&[], &Query::default(), Format::JSON, 100).unwrap();
    assert_eq!(bytes.as_deref(), Some(&br#"[{"a":"1"}]"#[..]));
    assert_eq!(
        csv.remote().encoded(&[], &Query::default(), Format::CSV, 100).unwrap().as_deref(),
        Some(&b"a\n1\n"[..])
    );
    let packed = Fake::saying(answer("200 OK", "content-type: application/json\r\ncontent-encoding: br\r\n", "1"));
    assert_eq!(packed.got().unwrap_err().found(), Some("br"));
}

#[test]
fn nobody_is_sent_elsewhere() {
    let elsewhere = Fake::saying(json("1"));
    for status in
        ["301 Moved", "302 Found", "303 See Other", "307 Temporary", "308 Permanent", "300 Choices", "305 Proxy"]
    {
        let fake = Fake::saying(answer(status, &format!("location: {}/x\r\n", elsewhere.url), ""));
        let token = RemoteOptions { token: Some("t".into()), ..RemoteOptions::default() };
        let remote = Remote::new(&fake.url, token).unwrap();
        for error in [
            collected(&remote, &[], &Query::default()).unwrap_err(),
            put(&remote).unwrap_err(),
            remote.delete(&[], &When::Always).unwrap_err(),
            remote.version(&[]).unwrap_err(),
        ] {
            assert_eq!(error.kind(), ErrorKind::Store);
            assert!(error.to_string().starts_with(&format!("it has moved to `{}/x`", elsewhere.url)), "{error}");
        }
    }
    assert_eq!(elsewhere.asked(), [""; 0]);
    // If the location is elsewhere, the result is the list's reference.
    for location in [&*elsewhere.url, "http://[", "/other/1", "/s/../1", "/s/%ff", "", "//"] {
        let fake = Fake::saying(answer("201 Created", &format!("location: {location}\r\n"), ""));
        let posted = fake.remote().post(&[], &mut Encoded::new(Format::JSON, &b"1"[..])).unwrap();
        assert_eq!(posted, Reference::root(), "{location}");
    }
}

#[test]
fn what_is_huge_or_deep_ends() {
    let deep = |open: &str, count: usize| Fake::saying(json(&open.repeat(count))).got().unwrap_err();
    assert!(matches!(deep("[", 500_000).kind(), ErrorKind::Limit | ErrorKind::Syntax));
    assert!(matches!(deep("{\"a\":", 100_000).kind(), ErrorKind::Limit | ErrorKind::Syntax));
    // More than the limit, with and without a length; and highly compressed.
    let long = Fake::saying(json(&format!("\"{}\"", "x".repeat(2 << 20))));
    assert_eq!(long.got().unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(long.remote().encoded(&[], &Query::default(), Format::JSON, 100).unwrap(), None);
    let claims = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 18446744073709551615\r\n\r\n\"";
    let error = Fake::ending(claims).remote().encoded(&[], &Query::default(), Format::JSON, usize::MAX).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io | ErrorKind::Limit), "{error}");
    let endless = Fake::new(|stream| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n8001\r\n[";
        let mut written = stream.write_all(head.as_bytes());
        let chunk = format!("{}\r\n8000\r\n", "1,".repeat(0x4000));
        while written.is_ok() {
            written = stream.write_all(chunk.as_bytes());
        }
    });
    assert_eq!(endless.got().unwrap_err().kind(), ErrorKind::Limit);
    assert_eq!(
        endless.remote().encoded(&[], &Query::default(), Format::JSON, usize::MAX).unwrap_err().kind(),
        ErrorKind::Limit
    );
    let packed = {
        let mut packed = Vec::new();
        let mut packer = zstd::Encoder::new(&mut packed, 1).unwrap();
        packer.write_all(b"\"").unwrap();
        (0..64).for_each(|_| packer.write_all(&vec![b'x'; 1 << 20]).unwrap());
        packer.finish().unwrap();
        packed
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: zstd\r\ncontent-length: {}\r\n\r\n",
        packed.len()
    );
    assert_eq!(Fake::saying([head.as_bytes(), &packed].concat()).got().unwrap_err().kind(), ErrorKind::Limit);
    // Endless heads, errors, shapes and tags.
    let head = Fake::saying(format!("HTTP/1.1 200 OK\r\nx: {}\r\n\r\n", "x".repeat(1 << 20)));
    assert_eq!(head.got().unwrap_err().kind(), ErrorKind::Io);
    let error = format!(r#"{{"error":{{"message":"{}"}}}}"#, "x".repeat(50_000));
    let error = Fake::saying(answer("422 No", "", &error)).got().unwrap_err();
    assert!(error.to_string().len() < 2000);
    for shape in ["[", "{a:", "%5B", "(", "map(int,"] {
        let said = shape.repeat(4000 / shape.len());
        let fake =
            Fake::saying(answer("200 OK", &format!("content-type: application/json\r\ndemat-shape: {said}\r\n"), "1"));
        assert_eq!(fake.got().unwrap(), Value::Int(1.into()));
        assert_eq!(fake.remote().shape(&[]).unwrap(), Shape::Any);
    }
}

#[test]
fn what_is_slow_ends() {
    let silent = Fake::new(|_| std::thread::sleep(Duration::from_secs(5)));
    let head = Fake::new(|stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\nx: "));
        while stream.write_all(b"x").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    let stalled = Fake::new(|stream| {
        drop(stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n["));
        std::thread::sleep(Duration::from_secs(5));
    });
    let trickles = Fake::new(|stream| {
        let said =
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n");
        said.unwrap();
        while stream.write_all(b" ").is_ok() {
            std::thread::sleep(Duration::from_millis(50));
        }
    });
    for fake in [silent, head, stalled, trickles] {
        let begun = Instant::now();
        let error = fake.got().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Io, "{error}");
        assert!(error.to_string().contains("too long"), "{error}");
        assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    }
}

#[test]
fn a_server_of_others_is_a_store_as_far_as_it_says() {
    // A server with its own tags gets them in conditions.
    let fake = Fake::saying(answer(
        "200 OK",
        "content-type: application/json\r\netag: W/\"5f-1a\"\r\nallow: GET, PUT\r\n",
        "[1]",
    ));
    let remote = fake.remote();
    let version = remote.version(&[]).unwrap().unwrap();
    assert_eq!(remote.version(&[]).unwrap(), Some(version));
    remote.delete(&[], &When::Of(vec![version])).unwrap();
    assert!(fake.asked().last().unwrap().contains("if-match: W/\"5f-1a\"\r\n"));
    assert_eq!(remote.allows(&[]), Verbs::READ.and(Verb::Put));
    assert_eq!(remote.count(&[], &Query::default()).unwrap(), None);
    let error = remote.children(&[], &mut |_| Ok(())).unwrap_err();
    assert!(error.to_string().starts_with("the server does not say what is within"), "{error}");
    assert!(remote.watch(&[], Arc::new(|_| ())).is_none());
    assert_eq!(remote.shape(&[]).unwrap(), Shape::Any);
    // Errors that are not in Demat's form.
    for (status, fault) in [
        ("404 x", Some(Fault::NotFound)),
        ("410 x", Some(Fault::NotFound)),
        ("405 x", Some(Fault::NotAllowed(Verb::Get))),
        ("409 x", Some(Fault::Conflict)),
        ("412 x", Some(Fault::Changed)),
        ("400 x", None),
        ("401 x", None),
        ("418 x", None),
    ] {
        for body in ["", "<html>", "[]", r#"{"error":1}"#, r#"{"error":{"message":7,"path":[],"kind":{},"line":-1}}"#] {
            let error = Fake::saying(answer(status, "", body)).got().unwrap_err();
            assert_eq!(fault_of(&error), fault, "{status} {error}");
            let is = if fault.is_some() { ErrorKind::Store } else { error.kind() };
            assert_eq!(error.kind(), is);
        }
    }
    for status in ["500 x", "503 x", "429 x", "408 x"] {
        assert_eq!(Fake::saying(answer(status, "", "")).got().unwrap_err().kind(), ErrorKind::Io, "{status}");
    }
    for nonsense in [
        "HTTP/1.1 abc\r\n\r\n",
        "SSH-2.0-OpenSSH\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n1",
    ] {
        assert!(Fake::ending(nonsense).got().is_err(), "{nonsense}");
    }
}

#[test]
fn events_that_make_no_sense_say_that_all_may_have_changed() {
    let events = [
        "event: change\r\ndata: {\"verb\":\"post\",\"at\":\"/s/1\"}\r\n\r\n",
        ": comment\n\nevent:change\ndata:{\"verb\":\"put\",\ndata:\"at\":\"/s\"}\nid: 3\n\n",
        "event: change\ndata: nonsense\n\n",
        "event: change\ndata: {\"verb\":\"eat\",\"at\":\"/s/1\"}\n\n",
        "event: change\ndata: {\"verb\":\"put\",\"at\":\"/elsewhere\"}\n\n",
        "data: {\"verb\":\"put\",\"at\":\"/s/2\"}\n\n",
        "event: change\n\n",
    ];
    let body = events.concat();
    let fake = Fake::new(move |stream| {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
        drop(stream.write_all(format!("{head}{:x}\r\n{body}\r\n", body.len()).as_bytes()));
        // Then a line without an end.
        let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
        while stream.write_all(chunk.as_bytes()).is_ok() {}
    });
    let (to, changes) = mpsc::channel();
    let watch =
        fake.remote().watch(&[], Arc::new(move |change: &demat_store::Change| drop(to.send(change.to_owned()))));
    let watch = watch.unwrap();
    let whole = (Verb::Put, "/".to_string());
    let wanted = [
        (Verb::Post, "/1".to_string()),
        whole.clone(),
        whole.clone(),
        whole.clone(),
        whole.clone(),
        whole.clone(),
        whole.clone(),
        (Verb::Post, "/1".to_string()),
    ];
    for wanted in wanted {
        let change = changes.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!((change.verb, change.at.to_string()), wanted);
    }
    drop(watch);
}
