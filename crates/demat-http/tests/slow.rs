//! Slow readers on real sockets: a client that reads too slowly is disconnected, and one that reads fast enough is not.

mod support;

use core::time::Duration;
use demat_http::Options;
use socket2::{Domain, Socket, Type};
use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Instant;
use support::{Running, parsed};

/// The time limit for 64 KiB.
const PATIENCE: Duration = Duration::from_secs(4);
const ASKED: &str = "GET /tasks HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n";

fn served() -> (Running, usize) {
    let own = Running::new(Options { write_timeout: PATIENCE, ..Options::default() });
    let long = "x".repeat(4000);
    let rows: Vec<_> = (0..250).map(|_| format!(r#"{{"title":"{long}"}}"#)).collect();
    assert_eq!(own.ask("POST", "/tasks", "", &format!("[{}]", rows.join(","))).status, 201);
    let len = own.get("/tasks").body.len();
    (own, len)
}

/// Opens a connection like one from far away: with little data in flight, and small buffers at the end.
fn far(own: &Running) -> TcpStream {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(16 << 10).unwrap();
    socket.set_tcp_mss(1400).unwrap();
    socket.connect(&own.address.into()).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
    let mut stream = TcpStream::from(socket);
    stream.write_all(ASKED.as_bytes()).unwrap();
    stream
}

/// Reads an answer with `rate` bytes per tenth of a second, until its end. Returns it, and the time taken.
fn read(stream: &mut TcpStream, rate: usize) -> (Vec<u8>, Duration) {
    let (begun, mut whole, mut part) = (Instant::now(), Vec::new(), vec![0; rate]);
    loop {
        match stream.read(&mut part) {
            Ok(0) => break,
            Ok(count) => whole.extend_from_slice(&part[..count]),
            Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
            Err(error) => panic!("it was not ended: {error}"),
        }
        let due = Duration::from_millis((whole.len() / rate * 100) as u64);
        if begun.elapsed() < 9 * PATIENCE {
            std::thread::sleep(due.saturating_sub(begun.elapsed()));
        }
    }
    (whole, begun.elapsed())
}

/// Returns how long the server keeps a connection that is read at a rate.
fn kept(rate: usize) -> Duration {
    let (own, len) = served();
    let mut stream = far(&own);
    let begun = Instant::now();
    // Data in flight when the connection is closed arrives later, as slowly.
    let reader = std::thread::spawn(move || read(&mut stream, rate).0);
    let connections = || {
        let metrics = own.get("/metrics").text();
        metrics.lines().find_map(|line| line.strip_prefix("demat_http_connections ")?.parse::<usize>().ok()).unwrap()
    };
    while connections() > 1 {
        assert!(begun.elapsed() < 8 * PATIENCE, "it is still there");
        std::thread::sleep(Duration::from_millis(50));
    }
    let took = begun.elapsed();
    drop(own);
    let whole = reader.join().unwrap();
    assert!(whole.starts_with(b"HTTP/1.1 200") && whole.len() < len, "{} of {len} bytes", whole.len());
    took
}

#[test]
fn a_trickle_is_ended() {
    let took = kept(200);
    assert!(took >= PATIENCE, "{took:?}");
}

#[test]
fn a_few_bytes_now_and_then_are_no_sign_of_life() {
    // About 15 KB per second is just below the required rate; the system takes them in large pieces.
    let took = kept(1500);
    assert!(took >= PATIENCE, "{took:?}");
}

#[test]
fn who_is_slow_but_takes_enough_has_it_all() {
    let (own, len) = served();
    // 100 KB per second is six times the required rate, and takes 10 s in total.
    let (whole, took) = read(&mut far(&own), 10_000);
    assert_eq!(parsed(&whole).body.len(), len);
    assert!(took > 2 * PATIENCE, "{took:?}");
}

#[test]
fn who_waits_for_changes_may_wait() {
    let (own, _) = served();
    let mut stream = own.open();
    stream.write_all(b"GET /tasks HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n").unwrap();
    let mut said = vec![0; 1 << 16];
    let until = |stream: &mut TcpStream, said: &mut Vec<u8>, word: &str| {
        let mut all = String::new();
        while !all.contains(word) {
            let count = stream.read(said).unwrap();
            assert!(count > 0, "it was ended: {all}");
            all += &String::from_utf8_lossy(&said[..count]);
        }
    };
    until(&mut stream, &mut said, "hello");
    for _ in 0..2 {
        std::thread::sleep(PATIENCE * 2);
        assert_eq!(own.ask("POST", "/tasks", "", r#"{"title":"a"}"#).status, 201);
        until(&mut stream, &mut said, "change");
    }
}
