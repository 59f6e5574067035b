//! Heads are found wherever they are, however the received bytes are split.

use super::framing::Framing;

/// Returns the bytes that pass, if they arrive in these parts.
fn passed(bytes: &[u8], cuts: &[usize]) -> Vec<u8> {
    let mut framing = Framing::default();
    let mut bytes = bytes.to_vec();
    let mut from = 0;
    for end in cuts.iter().copied().chain([bytes.len()]) {
        framing.inspect(&mut bytes[from..end]);
        from = end;
    }
    bytes
}

fn every_cut(bytes: &[u8], check: impl Fn(&[u8])) {
    check(&passed(bytes, &[]));
    for one in 0..=bytes.len() {
        check(&passed(bytes, &[one]));
        for two in one..=bytes.len() {
            check(&passed(bytes, &[one, two]));
        }
    }
    check(&passed(bytes, &(0..=bytes.len()).collect::<Vec<_>>()));
}

#[test]
fn what_has_one_reading_is_let_through() {
    let requests: [&[u8]; 7] = [
        b"GET / HTTP/1.1\r\nhost: h\r\n\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: 4\r\n\r\na\nb\nGET / HTTP/1.1\r\nx: y\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length:\t 0 \r\n\r\nGET / HTTP/1.1\r\nx: y\r\n\r\n",
        b"PUT / HTTP/1.1\r\nTransfer-Encoding: Chunked\r\n\r\n2;a=b\r\n\n\n\r\nA \r\n0123\n56789\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n",
        b"PUT / HTTP/1.1\r\ntransfer-encoding:chunked\r\n\r\n0\r\na: b\r\nc: d\r\n\r\nGET / HTTP/1.1\r\nx: y\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-lengths: x\r\ncontent: y\r\nt: \xff\r\ncontent-length: 1\r\n\r\n\nGET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: h\r\n",
    ];
    for request in requests {
        every_cut(request, |passed| assert_eq!(passed, request, "{}", request.escape_ascii()));
    }
}

#[test]
fn what_has_two_readings_is_spoilt() {
    let requests: [&[u8]; 14] = [
        b"GET / HTTP/1.1\nhost: h\r\n\r\n",
        b"GET / HTTP/1.1\r\nhost: h\n\r\n",
        b"GET / HTTP/1.1\r\nhost: h\r\n\n",
        b"\nGET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\n\n",
        b"POST / HTTP/1.1\r\ncontent-length: 1\r\n\r\n\n\nGET",
        b"POST / HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 5\r\n\r\n12345",
        b"POST / HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\ncontent-length: 5\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\nTransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\ncontent-length: +5\r\n\r\n12345",
        b"POST / HTTP/1.1\r\ncontent-length: 18446744073709551616\r\n\r\n12345",
        b"POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\na: b\n\r\n\r\n",
    ];
    for request in requests {
        every_cut(request, |passed| {
            let differs: Vec<_> = passed.iter().zip(request).filter(|(own, was)| own != was).collect();
            assert_eq!(differs, [(&0, &b'\n')], "{}", request.escape_ascii());
        });
    }
}

#[test]
fn lines_that_are_long_are_not_kept() {
    let long = format!("GET / HTTP/1.1\r\nx: {}\r\n", "y".repeat(1 << 20)).into_bytes();
    let whole = [&long, &b"content-length: 1\r\n\r\n\nGET / HTTP/1.1\r\n\r\n"[..]].concat();
    let parts: Vec<usize> = (0..whole.len()).step_by(1000).collect();
    assert!(passed(&whole, &parts) == whole);
    // A length is refused if many spaces precede it and the filter kept only a part of the line.
    let spaces = format!("POST / HTTP/1.1\r\ncontent-length:{}1\r\n\r\n", " ".repeat(1000)).into_bytes();
    assert!(passed(&spaces, &[]) == spaces);
    assert_eq!(passed(&spaces, &[500]).last(), Some(&0));
}
