//! The body of a remote server's answer.

use core::fmt;
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, Method, StatusCode};
use std::io::{self, Read};
use std::time::Instant;
use ureq::BodyReader;

/// The body of an answer, still compressed.
pub(super) struct ResponseBody {
    reader: BodyReader<'static>,
    packing: Option<String>,
    /// The length in bytes, if the server sent it.
    pub(super) len: Option<u64>,
    /// Whether the body has a length or an end marker.
    ends: bool,
    timeout: Duration,
}

impl ResponseBody {
    pub(super) fn new(
        body: ureq::Body,
        headers: &HeaderMap,
        status: StatusCode,
        method: &Method,
        timeout: Duration,
    ) -> Self {
        let said = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?").to_ascii_lowercase());
        let len = said(CONTENT_LENGTH).and_then(|len| len.parse().ok());
        let none = *method == Method::HEAD || matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
        let packing = said(CONTENT_ENCODING).filter(|name| !matches!(&**name, "" | "identity"));
        let ends = none || len.is_some() || said(TRANSFER_ENCODING).is_some();
        Self { reader: body.into_reader(), packing, len, ends, timeout }
    }

    /// Returns the decompressed bytes. Fails if there are more than `most`.
    pub(super) fn bytes(self, most: u64) -> Result<impl Read + Send> {
        if !self.ends {
            // It could not be distinguished from a truncated one.
            return Err(Error::mismatch(ErrorKind::Store, "an answer that says where it ends", "one that does not"));
        }
        let paced = Paced { reader: self.reader, timeout: self.timeout, spent: Duration::ZERO, count: 0 };
        let reader: Box<dyn Read + Send> = match self.packing.as_deref() {
            None => Box::new(paced),
            Some("gzip" | "x-gzip" | "zstd") => Box::new(demat_place::Input::over(paced, "the answer")?),
            Some(other) => return Err(Error::mismatch(ErrorKind::Store, "gzip or zstd", other.to_string())),
        };
        Ok(AtMost { reader, left: most, most })
    }

    /// Returns a reader without a time limit, for an event stream.
    pub(super) fn endless(self) -> BodyReader<'static> {
        self.reader
    }

    /// Reads and drops the rest of an answer, so that the connection can be reused. A long one closes the connection.
    pub(super) fn pass_over(self) {
        if self.len.is_none_or(|len| len <= LITTLE) && self.ends {
            let reader = Paced { reader: self.reader, timeout: self.timeout, spent: Duration::ZERO, count: 0 };
            drop(io::copy(&mut reader.take(LITTLE), &mut io::sink()));
        }
    }
}

impl fmt::Debug for ResponseBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ResponseBody").field("len", &self.len).finish_non_exhaustive()
    }
}

/// Up to this many bytes, reading the rest is cheaper than a new connection.
const LITTLE: u64 = 256 << 10;
/// The number of bytes that must arrive within the timeout.
const PART: u64 = 64 << 10;

/// A reader with a time limit for each part.
struct Paced {
    reader: BodyReader<'static>,
    timeout: Duration,
    /// The time spent waiting for this part, and the number of its bytes that have arrived.
    spent: Duration,
    count: u64,
}

impl Read for Paced {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // Only waiting counts, not the reader's own time.
        let begun = Instant::now();
        let read = self.reader.read(bytes).map_err(|error| match ureq::Error::from(error) {
            ureq::Error::Timeout(_) => failed(Error::new(ErrorKind::Io, SLOW)),
            ureq::Error::Io(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                failed(Error::new(ErrorKind::Io, SHORT))
            }
            other => failed(Error::new(ErrorKind::Io, "the answer can't be read").because(other)),
        })?;
        self.count += read as u64;
        if self.count >= PART {
            (self.count, self.spent) = (0, Duration::ZERO);
            return Ok(read);
        }
        self.spent += begun.elapsed();
        if self.spent > self.timeout { Err(failed(Error::new(ErrorKind::Io, SLOW))) } else { Ok(read) }
    }
}

const SLOW: &str = "the server took too long";
const SHORT: &str = "the answer breaks off";

fn failed(error: Error) -> io::Error {
    io::Error::other(error)
}

/// A reader that fails after a number of bytes.
struct AtMost<R> {
    reader: R,
    left: u64,
    most: u64,
}

impl<R: Read> Read for AtMost<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(bytes)?;
        self.left = self.left.checked_sub(read as u64).ok_or_else(|| failed(Error::limit("the answer", self.most)))?;
        Ok(read)
    }
}
