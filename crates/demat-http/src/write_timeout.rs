//! A connection with a time limit for the client to read, which stays open until the last answer was read.

use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::sync::oneshot::{self, Receiver, Sender};
use tokio::time::{Instant, Sleep};

#[cfg(test)]
mod tests;

/// The number of bytes that must be taken within the timeout; or all, if there are fewer.
const PART: usize = 64 << 10;

/// A connection that fails if the client takes too long to read.
///
/// When it is dropped, the inner connection goes to the receiver that [`new`](Self::new) returned.
#[derive(Debug)]
pub(crate) struct WriteTimeout<C> {
    /// The connection and the channel for it; `None` only while it is dropped.
    connection: Option<(C, Sender<C>)>,
    patience: Duration,
    /// The time spent waiting for this part, and the number of its bytes that were taken. Only waiting counts: there
    /// may be nothing to send for a long time.
    spent: Duration,
    taken: usize,
    /// Since when nothing has been taken, and the timer for the rest of the timeout.
    waits: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<C> WriteTimeout<C> {
    pub(crate) fn new(connection: C, patience: Duration) -> (Self, Receiver<C>) {
        let (left, leaves) = oneshot::channel();
        let connection = Some((connection, left));
        (Self { connection, patience, spent: Duration::ZERO, taken: 0, waits: None }, leaves)
    }
}

impl<C> Drop for WriteTimeout<C> {
    fn drop(&mut self) {
        if let Some((connection, left)) = self.connection.take() {
            // Without a receiver, the connection closes here.
            drop(left.send(connection));
        }
    }
}

/// The time after the last answer during which incoming bytes are still read.
const LINGER: Duration = Duration::from_millis(500);

/// Closes a connection such that the client gets the last answer. Closing a socket with unread data would reset it, and
/// bytes in flight would be lost.
pub(crate) async fn end(mut connection: impl AsyncRead + AsyncWrite + Unpin) {
    let ended = async {
        // The shutdown of an encrypted connection sends data, too, which a client that does not read does not take.
        if connection.shutdown().await.is_ok() {
            let mut nowhere = [0; 4096];
            while matches!(connection.read(&mut nowhere).await, Ok(1..)) {}
        }
    };
    drop(tokio::time::timeout(LINGER, ended).await);
}

fn gone<T>() -> Poll<io::Result<T>> {
    Poll::Ready(Err(io::ErrorKind::NotConnected.into()))
}

impl<C: Unpin> WriteTimeout<C> {
    fn inner(&mut self) -> Option<Pin<&mut C>> {
        self.connection.as_mut().map(|(connection, _)| Pin::new(connection))
    }

    /// Returns the result of a write, or a timeout error if it took too long. `count` returns the number of bytes
    /// taken; `None` means all.
    fn judge<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
        count: impl FnOnce(&T) -> Option<usize>,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(written) = written {
            if let Some((since, _)) = self.waits.take() {
                self.spent += since.elapsed();
            }
            match written.as_ref().ok().and_then(count) {
                Some(count) if self.taken + count < PART => self.taken += count,
                // The part was taken, or everything that there was.
                _ => (self.taken, self.spent) = (0, Duration::ZERO),
            }
            return Poll::Ready(written);
        }
        let left = self.patience.saturating_sub(self.spent);
        let (_, waits) = self.waits.get_or_insert_with(|| (Instant::now(), Box::pin(tokio::time::sleep(left))));
        match waits.as_mut().poll(context) {
            Poll::Ready(()) => Poll::Ready(Err(io::ErrorKind::TimedOut.into())),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for WriteTimeout<C> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        self.inner().map_or_else(gone, |connection| connection.poll_read(context, to))
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<C> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = self.inner().map_or_else(gone, |connection| connection.poll_write(context, bytes));
        self.judge(context, written, |count| Some(*count))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = self.inner().map_or_else(gone, |connection| connection.poll_write_vectored(context, slices));
        self.judge(context, written, |count| Some(*count))
    }

    fn is_write_vectored(&self) -> bool {
        self.connection.as_ref().is_some_and(|(connection, _)| connection.is_write_vectored())
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let all = self.inner().map_or_else(gone, |connection| connection.poll_flush(context));
        self.judge(context, all, |()| None)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let all = self.inner().map_or_else(gone, |connection| connection.poll_shutdown(context));
        self.judge(context, all, |()| None)
    }
}
