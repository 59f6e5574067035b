//! What is answered, as it comes.

use core::fmt;
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result};
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, Method, StatusCode};
use std::io::{self, Read};
use std::time::Instant;
use ureq::BodyReader;

/// What an answer brings, still packed.
pub(super) struct ResponseBody {
    reader: BodyReader<'static>,
    packing: Option<String>,
    /// How many bytes there are, where that was said.
    pub(super) len: Option<u64>,
    /// Whether it is known where it ends.
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

    /// Its bytes, unpacked, of which there must not be more than this.
    pub(super) fn bytes(self, most: u64) -> Result<impl Read + Send> {
        if !self.ends {
            // It could not be told from one that breaks off.
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

    /// What comes, one after the other, however long that takes.
    pub(super) fn endless(self) -> BodyReader<'static> {
        self.reader
    }

    /// Reads what is left of an answer that nobody wants, so that the connection can be taken up again; a long one ends it.
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

/// So many bytes are read sooner than a new connection is made.
const LITTLE: u64 = 256 << 10;
/// So many bytes have to come in the time that there is.
const PART: u64 = 64 << 10;

/// Takes no longer than it may for each part.
struct Paced {
    reader: BodyReader<'static>,
    timeout: Duration,
    /// How long was waited for this part, of which so many bytes are there.
    spent: Duration,
    count: u64,
}

impl Read for Paced {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // Only what is waited for counts: who reads may take its time.
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

/// Has no more bytes than this.
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
