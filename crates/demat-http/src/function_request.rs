//! A request to a function: checks what the function takes, and calls it.

use crate::answer;
use crate::encoding::{self, Encoding, Packing, is_text};
use crate::etag;
use crate::failure::Failure;
use crate::form;
use crate::negotiate;
use crate::request::{Call, Handler, Operation, Sent, Takes};
use crate::routes::Routed;
use crate::service::{Answered, Shared, blocking, has_body, not_acceptable, unpacked};
use crate::tokens::Permit;
use core::net::IpAddr;
use demat_core::Result;
use demat_place::Format;
use demat_store::{Fault, Query, Reference};
use http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_RANGE, CONTENT_TYPE, ETAG, HeaderName, VARY};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use hyper::body::Incoming;
use std::sync::Arc;

/// A request to a function.
pub(crate) struct FunctionRequest<'r> {
    pub(crate) shared: &'r Arc<Shared>,
    pub(crate) from: IpAddr,
    pub(crate) permit: &'r Permit,
    pub(crate) route: &'r Routed,
    pub(crate) handler: &'r Arc<dyn Handler>,
    pub(crate) at: &'r Reference,
    pub(crate) parts: &'r Parts,
}

impl FunctionRequest<'_> {
    pub(crate) async fn answered(self, body: &mut Incoming) -> Answered {
        let Self { shared, route, parts, at, .. } = self;
        let operation = self.handler.operation();
        let method = if parts.method == Method::HEAD { Method::GET } else { parts.method.clone() };
        // Only a preflight, which the server answers itself, goes without a token.
        let own = (method == Method::OPTIONS).then(|| shared.tokens.permit(&parts.headers)).transpose()?;
        let permit = own.as_ref().unwrap_or(self.permit);
        if own.is_some() {
            permit.allows(&route.needs(&method))?;
        }
        let query = queried(parts, operation)?;
        // A function's result has no version, so no condition about one can hold.
        if method != Method::GET && etag::has_conditions(&parts.headers) {
            return Err(Fault::Changed.about(at).into());
        }
        let formats = &operation.formats;
        let is_answer = |format: Format| {
            if formats.is_empty() { negotiate::is_offered(format) } else { formats.contains(&format) }
        };
        let wanted = negotiate::wanted_of(&parts.headers, is_answer);
        let wanted = wanted.or(operation.is_open.then_some(Format::DEFAULT)).ok_or_else(|| unavailable(operation))?;
        let packing = Encoding::wanted(&parts.headers);
        // An open function may have an encoding of its own.
        if packing == Packing::Impossible && !operation.is_open {
            return Err(Failure::new(StatusCode::NOT_ACCEPTABLE, "available encodings: identity, zstd, gzip"));
        }
        let body = if has_body(&parts.headers) { Some(self.received(&operation.body, body).await?) } else { None };
        let call = Call {
            method,
            target: parts.uri.clone(),
            headers: parts.headers.clone(),
            from: self.from,
            roles: shared.tokens.roles(permit),
            names: route.named(at),
            query,
            body,
            wanted,
        };
        let handler = Arc::clone(self.handler);
        let told = blocking(move || handler.answer(call)).await?;
        let (body, packed) = match told.body {
            None => (None, None),
            Some((media_type, bytes)) => {
                // What is in a format is compressed as the same value of a table would be.
                let is_worth = is_text(&media_type) || media_type == wanted.content_type();
                let packed = match packing {
                    _ if !is_packable(told.status, &told.headers) => None,
                    Packing::Must(own) => Some(own),
                    Packing::Maybe(own) if is_worth && bytes.len() >= encoding::WORTH => Some(own),
                    _ => None,
                };
                let bytes = match packed {
                    None => bytes,
                    Some(own) => blocking(move || Ok(own.packed(&bytes)?)).await?,
                };
                (Some((media_type, bytes)), packed)
            }
        };
        let mut reply = match body {
            None => answer::empty(told.status),
            Some((media_type, bytes)) => {
                let mut reply = answer::of(told.status, "application/octet-stream", bytes);
                answer::set(&mut reply, CONTENT_TYPE, &media_type);
                reply
            }
        };
        *reply.status_mut() = told.status;
        for (name, value) in told.headers {
            // A strong tag is of bytes, and these are others now.
            let weak = |value: &HeaderValue| value.to_str().ok().map(|value| format!("W/{value}"));
            let is_strong = packed.is_some() && name == ETAG && value.as_bytes().starts_with(b"\"");
            let value = weak(&value).filter(|_| is_strong).and_then(|value| value.parse().ok()).unwrap_or(value);
            reply.headers_mut().append(name, value);
        }
        reply.headers_mut().append(VARY, HeaderValue::from_static(answer::NEGOTIATED));
        if let Some(packed) = packed {
            answer::set(&mut reply, CONTENT_ENCODING, packed.name());
        }
        Ok(reply)
    }

    /// Receives the body, if the function takes such a one.
    async fn received(&self, takes: &Takes, body: &mut Incoming) -> Answered<Sent> {
        let Self { shared, route, parts, .. } = self;
        match takes {
            Takes::Nothing => Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "no body is taken here")),
            Takes::Value(formats) => {
                let format = negotiate::sent(&parts.headers).filter(|own| formats.contains(own));
                let Some(format) = format else {
                    let names: Vec<_> = formats.iter().map(|own| own.stream_type()).collect();
                    let said = format!("send Content-Type: application/json, or another of {}", names.join(", "));
                    return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, said));
                };
                Ok(Sent::Value(format, unpacked(shared, route, parts, body).await?))
            }
            Takes::Bytes => {
                if !is_raw(&parts.headers) {
                    let said = "send a Content-Type that HTML forms can't send, such as application/octet-stream";
                    return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, said));
                }
                Ok(Sent::Bytes(unpacked(shared, route, parts, body).await?))
            }
            Takes::Form(fields) => {
                if parts.headers.contains_key(CONTENT_ENCODING) {
                    return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "a form is sent without an encoding"));
                }
                let most = route.max_body.unwrap_or(shared.options.max_body);
                let patience = shared.options.body_timeout;
                Ok(Sent::Form(form::received(&parts.headers, body, fields.clone(), most, patience).await?))
            }
        }
    }
}

/// Whether the server may compress an answer: not one that the function has encoded itself, or that is part of another.
fn is_packable(status: StatusCode, headers: &[(HeaderName, HeaderValue)]) -> bool {
    let forbids = |(name, value): &(HeaderName, HeaderValue)| {
        let is_fixed = || value.to_str().is_ok_and(|value| value.to_ascii_lowercase().contains("no-transform"));
        name == CONTENT_ENCODING || name == CONTENT_RANGE || name == CACHE_CONTROL && is_fixed()
    };
    status != StatusCode::PARTIAL_CONTENT && !headers.iter().any(forbids)
}

/// Returns the query. Refuses unknown names, and names that are there more often than the function takes them.
fn queried(parts: &Parts, operation: &Operation) -> Answered<Vec<(String, String)>> {
    let query: Vec<(String, String)> = Query::pairs(parts.uri.query().unwrap_or_default()).collect::<Result<_>>()?;
    for (index, (name, _)) in query.iter().enumerate() {
        let Some((_, many)) = operation.query.iter().find(|(own, _)| own == name) else {
            return Err(Fault::BadQuery.because(format!("`{name}` is no name of a query here")).into());
        };
        if !many && query[..index].iter().any(|(other, _)| other == name) {
            return Err(Fault::BadQuery.because(format!("`{name}` is said twice")).into());
        }
    }
    Ok(query)
}

/// Whether the body has one media type that is none of those that any page may send without a CORS preflight.
fn is_raw(headers: &HeaderMap) -> bool {
    let mut said = headers.get_all(CONTENT_TYPE).iter();
    let (Some(own), None) = (said.next(), said.next()) else { return false };
    let essence = own.to_str().unwrap_or_default().split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let of_forms = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"];
    // Browsers skip the preflight for other malformed types, too.
    let is_token = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte))
    };
    let is_type = essence.split_once('/').is_some_and(|(kind, own)| is_token(kind) && is_token(own));
    is_type && !of_forms.contains(&&*essence)
}

#[cold]
fn unavailable(operation: &Operation) -> Failure {
    if operation.formats.is_empty() {
        return not_acceptable();
    }
    let names: Vec<_> = operation.formats.iter().map(|own| own.stream_type()).collect();
    Failure::new(StatusCode::NOT_ACCEPTABLE, format!("available formats: {}", names.join(", ")))
}
