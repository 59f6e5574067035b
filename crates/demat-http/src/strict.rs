//! A connection whose heads have one reading.

use core::pin::Pin;
use core::task::{Context, Poll};
use std::io;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

mod framing;
#[cfg(test)]
mod tests;

use framing::Framing;

/// A connection of which heads that could be read in two ways are not let through as they are.
///
/// What parses heads takes a bare line feed for the end of a line, and of a length and chunks in one head it takes the chunks;
/// somebody in between may see it otherwise, and then one request is two. It has no option against either, so it is given a byte
/// there that no head may have, refuses the head, and ends the connection.
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
