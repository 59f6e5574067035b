//! A request, and its answer.

use crate::access::Access;
use crate::answer::{self, Reply};
use crate::aside::Aside;
use crate::body::Body;
use crate::encoding::{self, Encoding};
use crate::etag;
use crate::events::events;
use crate::failure::Failure;
use crate::files::Files;
use crate::incoming;
use crate::linked::{Link, Linked};
use crate::metrics::Metrics;
use crate::negotiate::{self, accepts};
use crate::openapi;
use crate::options::Options;
use crate::request::{Call, Handler};
use crate::routes::{Mount, Route, Routes};
use crate::shaped;
use crate::streamed::{Places, streamed};
use crate::turns::Turns;
use bytes::Bytes;
use core::net::IpAddr;
use demat_core::Result;
use demat_place::{Compression, Format, Unpacked, WriteOptions};
use demat_store::{Encoded, Fault, Put, Query, Reference, Store, Verb, Verbs, Version, When, representation};
use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE, AUTHORIZATION, CACHE_CONTROL,
    CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, HOST, LINK, LOCATION, ORIGIN, TRANSFER_ENCODING,
};
use http::request::Parts;
use http::{HeaderMap, Method, Request, StatusCode};
use hyper::body::Incoming;
use std::io::{Read as _, Write};
use std::sync::Arc;
use std::time::{Instant, SystemTime};
use tokio::sync::watch;

/// What all connections share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) routes: Routes,
    pub(crate) options: Options,
    pub(crate) metrics: Metrics,
    /// Where answers are written as they are made.
    pub(crate) places: Places,
    pub(crate) turns: Turns,
    /// Whether connections are encrypted.
    pub(crate) secure: bool,
    /// Whether the server is to stop.
    pub(crate) stop: watch::Receiver<bool>,
}

type Answered<T = Reply> = core::result::Result<T, Failure>;

/// What a page of ours may do.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; \
                           img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// What a page among files may do.
const FILE_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; \
                           frame-ancestors 'none'; object-src 'none'";
const BROWSER: &str = include_str!("../../../web/browser/index.html");

/// Answers a request.
pub(crate) async fn respond(shared: &Arc<Shared>, from: IpAddr, request: Request<Incoming>) -> Reply {
    let begun = Instant::now();
    let (parts, mut body) = request.into_parts();
    let mut reply = match answered(shared, &parts, &mut body).await {
        Ok(reply) => reply,
        Err(failure) => answer::failed(&failure),
    };
    // What is left unread ends the connection, and who asks has to know that before the next request.
    if !reply.headers().contains_key(CONNECTION) && !incoming::passed_over(&parts.headers, body).await {
        reply = answer::last(reply);
    }
    if let Some(origin) = &shared.options.cors {
        answer::shared_with(&mut reply, origin);
    }
    if parts.method == Method::HEAD {
        let len = http_body::Body::size_hint(reply.body()).exact();
        if let Some(len) = len {
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

/// Whether the head says that a body follows.
fn has_body(headers: &HeaderMap) -> bool {
    headers.contains_key(TRANSFER_ENCODING) || headers.get(CONTENT_LENGTH).is_some_and(|len| len.as_bytes() != b"0")
}

async fn answered(shared: &Arc<Shared>, parts: &Parts, body: &mut Incoming) -> Answered {
    let (options, method, headers) = (&shared.options, &parts.method, &parts.headers);
    // Who is in between may have read one request as two.
    let takes_none = matches!(*method, Method::GET | Method::HEAD | Method::DELETE | Method::OPTIONS);
    if takes_none && has_body(headers) {
        let failure = Failure::new(StatusCode::BAD_REQUEST, "such a request has no body");
        return Ok(answer::last(answer::failed(&failure)));
    }
    // What reads heads stops somewhere behind that.
    let head = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>();
    if head > options.max_head {
        let said = format!("the head of a request has at most {} bytes", options.max_head);
        let failure = Failure::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, said);
        return Ok(answer::last(answer::failed(&failure)));
    }
    let path = parts.uri.path();
    if path == "/health" && matches!(*method, Method::GET | Method::HEAD) {
        return Ok(answer::of(StatusCode::OK, "application/json", Bytes::from_static(br#"{"status":"ok"}"#)));
    }
    if *method == Method::OPTIONS && path == "*" {
        return Ok(answer::allowing(answer::empty(StatusCode::NO_CONTENT), ALL));
    }
    let at: Reference = path.parse()?;
    // What a page of another origin asks before it asks: without its token, which it may send only then.
    if *method != Method::OPTIONS {
        permitted(options, headers)?;
    }
    match (path, method) {
        ("/metrics", &(Method::GET | Method::HEAD)) => {
            let text = shared.metrics.text();
            return Ok(answer::of(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", Bytes::from(text)));
        }
        ("/openapi.json", &(Method::GET | Method::HEAD)) => {
            let own = Arc::clone(shared);
            let described = blocking(move || openapi::described(&own.routes, &own.options)).await?;
            let json = demat_formats::json::encode(&described)?;
            return Ok(answer::of(StatusCode::OK, "application/json", Bytes::from(json)));
        }
        ("/-" | "/-/", &(Method::GET | Method::HEAD)) if options.browser => {
            return Ok(answer::page(BROWSER, PAGE_POLICY));
        }
        _ => {}
    }
    let Some((route, mount)) = shared.routes.find(&at) else { return Err(Fault::NotFound.about(&at).into()) };
    match mount {
        Mount::Files(files) => file(shared, files, &at[route.names.len()..], parts).await,
        Mount::Handler(handler) => called(shared, route, handler, &at, parts, body).await,
        Mount::Store(store) => {
            let own = Asked { shared, store, route, at: &at[route.names.len()..], parts };
            own.answered(body).await
        }
    }
}

const ALL: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// Whether who asks may.
fn permitted(options: &Options, headers: &HeaderMap) -> Answered<()> {
    let Some(token) = &options.token else { return Ok(()) };
    let said = headers.get(AUTHORIZATION).and_then(|said| said.to_str().ok());
    let said = said.and_then(|said| said.split_once(' ')).filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
    let said = said.map_or("", |(_, said)| said.trim());
    // As long for every token of the length, so that how long it takes says nothing of how much of it is right.
    let other =
        token.bytes().zip(said.bytes()).fold(token.len() ^ said.len(), |other, (a, b)| other | usize::from(a ^ b));
    if other == 0 { Ok(()) } else { Err(Failure::new(StatusCode::UNAUTHORIZED, "a token is needed")) }
}

/// Does what may take its time on another thread.
async fn blocking<T: Send + 'static>(act: impl FnOnce() -> Result<T> + Send + 'static) -> Answered<T> {
    match tokio::task::spawn_blocking(act).await {
        Ok(done) => Ok(done?),
        Err(_) => Err(Failure::new(StatusCode::INTERNAL_SERVER_ERROR, "it broke off")),
    }
}

/// The answer to what a page of another origin asks beforehand, and to who wants to know what is done with something.
fn options_of(shared: &Shared, headers: &HeaderMap, methods: &str) -> Reply {
    let mut reply = answer::allowing(answer::empty(StatusCode::NO_CONTENT), methods);
    if shared.options.cors.is_some() && headers.contains_key(ORIGIN) {
        answer::set(&mut reply, ACCESS_CONTROL_ALLOW_METHODS, methods);
        let wanted = "accept, authorization, content-type, if-match, if-none-match";
        answer::set(&mut reply, ACCESS_CONTROL_ALLOW_HEADERS, wanted);
        answer::set(&mut reply, ACCESS_CONTROL_MAX_AGE, "600");
    }
    reply
}

/// A file, as it is.
async fn file(shared: &Shared, files: &Arc<Files>, at: &[String], parts: &Parts) -> Answered {
    if !matches!(parts.method, Method::GET | Method::HEAD) {
        let allowed = "GET, HEAD, OPTIONS";
        if parts.method == Method::OPTIONS {
            return Ok(answer::allowing(answer::empty(StatusCode::NO_CONTENT), allowed));
        }
        let failure = Failure::new(StatusCode::METHOD_NOT_ALLOWED, "files are read");
        return Ok(answer::allowing(answer::failed(&failure), allowed));
    }
    let (files, own) = (Arc::clone(files), Reference::from(at));
    let found = blocking(move || files.find(&own).ok_or_else(|| Fault::NotFound.about(&own))).await?;
    if etag::is_known(&parts.headers, &found.tag) {
        let mut reply = answer::empty(StatusCode::NOT_MODIFIED);
        answer::set(&mut reply, ETAG, &found.tag);
        return Ok(reply);
    }
    let (tag, media_type, mut file) = (found.tag, found.media_type, found.file);
    let body = if found.len <= 1 << 20 {
        let bytes = blocking(move || {
            let mut bytes = Vec::with_capacity(found.len as usize);
            file.read_to_end(&mut bytes)?;
            Ok(bytes)
        });
        Body::from(Bytes::from(bytes.await?))
    } else {
        streamed(&shared.places, None, move |to| {
            std::io::copy(&mut file, &mut &mut *to)?;
            Ok(())
        })
        .await?
    };
    let mut reply = answer::of(StatusCode::OK, media_type, body);
    answer::set(&mut reply, ETAG, &tag);
    answer::set(&mut reply, CACHE_CONTROL, "no-cache");
    answer::guard(&mut reply, FILE_POLICY);
    Ok(reply)
}

/// What a function answers.
async fn called(
    shared: &Arc<Shared>,
    route: &Route,
    handler: &Arc<dyn Handler>,
    at: &Reference,
    parts: &Parts,
    body: &mut Incoming,
) -> Answered {
    let methods = handler.methods();
    let method = if parts.method == Method::HEAD { Method::GET } else { parts.method.clone() };
    if !methods.contains(&method) {
        let mut names: Vec<&str> = methods.iter().map(Method::as_str).collect();
        if methods.contains(&Method::GET) {
            names.push("HEAD");
        }
        names.push("OPTIONS");
        let allowed = names.join(", ");
        if method == Method::OPTIONS {
            return Ok(options_of(shared, &parts.headers, &allowed));
        }
        return Ok(answer::allowing(answer::failed(&Fault::NotFound.about(at).into()), &allowed)).map(|mut reply| {
            *reply.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
            reply
        });
    }
    let body = if has_body(&parts.headers) { Some(sent(shared, parts, body).await?) } else { None };
    let wanted = negotiate::wanted(&parts.headers).ok_or_else(not_acceptable)?;
    let query = Query::pairs(parts.uri.query().unwrap_or_default()).collect::<Result<_>>()?;
    let call = Call { method, names: route.named(at), query, body, wanted };
    let handler = Arc::clone(handler);
    let told = blocking(move || handler.answer(call)).await?;
    let mut reply = match told.body {
        None => answer::empty(told.status),
        Some((media_type, bytes)) => {
            let mut reply = answer::of(told.status, "application/octet-stream", bytes);
            answer::set(&mut reply, http::header::CONTENT_TYPE, &media_type);
            reply
        }
    };
    *reply.status_mut() = told.status;
    Ok(reply)
}

#[cold]
fn not_acceptable() -> Failure {
    let names: Vec<_> = negotiate::formats().map(|format| negotiate::media_types(format)[0]).collect();
    Failure::new(StatusCode::NOT_ACCEPTABLE, format!("it can be had as {}", names.join(", ")))
}

/// What was sent, and its format.
async fn sent(shared: &Arc<Shared>, parts: &Parts, body: &mut Incoming) -> Answered<(Format, Bytes)> {
    let unknown = |what: &str| Failure::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, format!("{what} is not known here"));
    // Forms are none: a page of any origin may send them unasked.
    let format = negotiate::sent(&parts.headers).ok_or_else(|| {
        let names: Vec<_> = negotiate::formats().map(|format| negotiate::media_types(format)[0]).collect();
        unknown(&format!("the content type of the body, of {},", names.join(", ")))
    })?;
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
    let (most, patience) = (shared.options.max_body, shared.options.body_timeout);
    let bytes = incoming::all(body, most, patience).await?;
    let Some(packing) = packing else { return Ok((format, bytes)) };
    let unpacked = blocking(move || {
        let mut unpacked = Vec::new();
        // One byte more tells that there are too many.
        let reader = Unpacked::packed(&*bytes, packing)?;
        reader.take(most as u64 + 1).read_to_end(&mut unpacked).map_err(|error| demat_place::lift(error.into()))?;
        Ok(unpacked)
    });
    // Whatever is wrong with it is so with what was sent.
    let unpacked = unpacked.await.map_err(|failure| Failure { status: StatusCode::BAD_REQUEST, ..failure })?;
    if unpacked.len() > most {
        return Err(Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("a body has at most {most} bytes")));
    }
    Ok((format, unpacked.into()))
}

/// What is asked of a store.
struct Asked<'r> {
    shared: &'r Arc<Shared>,
    store: &'r Arc<dyn Store>,
    route: &'r Route,
    at: &'r [String],
    parts: &'r Parts,
}

/// How a value is wanted.
#[derive(Clone)]
struct Wanted {
    query: Query,
    format: Format,
    packed: Option<Encoding>,
    link: Option<Link>,
    /// What is wanted in place of the value.
    aside: Option<Aside>,
}

impl Asked<'_> {
    async fn answered(&self, body: &mut Incoming) -> Answered {
        let verb = match self.parts.method {
            Method::GET | Method::HEAD => Verb::Get,
            Method::POST => Verb::Post,
            Method::PUT => Verb::Put,
            Method::PATCH => Verb::Patch,
            Method::DELETE => Verb::Delete,
            Method::OPTIONS => {
                let mut reply = options_of(self.shared, &self.parts.headers, &methods(self.allowed()));
                if permitted(&self.shared.options, &self.parts.headers).is_ok() {
                    self.say_shape(&mut reply, None).await;
                }
                return Ok(reply);
            }
            _ => return Ok(self.refused(None)),
        };
        if !self.allowed().has(verb) {
            return Ok(self.refused(Some(verb)));
        }
        match verb {
            Verb::Get => self.got().await,
            Verb::Post => self.posted(body).await,
            Verb::Put | Verb::Patch => self.put(verb, body).await,
            Verb::Delete => self.deleted().await,
        }
    }

    fn allowed(&self) -> Verbs {
        self.store.allows(self.at)
    }

    fn refused(&self, verb: Option<Verb>) -> Reply {
        let verbs = self.allowed();
        if verbs == Verbs::NONE {
            return answer::failed(&Fault::NotFound.about(&self.whole(self.at)).into());
        }
        let at = self.whole(self.at);
        let failure = match verb {
            Some(verb) => Fault::NotAllowed(verb).about(&at).into(),
            None => Failure::new(StatusCode::METHOD_NOT_ALLOWED, "the method is not known"),
        };
        answer::allowing(answer::failed(&failure), &methods(verbs))
    }

    /// The reference as who asks knows it.
    fn whole(&self, at: &[String]) -> Reference {
        self.route.names.join(at)
    }

    /// The URL that a list is at, of the host that was asked.
    fn url(&self, at: &[String]) -> String {
        let host = self.parts.headers.get(HOST).and_then(|host| host.to_str().ok());
        let whole = self.whole(at);
        let path = if whole.is_empty() { String::new() } else { whole.to_string() };
        match host {
            Some(host) => format!("{}://{host}{path}", if self.shared.secure { "https" } else { "http" }),
            None => path,
        }
    }

    fn wanted(&self) -> Answered<Wanted> {
        let (mut query, mut format, mut aside) = (Query::default(), None, None);
        for pair in Query::pairs(self.parts.uri.query().unwrap_or_default()) {
            let (name, value) = pair?;
            match &*name {
                "format" => {
                    let known =
                        value.parse::<Format>().ok().filter(|format| !negotiate::media_types(*format).is_empty());
                    format = Some(known.ok_or_else(not_acceptable)?);
                }
                "count" => aside = Some(Aside::Count),
                "children" => aside = Some(Aside::Children),
                _ => query.add(&name, &value)?,
            }
        }
        let format = match format {
            Some(format) => format,
            None => negotiate::wanted(&self.parts.headers).ok_or_else(not_acceptable)?,
        };
        let link = self.link(&mut query);
        Ok(Wanted { query, format, packed: Encoding::wanted(&self.parts.headers), link, aside })
    }

    /// What records get besides their fields, if it is wanted.
    fn link(&self, query: &mut Query) -> Option<Link> {
        let field = self.shared.options.urls.as_ref()?;
        // Of one record, the list is what it is in.
        let (list, key) = match self.at {
            [] => (self.at, self.store.key(self.at)),
            [before @ .., _] => match self.store.key(self.at) {
                key if key.is_empty() => (before, self.store.key(before)),
                key => (self.at, key),
            },
        };
        let [key] = &key[..] else { return None };
        if let Some(fields) = &mut query.fields {
            if !fields.contains(field) {
                return None;
            }
            fields.retain(|own| own != field);
            if !fields.contains(key) {
                fields.push(key.clone());
            }
        }
        Some(Link { field: field.clone(), key: key.clone(), list: self.url(list) })
    }

    /// Says what shape the answer has, as it is wanted; or the value by itself.
    async fn say_shape(&self, reply: &mut Reply, wanted: Option<Wanted>) {
        if !shaped::is_asked(&self.parts.headers) {
            return;
        }
        let shape = self.asking(move |store, at| {
            let shape = store.shape(at)?;
            let Some(Wanted { query, link, .. }) = wanted else { return Ok(shape) };
            let shape = query.shape_or_any(&shape)?;
            Ok(link.map_or(shape.clone(), |link| link.shape(&shape)))
        });
        // Who asks can do without.
        if let Ok(shape) = shape.await {
            shaped::say(reply, &shape);
        }
    }

    async fn got(&self) -> Answered {
        let headers = &self.parts.headers;
        if accepts(headers, "text/event-stream") {
            let prefix = self.route.names.to_string();
            let body = events(self.store, self.at, prefix.trim_end_matches('/'), self.shared.stop.clone());
            let body = body.ok_or_else(not_acceptable)?;
            let mut reply = answer::of(StatusCode::OK, "text/event-stream", body);
            answer::set(&mut reply, CACHE_CONTROL, "no-store");
            return Ok(reply);
        }
        let wanted = self.wanted()?;
        if let Some(aside) = wanted.aside {
            let told = self.asking(move |store, at| aside.told(store, at, &wanted.query)).await?;
            return Ok(answer::of(StatusCode::OK, "application/json", told));
        }
        // The version is asked for before the value: what is got may be later, never earlier.
        let version = self.asking(|store, at| store.version(at)).await?;
        let own = version.map(|version| tag(version, &wanted));
        if let Some(own) = &own
            && etag::is_known(headers, own)
        {
            let mut reply = answer::empty(StatusCode::NOT_MODIFIED);
            answer::set(&mut reply, ETAG, own);
            return Ok(reply);
        }
        let limit = self.shared.options.whole;
        let whole = {
            let wanted = wanted.clone();
            self.asking(move |store, at| encoded(store, at, &wanted, limit)).await?
        };
        let mut packed = wanted.packed;
        let body = match whole {
            Some(bytes) if bytes.len() < encoding::WORTH => {
                packed = None;
                Body::from(bytes)
            }
            Some(bytes) => match packed {
                None => Body::from(bytes),
                Some(encoding) => Body::from(blocking(move || Ok(encoding.packed(&bytes)?)).await?),
            },
            None => {
                let (store, at, wanted) = (Arc::clone(self.store), Reference::from(self.at), wanted.clone());
                streamed(&self.shared.places, packed, move |to| read(&*store, &at, &wanted, to)).await?
            }
        };
        // One tag for what accepts to be packed, whether it was worth it or not: that is not known before it is there.
        let mut reply = answer::value(wanted.format, own.as_deref(), packed, body);
        self.say_shape(&mut reply, Some(wanted.clone())).await;
        if let (Some(limit), true) = (wanted.query.limit, self.at.is_empty() || !self.store.key(self.at).is_empty()) {
            let offset = wanted.query.offset.unwrap_or(0).saturating_add(limit);
            let next = Query { offset: Some(offset), ..wanted.query };
            answer::set(&mut reply, LINK, &format!("<{}?{next}>; rel=\"next\"", self.url(self.at)));
        }
        Ok(reply)
    }

    /// Asks the store something: at once, if it answers so, else on another thread.
    async fn asking<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Store, &[String]) -> Result<T> + Send + 'static,
    ) -> Answered<T> {
        if self.store.is_prompt() {
            return Ok(ask(&**self.store, self.at)?);
        }
        self.waiting(ask).await
    }

    /// Asks the store something that has to wait.
    async fn waiting<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Store, &[String]) -> Result<T> + Send + 'static,
    ) -> Answered<T> {
        let (store, at) = (Arc::clone(self.store), Reference::from(self.at));
        blocking(move || ask(&*store, &at)).await
    }

    /// How what was changed is told of.
    fn wanted_again(&self) -> Answered<Wanted> {
        Ok(Wanted { query: Query::default(), aside: None, packed: None, ..self.wanted()? })
    }

    async fn posted(&self, body: &mut Incoming) -> Answered {
        let (format, bytes) = sent(self.shared, self.parts, body).await?;
        let (wanted, limit) = (self.wanted_again()?, self.shared.options.whole);
        let posted = self.waiting(move |store, at| {
            let mut given = Encoded::new(format, &*bytes);
            let mut reference = store.post(at, &mut given)?;
            if reference.len() < at.len() {
                reference = Reference::from(at).join(&reference);
            }
            // Several that were added have no one reference.
            let several = *reference == *at;
            if several && given.records() == Some(0) {
                return Ok(None);
            }
            let told = if several { None } else { told(store, &reference, &wanted, limit) };
            Ok(Some((reference, told)))
        });
        // Of no records nothing was added, which is as it was asked.
        let Some((reference, told)) = posted.await.map_err(refused)? else {
            return Ok(answer::empty(StatusCode::NO_CONTENT));
        };
        let mut reply = told_of(told, StatusCode::CREATED);
        answer::set(&mut reply, LOCATION, &self.url(&reference));
        Ok(reply)
    }

    async fn put(&self, verb: Verb, body: &mut Incoming) -> Answered {
        let (format, bytes) = sent(self.shared, self.parts, body).await?;
        let when = self.when()?;
        let (wanted, limit) = (self.wanted_again()?, self.shared.options.whole);
        let put = self.waiting(move |store, at| {
            let mut given = Encoded::new(format, &*bytes);
            let put = if verb == Verb::Put {
                store.put(at, &mut given, &when)?
            } else {
                store.patch(at, &mut given, &when)?;
                Put::Replaced
            };
            Ok((put, told(store, at, &wanted, limit)))
        });
        let (put, told) = put.await.map_err(refused)?;
        let created = put == Put::Created;
        let mut reply = told_of(told, if created { StatusCode::CREATED } else { StatusCode::OK });
        if created {
            answer::set(&mut reply, LOCATION, &self.url(self.at));
        }
        Ok(reply)
    }

    async fn deleted(&self) -> Answered {
        let when = self.when()?;
        self.waiting(move |store, at| store.delete(at, &when)).await?;
        Ok(answer::empty(StatusCode::NO_CONTENT))
    }

    fn when(&self) -> Answered<When> {
        let bad = || Failure::new(StatusCode::BAD_REQUEST, "the condition can't be understood");
        etag::when(&self.parts.headers).ok_or_else(bad)
    }
}

/// What a value is after a change, where that can be told: its tag, and how it is encoded.
type Told = Option<(Format, Option<String>, Bytes)>;

/// The value of a reference after it was changed; nothing where it is long, or gone again by somebody else: it was changed,
/// and that is no failure.
fn told(store: &dyn Store, at: &[String], wanted: &Wanted, limit: usize) -> Told {
    let version = store.version(at).ok()?;
    let bytes = encoded(store, at, wanted, limit).ok()??;
    Some((wanted.format, version.map(|version| tag(version, wanted)), bytes))
}

/// The answer that tells what was changed.
fn told_of(told: Told, status: StatusCode) -> Reply {
    let Some((format, own, bytes)) = told else {
        return answer::empty(if status == StatusCode::CREATED { status } else { StatusCode::NO_CONTENT });
    };
    let mut reply = answer::value(format, own.as_deref(), None, Body::from(bytes));
    *reply.status_mut() = status;
    reply
}

/// What a place can't keep of a value that was given is the value's fault, and not that of what is accepted.
fn refused(failure: Failure) -> Failure {
    let status = match failure.status {
        StatusCode::NOT_ACCEPTABLE => StatusCode::UNPROCESSABLE_ENTITY,
        other => other,
    };
    Failure { status, ..failure }
}

/// The tag of a value as it is wanted.
fn tag(version: Version, wanted: &Wanted) -> String {
    let url = wanted.link.as_ref().map_or("", |link| &link.list);
    etag::tag(version, wanted.format, &wanted.query, url, wanted.packed)
}

/// The methods of verbs.
fn methods(verbs: Verbs) -> String {
    let mut names = Vec::new();
    for verb in verbs.iter() {
        names.push(verb.name().to_ascii_uppercase());
        if verb == Verb::Get {
            names.push("HEAD".to_string());
        }
    }
    names.push("OPTIONS".to_string());
    names.join(", ")
}

/// A value as it is wanted; nothing where it has more than so many bytes.
fn encoded(store: &dyn Store, at: &[String], wanted: &Wanted, limit: usize) -> Result<Option<Bytes>> {
    let Wanted { query, format, link, .. } = wanted;
    match link {
        None => store.encoded(at, query, *format, limit),
        Some(link) => representation(*format, limit, |sink| store.get(at, query, &mut Linked::new(sink, link.clone()))),
    }
}

/// Writes a value as it is wanted.
fn read(store: &dyn Store, at: &[String], wanted: &Wanted, to: &mut (dyn Write + Send)) -> Result<()> {
    let Wanted { query, format, link, .. } = wanted;
    match link {
        None => store.read(at, query, *format, to),
        Some(link) => {
            let mut sink = demat_place::sink(*format, &WriteOptions::of(*format), to)?;
            store.get(at, query, &mut Linked::new(&mut *sink, link.clone()))
        }
    }
}
