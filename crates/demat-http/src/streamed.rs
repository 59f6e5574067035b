//! Streamed answers.

use crate::body::Body;
use crate::encoding::{Encoding, Packer};
use crate::failure::Failure;
use bytes::Bytes;
use core::time::Duration;
use demat_core::{Error, Result, caught};
use http::StatusCode;
use std::io::{self, Write};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::sync::mpsc::{self, Sender};

/// The size of a part in bytes.
const PART: usize = 64 * 1024;
/// The maximum number of parts that wait to be sent; then the writer blocks.
const WAITING: usize = 2;

/// A writer that sends its bytes as parts.
struct Sent {
    to: Sender<io::Result<Bytes>>,
    part: Vec<u8>,
    /// Whether a part was sent, so that the status can no longer change.
    has_begun: bool,
}

impl Sent {
    fn send(&mut self) -> io::Result<()> {
        if self.part.is_empty() {
            return Ok(());
        }
        let part = core::mem::replace(&mut self.part, Vec::with_capacity(PART));
        self.has_begun = true;
        // A send error means that the client has gone.
        self.to.blocking_send(Ok(part.into())).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for Sent {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = PART - self.part.len().min(PART);
        let taken = &bytes[..bytes.len().min(room)];
        self.part.extend_from_slice(taken);
        if self.part.len() >= PART {
            self.send()?;
        }
        Ok(taken.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.send()
    }
}

/// The maximum number of answers that are streamed at once. A slow client occupies a thread, and other requests that
/// need one, for example to commit, must not wait for slow clients.
const WRITING: usize = 192;

/// Permits for streamed answers.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    places: Arc<Semaphore>,
    /// The maximum time to wait for a permit.
    patience: Duration,
}

impl Places {
    pub(crate) fn new(patience: Duration) -> Self {
        Self { places: Arc::new(Semaphore::new(WRITING)), patience }
    }
}

/// Runs `write` on a thread of its own and returns what it writes as a body.
///
/// An error before the first byte becomes the answer. A later error aborts the body, so that the client can tell it
/// from a complete one, and calls `broken` with the error.
pub(crate) async fn streamed(
    places: &Places,
    packed: Option<Encoding>,
    broken: impl FnOnce(&Error) + Send + 'static,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<()> + Send + 'static,
) -> core::result::Result<Body, Failure> {
    let place = tokio::time::timeout(places.patience, Arc::clone(&places.places).acquire_owned()).await;
    let Ok(Ok(place)) = place else {
        return Err(Failure::new(StatusCode::SERVICE_UNAVAILABLE, "too many read slowly"));
    };
    let (to, mut parts) = mpsc::channel(WAITING);
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let mut sent = Sent { to, part: Vec::with_capacity(PART), has_begun: false };
        // Without this, a panic would end the body like a complete one.
        let written = caught(|| match packed {
            None => write(&mut sent),
            Some(encoding) => packing(encoding, &mut sent, write),
        });
        let ended = written.and_then(|()| Ok(sent.send()?));
        if let Err(error) = ended {
            // If the client has gone, there is nothing to report.
            if sent.has_begun && !sent.to.is_closed() {
                broken(&error);
            }
            drop(sent.to.blocking_send(Err(io::Error::other(error))));
        }
    });
    match parts.recv().await {
        None => Ok(Body::empty()),
        Some(Ok(first)) => Ok(Body::Parts(Some(first), parts)),
        Some(Err(error)) => Err(demat_place::lift(Error::from(error)).into()),
    }
}

fn packing(
    encoding: Encoding,
    sent: &mut Sent,
    write: impl FnOnce(&mut (dyn Write + Send)) -> Result<()>,
) -> Result<()> {
    let mut packer = Packer::new(encoding, sent)?;
    write(&mut packer)?;
    packer.finish()?;
    Ok(())
}
