//! Sends requests and receives answers.

use super::base::Base;
use super::body::ResponseBody;
use super::options::RemoteOptions;
use core::time::Duration;
use demat_core::{Error, ErrorKind, Result};
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri};
use std::io;
use ureq::{Agent, AsSendBody};

/// An HTTP client with a pool of connections.
pub(super) struct Client {
    pub(super) agent: Agent,
    authorization: Option<HeaderValue>,
    pub(super) timeout: Duration,
}

/// The answer to a request.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) body: ResponseBody,
}

impl Client {
    pub(super) fn new(base: &Base, options: &RemoteOptions) -> Result<Self> {
        let authorization = options.token.as_deref().map(bearer).transpose()?;
        Ok(Self { agent: agent(base, options, options.timeout)?, authorization, timeout: options.timeout })
    }

    /// Returns a client with its own connections and another timeout for each read.
    pub(super) fn patient(&self, base: &Base, options: &RemoteOptions, wait: Duration) -> Result<Self> {
        let authorization = self.authorization.clone();
        Ok(Self { agent: agent(base, options, wait)?, authorization, timeout: wait })
    }

    /// Sends a request that changes nothing.
    pub(super) fn ask(&self, method: &Method, url: &Uri, headers: &HeaderMap) -> Result<Answer> {
        match self.once(method, url, headers, ()) {
            // The server may have closed an idle connection just when it was reused. Retry once on a new one.
            Err(error) if is_broken_off(&error) => self.once(method, url, headers, ()),
            other => other,
        }
        .map_err(|error| unreached(error, url))
    }

    /// Sends a request that must not be repeated.
    pub(super) fn send(
        &self,
        method: &Method,
        url: &Uri,
        headers: &HeaderMap,
        body: impl AsSendBody,
    ) -> Result<Answer> {
        self.once(method, url, headers, body).map_err(|error| unreached(error, url))
    }

    fn once(
        &self,
        method: &Method,
        url: &Uri,
        headers: &HeaderMap,
        body: impl AsSendBody,
    ) -> core::result::Result<Answer, ureq::Error> {
        let mut request = Request::new(body);
        *request.method_mut() = method.clone();
        *request.uri_mut() = url.clone();
        request.headers_mut().clone_from(headers);
        if let Some(authorization) = &self.authorization {
            request.headers_mut().insert(AUTHORIZATION, authorization.clone());
        }
        let (parts, body) = self.agent.run(request)?.into_parts();
        let body = ResponseBody::new(body, &parts.headers, parts.status, method, self.timeout);
        Ok(Answer { status: parts.status, headers: parts.headers, body })
    }
}

fn bearer(token: &str) -> Result<HeaderValue> {
    let value = HeaderValue::from_str(&format!("Bearer {token}"));
    let mut value = value.map_err(|_| Error::new(ErrorKind::Store, "the token can't be sent"))?;
    value.set_sensitive(true);
    Ok(value)
}

fn agent(base: &Base, options: &RemoteOptions, wait: Duration) -> Result<Agent> {
    let timeout = Some(options.timeout);
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .user_agent(concat!("demat/", env!("CARGO_PKG_VERSION")))
        .accept("")
        .accept_encoding("")
        .max_idle_connections(options.max_idle)
        .max_idle_connections_per_host(options.max_idle)
        .timeout_resolve(timeout)
        .timeout_connect(timeout)
        .timeout_recv_response(timeout)
        .timeout_per_read(Some(wait))
        .timeout_per_write(timeout);
    #[cfg(feature = "tls")]
    let config = if base.secure { config.tls_config(super::tls::config(options.roots.as_deref())?) } else { config };
    #[cfg(not(feature = "tls"))]
    let _ = base;
    Ok(config.build().new_agent())
}

/// Whether the connection closed before an answer.
fn is_broken_off(error: &ureq::Error) -> bool {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof};
    let ends = [BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof];
    matches!(error, ureq::Error::Io(error) if ends.contains(&error.kind()))
}

#[cold]
fn unreached(error: ureq::Error, url: &Uri) -> Error {
    let error = match error {
        // The request body could not be encoded.
        ureq::Error::Io(error) if error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Error>) => {
            return demat_place::lift(Error::from(error));
        }
        ureq::Error::Io(error) => Error::new(ErrorKind::Io, "the server can't be reached").because(error),
        ureq::Error::Timeout(_) => Error::new(ErrorKind::Io, "the server took too long"),
        other => Error::new(ErrorKind::Io, "the server can't be reached").because(other),
    };
    error.in_place(url.to_string())
}
