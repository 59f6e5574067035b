//! The options of a server.

use crate::access::Access;
use crate::tokens::Token;
use core::fmt;
use core::net::IpAddr;
use core::time::Duration;
use demat_core::Value;
use demat_store::Unrepresentable;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

/// Receives each answered request.
pub type Log = Arc<dyn Fn(&Access<'_>) + Send + Sync>;

/// Receives a line for each server-side failure: the request, and the cause.
pub type ErrorLog = Arc<dyn Fn(&str) + Send + Sync>;

/// The options of a server.
#[derive(Clone)]
pub struct Options {
    /// The address to listen on; the loopback address by default.
    pub host: IpAddr,
    /// The port; 0 for any free port.
    pub port: u16,
    /// The origins whose pages may read answers and make changes, such as `https://example.org`; `*` allows all.
    pub cors: Vec<String>,
    /// Additional names that requests may use as `Host`. The server always accepts `localhost`, the loopback addresses,
    /// and the address that it listens on. If it listens on all addresses, it accepts any address.
    pub hosts: Vec<String>,
    /// The token that requests must send as `Authorization: Bearer …`, except for `/health`.
    pub token: Option<String>,
    /// Further tokens, each with the roles that it has. `token` has every role.
    pub tokens: Vec<Token>,
    /// Schemas that the descriptions of functions refer to as `#/components/schemas/…`.
    pub schemas: Vec<(String, Value)>,
    /// The field that records get for their own absolute URL.
    pub urls: Option<String>,
    /// The title in the `OpenAPI` description.
    pub title: String,
    /// Whether the table browser is served at `/-/`.
    pub browser: bool,
    /// The maximum size of a request's body in bytes: 16 MiB.
    pub max_body: usize,
    /// The maximum size of a request's head in bytes: 64 KiB.
    pub max_head: usize,
    /// The maximum number of headers: 100.
    pub max_headers: usize,
    /// The maximum number of simultaneous connections: 12,000. Further ones wait.
    pub max_connections: usize,
    /// The maximum time for a request's head, and for an idle connection: 60 s.
    pub head_timeout: Duration,
    /// The maximum time for a whole request body: 60 s.
    pub body_timeout: Duration,
    /// The maximum time for a client to take 64 KiB of an answer, or all bytes that are available: 60 s. Slower
    /// connections are closed. The time runs only while there is something to send.
    pub write_timeout: Duration,
    /// The maximum time for running requests when the server stops: 10 s.
    pub stop_timeout: Duration,
    /// Answers up to this size in bytes are built in memory; longer ones are streamed: 256 KiB.
    pub whole: usize,
    /// Receives each answered request.
    pub log: Option<Log>,
    /// Receives server-side failures: replaced values and aborted answers. Without it, they go to standard error.
    pub errors: Option<ErrorLog>,
    /// The replacement for values that the answer's format can't represent or that don't fit their column: null by
    /// default.
    pub unrepresentable: Unrepresentable,
    /// The PEM files with the certificate chain and the key, for encrypted connections.
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
            tokens: Vec::new(),
            schemas: Vec::new(),
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
        // The token must not appear in logs.
        f.debug_struct("Options").field("host", &self.host).field("port", &self.port).finish_non_exhaustive()
    }
}
