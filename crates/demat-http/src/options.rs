//! How a server serves.

use crate::access::Access;
use core::fmt;
use core::net::IpAddr;
use core::time::Duration;
use demat_store::Unrepresentable;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// Wants to know of each request that was answered.
pub type Log = Arc<dyn Fn(&Access<'_>) + Send + Sync>;

/// Receives a line for each server-side failure: the request, and the cause.
pub type ErrorLog = Arc<dyn Fn(&str) + Send + Sync>;

/// How a server serves.
#[derive(Clone)]
pub struct Options {
    /// The address that it listens at: that of this machine itself, unless told otherwise.
    pub host: IpAddr,
    /// The port; 0 for any that is free.
    pub port: u16,
    /// The origins whose pages may read answers and make changes, such as `https://example.org`; `*` allows all.
    pub cors: Vec<String>,
    /// Additional names that requests may use as `Host`. The server always accepts `localhost`, the loopback addresses,
    /// and the address that it listens on. If it listens on all addresses, it accepts any address.
    pub hosts: Vec<String>,
    /// What requests must say as `Authorization: Bearer …`, but for `/health`.
    pub token: Option<String>,
    /// The field that records get for their own absolute URL.
    pub urls: Option<String>,
    /// What the interface is called in its description.
    pub title: String,
    /// Whether the page to look at tables stands at `/-/`.
    pub browser: bool,
    /// So many bytes a request's body may have: 16 MiB.
    pub max_body: usize,
    /// So many bytes the head of a request may have: 64 KiB.
    pub max_head: usize,
    /// So many headers it may have: 100.
    pub max_headers: usize,
    /// So many connections there are at once: 12,000. More wait until others end.
    pub max_connections: usize,
    /// How long the head of a request may take, and a connection stay idle: 60 s.
    pub head_timeout: Duration,
    /// How long a body may take, all of it: 60 s.
    pub body_timeout: Duration,
    /// How long is waited for who reads an answer to take 64 KiB of it, or all that there is at the time: 60 s. Who is slower is ended;
    /// while there is nothing to send, nothing is waited for.
    pub write_timeout: Duration,
    /// How long requests that were accepted have when the server stops: 10 s.
    pub stop_timeout: Duration,
    /// An answer of up to so many bytes is made as a whole, a longer one as it is sent: 256 KiB.
    pub whole: usize,
    /// Wants to know of each request that was answered.
    pub log: Option<Log>,
    /// Receives server-side failures: replaced values and aborted answers. Without it, they go to standard error.
    pub errors: Option<ErrorLog>,
    /// The replacement for values that the answer's format can't represent or that don't fit their column: null by
    /// default.
    pub unrepresentable: Unrepresentable,
    /// The certificate chain and the key, as files in PEM, for encrypted connections.
    pub tls: Option<(PathBuf, PathBuf)>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            host: IpAddr::from([127, 0, 0, 1]),
            port: 8080,
            cors: Vec::new(),
            hosts: Vec::new(),
            token: None,
            urls: None,
            title: "Demat".to_string(),
            browser: true,
            max_body: 16 << 20,
            max_head: 64 << 10,
            max_headers: 100,
            max_connections: 12_000,
            head_timeout: Duration::from_secs(60),
            body_timeout: Duration::from_secs(60),
            write_timeout: Duration::from_secs(60),
            stop_timeout: Duration::from_secs(10),
            whole: 256 << 10,
            log: None,
            errors: None,
            unrepresentable: Unrepresentable::default(),
            tls: None,
        }
    }
}

impl Options {
    /// Logs a server-side failure.
    pub(crate) fn say(&self, line: &str) {
        match &self.errors {
            Some(errors) => errors(line),
            // Ignores a closed standard error: there is nowhere else to report it.
            None => drop(writeln!(std::io::stderr().lock(), "demat: {line}")),
        }
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The token is nobody's business.
        f.debug_struct("Options").field("host", &self.host).field("port", &self.port).finish_non_exhaustive()
    }
}
