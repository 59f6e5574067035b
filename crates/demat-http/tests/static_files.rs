//! Static files: addresses, conditions, ranges and compression.

mod support;

use demat_http::{Files, Mount, Options, Route, Server, Stopper};
use std::fs::{self, File};
use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use support::{Got, parsed};

/// A folder, and a server of it.
struct Site {
    folder: tempfile::TempDir,
    address: SocketAddr,
    stopper: Stopper,
    thread: Option<JoinHandle<demat_core::Result<()>>>,
}

const DIGITS: &str = "0123456789";
/// The date of all files.
const DATE: &str = "Fri, 02 Jan 2015 03:04:05 GMT";

impl Site {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let own = Self::of(folder, "/www");
        own.write("a.txt", DIGITS.as_bytes());
        own.write("index.html", b"<p>index");
        own.write("sub/index.html", b"<p>sub");
        own.write("sub/x.json", b"{}");
        own.write("text.txt", DIGITS.repeat(500).as_bytes());
        own.write("picture.png", DIGITS.repeat(500).as_bytes());
        own.write("empty.txt", b"");
        own.write("\u{e9} b#%.html", b"<p>hi");
        own.write(".hidden", b"secret");
        own.write("large.bin", &vec![b'x'; 3 << 20]);
        own
    }

    fn of(folder: tempfile::TempDir, path: &str) -> Self {
        let files = Files::new(folder.path()).unwrap();
        let server =
            Server::bind([Route::new(path, Mount::Files(Arc::new(files)))], Options { port: 0, ..Options::default() });
        let server = server.unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        Self { folder, address, stopper, thread: Some(std::thread::spawn(move || server.run())) }
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        date(&path, UNIX_EPOCH + Duration::from_secs(1_420_167_845));
    }

    fn ask(&self, method: &str, target: &str, headers: &str) -> Got {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let head = format!("{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{headers}\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        parsed(&answer)
    }

    fn get(&self, target: &str, headers: &str) -> Got {
        self.ask("GET", target, headers)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.stopper.stop();
        self.thread.take().unwrap().join().unwrap().unwrap();
    }
}

fn date(path: &Path, at: SystemTime) {
    File::options().write(true).open(path).unwrap().set_modified(at).unwrap();
}

fn gunzipped(bytes: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::GzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn a_folder_has_a_slash_at_its_end() {
    let site = Site::new();
    for (target, to) in [
        ("/www", "/www/"),
        ("/www/sub", "/www/sub/"),
        ("/www/sub?a=1&b", "/www/sub/?a=1&b"),
        ("/w%77w/s%75b", "/www/sub/"),
    ] {
        let got = site.get(target, "");
        assert_eq!((got.status, got.header("location")), (308, Some(to)), "{target}");
        assert_eq!(site.ask("HEAD", target, "").status, 308);
    }
    assert_eq!(site.get("/www/", "").text(), "<p>index");
    assert_eq!(site.get("/www/sub/", "").text(), "<p>sub");
    assert_eq!(site.get("/www/sub/index.html", "").text(), "<p>sub");
    let root = Site::of(tempfile::tempdir().unwrap(), "/");
    root.write("index.html", b"root");
    root.write("example.com/index.html", b"x");
    assert_eq!(root.get("/", "").text(), "root");
    assert_eq!(root.get("/example.com", "").header("location"), Some("/example.com/"));
    for target in ["//example.com", "/%2fexample.com", "/\\example.com", "/%5cexample.com"] {
        let got = root.get(target, "");
        assert!(matches!(got.status, 400 | 404) && got.header("location").is_none(), "{target}: {}", got.head);
    }
}

#[test]
fn queries_are_ignored_and_other_addresses_not_found() {
    let site = Site::new();
    for target in ["/www/a.txt?v=3", "/www/a.txt?", "/www/a.txt?%zz&&=", "/www/%61.txt", "/www/./a.txt"] {
        let got = site.get(target, "");
        if target == "/www/./a.txt" {
            assert!(matches!(got.status, 200 | 400), "{}", got.head);
            continue;
        }
        assert_eq!((got.status, got.text().as_str()), (200, DIGITS), "{target}");
    }
    assert_eq!(site.get("/www/%C3%A9%20b%23%25.html", "").text(), "<p>hi");
    for target in [
        "/www/a.txt/",
        "/www/a.txt/b",
        "/www/sub/x.json/",
        "/www/nothing",
        "/www/.hidden",
        "/www/%2ehidden",
        "/www/sub%2findex.html",
        "/www/sub%5cindex.html",
        "/www/..%2fwww%2fa.txt",
        "/www/a.txt%00",
        "/www/%ff",
        "/www/%E9%20b",
        "/www/~",
        "/www/~..",
        "/www//a.txt",
        "/www/../www/a.txt",
    ] {
        let got = site.get(target, "");
        assert!(matches!(got.status, 400 | 404), "{target}: {}", got.head);
        assert!(!got.text().contains("secret"));
    }
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        let got = site.ask(method, "/www/a.txt", "");
        assert_eq!((got.status, got.header("allow")), (405, Some("GET, HEAD, OPTIONS")), "{method}");
    }
}

#[test]
fn a_range_is_a_part() {
    let site = Site::new();
    for (range, part, said) in [
        ("bytes=0-3", "0123", "bytes 0-3/10"),
        ("bytes=-3", "789", "bytes 7-9/10"),
        ("bytes=4-", "456789", "bytes 4-9/10"),
        ("bytes=9-100", "9", "bytes 9-9/10"),
    ] {
        // Ranges are of the file as it is, whatever encodings the client takes.
        for more in ["", "accept-encoding: gzip, zstd\r\n"] {
            let got = site.get("/www/a.txt", &format!("range: {range}\r\n{more}"));
            assert_eq!((got.status, got.text().as_str()), (206, part), "{range}");
            assert_eq!(got.header("content-range"), Some(said));
            assert_eq!(got.header("content-length"), Some(part.len().to_string().as_str()));
            assert_eq!(got.header("content-encoding"), None);
        }
    }
    for range in ["bytes=10-", "bytes=-0"] {
        let got = site.get("/www/a.txt", &format!("range: {range}\r\n"));
        assert_eq!((got.status, got.header("content-range")), (416, Some("bytes */10")), "{range}");
    }
    for range in ["bytes=5-2", "bytes=0-1,3-4", "items=0-1", "bytes=x"] {
        let got = site.get("/www/a.txt", &format!("range: {range}\r\n"));
        assert_eq!((got.status, got.text().as_str(), got.header("content-range")), (200, DIGITS, None), "{range}");
    }
    assert_eq!(site.get("/www/a.txt", "").header("accept-ranges"), Some("bytes"));
    assert_eq!(site.ask("HEAD", "/www/a.txt", "range: bytes=0-3\r\n").header("content-length"), Some("10"));
    assert_eq!(site.get("/www/empty.txt", "range: bytes=0-\r\n").status, 416);
    assert_eq!(site.get("/www/empty.txt", "").status, 200);
    let got = site.get("/www/large.bin", "range: bytes=5-2097156\r\n");
    assert_eq!((got.status, got.body.len()), (206, 2_097_152));
    assert_eq!(got.header("content-length"), Some("2097152"), "of a streamed part, too");
    let got = site.get("/www/large.bin", "");
    assert_eq!((got.body.len(), got.header("content-length")), (3 << 20, Some("3145728")));
    let got = site.ask("HEAD", "/www/large.bin", "");
    assert_eq!((got.body.len(), got.header("content-length")), (0, Some("3145728")));
}

#[test]
fn a_range_of_another_version_is_the_whole() {
    let site = Site::new();
    let tag = site.get("/www/a.txt", "").header("etag").unwrap().to_string();
    let status =
        |condition: &str| site.get("/www/a.txt", &format!("range: bytes=0-3\r\nif-range: {condition}\r\n")).status;
    assert_eq!(status(&tag), 206);
    assert_eq!(status(DATE), 206);
    for other in ["\"other\"", &format!("W/{tag}"), "Fri, 02 Jan 2015 03:04:06 GMT", "x"] {
        assert_eq!(status(other), 200, "{other}");
    }
    // A file that was just written may change again within this second.
    date(&site.folder.path().join("a.txt"), SystemTime::now());
    let date = site.get("/www/a.txt", "").header("last-modified").unwrap().to_string();
    assert_eq!(status(&date), 200);
}

#[test]
fn what_the_client_has_is_not_sent_again() {
    let site = Site::new();
    let got = site.get("/www/a.txt", "");
    assert_eq!((got.header("last-modified"), got.header("cache-control")), (Some(DATE), Some("no-cache")));
    let tag = got.header("etag").unwrap();
    for (condition, status) in [
        (format!("if-none-match: {tag}"), 304),
        (format!("if-none-match: \"x\", W/{tag}"), 304),
        ("if-none-match: \"x\"".into(), 200),
        (format!("if-modified-since: {DATE}"), 304),
        ("if-modified-since: Fri, 02 Jan 2015 03:04:06 GMT".into(), 304),
        ("if-modified-since: Fri, 02 Jan 2015 03:04:04 GMT".into(), 200),
        ("if-modified-since: yesterday".into(), 200),
        (format!("if-none-match: \"x\"\r\nif-modified-since: {DATE}"), 200),
        (format!("if-match: {tag}"), 200),
        ("if-match: *".into(), 200),
        ("if-match: \"x\"".into(), 412),
        (format!("if-match: W/{tag}"), 412),
        (format!("if-unmodified-since: {DATE}"), 200),
        ("if-unmodified-since: Fri, 02 Jan 2015 03:04:04 GMT".into(), 412),
        (format!("if-none-match: {tag}\r\nrange: bytes=0-1"), 304),
    ] {
        let got = site.get("/www/a.txt", &format!("{condition}\r\n"));
        assert_eq!(got.status, status, "{condition}");
        if status == 304 {
            assert_eq!((got.header("etag"), got.header("last-modified")), (Some(tag), Some(DATE)), "{condition}");
            assert_eq!(got.header("vary"), Some("accept-encoding"));
        }
    }
    // Dates that HTTP can't express, or that would be in the future, are not sent.
    let path = site.folder.path().join("a.txt");
    for at in [
        SystemTime::now() + Duration::from_secs(1000),
        UNIX_EPOCH - Duration::from_secs(1000),
        UNIX_EPOCH + Duration::from_secs(300_000_000_000),
    ] {
        if File::options().write(true).open(&path).unwrap().set_modified(at).is_ok() {
            let got = site.get("/www/a.txt", "");
            assert_eq!((got.status, got.header("last-modified")), (200, None), "{at:?}");
        }
    }
}

#[test]
fn texts_are_compressed() {
    let site = Site::new();
    let plain = site.get("/www/text.txt", "");
    assert_eq!((plain.header("content-encoding"), plain.header("vary")), (None, Some("accept-encoding")));
    let gzip = "accept-encoding: gzip\r\n";
    let packed = site.get("/www/text.txt", gzip);
    assert_eq!((packed.header("content-encoding"), packed.header("vary")), (Some("gzip"), Some("accept-encoding")));
    assert_eq!(gunzipped(&packed.body), plain.text());
    // Another representation, so another tag.
    let tag = packed.header("etag").unwrap();
    assert_ne!(Some(tag), plain.header("etag"));
    assert_eq!(site.get("/www/text.txt", &format!("{gzip}if-none-match: {tag}\r\n")).status, 304);
    assert_eq!(site.get("/www/text.txt", &format!("if-none-match: {tag}\r\n")).status, 200);
    let resumed = format!("{gzip}range: bytes=5-9\r\nif-range: {tag}\r\n");
    assert_eq!(site.get("/www/text.txt", &resumed).status, 200, "a part of the file does not continue a packed one");
    // What is small or packed already stays as it is.
    for name in ["a.txt", "picture.png", "empty.txt"] {
        assert_eq!(site.get(&format!("/www/{name}"), gzip).header("content-encoding"), None, "{name}");
    }
    let must = site.get("/www/picture.png", "accept-encoding: gzip, identity;q=0\r\nrange: bytes=0-1\r\n");
    assert_eq!((must.status, must.header("content-encoding")), (200, Some("gzip")));
    assert_eq!(site.get("/www/a.txt", "accept-encoding: identity;q=0\r\n").status, 406);
    site.write("large.txt", DIGITS.repeat(200_000).as_bytes());
    assert_eq!(gunzipped(&site.get("/www/large.txt", gzip).body).len(), 2_000_000);
    let head = site.ask("HEAD", "/www/large.txt", gzip);
    assert_eq!(
        (head.header("content-encoding"), head.header("content-length"), head.body.len()),
        (Some("gzip"), None, 0)
    );
}
