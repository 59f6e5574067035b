//! How a remote store is asked.

use core::fmt;
use core::time::Duration;
use demat_core::Shape;
use demat_place::Format;
use std::path::PathBuf;

/// How a remote store is asked.
#[derive(Clone)]
pub struct RemoteOptions {
    /// The shape of what stands at the URL: values are read and checked as what it says of them. Without, a server that is
    /// one of Demat's says it itself; what another has is read as it is.
    pub shape: Option<Shape>,
    /// What is said as `Authorization: Bearer …`.
    pub token: Option<String>,
    /// How long it may take to connect, until an answer begins, and for each 64 KiB of it: 30 s.
    pub timeout: Duration,
    /// So many bytes a value may have: 1 GiB. What is [read](demat_store::Store::read) as it comes has no limit.
    pub max_body: u64,
    /// So many connections are kept open for the next who asks: 16.
    pub max_idle: usize,
    /// Whether answers may be packed, which is worth it where the network is slow.
    pub packed: bool,
    /// The format that values are asked for in where their shape is given: JSON. A server that has another answers in that.
    pub format: Format,
    /// The certificates that are trusted, as a file in PEM; those of the system, where nothing is said.
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
        // The token is nobody's business.
        f.debug_struct("RemoteOptions").field("timeout", &self.timeout).finish_non_exhaustive()
    }
}
