//! A connection that is reset if it ends in the middle of an answer without an end marker.

use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll};
use core::time::Duration;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// A connection over a socket.
pub(crate) trait Socket {
    /// Makes the next close a reset (RST).
    fn reset_on_close(&self);
}

impl Socket for TcpStream {
    fn reset_on_close(&self) {
        // Without it, the close is an ordinary one.
        drop(socket2::SockRef::from(self).set_linger(Some(Duration::ZERO)));
    }
}

#[cfg(feature = "tls")]
impl<S: Socket> Socket for tokio_rustls::server::TlsStream<S> {
    fn reset_on_close(&self) {
        self.get_ref().0.reset_on_close();
    }
}

/// Whether the current answer ends only with its connection. The connection and its service share this.
///
/// HTTP/1.0 has no chunked encoding. A client, or a proxy such as nginx, treats the close of the connection as the end
/// of such an answer.
#[derive(Debug, Clone, Default)]
pub(crate) struct OpenEnded(Arc<AtomicBool>);

impl OpenEnded {
    pub(crate) fn begin(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Marks the answer as completely sent.
    pub(crate) fn complete(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    pub(crate) fn is_incomplete(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A connection that is reset when it is dropped during an open-ended answer, so that the client sees that the answer
/// is incomplete.
#[derive(Debug)]
pub(crate) struct Abortive<C: Socket> {
    connection: C,
    answer: OpenEnded,
}

impl<C: Socket> Abortive<C> {
    pub(crate) fn new(connection: C, answer: OpenEnded) -> Self {
        Self { connection, answer }
    }
}

impl<C: Socket> Drop for Abortive<C> {
    fn drop(&mut self) {
        if self.answer.is_incomplete() {
            self.connection.reset_on_close();
        }
    }
}

impl<C: Socket + AsyncRead + Unpin> AsyncRead for Abortive<C> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_read(context, to)
    }
}

impl<C: Socket + AsyncWrite + Unpin> AsyncWrite for Abortive<C> {
    crate::forward_write::forward_write! { connection }
}
