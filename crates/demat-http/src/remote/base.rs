//! The location of a remote store.

use core::fmt;
use demat_core::Result;
use demat_store::{Fault, Reference, shown};
use http::Uri;

/// The URL above a remote store's references.
#[derive(Debug, Clone)]
pub(super) struct Base {
    /// The scheme, the host and the port.
    origin: String,
    names: Reference,
    #[cfg(feature = "tls")]
    pub(super) secure: bool,
}

impl Base {
    pub(super) fn parse(url: &str) -> Result<Self> {
        let bad = |why: &str| Fault::BadReference.because(format!("a store's URL {why}"));
        if url.contains(['#', '?']) {
            return Err(bad("has neither query nor fragment"));
        }
        let uri: Uri = url.parse().map_err(|_| bad("is like `http://host:8080/path`"))?;
        let secure = match uri.scheme_str() {
            Some("http") => false,
            Some("https") if cfg!(feature = "tls") => true,
            Some("https") => return Err(bad("is `http://…`, as encryption is no part of this build")),
            _ => return Err(bad("begins with `http://` or `https://`")),
        };
        let authority = uri.authority().filter(|authority| !authority.host().is_empty());
        let authority = authority.ok_or_else(|| bad("names a host"))?.as_str();
        if authority.contains('@') {
            return Err(bad("has no user: a token is given by itself"));
        }
        let port = authority.rsplit_once(':').filter(|(_, port)| !port.ends_with(']'));
        if port.is_some_and(|(_, port)| port.parse::<u16>().is_err()) {
            return Err(bad("has a port up to 65535"));
        }
        let origin = format!("{}://{authority}", if secure { "https" } else { "http" });
        Ok(Self {
            origin,
            names: uri.path().parse()?,
            #[cfg(feature = "tls")]
            secure,
        })
    }

    /// Returns the URL of a reference with a query.
    pub(super) fn url(&self, at: &[String], query: &str) -> Result<Uri> {
        let at = self.names.join(at);
        let mark = if query.is_empty() { "" } else { "?" };
        let url = format!("{}{}{mark}{query}", self.origin, shown(&at));
        url.parse().map_err(|_| Fault::BadReference.because(format!("`{}`", shown(&at))))
    }

    /// Converts a path of the server to a reference of this store. Returns `None` if it is outside of it.
    pub(super) fn within(&self, path: &str) -> Option<Reference> {
        let whole: Reference = path.parse().ok()?;
        Some(Reference::from(whole.strip_prefix(&self.names[..])?))
    }

    /// As [`within`](Self::within), for a URL of any host.
    pub(super) fn located(&self, url: &str) -> Option<Reference> {
        let uri: Uri = url.parse().ok()?;
        self.within(uri.path())
    }
}

impl fmt::Display for Base {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = if self.names.is_empty() { String::new() } else { shown(&self.names) };
        write!(f, "{}{path}", self.origin)
    }
}
