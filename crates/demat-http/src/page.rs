//! Built-in pages of every server.

use crate::answer;
use crate::method::{allowed, not_allowed};
use crate::openapi;
use crate::options::Options;
use crate::service::{Answered, Shared, blocking, options_of, unasked};
use bytes::Bytes;
use http::header::LOCATION;
use http::request::Parts;
use http::{Method, StatusCode};
use std::sync::Arc;

/// Content security policy of the built-in pages.
const POLICY: &str = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src data:; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The files of the table browser and the API viewer: address, media type and text of each.
const BROWSER: [(&str, &str, &str); 8] = [
    ("/-/", "text/html; charset=utf-8", include_str!("../../../web/browser/index.html")),
    ("/-/style.css", "text/css; charset=utf-8", include_str!("../../../web/browser/style.css")),
    ("/-/model.js", "text/javascript; charset=utf-8", include_str!("../../../web/browser/model.js")),
    ("/-/explore.js", "text/javascript; charset=utf-8", include_str!("../../../web/browser/explore.js")),
    ("/-/view.js", "text/javascript; charset=utf-8", include_str!("../../../web/browser/view.js")),
    ("/-/api", "text/html; charset=utf-8", include_str!("../../../web/api/index.html")),
    ("/-/api.css", "text/css; charset=utf-8", include_str!("../../../web/api/style.css")),
    ("/-/api.js", "text/javascript; charset=utf-8", include_str!("../../../web/api/api.js")),
];

/// A built-in page.
#[derive(Clone, Copy)]
pub(crate) enum Page {
    Health,
    Metrics,
    Description,
    /// A file of the table browser or the API viewer.
    Browser(&'static str, &'static str),
    /// Redirect from `/-` to `/-/`, so that relative links in the page resolve.
    BrowserIsAt,
}

impl Page {
    pub(crate) fn of(path: &str, options: &Options) -> Option<Self> {
        Some(match path {
            "/health" => Self::Health,
            "/metrics" => Self::Metrics,
            "/openapi.json" => Self::Description,
            _ if !options.browser => return None,
            "/-" => Self::BrowserIsAt,
            _ => {
                let (_, kind, text) = BROWSER.iter().find(|(at, ..)| *at == path)?;
                Self::Browser(kind, text)
            }
        })
    }

    /// Returns whether the page is served without the token. The table browser contains no data and asks for the token
    /// itself.
    pub(crate) fn is_open(self) -> bool {
        matches!(self, Self::Health | Self::Browser(..) | Self::BrowserIsAt)
    }

    pub(crate) async fn answered(self, shared: &Arc<Shared>, parts: &Parts) -> Answered {
        match parts.method {
            Method::GET | Method::HEAD => unasked(parts)?,
            Method::OPTIONS => return Ok(options_of(shared, &parts.headers, &allowed(&[Method::GET]))),
            _ => return Ok(not_allowed(&parts.method, &[Method::GET])),
        }
        Ok(match self {
            Self::Health => answer::of(StatusCode::OK, "application/json", Bytes::from_static(br#"{"status":"ok"}"#)),
            Self::Metrics => {
                let text = Bytes::from(shared.metrics.text());
                answer::of(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text)
            }
            Self::Description => {
                let own = Arc::clone(shared);
                let described = blocking(move || openapi::described(&own.routes, &own.options)).await?;
                answer::of(StatusCode::OK, "application/json", Bytes::from(demat_formats::json::encode(&described)?))
            }
            Self::Browser(kind, text) => answer::page(kind, text, POLICY),
            Self::BrowserIsAt => {
                let mut reply = answer::empty(StatusCode::PERMANENT_REDIRECT);
                answer::set(&mut reply, LOCATION, "/-/");
                reply
            }
        })
    }
}
