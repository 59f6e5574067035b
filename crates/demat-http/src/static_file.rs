//! Answers with static files: conditions, ranges and compression.

use crate::answer::{self, Reply};
use crate::body::Body;
use crate::encoding::{self, Encoding, Packing};
use crate::etag;
use crate::failure::Failure;
use crate::files::{Files, Found, StaticFile};
use crate::method::not_allowed;
use crate::range::Wanted;
use crate::reading;
use crate::routes::Routed;
use crate::service::{Answered, Shared, blocking};
use crate::streamed::streamed;
use bytes::Bytes;
use core::ops::Range;
use core::time::Duration;
use demat_core::Error;
use demat_store::{Fault, Reference};
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, ETAG, HeaderName, IF_MATCH,
    IF_MODIFIED_SINCE, IF_NONE_MATCH, IF_RANGE, IF_UNMODIFIED_SINCE, LAST_MODIFIED, LOCATION, VARY,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use std::io::{Read as _, Seek as _, SeekFrom};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// The content security policy of static files.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; \
                      frame-ancestors 'none'; object-src 'none'";
/// Larger files are streamed.
const WHOLE: u64 = 1 << 20;
/// The first second of the year 10000, which dates of HTTP can't express.
const END: Duration = Duration::from_secs(253_402_300_800);

/// Answers a request for a static file. The query is ignored.
pub(crate) async fn file(
    shared: &Arc<Shared>,
    route: &Routed,
    files: &Arc<Files>,
    at: &Reference,
    parts: &Parts,
) -> Answered {
    if !matches!(parts.method, Method::GET | Method::HEAD) {
        return Ok(not_allowed(&parts.method, &route.served(at)));
    }
    let (files, own) = (Arc::clone(files), Reference::from(&at[route.names.len()..]));
    let is_folder = parts.uri.path().ends_with('/');
    let found = blocking(move || files.find(&own, is_folder).ok_or_else(|| Fault::NotFound.about(&own))).await?;
    match found {
        Found::File(found) => sent(shared, found, parts).await,
        Found::Folder => {
            // Not the path as it was sent: one that begins with two slashes would lead to another host.
            let query = parts.uri.query().map_or(String::new(), |query| format!("?{query}"));
            let mut reply = answer::empty(StatusCode::PERMANENT_REDIRECT);
            answer::set(&mut reply, LOCATION, &format!("{at}/{query}"));
            Ok(reply)
        }
    }
}

async fn sent(shared: &Arc<Shared>, found: StaticFile, parts: &Parts) -> Answered {
    let headers = &parts.headers;
    let StaticFile { mut file, len, changed, tag, media_type } = found;
    let changed = changed.filter(|at| at.duration_since(UNIX_EPOCH).is_ok_and(|since| since < END));
    let date = changed.map(httpdate::fmt_http_date);
    let packing = Encoding::wanted(headers);
    if packing == Packing::Impossible {
        return Err(Failure::new(StatusCode::NOT_ACCEPTABLE, "available encodings: identity, zstd, gzip"));
    }
    // Part of a compressed file would be of no use without the rest, so ranges are of the file as it is.
    let is_whole = parts.method == Method::HEAD
        || matches!(packing, Packing::Must(_))
        || !in_range(headers, &tag, changed, date.as_deref());
    let wanted = if is_whole { Wanted::Whole } else { Wanted::of(headers, len) };
    let is_text = encoding::is_text(media_type);
    let packed = match packing {
        _ if wanted != Wanted::Whole => None,
        Packing::Must(own) => Some(own),
        Packing::Maybe(own) if is_text && len >= encoding::WORTH as u64 => Some(own),
        _ => None,
    };
    let tag = match packed {
        Some(own) => format!("{}-{}\"", tag.trim_end_matches('"'), own.name()),
        None => tag,
    };
    let described = |reply: &mut Reply| {
        answer::set(reply, ETAG, &tag);
        if let Some(date) = &date {
            answer::set(reply, LAST_MODIFIED, date);
        }
        answer::set(reply, CACHE_CONTROL, "no-cache");
        reply.headers_mut().insert(VARY, HeaderValue::from_static("accept-encoding"));
        reply.headers_mut().insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    };
    if !is_unchanged(headers, &tag, changed) {
        return Ok(answer::failed(&Failure::from(Fault::Changed.because("the file is another one now"))));
    }
    if is_known(headers, &tag, changed) {
        let mut reply = answer::empty(StatusCode::NOT_MODIFIED);
        described(&mut reply);
        return Ok(reply);
    }
    let (status, part) = match wanted {
        Wanted::Whole => (StatusCode::OK, 0..len),
        Wanted::Part(part) => (StatusCode::PARTIAL_CONTENT, part),
        Wanted::Unsatisfiable => {
            let said = format!("the file has {len} bytes, and none in this range");
            let mut reply = answer::failed(&Failure::new(StatusCode::RANGE_NOT_SATISFIABLE, said));
            answer::set(&mut reply, CONTENT_RANGE, &format!("bytes */{len}"));
            return Ok(reply);
        }
    };
    let size = part.end - part.start;
    let body = if parts.method == Method::HEAD && packed.is_none() {
        Body::empty()
    } else if size <= WHOLE {
        let bytes = blocking(move || {
            file.seek(SeekFrom::Start(part.start))?;
            // A file may have grown meanwhile. One that became shorter can't be sent as announced.
            let mut bytes = vec![0; size as usize];
            file.read_exact(&mut bytes)?;
            match packed {
                None => Ok(Bytes::from(bytes)),
                Some(own) => Ok(own.packed(&bytes)?),
            }
        });
        Body::from(bytes.await?)
    } else {
        let (own, uri) = (Arc::clone(shared), parts.uri.clone());
        let broken = move |error: &Error| reading::broke_off(&own.options, &uri, error);
        streamed(&shared.places, packed, broken, move |to| {
            file.seek(SeekFrom::Start(part.start))?;
            let copied = std::io::copy(&mut file.take(size), &mut &mut *to)?;
            if copied < size { Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof).into()) } else { Ok(()) }
        })
        .await?
    };
    let mut reply = answer::of(status, media_type, body);
    match packed {
        Some(packed) => answer::set(&mut reply, CONTENT_ENCODING, packed.name()),
        // So a client sees how far a large file is, and that one broke off.
        None => answer::set(&mut reply, CONTENT_LENGTH, &size.to_string()),
    }
    if status == StatusCode::PARTIAL_CONTENT {
        let Range { start, end } = part;
        answer::set(&mut reply, CONTENT_RANGE, &format!("bytes {start}-{}/{len}", end - 1));
    }
    described(&mut reply);
    answer::guard(&mut reply, POLICY);
    Ok(reply)
}

/// Whether the header `Range` counts: not if `If-Range` names another version of the file.
fn in_range(headers: &HeaderMap, tag: &str, changed: Option<SystemTime>, date: Option<&str>) -> bool {
    let Some(said) = headers.get(IF_RANGE) else { return true };
    let said = said.to_str().unwrap_or_default().trim();
    // A file may change twice within the second that a date names.
    let is_settled = || changed.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > Duration::from_secs(1));
    said == tag || Some(said) == date && is_settled()
}

/// Whether the client has this version of the file already.
fn is_known(headers: &HeaderMap, tag: &str, changed: Option<SystemTime>) -> bool {
    if headers.contains_key(IF_NONE_MATCH) {
        return etag::is_known(headers, tag);
    }
    dated(headers, &IF_MODIFIED_SINCE).is_some_and(|since| changed.is_some_and(|at| at < since + SECOND))
}

/// Whether the file is the version that the client asks for.
fn is_unchanged(headers: &HeaderMap, tag: &str, changed: Option<SystemTime>) -> bool {
    if headers.contains_key(IF_MATCH) {
        let said = headers.get_all(IF_MATCH).iter().filter_map(|value| value.to_str().ok());
        return said
            .flat_map(|value| value.split(','))
            .any(|own| matches!(own.trim(), own if own == "*" || own == tag));
    }
    dated(headers, &IF_UNMODIFIED_SINCE).is_none_or(|since| changed.is_none_or(|at| at < since + SECOND))
}

/// Dates of HTTP are whole seconds.
const SECOND: Duration = Duration::from_secs(1);

/// Returns the date in a header. One that can't be parsed counts as none (RFC 9110, 13.1.3).
fn dated(headers: &HeaderMap, name: &HeaderName) -> Option<SystemTime> {
    httpdate::parse_http_date(headers.get(name)?.to_str().ok()?.trim()).ok()
}
