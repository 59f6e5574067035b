//! Requests to a store, and their answers.

use crate::answer::{self, Reply};
use crate::body::Body;
use crate::encoding::{self, Encoding, Packing};
use crate::etag;
use crate::events::events;
use crate::failure::Failure;
use crate::linked::Link;
use crate::meta::Meta;
use crate::method::{allowed, not_allowed};
use crate::negotiate::{self, accepts};
use crate::reading::{self, encoded};
use crate::routes::Routed;
use crate::shaped;
use crate::streamed::streamed;
use bytes::Bytes;
use demat_core::{Error, Result};
use demat_place::Format;
use demat_store::{BulkChange, Encoded, Fault, Put, Query, Reference, Store, Verb, Verbs, Version, When};
use http::header::{CACHE_CONTROL, ETAG, HOST, IF_MATCH, LINK, LOCATION};
use http::request::Parts;
use http::{Method, StatusCode, Uri};
use hyper::body::Incoming;
use std::sync::Arc;

use crate::service::{Answered, Shared, blocking, not_acceptable, options_of, permitted, sent, unasked};

/// A request to a store.
pub(crate) struct StoreRequest<'r> {
    pub(crate) shared: &'r Arc<Shared>,
    pub(crate) store: &'r Arc<dyn Store>,
    pub(crate) route: &'r Routed,
    pub(crate) at: &'r [String],
    pub(crate) parts: &'r Parts,
}

/// The representation that a client requested: the part of a value, and its form.
#[derive(Clone)]
pub(crate) struct Representation {
    pub(crate) shared: Arc<Shared>,
    /// The request's URI, for log lines.
    pub(crate) uri: Uri,
    pub(crate) query: Query,
    pub(crate) format: Format,
    packed: Packing,
    pub(crate) link: Option<Link>,
    /// Metadata that the client asked for instead of the value, such as a count.
    aside: Option<Meta>,
}

impl StoreRequest<'_> {
    pub(crate) async fn answered(&self, body: &mut Incoming) -> Answered {
        let verb = match self.parts.method {
            Method::GET | Method::HEAD => Verb::Get,
            Method::POST => Verb::Post,
            Method::PUT => Verb::Put,
            Method::PATCH => Verb::Patch,
            Method::DELETE => Verb::Delete,
            Method::OPTIONS => {
                let at = self.whole(self.at);
                let served: Vec<Method> =
                    self.shared.routes.find(&at).iter().flat_map(|route| route.served(&at)).collect();
                let mut reply = options_of(self.shared, &self.parts.headers, &allowed(&served));
                if permitted(&self.shared.options, &self.parts.headers).is_ok() {
                    self.say_shape(&mut reply, None).await;
                }
                return Ok(reply);
            }
            _ => return Ok(self.refused()),
        };
        if !self.allowed().has(verb) {
            return Ok(self.refused());
        }
        let answered = match verb {
            Verb::Get => self.got().await.map_err(Failure::of_what_is_there),
            Verb::Post => self.posted(body).await,
            Verb::Patch if self.has_query() => self.patched_each(body).await,
            Verb::Put | Verb::Patch => self.put(verb, body).await,
            Verb::Delete => self.deleted().await,
        };
        match answered {
            Err(failure) if failure.status == StatusCode::METHOD_NOT_ALLOWED => Ok(self.refused()),
            other => other,
        }
    }

    fn allowed(&self) -> Verbs {
        self.store.allows(self.at).both(self.route.verbs())
    }

    fn refused(&self) -> Reply {
        let at = self.whole(self.at);
        if self.store.allows(self.at) == Verbs::NONE {
            return answer::failed(&Fault::NotFound.about(&at).into());
        }
        not_allowed(&self.parts.method, &self.route.served(&at))
    }

    /// Returns whether the query has anything besides `format`.
    fn has_query(&self) -> bool {
        Query::pairs(self.parts.uri.query().unwrap_or_default())
            .any(|pair| pair.map_or(true, |(name, _)| name != "format"))
    }

    /// Parses the conditions that choose the rows to change. Refuses any other query parameter.
    fn conditions(&self) -> Answered<Query> {
        let mut query = Query::default();
        for pair in Query::pairs(self.parts.uri.query().unwrap_or_default()) {
            let (name, value) = pair?;
            if Query::is_word(&name) {
                let said =
                    format!("`{name}` can't be asked here: what is changed is chosen by conditions and nothing else");
                return Err(Fault::BadQuery.because(said).into());
            }
            query.add(&name, &value)?;
        }
        Ok(query)
    }

    /// Refuses a change to a whole collection unless the route allows it.
    fn in_bulk(&self, done: &str) -> Answered<()> {
        if self.route.bulk || !self.at.is_empty() && !self.store.is_collection(self.at) {
            return Ok(());
        }
        let said = format!(
            "all of `{}` would be {done}, which its route does not allow; choose items by their keys or by conditions such as \
             `?id=1`, or allow it: `demat.route(…, bulk=True)` in Python, `--bulk` on the command line",
            self.whole(self.at)
        );
        Err(Failure::new(StatusCode::CONFLICT, said))
    }

    /// Returns the reference as the client writes it: with the names of the route in front.
    fn whole(&self, at: &[String]) -> Reference {
        self.route.names.join(at)
    }

    /// Returns the URL of a list, with the host of the request.
    fn url(&self, at: &[String]) -> String {
        let host = self.parts.headers.get(HOST).and_then(|host| host.to_str().ok());
        let whole = self.whole(at);
        let path = if whole.is_empty() { String::new() } else { whole.to_string() };
        match host {
            Some(host) => format!("{}://{host}{path}", if self.shared.secure { "https" } else { "http" }),
            None => path,
        }
    }

    fn wanted(&self) -> Answered<Representation> {
        let (mut query, mut format, mut aside) = (Query::default(), None, None);
        let twice = |name: &str| Failure::from(Fault::BadQuery.because(format!("`{name}` can't be said besides")));
        for pair in Query::pairs(self.parts.uri.query().unwrap_or_default()) {
            let (name, value) = pair?;
            match &*name {
                "format" => {
                    let known = value.parse::<Format>().ok().filter(|format| negotiate::is_offered(*format));
                    if format.replace(known.ok_or_else(not_acceptable)?).is_some() {
                        return Err(twice(&name));
                    }
                }
                "count" | "children" => {
                    if !matches!(&*value, "" | "true") {
                        let said = format!("`{name}` takes no value, and not `{value}`");
                        return Err(Fault::BadQuery.because(said).into());
                    }
                    let own = if name == "count" { Meta::Count } else { Meta::Children };
                    if aside.replace(own).is_some() {
                        return Err(twice(&name));
                    }
                }
                _ => query.add(&name, &value)?,
            }
        }
        if matches!(aside, Some(Meta::Children)) && !query.is_all() {
            return Err(twice("children"));
        }
        let format = match format {
            Some(format) => format,
            None => negotiate::wanted(&self.parts.headers).ok_or_else(not_acceptable)?,
        };
        let packed = Encoding::wanted(&self.parts.headers);
        if packed == Packing::Impossible {
            return Err(Failure::new(StatusCode::NOT_ACCEPTABLE, "available encodings: identity, zstd, gzip"));
        }
        let link = self.link(&mut query);
        let (shared, uri) = (Arc::clone(self.shared), self.parts.uri.clone());
        Ok(Representation { shared, uri, query, format, packed, link, aside })
    }

    /// Returns how to add a URL field to each record, if the server is configured to.
    fn link(&self, query: &mut Query) -> Option<Link> {
        let field = self.shared.options.urls.as_ref()?;
        // If the request is for one record, the list is its parent.
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

    /// Sets the header with the answer's shape: that of the selected fields, or the whole value's.
    async fn say_shape(&self, reply: &mut Reply, wanted: Option<Representation>) {
        if !shaped::is_asked(&self.parts.headers) {
            return;
        }
        let shape = self.asking(move |store, at| {
            let shape = store.shape(at)?;
            let Some(Representation { query, link, .. }) = wanted else { return Ok(shape) };
            let shape = query.shape_or_any(&shape)?;
            Ok(link.map_or(shape.clone(), |link| link.shape(&shape)))
        });
        // The header is optional, so an error only omits it.
        if let Ok(shape) = shape.await {
            shaped::say(reply, &shape);
        }
    }

    async fn got(&self) -> Answered {
        let headers = &self.parts.headers;
        if accepts(headers, "text/event-stream") {
            let prefix = self.route.names.to_string();
            unasked(self.parts)?;
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
        // Reads the version before the value. The value may then be newer than its tag, but never older.
        let version = self.asking(|store, at| store.version(at)).await?;
        let own = version.map(|version| tag(version, &wanted));
        if headers.contains_key(IF_MATCH) && !self.when()?.holds(Some(version)) {
            return Err(Fault::Changed.about(&self.whole(self.at)).into());
        }
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
            let told = self.asking(move |store, at| encoded(store, at, &wanted, limit)).await;
            told.map_err(reading::failed)?
        };
        let (mut packed, must) = match wanted.packed {
            Packing::Must(own) => (Some(own), true),
            Packing::Maybe(own) => (Some(own), false),
            Packing::None | Packing::Impossible => (None, false),
        };
        let body = match whole {
            Some(bytes) if bytes.len() < encoding::WORTH && !must => {
                packed = None;
                Body::from(bytes)
            }
            Some(bytes) => match packed {
                None => Body::from(bytes),
                Some(encoding) => Body::from(blocking(move || Ok(encoding.packed(&bytes)?)).await?),
            },
            None => {
                let (store, at, wanted) = (Arc::clone(self.store), Reference::from(self.at), wanted.clone());
                let (own, uri) = (Arc::clone(self.shared), self.parts.uri.clone());
                let broken = move |error: &Error| reading::broke_off(&own.options, &uri, error);
                let body =
                    streamed(&self.shared.places, packed, broken, move |to| reading::read(&*store, &at, &wanted, to));
                body.await.map_err(reading::failed)?
            }
        };
        // Large and small answers share one tag per accepted encoding: whether compression pays off is not yet known
        // when the tag is made.
        let mut reply = answer::value(wanted.format, own.as_deref(), packed, body);
        self.say_shape(&mut reply, Some(wanted.clone())).await;
        if let (Some(limit), true) = (wanted.query.limit, self.at.is_empty() || !self.store.key(self.at).is_empty()) {
            let offset = wanted.query.offset.unwrap_or(0).saturating_add(limit);
            let next = Query { offset: Some(offset), ..wanted.query };
            answer::set(&mut reply, LINK, &format!("<{}?{next}>; rel=\"next\"", self.url(self.at)));
        }
        Ok(reply)
    }

    /// Calls the store: on this thread if it answers promptly, else on a blocking thread.
    async fn asking<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Store, &[String]) -> Result<T> + Send + 'static,
    ) -> Answered<T> {
        if self.store.is_prompt() {
            return Ok(ask(&**self.store, self.at)?);
        }
        self.waiting(ask).await
    }

    /// Calls the store on a blocking thread.
    async fn waiting<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&dyn Store, &[String]) -> Result<T> + Send + 'static,
    ) -> Answered<T> {
        let (store, at) = (Arc::clone(self.store), Reference::from(self.at));
        blocking(move || ask(&*store, &at)).await
    }

    /// Returns the format of the answer to a change. Fails for a query with any other option.
    fn wanted_again(&self) -> Answered<Representation> {
        if self.has_query() {
            let said = "a change like this has no query but the format of its answer";
            return Err(Fault::BadQuery.because(said).into());
        }
        Ok(Representation { packed: Packing::None, ..self.wanted()? })
    }

    async fn posted(&self, body: &mut Incoming) -> Answered {
        let (wanted, limit) = (self.wanted_again()?, self.shared.options.whole);
        let when = self.when()?;
        let (format, bytes) = sent(self.shared, self.parts, body).await?;
        let posted = self.waiting(move |store, at| {
            let mut body = Encoded::new(format, &*bytes);
            let mut reference = store.post_if(at, &mut body, &when)?;
            if reference.len() < at.len() {
                reference = Reference::from(at).join(&reference);
            }
            // Several added records have no single reference.
            let several = *reference == *at;
            if several && body.records() == Some(0) {
                return Ok(None);
            }
            let value = if several { None } else { value_after(store, &reference, &wanted, limit) };
            Ok(Some((reference, value)))
        });
        // Posting an empty list adds nothing and returns 204 without a `Location`.
        let Some((reference, value)) = posted.await.map_err(refused)? else {
            return Ok(answer::empty(StatusCode::NO_CONTENT));
        };
        let mut reply = changed_reply(value, StatusCode::CREATED);
        // The row exists, even if its key is too long for a URL.
        if self.whole(&reference).is_readable() {
            answer::set(&mut reply, LOCATION, &self.url(&reference));
        }
        Ok(reply)
    }

    async fn put(&self, verb: Verb, body: &mut Incoming) -> Answered {
        let (wanted, limit) = (self.wanted_again()?, self.shared.options.whole);
        if verb == Verb::Put {
            self.in_bulk("replaced")?;
        }
        let when = self.when()?;
        let (format, bytes) = sent(self.shared, self.parts, body).await?;
        let put = self.waiting(move |store, at| {
            let mut body = Encoded::new(format, &*bytes);
            let put = if verb == Verb::Put {
                store.put(at, &mut body, &when)?
            } else {
                store.patch(at, &mut body, &when)?;
                Put::Replaced
            };
            Ok((put, value_after(store, at, &wanted, limit)))
        });
        let (put, value) = put.await.map_err(refused)?;
        let created = put == Put::Created;
        let mut reply = changed_reply(value, if created { StatusCode::CREATED } else { StatusCode::OK });
        if created {
            answer::set(&mut reply, LOCATION, &self.url(self.at));
        }
        Ok(reply)
    }

    async fn deleted(&self) -> Answered {
        let (query, when) = (self.conditions()?, self.when()?);
        if query.is_filter() {
            let count = self.waiting(move |store, at| store.change_each(at, &query, BulkChange::Delete, &when)).await?;
            return Ok(counted(count));
        }
        self.in_bulk("deleted")?;
        self.waiting(move |store, at| store.delete(at, &when)).await?;
        Ok(answer::empty(StatusCode::NO_CONTENT))
    }

    async fn patched_each(&self, body: &mut Incoming) -> Answered {
        let (query, when) = (self.conditions()?, self.when()?);
        let (format, bytes) = sent(self.shared, self.parts, body).await?;
        let patched = self.waiting(move |store, at| {
            store.change_each(at, &query, BulkChange::Patch(&mut Encoded::new(format, &*bytes)), &when)
        });
        Ok(counted(patched.await.map_err(refused)?))
    }

    fn when(&self) -> Answered<When> {
        let bad = || Failure::new(StatusCode::BAD_REQUEST, "the condition can't be understood");
        etag::when(&self.parts.headers).ok_or_else(bad)
    }
}

/// Answers a bulk change with the number of changed rows.
fn counted(count: u64) -> Reply {
    let mut reply = answer::empty(StatusCode::NO_CONTENT);
    answer::set(&mut reply, answer::COUNT, &count.to_string());
    reply
}

/// The value after a change, if it could be read: its format, tag and bytes.
type ValueAfter = Option<(Format, Option<String>, Bytes)>;

/// Reads a value after a change. Returns `None` if it is too long or already gone: the change itself succeeded.
fn value_after(store: &dyn Store, at: &[String], wanted: &Representation, limit: usize) -> ValueAfter {
    let version = store.version(at).ok()?;
    let bytes = encoded(store, at, wanted, limit).ok()??;
    Some((wanted.format, version.map(|version| tag(version, wanted)), bytes))
}

/// Builds the answer that shows the changed value.
fn changed_reply(value: ValueAfter, status: StatusCode) -> Reply {
    let Some((format, own, bytes)) = value else {
        return answer::empty(if status == StatusCode::CREATED { status } else { StatusCode::NO_CONTENT });
    };
    let mut reply = answer::value(format, own.as_deref(), None, Body::from(bytes));
    *reply.status_mut() = status;
    reply
}

/// Turns 406 into 422: here the value sent can't be stored, and the `Accept` header is not to blame.
fn refused(failure: Failure) -> Failure {
    let status = match failure.status {
        StatusCode::NOT_ACCEPTABLE => StatusCode::UNPROCESSABLE_ENTITY,
        other => other,
    };
    Failure { status, ..failure }
}

/// Returns the `ETag` of a value in the requested form.
fn tag(version: Version, wanted: &Representation) -> String {
    let url = wanted.link.as_ref().map_or("", |link| &link.list);
    let packed = match wanted.packed {
        Packing::Maybe(own) | Packing::Must(own) => Some(own),
        Packing::None | Packing::Impossible => None,
    };
    etag::tag(version, wanted.format, &wanted.query, url, packed)
}
