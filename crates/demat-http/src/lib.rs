//! Any store over HTTP/1.1.
//!
//! ```
//! use demat_http::{Mount, Options, Server};
//! use demat_store::Memory;
//! use std::sync::Arc;
//! let routes = vec![("/notes".to_string(), Mount::Store(Arc::new(Memory::new())))];
//! let server = Server::bind(routes, Options { port: 0, ..Options::default() })?;
//! let address = server.address();
//! let stop = server.stopper();
//! let running = std::thread::spawn(move || server.run());
//! // … requests to http://{address}/notes …
//! stop.stop();
//! running.join().expect("no panic")?;
//! # Ok::<(), demat_core::Error>(())
//! ```
#![forbid(unsafe_code)]

mod abortive;
mod access;
mod answer;
mod body;
mod counted;
mod embed;
mod encoding;
mod etag;
mod events;
mod failure;
mod files;
mod form;
mod forward_write;
mod function_request;
mod gate;
mod incoming;
mod limits;
mod linked;
mod merge_patch;
mod meta;
mod method;
mod metrics;
mod negotiate;
mod non_finite;
mod openapi;
mod options;
mod page;
mod prefer;
mod range;
mod reading;
#[cfg(feature = "remote")]
mod remote;
mod request;
mod routes;
mod schema;
mod server;
mod service;
mod shaped;
mod static_file;
mod store_request;
mod streamed;
mod strict;
mod subscription;
#[cfg(feature = "tls")]
mod tls;
mod tokens;
mod told;
mod turns;
mod write_timeout;

pub use access::Access;
pub use demat_store::Unrepresentable;
pub use etag::value_tag;
pub use files::Files;
pub use form::{Field, FieldValue, Spool};
pub use options::{ErrorLog, Log, Options};
#[cfg(feature = "remote")]
pub use remote::{Fetched, Remote, RemoteOptions};
pub use request::{Answer, Call, Handler, Operation, Sent, Takes};
pub use routes::{Mount, Route};
pub use schema::json_schema;
pub use server::{Server, Stopper};
pub use tokens::Token;
