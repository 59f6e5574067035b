//! Builders for answers.

use crate::body::Body;
use crate::encoding::Encoding;
use crate::failure::Failure;
use bytes::Bytes;
use demat_place::Format;
use http::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_ENCODING,
    CONTENT_TYPE, ETAG, HeaderName, VARY,
};
use http::{HeaderValue, Response, StatusCode};

pub(crate) type Reply = Response<Body>;

/// Returns an answer without a body.
pub(crate) fn empty(status: StatusCode) -> Reply {
    let mut reply = Response::new(Body::empty());
    *reply.status_mut() = status;
    reply
}

/// Returns an answer with a media type.
pub(crate) fn of(status: StatusCode, media_type: &'static str, body: impl Into<Body>) -> Reply {
    let mut reply = Response::new(body.into());
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    reply
}

/// The headers of a request that choose the form of a value. Caches keep one answer for each (`Vary`).
pub(crate) const NEGOTIATED: &str = "accept, accept-encoding";

/// Returns a value in a format.
pub(crate) fn value(format: Format, tag: Option<&str>, packed: Option<Encoding>, body: Body) -> Reply {
    let mut reply = of(StatusCode::OK, format.content_type(), body);
    let headers = reply.headers_mut();
    headers.insert(VARY, HeaderValue::from_static(NEGOTIATED));
    if let Some(tag) = tag {
        set(&mut reply, ETAG, tag);
        // Clients may cache it, but must revalidate it.
        reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    }
    if let Some(packed) = packed {
        reply.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static(packed.name()));
    }
    reply
}

/// Returns the answer for an error.
pub(crate) fn failed(failure: &Failure) -> Reply {
    let mut reply = of(failure.status, "application/json", failure.json());
    if failure.status == StatusCode::SERVICE_UNAVAILABLE {
        reply.headers_mut().insert(http::header::RETRY_AFTER, HeaderValue::from_static("1"));
    }
    if failure.status == StatusCode::UNAUTHORIZED {
        reply.headers_mut().insert(http::header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    reply
}

/// Makes the answer the last one on its connection.
pub(crate) fn last(mut reply: Reply) -> Reply {
    reply.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    reply
}

/// Sets a header, unless the value is invalid.
pub(crate) fn set(reply: &mut Reply, name: HeaderName, value: &str) {
    if let Ok(value) = HeaderValue::from_str(value) {
        reply.headers_mut().insert(name, value);
    }
}

/// Sets the `Allow` header.
pub(crate) fn allowing(mut reply: Reply, methods: &str) -> Reply {
    set(&mut reply, ALLOW, methods);
    reply
}

/// Header with the number of rows that a bulk change affected.
pub(crate) const COUNT: HeaderName = HeaderName::from_static("demat-count");

/// Allows the pages of an origin to read the answer.
pub(crate) fn shared_with(reply: &mut Reply, origin: &str) {
    set(reply, ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    let exposed =
        HeaderValue::from_static("etag, link, location, allow, demat-count, demat-truncated, preference-applied");
    reply.headers_mut().insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
}

/// Returns a built-in page.
pub(crate) fn page(kind: &'static str, text: &'static str, policy: &'static str) -> Reply {
    let mut reply = of(StatusCode::OK, kind, Bytes::from_static(text.as_bytes()));
    guard(&mut reply, policy);
    reply
}

/// Sets the content security policy of a page.
pub(crate) fn guard(reply: &mut Reply, policy: &'static str) {
    let headers = reply.headers_mut();
    headers.insert(http::header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(policy));
    headers.insert(http::header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(http::header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
}
