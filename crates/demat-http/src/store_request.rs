//! Requests to a store, and their answers.

use crate::answer::{self, Reply};
use crate::body::Body;
use crate::embed::{self, Embed, embedded};
use crate::encoding::{self, Encoding, Packing};
use crate::etag;
use crate::events::events;
use crate::failure::Failure;
use crate::linked::Link;
use crate::merge_patch;
use crate::meta::Meta;
use crate::method::{allowed, not_allowed};
use crate::negotiate::{self, accepts};
use crate::prefer::{Preferences, Return};
use crate::reading::{self, encoded};
use crate::routes::Routed;
use crate::shaped;
use crate::streamed::streamed;
use crate::told;
use bytes::Bytes;
use demat_core::{Error, Result, Shape, Value};
use demat_place::Format;
use demat_store::{
    BulkChange, Duplicates, Encoded, Fault, Put, Query, Reference, Store, Verb, Verbs, Version, When, tolerating,
};
use http::header::{CACHE_CONTROL, ETAG, HOST, HeaderName, IF_MATCH, LINK, LOCATION, VARY};
use http::request::Parts;
use http::{Method, StatusCode, Uri};
use hyper::body::Incoming;
use std::sync::Arc;

use crate::service::{Answered, Shared, blocking, not_acceptable, options_at, sent, unasked};

/// The media types of patches.
const ACCEPT_PATCH: HeaderName = HeaderName::from_static("accept-patch");

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
    /// The lists whose records are embedded.
    embeds: Vec<Embed>,
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
                let mut reply = options_at(self.shared, &self.parts.headers, &self.whole(self.at));
                if self.may_read() {
                    self.say_shape(&mut reply, None).await;
                }
                if self.allowed().has(Verb::Patch) {
                    answer::set(&mut reply, ACCEPT_PATCH, &negotiate::patches());
                }
                return Ok(reply);
            }
            _ => return Ok(self.refused()),
        };
        if !self.allowed().has(verb) {
            return Ok(self.refused());
        }
        if verb != Verb::Get
            && !self.may_read()
            && Preferences::of(&self.parts.headers)?.returned == Some(Return::Representation)
        {
            let said = "the token may not read here, so a change returns no representation";
            return Err(Failure::new(StatusCode::FORBIDDEN, said));
        }
        let answered = match verb {
            Verb::Get => self.got().await.map_err(Failure::of_what_is_there),
            Verb::Post => self.posted(body).await,
            Verb::Patch if self.has_query() => self.patched_each(body).await,
            Verb::Put | Verb::Patch => self.put(verb, body).await,
            Verb::Delete => self.deleted().await,
        };
        match answered {
            Err(failure) if failure.status == StatusCode::METHOD_NOT_ALLOWED => Ok(self.refused_by_store(&failure)),
            // RFC 5789, 2.2.
            Err(failure) if verb == Verb::Patch && failure.status == StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                let mut reply = answer::failed(&failure);
                answer::set(&mut reply, ACCEPT_PATCH, &negotiate::patches());
                Ok(reply)
            }
            other => other,
        }
    }

    /// Whether the token of the request may read here.
    fn may_read(&self) -> bool {
        let permit = self.shared.tokens.permit(&self.parts.headers);
        permit.is_ok_and(|permit| permit.allows(&self.route.needs(&Method::GET)).is_ok())
    }

    fn allowed(&self) -> Verbs {
        self.store.allows(self.at).both(self.route.verbs())
    }

    fn refused(&self) -> Reply {
        let at = self.whole(self.at);
        if self.store.allows(self.at) == Verbs::NONE {
            return answer::failed(&Fault::NotFound.about(&at).into());
        }
        let routes = self.shared.routes.find(&at);
        let served: Vec<Method> = routes.iter().flat_map(|route| route.served(&at)).collect();
        not_allowed(&self.parts.method, &served)
    }

    /// Answers 405 with the store's own reason. `Allow` does not name the method: the store refuses it only here or now.
    fn refused_by_store(&self, failure: &Failure) -> Reply {
        let at = self.whole(self.at);
        let routes = self.shared.routes.find(&at);
        let served = routes.iter().flat_map(|route| route.served(&at));
        let served: Vec<Method> = served.filter(|method| *method != self.parts.method).collect();
        answer::allowing(answer::failed(failure), &allowed(&served))
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
            if Query::is_word(&name) && !matches!(&*name, "where" | "search") {
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
        let (mut query, mut format, mut aside, mut embeds) = (Query::default(), None, None, Vec::new());
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
                "facet" => {
                    if aside.replace(Meta::Facet(value)).is_some() {
                        return Err(twice(&name));
                    }
                }
                "embed" => {
                    if !embeds.is_empty() {
                        return Err(Fault::BadQuery.because("`embed` is said twice").into());
                    }
                    embeds = embed::parsed(&value)?;
                }
                _ => query.add(&name, &value)?,
            }
        }
        if !embeds.is_empty() && aside.is_some() {
            return Err(twice("embed"));
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
        Ok(Representation { shared, uri, query, format, packed, link, aside, embeds })
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
            let Some(Representation { query, link, embeds, .. }) = wanted else { return Ok(shape) };
            let shape = if embeds.is_empty() {
                query.shape_or_any(&shape)?
            } else {
                embed::shape_of(store, at, &query, &embeds)?
            };
            Ok(link.map_or(shape.clone(), |link| link.shape(&shape)))
        });
        // The header is optional, so an error only omits it.
        if let Ok(shape) = shape.await {
            shaped::say(reply, &shape);
        }
    }

    /// Refuses to embed a list that another route serves: that route may need another role.
    async fn refuse_masked(&self, embeds: &[Embed]) -> Answered<()> {
        if embeds.is_empty() {
            return Ok(());
        }
        let embeds = embeds.to_vec();
        for list in self.asking(move |store, at| embed::lists(store, at, &embeds)).await? {
            let at = self.whole(&list);
            if !self.shared.routes.find(&at).iter().any(|route| core::ptr::eq(*route, self.route)) {
                let said = format!("`{at}` is served by another route, and can't be embedded");
                return Err(Fault::BadQuery.because(said).into());
            }
        }
        Ok(())
    }

    async fn got(&self) -> Answered {
        let headers = &self.parts.headers;
        if accepts(headers, "text/event-stream") {
            unasked(self.parts)?;
            let body = self.events().await?.ok_or_else(not_acceptable)?;
            let mut reply = answer::of(StatusCode::OK, "text/event-stream", body);
            answer::set(&mut reply, CACHE_CONTROL, "no-store");
            return Ok(reply);
        }
        let prefer = Preferences::of(headers)?.only(&["count"], "a request that changes nothing")?;
        let mut wanted = self.wanted()?;
        self.refuse_masked(&wanted.embeds).await?;
        if wanted.aside.is_some() && prefer.count {
            return Err(Fault::BadQuery.because("`Prefer: count=exact` counts a list, which is not asked for").into());
        }
        if let Some(aside) = wanted.aside.clone() {
            let is_long = matches!(aside, Meta::Facet(_));
            let tell = move |store: &dyn Store, at: &[String]| aside.told(store, at, &wanted.query);
            let told = if is_long { self.waiting(tell).await? } else { self.asking(tell).await? };
            return Ok(answer::of(StatusCode::OK, "application/json", told));
        }
        // Reads the version before the value. The value may then be newer than its tag, but never older.
        let is_embedded = !wanted.embeds.is_empty();
        let version = self.asking(move |store, at| {
            // What is embedded is part of the value, so its version is that of all lists.
            let there = store.version(at)?;
            let is_record = is_embedded && !matches!(store.shape(at)?, Shape::List(_));
            if is_record { store.version(&at[..at.len().saturating_sub(1)]) } else { Ok(there) }
        });
        let version = version.await?;
        let own = version.map(|version| tag(version, &wanted));
        let total = if prefer.count { Some(self.total(&wanted.query).await?) } else { None };
        if headers.contains_key(IF_MATCH) && !self.when()?.holds(Some(version)) {
            return Err(Fault::Changed.about(&self.whole(self.at)).into());
        }
        if let Some(own) = &own
            && etag::is_known(headers, own)
        {
            let mut reply = answer::empty(StatusCode::NOT_MODIFIED);
            answer::set(&mut reply, ETAG, own);
            answer::set(&mut reply, VARY, answer::NEGOTIATED);
            said_total(&mut reply, total, prefer);
            return Ok(reply);
        }
        let next = self.next(&mut wanted.query).await?;
        let limit = self.shared.options.whole;
        let whole = {
            let wanted = wanted.clone();
            let told = if wanted.embeds.is_empty() {
                self.asking(move |store, at| encoded(store, at, &wanted, limit)).await
            } else {
                self.waiting(move |store, at| {
                    let how = wanted.shared.options.unrepresentable;
                    let (told, _) = tolerating(how, wanted.format.is_columnar(), || {
                        let (value, shape) = embedded(store, at, &wanted.query, &wanted.embeds)?;
                        told::encoded(&value, &shape, &wanted)
                    });
                    told.map(Some)
                })
                .await
            };
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
        said_total(&mut reply, total, prefer);
        if let Some(next) = next {
            let rest = self.of_form().flat_map(|pair| ["&", pair]).collect::<String>();
            answer::set(&mut reply, LINK, &format!("<{}?{next}{rest}>; rel=\"next\"", self.url(self.at)));
        }
        Ok(reply)
    }

    /// Returns a body with the changes from now on. Returns `None` if the store can't watch.
    async fn events(&self) -> Answered<Option<Body>> {
        let (store, at, stop) = (Arc::clone(self.store), Reference::from(self.at), self.shared.stop.clone());
        let prefix = self.route.names.to_string();
        let subscribe = move || events(&store, &at, prefix.trim_end_matches('/'), stop);
        // A program's own `watch` may take long, or ask this server.
        if self.store.is_prompt() { Ok(subscribe()) } else { blocking(|| Ok(subscribe())).await }
    }

    /// Returns the parameters that are no part of a [`Query`], but that the next page has, too.
    fn of_form(&self) -> impl Iterator<Item = &str> {
        let query = self.parts.uri.query().unwrap_or_default();
        query.split('&').filter(|pair| matches!(pair.split('=').next(), Some("format" | "embed")))
    }

    /// Returns the query of the next page, if there may be one.
    async fn next(&self, query: &mut Query) -> Answered<Option<Query>> {
        if query.after.is_some() {
            let own = query.clone();
            let cursor = self.asking(move |store, at| store.cursor(at, &own)).await?;
            let next = cursor.as_ref().map(|cursor| Query { after: Some(cursor.clone()), ..query.clone() });
            // A bound, not a number of records: records that are added meanwhile must not shift the end of the page.
            if cursor.is_some() {
                (query.until, query.limit) = (cursor, None);
            }
            return Ok(next);
        }
        let is_list = self.at.is_empty() || !self.store.key(self.at).is_empty();
        Ok(query.limit.filter(|limit| is_list && *limit > 0).map(|limit| {
            let offset = query.offset.unwrap_or(0).saturating_add(limit);
            Query { offset: Some(offset), ..query.clone() }
        }))
    }

    /// Counts the records that meet the conditions, on all pages.
    async fn total(&self, query: &Query) -> Answered<u64> {
        let all = Query { filter: query.filter.clone(), predicate: query.predicate.clone(), ..Query::default() };
        let all = Query { search: query.search.clone(), ..all };
        self.asking(move |store, at| crate::meta::count(store, at, &all)).await
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

    /// Adds several records, and tells what became of them.
    async fn posted_all(&self, format: Format, bytes: Bytes, is_list: bool, prefer: Preferences) -> Answered {
        let (wanted, when) = (self.wanted_again()?, self.when()?);
        let duplicates = if prefer.merge { Duplicates::Merge } else { Duplicates::Refuse };
        let posted = self.waiting(move |store, at| {
            let posted = store.post_all(at, &mut Encoded::new(format, &*bytes), duplicates, &when)?;
            let told = || {
                let (value, shape) = (told::named(store, at, &posted.names)?, store.shape(at)?);
                match (value, shape) {
                    (Value::List(mut records), Shape::List(item)) if !is_list && records.len() == 1 => {
                        told::encoded(&records.remove(0), &item, &wanted)
                    }
                    (value, shape) => told::encoded(&value, &shape, &wanted),
                }
            };
            // The change is made, also if its result can't be told.
            let value = (prefer.returned == Some(Return::Representation)).then(|| told().ok()).flatten();
            Ok((posted, value.map(|value| (wanted.format, value))))
        });
        let (posted, value) = posted.await.map_err(refused)?;
        let is_told = value.is_some() || prefer.returned != Some(Return::Representation);
        let status = if posted.created > 0 { StatusCode::CREATED } else { StatusCode::OK };
        let mut reply = match value {
            Some((format, bytes)) => listed(status, format, bytes),
            None if posted.created > 0 => answer::empty(status),
            None => answer::empty(StatusCode::NO_CONTENT),
        };
        answer::set(&mut reply, answer::COUNT, &posted.names.len().to_string());
        if let (1.., [name]) = (posted.created, &posted.names[..]) {
            let reference = Reference::from(self.at).join(core::slice::from_ref(name));
            if self.whole(&reference).is_readable() {
                answer::set(&mut reply, LOCATION, &self.url(&reference));
            }
        }
        Preferences { returned: prefer.returned.filter(|_| is_told), ..prefer }.say(&mut reply);
        Ok(reply)
    }

    async fn posted(&self, body: &mut Incoming) -> Answered {
        let prefer = Preferences::of(&self.parts.headers)?.only(&["return", "resolution"], "what is added")?;
        if prefer.merge && !self.route.verbs().has(Verb::Patch) {
            let said = "`resolution=merge-duplicates` changes records, and the route does not serve `PATCH`";
            return Err(Failure::new(StatusCode::FORBIDDEN, said));
        }
        let (wanted, limit) = (self.wanted_again()?, self.limit(prefer));
        let when = self.when()?;
        let (format, bytes) = sent(self.shared, self.route, self.parts, body).await?;
        if prefer.merge || prefer.returned == Some(Return::Representation) {
            let own = bytes.clone();
            let is_list = blocking(move || Ok(told::is_list(format, &own))).await?;
            // Where a list is one value, it is posted as one.
            let is_rows = is_list && self.asking(|store, at| store.shape(at)).await?.row().is_some();
            if prefer.merge || is_rows {
                return self.posted_all(format, bytes, is_list, prefer).await;
            }
        }
        let may_read = self.may_read();
        let posted = self.waiting(move |store, at| {
            let mut body = Encoded::new(format, &*bytes);
            let reference = store.post_if(at, &mut body, &when)?;
            // Several added records have no single reference.
            let several = *reference == *at;
            if several && body.records() == Some(0) {
                return Ok(None);
            }
            let is_told = may_read && !several && prefer.returned != Some(Return::Minimal);
            let value = if is_told { value_after(store, &reference, &wanted, limit) } else { None };
            Ok(Some((reference, value)))
        });
        // Posting an empty list adds nothing and returns 204 without a `Location`.
        let Some((reference, value)) = posted.await.map_err(refused)? else {
            return Ok(answer::empty(StatusCode::NO_CONTENT));
        };
        let mut reply = changed_reply(value, StatusCode::CREATED, prefer);
        // The row exists, even if its key is too long for a URL.
        if self.whole(&reference).is_readable() {
            answer::set(&mut reply, LOCATION, &self.url(&reference));
        }
        Ok(reply)
    }

    /// The most bytes of a value that the answer to a change tells.
    fn limit(&self, prefer: Preferences) -> usize {
        if prefer.returned == Some(Return::Representation) { usize::MAX } else { self.shared.options.whole }
    }

    async fn put(&self, verb: Verb, body: &mut Incoming) -> Answered {
        let prefer = Preferences::of(&self.parts.headers)?.only(&["return"], "a value that is put or patched")?;
        let (wanted, limit) = (self.wanted_again()?, self.limit(prefer));
        if verb == Verb::Put {
            self.in_bulk("replaced")?;
        }
        let when = self.when()?;
        let (format, bytes) = sent(self.shared, self.route, self.parts, body).await?;
        let (may_read, merges) = (self.may_read(), verb == Verb::Patch && merge_patch::is_said(&self.parts.headers));
        let put = self.waiting(move |store, at| {
            if merges {
                merge_patch::check(store, at, &bytes)?;
            }
            let mut body = Encoded::new(format, &*bytes);
            let put = if verb == Verb::Put {
                store.put(at, &mut body, &when)?
            } else {
                store.patch(at, &mut body, &when)?;
                Put::Replaced
            };
            let is_told = may_read && prefer.returned != Some(Return::Minimal);
            Ok((put, if is_told { value_after(store, at, &wanted, limit) } else { None }))
        });
        let (put, value) = put.await.map_err(refused)?;
        let created = put == Put::Created;
        let mut reply = changed_reply(value, if created { StatusCode::CREATED } else { StatusCode::OK }, prefer);
        if created {
            answer::set(&mut reply, LOCATION, &self.url(self.at));
        }
        Ok(reply)
    }

    async fn deleted(&self) -> Answered {
        let prefer = Preferences::of(&self.parts.headers)?;
        let (query, when) = (self.conditions()?, self.when()?);
        if query.is_filter() {
            let prefer = prefer.only(&["return", "count"], "what is deleted by conditions")?;
            return self.changed_each(query, when, None, prefer).await;
        }
        let prefer = prefer.only(&["return"], "a value that is deleted")?;
        self.in_bulk("deleted")?;
        if prefer.returned != Some(Return::Representation) {
            self.waiting(move |store, at| store.delete(at, &when)).await?;
            let mut reply = answer::empty(StatusCode::NO_CONTENT);
            prefer.say(&mut reply);
            return Ok(reply);
        }
        let wanted = self.wanted_of_change()?;
        let deleted = self.waiting(move |store, at| {
            told::unchanged(store, at, &when, &wanted, |when| {
                let (value, shape) = (told::all(store, at, &Query::default())?, store.shape(at)?);
                let value = told::encoded(&value, &shape, &wanted)?;
                store.delete(at, when)?;
                Ok((wanted.format, value))
            })
        });
        let (format, value) = deleted.await?.ok_or_else(busy)?;
        let mut reply = listed(StatusCode::OK, format, value);
        prefer.say(&mut reply);
        Ok(reply)
    }

    async fn patched_each(&self, body: &mut Incoming) -> Answered {
        let prefer = Preferences::of(&self.parts.headers)?;
        let prefer = prefer.only(&["return", "count"], "what is patched by conditions")?;
        let (query, when) = (self.conditions()?, self.when()?);
        let (format, bytes) = sent(self.shared, self.route, self.parts, body).await?;
        if merge_patch::is_said(&self.parts.headers) {
            let patch = bytes.clone();
            self.waiting(move |store, at| merge_patch::check(store, at, &patch)).await.map_err(refused)?;
        }
        self.changed_each(query, when, Some((format, bytes)), prefer).await
    }

    /// Patches the records that a query chooses; without a patch, deletes them.
    async fn changed_each(
        &self,
        query: Query,
        when: When,
        part: Option<(Format, Bytes)>,
        prefer: Preferences,
    ) -> Answered {
        let is_returned = prefer.returned == Some(Return::Representation);
        let wanted = is_returned.then(|| self.wanted_of_change()).transpose()?;
        let changed = self.waiting(move |store, at| {
            let change = |when: &When| match &part {
                None => store.change_each(at, &query, BulkChange::Delete, when),
                Some((format, bytes)) => {
                    store.change_each(at, &query, BulkChange::Patch(&mut Encoded::new(*format, &**bytes)), when)
                }
            };
            let Some(wanted) = &wanted else { return Ok(Some((change(&when)?, None))) };
            told::unchanged(store, at, &when, wanted, |when| {
                let shape = store.shape(at)?;
                let (count, value) = if part.is_some() {
                    let keys = told::keys(store, at, &query)?;
                    // The change is made, also if its result can't be told.
                    let count = change(when)?;
                    (count, told::chosen(store, at, &keys).and_then(|value| told::encoded(&value, &shape, wanted)).ok())
                } else {
                    let value = told::all(store, at, &query)?;
                    let value = told::encoded(&value, &shape, wanted)?;
                    (change(when)?, Some(value))
                };
                Ok((count, value.map(|value| (wanted.format, value))))
            })
        });
        let (count, value) = changed.await.map_err(refused)?.ok_or_else(busy)?;
        let is_told = value.is_some() || !is_returned;
        let mut reply = match value {
            Some((format, bytes)) => listed(StatusCode::OK, format, bytes),
            None => answer::empty(StatusCode::NO_CONTENT),
        };
        answer::set(&mut reply, answer::COUNT, &count.to_string());
        Preferences { returned: prefer.returned.filter(|_| is_told), ..prefer }.say(&mut reply);
        Ok(reply)
    }

    /// Returns the form in which a change tells records, whose query has the conditions of the change.
    fn wanted_of_change(&self) -> Answered<Representation> {
        let format = negotiate::wanted(&self.parts.headers).ok_or_else(not_acceptable)?;
        let mut query = Query::default();
        let link = self.link(&mut query);
        let (shared, uri) = (Arc::clone(self.shared), self.parts.uri.clone());
        Ok(Representation { shared, uri, query, format, packed: Packing::None, link, aside: None, embeds: Vec::new() })
    }

    fn when(&self) -> Answered<When> {
        let bad = || Failure::new(StatusCode::BAD_REQUEST, "the condition can't be understood");
        etag::when(&self.parts.headers).ok_or_else(bad)
    }
}

/// Returns an answer with the records that a change concerned.
fn listed(status: StatusCode, format: Format, bytes: Bytes) -> Reply {
    let mut reply = answer::value(format, None, None, Body::from(bytes));
    *reply.status_mut() = status;
    reply
}

/// Sets the header with the number of records on all pages.
fn said_total(reply: &mut Reply, total: Option<u64>, prefer: Preferences) {
    if let Some(total) = total {
        answer::set(reply, answer::COUNT, &total.to_string());
        prefer.say(reply);
    }
}

/// The failure of a change that others were always faster than.
fn busy() -> Failure {
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, "others change this all the time")
}

/// The value after a change, if it could be read: its format, tag and bytes.
type ValueAfter = Option<(Format, Option<String>, Bytes)>;

/// Reads a value after a change. Returns `None` if it is too long or already gone: the change itself succeeded.
fn value_after(store: &dyn Store, at: &[String], wanted: &Representation, limit: usize) -> ValueAfter {
    let version = store.version(at).ok()?;
    let bytes = encoded(store, at, wanted, limit).ok()??;
    Some((wanted.format, version.map(|version| tag(version, wanted)), bytes))
}

/// Builds the answer that shows the changed value, unless the client prefers not to see it.
fn changed_reply(value: ValueAfter, status: StatusCode, prefer: Preferences) -> Reply {
    let is_wanted = !matches!(prefer.returned, Some(Return::Minimal | Return::HeadersOnly));
    let tag = value.as_ref().and_then(|(_, tag, _)| tag.clone()).filter(|_| !is_wanted);
    let Some((format, own, bytes)) = value.filter(|_| is_wanted) else {
        let mut reply = answer::empty(if status == StatusCode::CREATED { status } else { StatusCode::NO_CONTENT });
        if let Some(tag) = tag {
            answer::set(&mut reply, ETAG, &tag);
        }
        // A value that is wanted, but can't be told, is no preference applied.
        if !is_wanted {
            prefer.say(&mut reply);
        }
        return reply;
    };
    let mut reply = answer::value(format, own.as_deref(), None, Body::from(bytes));
    *reply.status_mut() = status;
    prefer.say(&mut reply);
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
    etag::tag(version, wanted.format, (&wanted.query, &wanted.embeds), url, packed)
}
