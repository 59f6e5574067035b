//! The options of a remote store.

use core::fmt;
use core::time::Duration;
use demat_core::Shape;
use demat_place::Format;
use std::path::PathBuf;

/// The options of a remote store.
#[derive(Clone)]
pub struct RemoteOptions {
    /// The shape of the value at the URL: values are read and checked by it. Without it, a Demat server sends the
    /// shape, and values of other servers are read without one.
    pub shape: Option<Shape>,
    /// The token to send as `Authorization: Bearer …`.
    pub token: Option<String>,
    /// The maximum time to connect, to wait for an answer, and for each 64 KiB of it: 30 s.
    pub timeout: Duration,
    /// The maximum size of a value in bytes: 1 GiB. A streaming [read](demat_store::Store::read) has no limit.
    pub max_body: u64,
    /// The maximum number of idle connections in the pool: 16.
    pub max_idle: usize,
    /// Whether the client accepts compressed answers, which pays off on slow networks.
    pub packed: bool,
    /// The format to request for values with a configured shape: JSON. A server without that format answers in another.
    pub format: Format,
    /// The PEM file with the trusted certificates; by default those of the system.
    pub roots: Option<PathBuf>,
}

impl Default for RemoteOptions {
    fn default() -> Self {
        Self {
            shape: None,
            token: None,
            timeout: Duration::from_secs(30),
            max_body: 1 << 30,
            max_idle: 16,
            packed: false,
            format: Format::DEFAULT,
            roots: None,
        }
    }
}

impl fmt::Debug for RemoteOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The token must not appear in logs.
        f.debug_struct("RemoteOptions").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}
