//! Data at a URL.

use super::body::ResponseBody;
use super::options::RemoteOptions;
use crate::negotiate::of_media_type;
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use demat_place::Format;
use http::header::CONTENT_TYPE;
use http::{Method, Uri};
use std::io::{self, Read};
use std::path::Path;
use ureq::Agent;

/// Data at a URL, which is being read.
pub struct Fetched {
    format: Option<Format>,
    reader: Box<dyn Read + Send>,
}

/// The maximum number of redirects to follow.
const REDIRECTS: u32 = 5;

impl Fetched {
    /// Requests the data at an `http://` or `https://` URL. It follows redirects, so it sends no token.
    ///
    /// Of the options, only `timeout` and `roots` count.
    ///
    /// # Errors
    /// [`Io`](ErrorKind::Io) if the server can't be reached, or answers with another status than success.
    pub fn open(url: &str, options: &RemoteOptions) -> Result<Self> {
        let failed = |message: String| Error::new(ErrorKind::Io, message).in_place(url);
        let uri: Uri = url.parse().map_err(|_| failed("is no URL like `http://host/path`".to_string()))?;
        if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
            return Err(failed("is no URL like `http://host/path`".to_string()));
        }
        let timeout = Some(options.timeout);
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(REDIRECTS)
            .proxy(None)
            .user_agent(concat!("demat/", env!("CARGO_PKG_VERSION")))
            .accept("*/*")
            .accept_encoding("gzip, zstd")
            .timeout_resolve(timeout)
            .timeout_connect(timeout)
            .timeout_recv_response(timeout)
            .timeout_per_read(timeout);
        #[cfg(feature = "tls")]
        let config = config.tls_config(super::tls::config(options.roots.as_deref())?);
        let agent = config.build().new_agent();
        let answer = agent
            .get(url)
            .call()
            .map_err(|error| Error::new(ErrorKind::Io, "the server can't be reached").because(error).in_place(url))?;
        let (parts, body) = answer.into_parts();
        if !parts.status.is_success() {
            return Err(failed(format!("the server answers {}", parts.status)));
        }
        let by_type = parts.headers.get(CONTENT_TYPE).and_then(|own| own.to_str().ok()).and_then(of_media_type);
        let format = Format::of_path(Path::new(uri.path())).or(by_type);
        let body = ResponseBody::new(body, &parts.headers, parts.status, &Method::GET, options.timeout);
        let reader = body.bytes(u64::MAX).map_err(|error| error.in_place(url))?;
        Ok(Self { format, reader: Box::new(reader) })
    }

    /// The format: that of the URL's suffix, or else the one that the server names.
    pub fn format(&self) -> Option<Format> {
        self.format
    }
}

impl Read for Fetched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer)
    }
}

impl fmt::Debug for Fetched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fetched").field("format", &self.format).finish_non_exhaustive()
    }
}
