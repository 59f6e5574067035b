//! Sends the body of a request.

use core::mem;
use demat_core::{Error, ErrorKind, Result, Shape};
use demat_place::{Format, WriteOptions};
use demat_store::{Body, relaxed};
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope, ScopedJoinHandle};
use ureq::SendBody;

/// Bodies up to this length are sent whole, with `Content-Length`.
const WHOLE: usize = 256 << 10;
/// The size of a part of a longer body.
const PART: usize = 64 << 10;
/// The number of parts that may wait to be sent; then the writer blocks.
const WAITING: usize = 2;

/// A value as a request's body.
pub(super) enum Sent<'b> {
    Whole(&'b [u8]),
    Parts(SendBody<'b>),
}

/// Sends a value: its encoded bytes, or JSON as the value writes it. Calls `send` once, with the media type, possibly
/// on another thread.
///
/// - `shape`: of the value; `Any` if unknown
/// - `passed`: whether the server accepts other formats than JSON
pub(super) fn sent<T: Send>(
    value: &mut dyn Body,
    shape: &Shape,
    passed: bool,
    send: impl FnOnce(Sent<'_>, &'static str, bool) -> Result<T> + Send,
) -> Result<T> {
    if let Some((format, reader)) = value.written()
        && (passed || format == Format::DEFAULT)
    {
        return passed_on(reader, |body| send(body, format.content_type(), true));
    }
    let media_type = Format::DEFAULT.content_type();
    thread::scope(|scope| {
        let send = |body: Sent<'_>| send(body, media_type, false);
        let mut piped = Piped { scope, part: Vec::new(), send: Some(send), to: None };
        let written = write(value, shape, &mut piped);
        let Piped { part, send, to, .. } = piped;
        let Some((to, thread)) = to else {
            written?;
            return send.ok_or_else(broken)?(Sent::Whole(&part));
        };
        // Without the end marker, the server treats the request as aborted.
        if written.is_ok() {
            drop(to.send(Part::More(part)));
            drop(to.send(Part::End));
        }
        drop(to);
        let answer = thread.join().map_err(|_| broken())?;
        match written {
            // The server's answer says why it did not read the rest.
            Err(error) if error.kind() != ErrorKind::Io => Err(error),
            _ => answer,
        }
    })
}

fn write(value: &mut dyn Body, shape: &Shape, to: impl Write + Send) -> Result<()> {
    let mut sink = demat_place::sink(Format::DEFAULT, &WriteOptions::of(Format::DEFAULT), to)?;
    value.tell(shape, &mut *sink)
}

/// Sends the bytes of a reader.
fn passed_on<T>(mut reader: &mut (dyn Read + Send), send: impl FnOnce(Sent<'_>) -> Result<T>) -> Result<T> {
    let mut first = Vec::new();
    (&mut reader)
        .take(WHOLE as u64 + 1)
        .read_to_end(&mut first)
        .map_err(|error| demat_place::lift(Error::from(error)))?;
    if first.len() <= WHOLE {
        return send(Sent::Whole(&first));
    }
    let mut all = (&*first).chain(reader);
    send(Sent::Parts(SendBody::from_reader(&mut all)))
}

#[cold]
fn broken() -> Error {
    Error::new(ErrorKind::Io, "it broke off")
}

enum Part {
    More(Vec<u8>),
    End,
}

/// Buffers what is written; beyond [`WHOLE`], hands it to a thread that sends it.
struct Piped<'s, 'e, S, T> {
    scope: &'s Scope<'s, 'e>,
    part: Vec<u8>,
    send: Option<S>,
    to: Option<(SyncSender<Part>, ScopedJoinHandle<'s, Result<T>>)>,
}

impl<'s, S, T> Write for Piped<'s, '_, S, T>
where
    S: FnOnce(Sent<'_>) -> Result<T> + Send + 's,
    T: Send + 's,
{
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.part.extend_from_slice(bytes);
        if self.part.len() > WHOLE
            && let Some(send) = self.send.take()
        {
            let (to, parts) = sync_channel(WAITING);
            let thread = self.scope.spawn(move || {
                let mut parts = Parts { from: parts, part: Vec::new(), taken: 0, ended: false };
                send(Sent::Parts(SendBody::from_reader(&mut parts)))
            });
            self.to = Some((to, thread));
        }
        if let Some((to, _)) = &self.to
            && self.part.len() > PART
        {
            let part = Part::More(mem::take(&mut self.part));
            to.send(part).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Reads what is handed over.
struct Parts {
    from: Receiver<Part>,
    part: Vec<u8>,
    taken: usize,
    ended: bool,
}

impl Read for Parts {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.part.len() && !self.ended {
            match self.from.recv() {
                Ok(Part::More(part)) => (self.part, self.taken) = (part, 0),
                Ok(Part::End) => self.ended = true,
                Err(_) => return Err(io::Error::other(broken())),
            }
        }
        let count = (&self.part[self.taken..]).read(bytes)?;
        self.taken += count;
        Ok(count)
    }
}

/// Returns the shape of a partial value: the server knows which fields may be missing.
pub(super) fn part(shape: &Shape) -> Result<Shape> {
    Ok(match shape {
        Shape::Record(record) => relaxed(&record.get(), |_| true)?,
        Shape::List(item) => part(item)?.list(),
        other => other.clone(),
    })
}
