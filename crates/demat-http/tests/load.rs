//! Many idle or slow connections: other requests are still answered, and the connections cost little.
//!
//! The server and the clients are separate processes with the maximum number of open files.

#![allow(clippy::print_stdout)] // the tests print their measurements

mod support;

use demat_http::Options;
use std::env;
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::{Running, parsed};

/// The role of a process; the process that runs the tests has none.
const ROLE: &str = "DEMAT_LOAD_ROLE";
const IDLE: usize = 10_000;
const SLOW_HEADS: usize = 400;
const SLOW_BODIES: usize = 400;
const SLOW_READERS: usize = 200;

/// Returns a command that runs this program for one test in a role, with the maximum number of open files.
fn again(test: &str, role: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n $(ulimit -H -n); exec \"$0\" \"$@\""]).arg(env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(ROLE, role);
    command
}

/// Whether this process is the client. Otherwise runs the client and returns false.
fn is_client(test: &str) -> bool {
    if env::var_os(ROLE).is_some() {
        return true;
    }
    assert!(again(test, "client").status().unwrap().success());
    false
}

/// A server in a separate process.
struct Served {
    process: Child,
    /// Its output, which must be read.
    _said: Box<dyn Iterator<Item = String>>,
    address: SocketAddr,
}

impl Drop for Served {
    fn drop(&mut self) {
        // The server exits when its standard input closes.
        drop(self.process.stdin.take());
        self.process.wait().unwrap();
    }
}

/// The work of the server process, if this is one.
#[test]
fn a_server_of_its_own() {
    let role = env::var(ROLE).unwrap_or_default();
    let mut words =
        role.split(' ').skip_while(|word| *word != "server").skip(1).map(|word| word.parse::<u64>().unwrap());
    let Some(seconds) = words.next() else { return };
    let patience = Duration::from_secs(seconds);
    let options =
        Options { head_timeout: patience, body_timeout: patience, write_timeout: patience, ..Options::default() };
    let own = Running::new(options);
    let long = "x".repeat(4000);
    let rows: Vec<_> = (0..2000).map(|_| format!(r#"{{"title":"{long}"}}"#)).collect();
    assert_eq!(own.ask("POST", "/tasks", "", &format!("[{}]", rows.join(","))).status, 201);
    if let Some(rows) = words.next() {
        let numbers = format!("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows})");
        let row = "SELECT i + 10000, 'Clean Room ' || i, i % 2, i FROM n";
        own.database.execute("DELETE FROM tasks").unwrap();
        own.database.execute(&format!("INSERT INTO tasks(id, title, completed, \"order\") {numbers} {row}")).unwrap();
    }
    println!("\nlistens at {}", own.address);
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
}

impl Served {
    /// Returns a server with a timeout in seconds.
    fn new(patience: u64) -> Self {
        Self::in_role(&format!("server {patience}"))
    }

    /// Returns a server with a table of `rows` rows.
    fn of_rows(rows: usize) -> Self {
        Self::in_role(&format!("server 600 {rows}"))
    }

    fn in_role(role: &str) -> Self {
        let mut command = again("a_server_of_its_own", role);
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines().map(Result::unwrap);
        let address = lines.find_map(|line| line.strip_prefix("listens at ")?.parse().ok()).unwrap();
        Self { process, _said: Box::new(lines), address }
    }

    fn open(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        stream
    }

    /// Sends a valid request on its own connection. The answer must be complete.
    fn ask(&self, request: &str) -> support::Got {
        let mut stream = self.open();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        parsed(&answer)
    }

    /// Sends valid requests, which must all be answered.
    fn is_well(&self) {
        for request in [
            "GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".to_string(),
            "GET /tasks/1?fields=id HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".to_string(),
            "GET /tasks?fields=id HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".to_string(),
            "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: 13\r\n\r\n{\"title\":\"a\"}"
                .into(),
        ] {
            let status = self.ask(&request).status;
            assert!(matches!(status, 200 | 201), "{status} to {request}");
        }
    }

    /// Returns the number of connections, except the one that asks.
    fn connections(&self) -> usize {
        let metrics = self.ask("GET /metrics HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").text();
        let line = metrics.lines().find_map(|line| line.strip_prefix("demat_http_connections ")).unwrap();
        line.parse::<usize>().unwrap() - 1
    }

    /// Returns the resident memory of the server's process in bytes.
    fn memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.trim().trim_end_matches(" kB").parse::<usize>().unwrap() * 1024
    }

    /// Waits until all connections are closed, and sends requests in between.
    fn until_none(&self, mut meanwhile: impl FnMut()) {
        let begun = Instant::now();
        while self.connections() > 0 {
            assert!(begun.elapsed() < Duration::from_secs(200), "{} connections are still there", self.connections());
            meanwhile();
            self.is_well();
            std::thread::sleep(Duration::from_millis(300));
        }
    }
}

/// Returns the number of connections that this process may open.
fn room() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap();
    let line = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let most = line.split_whitespace().nth(3).and_then(|most| most.parse().ok()).unwrap_or(usize::MAX);
    IDLE.min(most - 200)
}

#[test]
fn idle_connections_cost_little() {
    if !is_client("idle_connections_cost_little") {
        return;
    }
    let own = Served::new(600);
    (0..20).for_each(|_| own.is_well());
    let before = own.memory();
    let room = room();
    if room < IDLE {
        println!("FEWER: {room} idle connections, as no more files may be open");
    }
    let mut idle: Vec<TcpStream> = (0..room).map(|_| own.open()).collect();
    // Each has sent a request, so that all state of a connection exists.
    for stream in &mut idle {
        stream.write_all(b"GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
    }
    assert!(idle.iter_mut().all(|stream| matches!(stream.read(&mut [0; 512]), Ok(1..))), "all were answered");
    own.is_well();
    let (there, grown) = (own.connections(), own.memory().saturating_sub(before));
    println!("{there} idle connections take {} bytes each", grown / room);
    assert!(grown / room < 32 << 10, "{grown} bytes for {there} idle connections");
    assert_eq!(there, room, "all are there");
    own.is_well();
}

#[test]
fn slow_connections_are_ended_and_hold_nobody_up() {
    if !is_client("slow_connections_are_ended_and_hold_nobody_up") {
        return;
    }
    let own = Served::new(10);
    (0..20).for_each(|_| own.is_well());
    let before = own.memory();
    let begin = |count: usize, request: &str| -> Vec<TcpStream> {
        let begin = |_| {
            let mut stream = own.open();
            stream.write_all(request.as_bytes()).unwrap();
            stream
        };
        (0..count).map(begin).collect()
    };
    let mut readers = begin(SLOW_READERS, "GET /tasks HTTP/1.1\r\nhost: localhost\r\n\r\n");
    let mut heads = begin(SLOW_HEADS, "GET /health HTTP/1.1\r\n");
    let mut bodies = begin(
        SLOW_BODIES,
        "POST /tasks HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{",
    );
    own.is_well();
    let most = own.memory().saturating_sub(before);
    let all = SLOW_READERS + SLOW_HEADS + SLOW_BODIES;
    println!("{} of {all} slow connections take {most} bytes", own.connections());
    assert!(most / all < 256 << 10, "{most} bytes for {all} slow connections");
    own.until_none(|| {
        // A byte of each now and then.
        for stream in heads.iter_mut().chain(&mut bodies) {
            let _ = stream.write_all(b"x");
        }
    });
    let rest = |stream: &mut TcpStream| {
        let mut rest = Vec::new();
        match stream.read_to_end(&mut rest) {
            Ok(_) => rest,
            Err(error) if matches!(error.kind(), ErrorKind::ConnectionReset | ErrorKind::BrokenPipe) => rest,
            Err(error) => panic!("it was not ended: {error}"),
        }
    };
    for stream in &mut heads {
        assert!(matches!(parsed(&rest(stream)).status, 0 | 408));
    }
    for stream in &mut bodies {
        assert!(matches!(parsed(&rest(stream)).status, 0 | 408));
    }
    for stream in &mut readers {
        assert!(!rest(stream).ends_with(b"0\r\n\r\n"), "the answer has come to its end");
    }
}

/// Reads an answer, with pauses before each of its first parts. Returns its length, and the maximum memory of the
/// server during that time.
fn taken(own: &Served, request: &str, pauses: u32) -> (usize, usize) {
    let mut stream = own.open();
    stream.write_all(request.as_bytes()).unwrap();
    let (mut part, mut len, mut most, mut last) = (vec![0; 64 << 10], 0, 0, Vec::new());
    for number in 0.. {
        if number < pauses {
            std::thread::sleep(Duration::from_millis(20));
        }
        let count = stream.read(&mut part).unwrap();
        if count == 0 {
            break;
        }
        if number == 0 {
            assert!(part.starts_with(b"HTTP/1.1 200"));
        }
        len += count;
        last = part[..count].to_vec();
        if number % 32 == 0 || number < pauses {
            most = most.max(own.memory());
        }
    }
    assert!(last.ends_with(b"0\r\n\r\n"), "the answer broke off after {len} bytes");
    (len, most)
}

#[test]
fn a_long_answer_takes_little_memory() {
    const MOST: usize = 32 << 20;
    if !is_client("a_long_answer_takes_little_memory") {
        return;
    }
    let own = Served::of_rows(1_000_000);
    (0..3).for_each(|_| {
        assert_eq!(own.ask("GET /tasks/10001 HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").status, 200);
    });
    let idle = own.memory();
    let arrow = "application/vnd.apache.arrow.stream";
    let formats = [arrow, "text/csv", "application/json", "application/x-ndjson", "application/protobuf"];
    let plain = formats.into_iter().map(|media| (media, "identity", 0));
    // Read with pauses, and compressed.
    let others =
        [(arrow, "identity", 50), ("application/json", "identity", 50), (arrow, "zstd", 0), ("text/csv", "gzip", 0)];
    for (media, packed, pauses) in plain.chain(others) {
        let head = format!("host: localhost\r\nconnection: close\r\naccept: {media}\r\naccept-encoding: {packed}");
        let (len, most) = taken(&own, &format!("GET /tasks HTTP/1.1\r\n{head}\r\n\r\n"), pauses);
        let grown = most.saturating_sub(idle);
        println!("{media}, {packed}: {len} bytes, and the server takes {} KiB more than idle", grown >> 10);
        assert!(len > 1 << 20 && grown < MOST, "{grown} bytes for {len} of {media}, {packed}");
    }
}

/// Runs slowhttptest, if it is installed.
#[test]
fn slowhttptest_finds_it_available() {
    if !is_client("slowhttptest_finds_it_available") {
        return;
    }
    if Command::new("slowhttptest").arg("-h").output().is_err() {
        println!("SKIPPED: slowhttptest is not there");
        return;
    }
    let own = Served::new(3);
    let url = format!("http://{}/tasks", own.address);
    for kind in [&["-H"][..], &["-B"], &["-X", "-w", "10", "-y", "20", "-n", "2", "-z", "5"]] {
        let said = Command::new("slowhttptest")
            .args(kind)
            .args(["-c", "500", "-r", "500", "-i", "1", "-l", "6", "-p", "3", "-u", &url])
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&said.stdout).into_owned();
        assert!(said.contains("service available:") && said.contains("YES"), "{kind:?}: {said}");
        assert!(!said.contains("NO"), "{kind:?}: {said}");
        own.is_well();
    }
}
