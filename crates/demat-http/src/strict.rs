//! A connection that refuses ambiguous heads.

use core::pin::Pin;
use core::task::{Context, Poll};
use std::io;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

mod framing;
#[cfg(test)]
mod tests;

use framing::Framing;

/// A connection that corrupts ambiguous heads before the parser sees them.
///
/// The HTTP parser accepts a bare line feed as the end of a line, and ignores a length if the body is also chunked. An
/// intermediary may interpret that differently, and then one request becomes two (request smuggling). The parser has no
/// option against either. So this connection inserts a byte that no head may contain; then the parser refuses the head
/// and closes the connection.
#[derive(Debug)]
pub(crate) struct Strict<C> {
    connection: C,
    framing: Framing,
}

impl<C> Strict<C> {
    pub(crate) fn new(connection: C) -> Self {
        Self { connection, framing: Framing::default() }
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for Strict<C> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = to.filled().len();
        let read = Pin::new(&mut self.connection).poll_read(context, to);
        if let Poll::Ready(Ok(())) = read {
            self.framing.inspect(&mut to.filled_mut()[before..]);
        }
        read
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for Strict<C> {
    crate::forward_write::forward_write! { connection }
}
