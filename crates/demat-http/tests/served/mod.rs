//! Stores that are served as long as their client exists.
#![allow(dead_code, unreachable_pub)] // each test uses what it needs

use demat_http::{Mount, Options, Remote, RemoteOptions, Route, Server, Stopper};
use demat_store::{Layer, Node, Store};
use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::JoinHandle;

/// A server on its own thread.
pub struct Served {
    pub address: SocketAddr,
    stopper: Stopper,
    thread: Option<JoinHandle<demat_core::Result<()>>>,
}

impl Served {
    /// Serves a store at `/s`.
    pub fn new(store: Arc<dyn Store>, options: Options) -> Self {
        let server = Server::bind([Route::new("/s", Mount::Store(store)).bulk(true)], options).unwrap();
        let (address, stopper) = (server.address(), server.stopper());
        Self { address, stopper, thread: Some(std::thread::spawn(move || server.run())) }
    }

    pub fn url(&self) -> String {
        format!("http://{}/s", self.address)
    }

    pub fn stop(&mut self) {
        self.stopper.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A remote store, and the server behind it.
struct Asked {
    remote: Remote,
    _served: Served,
}

impl Layer for Asked {
    fn below(&self) -> &dyn Store {
        &self.remote
    }

    fn describe(&self) -> Node {
        self.remote.describe()
    }
}

/// Serves a store, and returns a client for it.
pub fn served(store: Arc<dyn Store>) -> Arc<dyn Store> {
    let served = Served::new(store, quick());
    let remote = Remote::new(&served.url(), RemoteOptions::default()).unwrap();
    Arc::new(Asked { remote, _served: served })
}

/// Options for a server that stops quickly.
pub fn quick() -> Options {
    Options { port: 0, stop_timeout: std::time::Duration::from_millis(10), ..Options::default() }
}
