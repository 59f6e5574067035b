//! A connection whose other side must take what it is sent, and that is not let go of before that was read.

use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadBuf};
use tokio::sync::oneshot::{self, Receiver, Sender};
use tokio::time::{Instant, Sleep};

#[cfg(test)]
mod tests;

/// So many bytes have to be taken in the time that there is, or all that there are.
const PART: usize = 64 << 10;

/// A connection that ends where the other side takes too long for what it is sent.
///
/// When it is dropped, the connection itself is left to whoever has [asked](Self::new) for it.
#[derive(Debug)]
pub(crate) struct WriteTimeout<C> {
    /// There until it is dropped, with who gets it then.
    connection: Option<(C, Sender<C>)>,
    patience: Duration,
    /// How long was waited for this part, of which so many bytes were taken. Only what is waited for counts: there may be
    /// nothing to send for long.
    spent: Duration,
    taken: usize,
    /// Since when nothing is taken, and what ends the patience.
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
            // Where nobody waits for it, it ends here.
            drop(left.send(connection));
        }
    }
}

/// So long what still comes is read after the last answer.
const LINGER: Duration = Duration::from_millis(500);

/// Ends a connection in a way that the other side sees the last answer: one that is let go of with something unread is reset,
/// and what was on its way is lost.
pub(crate) async fn end(mut connection: impl AsyncRead + AsyncWrite + Unpin) {
    let ended = async {
        // What is encrypted has something to say here, too, and who does not read does not take that.
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

    /// What came of writing, unless that was waited for too long; by it so many bytes were taken, or all that there were.
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
                // The part was taken, or all that there was.
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
