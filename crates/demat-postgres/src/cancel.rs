//! Cancels what a server does for a connection, and waits until the server has received that.
//!
//! The request goes by a connection of its own, which the server closes when it has signalled the process that is meant.
//! Before that, the request could still end a later statement. (`libpq` waits so, too: `PQcancel`.)

use crate::address::Address;
use crate::failure::failed;
use crate::tls;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use demat_core::Result;
use std::io;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
#[cfg(unix)]
use tokio::net::UnixStream;
use tokio_postgres::config::Host;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{CancelToken, NoTls};

/// The port of a server that says no other.
const PORT: u16 = 5432;

/// Sends the request. Returns whether the server is known to have received it: it is not for an address with several
/// hosts, of which only the client library knows which one it is connected to.
///
/// # Errors
/// If the server can't be reached.
pub(crate) async fn cancel(token: &CancelToken, address: &Address) -> Result<bool> {
    let config = address.config();
    let port = config.get_ports().first().copied().unwrap_or(PORT);
    let connector = tls::connector(address)?;
    match config.get_hosts() {
        [Host::Tcp(name)] if config.get_hostaddrs().is_empty() => {
            let stream = UntilClosed(TcpStream::connect((name.as_str(), port)).await?);
            let mut connector = connector;
            let tls = MakeTlsConnect::<UntilClosed<TcpStream>>::make_tls_connect(&mut connector, name);
            match tls {
                Ok(tls) => token.cancel_query_raw(stream, tls).await.map_err(failed).map(|()| true),
                // A name that no certificate can have: the client library connects without encryption, too.
                Err(_) => token.cancel_query(connector).await.map_err(failed).map(|()| false),
            }
        }
        #[cfg(unix)]
        [Host::Unix(folder)] => {
            let stream = UntilClosed(UnixStream::connect(folder.join(format!(".s.PGSQL.{port}"))).await?);
            let tls = MakeTlsConnect::<UntilClosed<UnixStream>>::make_tls_connect(&mut NoTls, "");
            let Ok(tls) = tls else { return token.cancel_query(connector).await.map_err(failed).map(|()| false) };
            token.cancel_query_raw(stream, tls).await.map_err(failed).map(|()| true)
        }
        _ => token.cancel_query(connector).await.map_err(failed).map(|()| false),
    }
}

/// A stream whose end waits for the end of the other side.
struct UntilClosed<S>(S);

impl<S: AsyncRead + Unpin> AsyncRead for UntilClosed<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for UntilClosed<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        // The server may have closed it already.
        let _ = ready!(Pin::new(&mut self.0).poll_shutdown(cx));
        let mut space = [0; 64];
        loop {
            let mut buffer = ReadBuf::new(&mut space);
            match ready!(Pin::new(&mut self.0).poll_read(cx, &mut buffer)) {
                Ok(()) if !buffer.filled().is_empty() => {}
                // Its end, or a reset: the server has closed it.
                _ => return Poll::Ready(Ok(())),
            }
        }
    }
}
