//! Handles a request: checks, routing, and the answer.

use crate::access::Access;
use crate::answer::{self, Reply};
use crate::body::Body;
use crate::failure::Failure;
use crate::function_request::FunctionRequest;
use crate::gate::Gate;
use crate::incoming;
use crate::method::{allowed, not_allowed};
use crate::metrics::Metrics;
use crate::negotiate::{self};
use crate::options::Options;
use crate::page::Page;
use crate::routes::{Mount, Routed, Routes};
use crate::static_file;
use crate::store_request::StoreRequest;
use crate::streamed::Places;
use crate::tokens::{Permit, Tokens};
use crate::turns::Turns;
use bytes::Bytes;
use core::future::poll_fn;
use core::net::IpAddr;
use core::pin::pin;
use core::task::Poll;
use demat_core::{ErrorKind, Result, caught};
use demat_place::{Compression, Format, Unpacked};
use demat_store::{Fault, Query, Reference};
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_METHOD,
    CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ORIGIN, TRANSFER_ENCODING, VARY, WWW_AUTHENTICATE,
};
use http::request::Parts;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use hyper::body::Incoming;
use std::io::Read as _;
use std::sync::Arc;
use std::time::{Instant, SystemTime};
use tokio::sync::watch;

/// The state that all connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) routes: Routes,
    pub(crate) tokens: Tokens,
    pub(crate) options: Options,
    /// Host and origin checks.
    pub(crate) gate: Gate,
    pub(crate) metrics: Metrics,
    /// Permits for streamed answers.
    pub(crate) places: Places,
    pub(crate) turns: Turns,
    /// Whether connections are encrypted.
    pub(crate) secure: bool,
    /// Whether the server is stopping.
    pub(crate) stop: watch::Receiver<bool>,
}

pub(crate) type Answered<T = Reply> = core::result::Result<T, Failure>;

/// Answers a request.
pub(crate) async fn respond(shared: &Arc<Shared>, from: IpAddr, request: Request<Incoming>) -> Reply {
    let begun = Instant::now();
    let (parts, mut body) = request.into_parts();
    let mut reply = match unbroken(answered(shared, from, &parts, &mut body)).await {
        Ok(reply) => reply,
        Err(failure) => {
            shared.failed(&parts, &failure);
            let reply = answer::failed(&failure);
            // After a panic it is unknown how much of the body was read, so the connection ends.
            if failure.error.kind() == ErrorKind::Internal { answer::last(reply) } else { reply }
        }
    };
    // An unread body closes the connection, and the client must know that before its next request.
    if !reply.headers().contains_key(CONNECTION) && !incoming::passed_over(&parts.headers, body).await {
        reply = answer::last(reply);
    }
    if let Some(origin) = shared.gate.shared_with(&parts.headers) {
        answer::shared_with(&mut reply, &origin);
    }
    if shared.gate.varies() {
        reply.headers_mut().append(VARY, HeaderValue::from_static("origin"));
    }
    if parts.method == Method::HEAD {
        let len = http_body::Body::size_hint(reply.body()).exact();
        // The head of a file says its length itself.
        if let Some(len) = len
            && !reply.headers().contains_key(CONTENT_LENGTH)
        {
            answer::set(&mut reply, CONTENT_LENGTH, &len.to_string());
        }
        *reply.body_mut() = Body::empty();
    }
    let (took, len) = (begun.elapsed(), reply.body().len());
    shared.metrics.answered(&parts.method, reply.status(), len, took);
    if let Some(log) = &shared.options.log {
        let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
        log(&Access { from, at: SystemTime::now(), method: &parts.method, target, status: reply.status(), len, took });
    }
    reply
}

/// Returns the answer, or a 500 if it panics: else the client would get no answer at all.
async fn unbroken<T>(answering: impl Future<Output = Answered<T>>) -> Answered<T> {
    let mut answering = pin!(answering);
    poll_fn(|context| {
        let polled = caught(|| Ok(answering.as_mut().poll(context)));
        polled.unwrap_or_else(|error| Poll::Ready(Err(error.into())))
    })
    .await
}

/// Whether the head announces a body.
pub(crate) fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) || headers.get(CONTENT_LENGTH).is_some_and(|len| len.as_bytes() != b"0")
}

/// Returns the answer to a method that no route of the address takes, if the client may know that.
fn unserved(shared: &Shared, parts: &Parts) -> Option<Reply> {
    shared.gate.admits(parts).ok()?;
    shared.tokens.permit(&parts.headers).ok()?;
    let at: Reference = parts.uri.path().parse().ok()?;
    let routes = shared.routes.find(&at);
    let takes = routes.iter().any(|route| route.takes(&parts.method));
    let served: Vec<Method> = routes.iter().flat_map(|route| route.served(&at)).collect();
    (!takes && !served.is_empty() && parts.method != Method::OPTIONS).then(|| not_allowed(&parts.method, &served))
}

async fn answered(shared: &Arc<Shared>, from: IpAddr, parts: &Parts, body: &mut Incoming) -> Answered {
    let (options, method, headers) = (&shared.options, &parts.method, &parts.headers);
    // An intermediary may have split such a request in two.
    let takes_none = matches!(*method, Method::GET | Method::HEAD | Method::DELETE | Method::OPTIONS);
    if takes_none && has_body(headers) {
        return Ok(answer::last(
            unserved(shared, parts).unwrap_or_else(|| {
                answer::failed(&Failure::new(StatusCode::BAD_REQUEST, "such a request has no body"))
            }),
        ));
    }
    // The parser has a limit that is somewhat higher.
    let head = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>();
    if head > options.max_head {
        let said = format!("the head of a request has at most {} bytes", options.max_head);
        let failure = Failure::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, said);
        return Ok(answer::last(answer::failed(&failure)));
    }
    shared.gate.admits(parts)?;
    if *method == Method::OPTIONS && parts.uri.path() == "*" {
        return Ok(answer::allowing(answer::empty(StatusCode::NO_CONTENT), ALL));
    }
    if !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS) {
        shared.gate.lets_change(headers)?;
    }
    let path = parts.uri.path();
    let at: Reference = path.parse()?;
    let page = Page::of(path, options);
    let is_files = |route: &&Routed| matches!(&route.mount, Mount::Files(files) if files.is_public());
    let is_public = || shared.routes.find(&at).first().is_some_and(is_files);
    let is_open = match *method {
        // A CORS preflight request carries no token: the browser sends that only afterwards.
        Method::OPTIONS => true,
        // Pages that ask for the token contain nothing secret.
        Method::GET | Method::HEAD => page.map_or_else(is_public, Page::is_open),
        _ => false,
    };
    let permit = if is_open { Permit::All } else { shared.tokens.permit(headers)? };
    if let Some(page) = page {
        return page.answered(shared, parts).await;
    }
    // A trailing slash may be an empty name that the client did not escape. Ignoring it would change the whole
    // collection.
    let changes_one = matches!(*method, Method::PUT | Method::PATCH | Method::DELETE);
    if changes_one && path.len() > 1 && path.ends_with('/') {
        let said = "what is changed has no slash at its end; a name that is empty is written `~`";
        return Err(Failure::new(StatusCode::BAD_REQUEST, said));
    }
    let routes = shared.routes.find(&at);
    if routes.is_empty() {
        return Err(Fault::NotFound.about(&at).into());
    }
    // What a browser asks before a request of another origin is answered here, without a token.
    let is_preflight = headers.contains_key(ORIGIN) && headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD);
    if *method == Method::OPTIONS && is_preflight && shared.gate.shared_with(headers).is_some() {
        return Ok(options_at(shared, headers, &at));
    }
    let found = if *method == Method::OPTIONS {
        // A function that takes the method itself answers it, else a store, which also says its shape.
        let takes = |route: &&&Routed| matches!(route.mount, Mount::Handler(_)) && route.takes(method);
        let is_store = |route: &&&Routed| matches!(route.mount, Mount::Store(_));
        routes.iter().find(takes).or_else(|| routes.iter().find(is_store))
    } else {
        routes.iter().find(|route| route.takes(method))
    };
    let Some(route) = found else {
        if *method == Method::OPTIONS {
            return Ok(options_at(shared, headers, &at));
        }
        let served: Vec<Method> = routes.iter().flat_map(|route| route.served(&at)).collect();
        return Ok(not_allowed(method, &served));
    };
    if !is_open && let Err(failure) = permit.allows(&route.needs(method)) {
        let mut reply = answer::failed(&failure);
        // RFC 6750, 3.1.
        answer::set(&mut reply, WWW_AUTHENTICATE, "Bearer error=\"insufficient_scope\"");
        return Ok(reply);
    }
    match &route.mount {
        Mount::Files(files) => static_file::file(shared, route, files, &at, parts).await,
        Mount::Handler(handler) => {
            let own = FunctionRequest { shared, from, permit: &permit, route, handler, at: &at, parts };
            own.answered(body).await
        }
        Mount::Store(store) => {
            let own = StoreRequest { shared, store, route, at: &at[route.names.len()..], parts };
            own.answered(body).await
        }
    }
}

impl Shared {
    /// Logs the cause of a 5xx answer; the client does not see it.
    fn failed(&self, parts: &Parts, failure: &Failure) {
        if !failure.status.is_server_error() {
            return;
        }
        let target = parts.uri.path_and_query().map_or("/", |target| target.as_str());
        let status = failure.status.as_u16();
        let why = failure.error.to_string().replace(char::is_control, " ");
        let line = format!("{} {} {status}: {why}", parts.method, target.escape_default());
        self.options.say(&line);
    }
}

/// Refuses a query on a request that takes none.
pub(crate) fn unasked(parts: &Parts) -> Answered<()> {
    match Query::pairs(parts.uri.query().unwrap_or_default()).next().transpose()? {
        None => Ok(()),
        Some((name, _)) => Err(Fault::BadQuery.because(format!("`{name}` is no name of a query here")).into()),
    }
}

const ALL: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// Runs blocking work on another thread.
pub(crate) async fn blocking<T: Send + 'static>(act: impl FnOnce() -> Result<T> + Send + 'static) -> Answered<T> {
    match tokio::task::spawn_blocking(|| caught(act)).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "it broke off")),
    }
}

/// Answers an `OPTIONS` request, a CORS preflight or a question for the allowed methods: those of all routes at an address,
/// and the headers that their functions take.
pub(crate) fn options_at(shared: &Shared, headers: &HeaderMap, at: &Reference) -> Reply {
    let routes = shared.routes.find(at);
    let served: Vec<Method> = routes.iter().flat_map(|route| route.served(at)).collect();
    let named = routes.iter().filter_map(|route| match &route.mount {
        Mount::Handler(handler) => Some(&handler.operation().headers),
        Mount::Store(_) | Mount::Files(_) => None,
    });
    let more: Vec<String> = named.flatten().cloned().collect();
    options_with(shared, headers, &allowed(&served), &more)
}

/// The same, where the methods are known.
pub(crate) fn options_of(shared: &Shared, headers: &HeaderMap, methods: &str) -> Reply {
    options_with(shared, headers, methods, &[])
}

fn options_with(shared: &Shared, headers: &HeaderMap, methods: &str, more: &[String]) -> Reply {
    let mut reply = answer::allowing(answer::empty(StatusCode::NO_CONTENT), methods);
    if shared.gate.shared_with(headers).is_some() && headers.contains_key(ORIGIN) {
        answer::set(&mut reply, ACCESS_CONTROL_ALLOW_METHODS, methods);
        let usual = ["accept", "authorization", "content-type", "if-match", "if-none-match", "prefer"];
        let all: Vec<&str> = usual.into_iter().chain(more.iter().map(|own| &**own)).collect();
        answer::set(&mut reply, ACCESS_CONTROL_ALLOW_HEADERS, &all.join(", "));
        answer::set(&mut reply, ACCESS_CONTROL_MAX_AGE, "600");
    }
    reply
}

#[cold]
pub(crate) fn not_acceptable() -> Failure {
    let names: Vec<_> = negotiate::formats().map(Format::stream_type).collect();
    Failure::new(StatusCode::NOT_ACCEPTABLE, format!("available formats: {}", names.join(", ")))
}

/// Receives the request body. Returns it with its format.
pub(crate) async fn sent(
    shared: &Arc<Shared>,
    route: &Routed,
    parts: &Parts,
    body: &mut Incoming,
) -> Answered<(Format, Bytes)> {
    // Refuses forms, plain text and a missing type: any page may send these without a CORS preflight.
    let fits = |format: &Format| negotiate::is_offered(*format) && negotiate::is_for(&parts.method, &parts.headers);
    let format = match negotiate::sent(&parts.headers).filter(fits) {
        Some(format) => format,
        None if parts.method == Method::PATCH && has_body(&parts.headers) => {
            let said = format!("send a merge patch as one of {}", negotiate::patches());
            return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, said));
        }
        None if !has_body(&parts.headers) && !parts.headers.contains_key(CONTENT_TYPE) => Format::DEFAULT,
        None => {
            let names: Vec<_> = negotiate::formats().map(Format::stream_type).collect();
            let said = format!("send Content-Type: application/json, or another of {}", names.join(", "));
            return Err(Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, said));
        }
    };
    Ok((format, unpacked(shared, route, parts, body).await?))
}

/// Receives the request body of any media type, and unpacks it.
pub(crate) async fn unpacked(
    shared: &Arc<Shared>,
    route: &Routed,
    parts: &Parts,
    body: &mut Incoming,
) -> Answered<Bytes> {
    let unknown = |what: &str| Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("{what} is not known here"));
    let mut packings = parts.headers.get_all(CONTENT_ENCODING).iter();
    let packing = match (packings.next(), packings.next()) {
        (Some(_), Some(_)) => return Err(unknown("more than one content encoding")),
        (packing, _) => packing.map(|value| value.to_str().unwrap_or("?").trim().to_ascii_lowercase()),
    };
    let packing = match packing.as_deref() {
        None | Some("identity" | "") => None,
        Some("gzip" | "x-gzip") => Some(Compression::Gzip),
        Some("zstd") => Some(Compression::Zstd),
        Some(other) => return Err(unknown(&format!("the content encoding `{other}`"))),
    };
    let (most, patience) = (route.max_body.unwrap_or(shared.options.max_body), shared.options.body_timeout);
    let bytes = incoming::all(body, most, patience).await?;
    let Some(packing) = packing else { return Ok(bytes) };
    let unpacked = blocking(move || {
        let mut unpacked = Vec::new();
        // One byte more shows that the limit is exceeded.
        let reader = Unpacked::packed(&*bytes, packing)?;
        reader
            .take((most as u64).saturating_add(1))
            .read_to_end(&mut unpacked)
            .map_err(|error| demat_place::lift(error.into()))?;
        Ok(unpacked)
    });
    // Any error here is a fault of the sent data.
    let unpacked = unpacked.await.map_err(|failure| Failure { status: StatusCode::BAD_REQUEST, ..failure })?;
    if unpacked.len() > most {
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a body has at most {most} bytes")));
    }
    Ok(unpacked.into())
}
