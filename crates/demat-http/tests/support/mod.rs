//! A server over a table, and requests to it by plain sockets.
#![allow(dead_code, unreachable_pub)] // each test uses what it needs

use demat_http::{Mount, Options, Route, Server, Stopper};
use demat_sqlite::Database;
use demat_sqlite_store::{Table, TableOptions};
use demat_store::Memory;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

pub const TASK: &str = "id: int? #sql:key, title: text, completed: bool = false, order: int?";

pub struct Running {
    pub address: SocketAddr,
    pub database: Database,
    stopper: Stopper,
    thread: Option<JoinHandle<demat_core::Result<()>>>,
    _folder: tempfile::TempDir,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop();
    }
}

/// An answer.
#[derive(Debug)]
pub struct Got {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Got {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let found =
            self.head.lines().find(|line| line.split_once(':').is_some_and(|(own, _)| own.eq_ignore_ascii_case(name)));
        found.and_then(|line| line.split_once(':')).map(|(_, value)| value.trim())
    }
}

impl Running {
    pub fn new(options: Options) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::open(&folder.path().join("tasks.db")).unwrap();
        let table = Table::of(&database, "tasks", Some(&TASK.parse().unwrap()), &TableOptions::default()).unwrap();
        let routes = vec![
            Route::new("/tasks", Mount::Store(Arc::new(table))).bulk(true),
            Route::new("/notes", Mount::Store(Arc::new(Memory::new()))).bulk(true),
        ];
        let server = Server::bind(routes, Options { port: 0, ..options }).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        let thread = Some(std::thread::spawn(move || server.run()));
        Self { address, database, stopper, thread, _folder: folder }
    }

    pub fn stop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }

    pub fn open(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        stream
    }

    /// Sends one request on its own connection.
    pub fn ask(&self, method: &str, target: &str, headers: &str, body: &str) -> Got {
        let len = if body.is_empty() { String::new() } else { format!("content-length: {}\r\n", body.len()) };
        let kind =
            if body.is_empty() || headers.contains("content-type") { "" } else { "content-type: application/json\r\n" };
        let head =
            format!("{method} {target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{len}{kind}{headers}\r\n");
        self.raw(&(head + body))
    }

    pub fn get(&self, target: &str) -> Got {
        self.ask("GET", target, "", "")
    }

    /// Sends bytes, and returns the answer up to the connection's end.
    pub fn raw(&self, request: &str) -> Got {
        self.sent(request.as_bytes())
    }

    /// As [`raw`](Self::raw), for bytes that need not be text.
    pub fn sent(&self, request: &[u8]) -> Got {
        let mut stream = self.open();
        // The server may refuse the request before all of it is read.
        let _ = stream.write_all(request);
        let mut answer = Vec::new();
        // After a reset, use what was received.
        let _ = stream.read_to_end(&mut answer);
        parsed(&answer)
    }
}

/// Parses the first answer in received bytes.
pub fn parsed(answer: &[u8]) -> Got {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap_or(answer.len());
    let head = String::from_utf8_lossy(&answer[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = answer.get(end + 4..).unwrap_or_default().to_vec();
    let mut got = Got { status, head, body };
    if got.header("transfer-encoding") == Some("chunked") {
        got.body = unchunked(&got.body);
    }
    got
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    loop {
        let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") else { return whole };
        let len = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap(), 16).unwrap();
        if len == 0 {
            return whole;
        }
        whole.extend_from_slice(&bytes[end + 2..end + 2 + len]);
        bytes = &bytes[end + 4 + len..];
    }
}
