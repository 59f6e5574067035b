//! The server: accepts connections and serves requests until it is stopped.

use crate::abortive::{Abortive, OpenEnded, Socket};
use crate::gate::Gate;
use crate::metrics::Metrics;
use crate::options::Options;
use crate::routes::{Route, Routes};
use crate::service::{Shared, respond};
use crate::streamed::Places;
use crate::strict::Strict;
use crate::tokens::Tokens;
use crate::turns::{Turn, Turns};
use crate::write_timeout::{self, WriteTimeout};
use core::net::SocketAddr;
use core::sync::atomic::Ordering;
use demat_core::{Error, ErrorKind, Result};
use http::Version;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

/// A server that is bound to its address.
#[derive(Debug)]
pub struct Server {
    listener: std::net::TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
    stop: (watch::Sender<bool>, watch::Receiver<bool>),
    #[cfg(feature = "tls")]
    acceptor: Option<crate::tls::Acceptor>,
}

/// Stops a server. Any thread may use it, any number of times.
#[derive(Debug, Clone)]
pub struct Stopper(watch::Sender<bool>);

impl Stopper {
    /// Stops accepting connections; running requests are still answered.
    pub fn stop(&self) {
        self.0.send_replace(true);
    }
}

/// The maximum number of threads for blocking work.
const THREADS: usize = 256;

/// The maximum number of connections in the accept queue, as far as the system allows. A client that finds it full
/// retries after a second.
const WAITING: i32 = 4096;

/// The maximum number of connections to accept before open ones are served again. Accepting one takes as long as a
/// short answer, and thousands may arrive at once.
const ACCEPTED: usize = 8;

impl Server {
    /// Binds a server for these routes.
    ///
    /// # Errors
    /// If a path, a host, an origin or a token is invalid, two routes serve the same, or the server can't bind the
    /// address.
    pub fn bind(routes: impl IntoIterator<Item = impl Into<Route>>, options: Options) -> Result<Self> {
        let routes = Routes::new(routes)?;
        let wanted = SocketAddr::new(options.host, options.port);
        let about = |cause: io::Error| {
            Error::new(ErrorKind::Io, "can't listen there").because(cause).in_place(wanted.to_string())
        };
        #[cfg(feature = "tls")]
        let acceptor = options.tls.as_ref().map(crate::tls::acceptor).transpose()?;
        #[cfg(not(feature = "tls"))]
        if options.tls.is_some() {
            return Err(Error::new(ErrorKind::Store, "this server was built without encryption"));
        }
        let listener = std::net::TcpListener::bind(wanted).map_err(about)?;
        socket2::SockRef::from(&listener).listen(WAITING).map_err(about)?;
        keep_little(&listener);
        listener.set_nonblocking(true).map_err(about)?;
        let address = listener.local_addr().map_err(about)?;
        let secure = options.tls.is_some();
        let stop = watch::channel(false);
        let listens = stop.1.clone();
        let gate = Gate::new(address.ip(), &options.hosts, &options.cors)?;
        let tokens = Tokens::new(&options, &routes)?;
        let shared = Arc::new(Shared {
            routes,
            tokens,
            gate,
            metrics: Metrics::default(),
            places: Places::new(options.write_timeout),
            turns: Turns::default(),
            options,
            secure,
            stop: listens,
        });
        Ok(Self {
            listener,
            address,
            shared,
            stop,
            #[cfg(feature = "tls")]
            acceptor,
        })
    }

    /// The address that the server listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns a handle to stop the server.
    pub fn stopper(&self) -> Stopper {
        Stopper(self.stop.0.clone())
    }

    /// Serves on this thread until it is stopped. Then it answers running requests, up to the stop timeout.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn run(self) -> Result<()> {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(THREADS).build()?;
        let served = runtime.block_on(self.serve());
        // Threads that still write are not waited for any longer.
        runtime.shutdown_background();
        served
    }

    async fn serve(self) -> Result<()> {
        let Self { listener, shared, stop: (_sender, mut stop), .. } = self;
        #[cfg(feature = "tls")]
        let acceptor = self.acceptor;
        let listener = TcpListener::from_std(listener)?;
        let room = Arc::new(Semaphore::new(shared.options.max_connections));
        let graceful = GracefulShutdown::new();
        for count in 1usize.. {
            if count.is_multiple_of(ACCEPTED) {
                tokio::task::yield_now().await;
            }
            let Ok(place) = Arc::clone(&room).acquire_owned().await else { break };
            let accepted = tokio::select! {
                accepted = listener.accept() => accepted,
                _ = stop.wait_for(|stop| *stop) => break,
            };
            let (stream, from) = match accepted {
                Ok(accepted) => accepted,
                Err(error) if is_passing(&error) => {
                    // The process has no free file descriptors, but may soon have.
                    tokio::time::sleep(core::time::Duration::from_millis(10)).await;
                    continue;
                }
                Err(error) => return Err(error.into()),
            };
            let (shared, watcher) = (Arc::clone(&shared), graceful.watcher());
            #[cfg(feature = "tls")]
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                shared.metrics.connections.fetch_add(1, Ordering::Relaxed);
                // Answers are written as a whole; delaying them for more data would only make clients wait.
                drop(stream.set_nodelay(true));
                #[cfg(feature = "tls")]
                match acceptor {
                    Some(acceptor) => {
                        let patience = shared.options.head_timeout;
                        if let Ok(Ok(stream)) = tokio::time::timeout(patience, acceptor.0.accept(stream)).await {
                            serve_one(&shared, stream, from, watcher).await;
                        }
                    }
                    None => serve_one(&shared, stream, from, watcher).await,
                }
                #[cfg(not(feature = "tls"))]
                serve_one(&shared, stream, from, watcher).await;
                shared.metrics.connections.fetch_sub(1, Ordering::Relaxed);
                drop(place);
            });
        }
        drop(listener);
        drop(tokio::time::timeout(shared.options.stop_timeout, graceful.shutdown()).await);
        Ok(())
    }
}

/// The maximum number of unsent bytes that the system buffers per connection. With a quarter of that, a long answer
/// takes a tenth longer, since the writing thread waits for the sending one.
#[cfg(any(target_os = "android", target_os = "linux"))]
const UNSENT: u32 = 256 << 10;

/// Limits the system's buffer of unsent bytes for connections of this listener. Otherwise it holds megabytes and
/// refills only after a good part was sent, and in between the server can't see whether the client reads. Bytes in
/// flight are not limited.
fn keep_little(listener: &std::net::TcpListener) {
    #[cfg(any(target_os = "android", target_os = "linux"))]
    // Without support by the system, connections keep the default.
    drop(socket2::SockRef::from(listener).set_tcp_notsent_lowat(UNSENT));
    #[cfg(not(any(target_os = "android", target_os = "linux")))]
    let _ = listener;
}

/// Whether accepting failed for a temporary reason.
fn is_passing(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted, WouldBlock};
    // 23, 24, 105: too many open files in the system or the process, or no buffer space.
    matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted | WouldBlock)
        || matches!(error.raw_os_error(), Some(23 | 24 | 105))
}

async fn serve_one(
    shared: &Arc<Shared>,
    stream: impl Socket + AsyncRead + AsyncWrite + Unpin + Send + 'static,
    from: SocketAddr,
    watcher: hyper_util::server::graceful::Watcher,
) {
    let options = &shared.options;
    let answer = OpenEnded::default();
    let stream = Abortive::new(stream, answer.clone());
    let (stream, leaves) = WriteTimeout::new(Strict::new(stream), options.write_timeout);
    let stream = TokioIo::new(stream);
    let (own, turn) = (Arc::clone(shared), Turn::default());
    let (turns, answers) = (turn.clone(), answer.clone());
    let service = service_fn(move |request| {
        let (shared, turn, answer) = (Arc::clone(&own), turns.clone(), answers.clone());
        async move {
            turn.wait(&shared.turns).await;
            let version = request.version();
            let reply = respond(&shared, from.ip(), request).await;
            if version == Version::HTTP_10 && reply.body().len().is_none() {
                answer.begin();
            }
            Ok::<_, Infallible>(reply)
        }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(options.head_timeout)
        .max_headers(options.max_headers)
        .max_buf_size(options.max_head.max(8 * 1024))
        .half_close(true)
        .serve_connection(stream, service);
    // hyper has answered any error of the connection, or the client has gone.
    if turn.run(watcher.watch(connection)).await.is_ok() {
        answer.complete();
    }
    if let Ok(connection) = leaves.await
        && !answer.is_incomplete()
    {
        write_timeout::end(connection).await;
    }
}
