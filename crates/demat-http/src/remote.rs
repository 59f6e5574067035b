//! A store on a remote server.

mod base;
mod body;
mod client;
mod events;
mod fetched;
mod options;
mod refused;
mod sent;
mod tags;
#[cfg(feature = "tls")]
mod tls;

pub use fetched::Fetched;
pub use options::RemoteOptions;

use crate::answer::COUNT;
use crate::negotiate::of_media_type;
use crate::shaped;
use base::Base;
use client::{Answer, Client};
use core::fmt;
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Value};
use demat_place::{Format, WriteOptions};
use demat_store::{
    Body, BulkChange, Bytes, Fault, Node, Put, Query, Reference, Store, Verb, Verbs, Version, Watch, Watcher, When,
    fault_of, representation,
};
use http::header::{ACCEPT, ACCEPT_ENCODING, ALLOW, CONTENT_TYPE, IF_NONE_MATCH, LOCATION};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use refused::refused;
use sent::{Sent, sent};
use std::io::{Read as _, Write};
use tags::Tags;

/// A client for a store on a remote server over HTTP/1.1. A store that Demat serves behaves like a local one; any other
/// server with JSON works, too.
///
/// Values are streamed. If the server has the requested format, its bytes are passed on unchanged. Versions are the
/// server's entity tags, and its errors are those of the store behind it. Redirects are not followed, and changes are
/// sent only once.
///
/// For a server other than Demat's, the names of children, counts and change notifications are not available.
///
/// ```
/// use demat_http::{Mount, Options, Remote, RemoteOptions, Server};
/// use demat_place::Format;
/// use demat_store::{Encoded, Memory, Query, Store};
/// use std::sync::Arc;
/// let routes = vec![("/notes".to_string(), Mount::Store(Arc::new(Memory::new())))];
/// let server = Server::bind(routes, Options { port: 0, ..Options::default() })?;
/// let (address, stop) = (server.address(), server.stopper());
/// let running = std::thread::spawn(move || server.run());
///
/// let notes = Remote::new(&format!("http://{address}/notes"), RemoteOptions::default())?;
/// let at = notes.post(&[], &mut Encoded::new(Format::JSON, &br#"{"text":"hello"}"#[..]))?;
/// assert_eq!(at.to_string(), "/1");
/// let json = notes.encoded(&at, &Query::default(), Format::JSON, 1000)?;
/// assert_eq!(json.as_deref(), Some(&br#"{"text":"hello"}"#[..]));
///
/// stop.stop();
/// running.join().expect("no panic")?;
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct Remote {
    base: Base,
    client: Client,
    options: RemoteOptions,
    tags: Tags,
}

impl Remote {
    /// Returns the store below a URL. Makes no request yet.
    ///
    /// # Errors
    /// [`Fault::BadReference`] if it is no URL of a store; other errors if the token or the certificates can't be used.
    pub fn new(url: &str, options: RemoteOptions) -> Result<Self> {
        let base = Base::parse(url)?;
        let client = Client::new(&base, &options)?;
        Ok(Self { base, client, options, tags: Tags::new() })
    }

    /// Returns the shape that the user has configured for a reference.
    fn told_shape(&self, at: &[String]) -> Result<Option<Shape>> {
        self.options.shape.as_ref().map(|shape| within(shape, at)).transpose()
    }

    fn headers(&self, accept: Option<Format>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let wanted = match accept {
            None => "*/*".to_string(),
            Some(format) if format == Format::DEFAULT => Format::DEFAULT.content_type().to_string(),
            // A server without this format may have JSON.
            Some(format) => format!("{}, {};q=0.5", format.stream_type(), Format::DEFAULT.content_type()),
        };
        headers.extend(HeaderValue::try_from(wanted).map(|wanted| (ACCEPT, wanted)));
        if self.options.packed {
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("zstd, gzip;q=0.5"));
        }
        headers
    }

    /// Sends a `GET` request for a reference.
    fn got(&self, at: &[String], query: &str, headers: &HeaderMap) -> Result<Answer> {
        let url = self.base.url(at, query)?;
        let answer = self.client.ask(&Method::GET, &url, headers)?;
        if answer.status == StatusCode::OK {
            Ok(answer)
        } else {
            Err(refused(answer, &self.base, Verb::Get, at, false))
        }
    }

    /// Reads the value at a reference. Returns the answer, its format and its shape.
    fn value(&self, at: &[String], query: &Query, accept: Option<Format>) -> Result<(Answer, Format, Option<Shape>)> {
        let told = self.told_shape(at)?;
        let wanted = accept.unwrap_or(if told.is_some() { self.options.format } else { Format::DEFAULT });
        let mut headers = self.headers(Some(wanted));
        if told.is_none() {
            headers.insert(shaped::SHAPE, HeaderValue::from_static("?"));
        }
        let answer = match self.got(at, &query.to_string(), &headers) {
            // The caller did not request this format, and a value without rows may be available as JSON.
            Err(error) if accept.is_none() && wanted != Format::DEFAULT && error.kind() == ErrorKind::Encode => {
                self.got(at, &query.to_string(), &self.headers(Some(Format::DEFAULT)))?
            }
            other => other?,
        };
        let media = answer.headers.get(CONTENT_TYPE).map_or(Ok("nothing"), HeaderValue::to_str).unwrap_or("?");
        let Some(format) = of_media_type(media) else {
            let wanted = accept.unwrap_or(Format::DEFAULT).content_type();
            let error = Error::mismatch(ErrorKind::Store, wanted, media.chars().take(100).collect::<String>());
            return Err(error.in_place(self.base.url(at, "")?.to_string()));
        };
        let shape = match told {
            Some(shape) => Some(query.shape_or_any(&shape)?),
            None => shaped::said(&answer.headers),
        };
        Ok((answer, format, shape.filter(|shape| *shape != Shape::Any)))
    }

    /// Decodes an answer into a sink.
    fn tell(&self, answer: Answer, format: Format, shape: Option<&Shape>, sink: &mut dyn Sink) -> Result<()> {
        let reader = answer.body.bytes(self.options.max_body)?;
        demat_place::tell(format, &format.read_options(), reader, shape, sink).map(drop)
    }

    /// Whether bytes in a format are passed on unchanged, since no configured shape has to be checked.
    fn passes(&self, format: Format) -> bool {
        self.options.shape.is_none() && format.is_streamed()
    }

    /// Reads metadata in place of a value: the entry of this name.
    fn aside(&self, at: &[String], query: &str, name: &str) -> Result<Option<Value>> {
        let answer = self.got(at, query, &self.headers(Some(Format::DEFAULT)))?;
        let mut json = Vec::new();
        let read = answer.body.bytes(self.options.max_body)?.read_to_end(&mut json);
        read.map_err(|error| demat_place::lift(Error::from(error)))?;
        let told: Result<Value> = demat_formats::json::decode(&json);
        Ok(match told {
            Ok(Value::Map(mut entries)) if entries.len() == 1 => {
                entries.pop().and_then(|(key, value)| matches!(&key, Value::Text(key) if key == name).then_some(value))
            }
            _ => None,
        })
    }

    /// Sends a change. Returns the answer, whose body is discarded.
    fn change(
        &self,
        verb: Verb,
        at: &[String],
        query: &str,
        value: &mut dyn Body,
        when: &When,
    ) -> Result<(StatusCode, HeaderMap)> {
        let url = self.base.url(at, query)?;
        let mut headers = self.headers(None);
        self.tags.say(when, &mut headers);
        let told = self.told_shape(at)?;
        let shape = match (&told, verb) {
            (None, _) => Shape::Any,
            (Some(Shape::List(item)), Verb::Post) => sent::part(item)?,
            (Some(Shape::List(item)), Verb::Patch) if !query.is_empty() => sent::part(item)?,
            (Some(shape), _) => sent::part(shape)?,
        };
        let method = match verb {
            Verb::Put => Method::PUT,
            Verb::Patch => Method::PATCH,
            _ => Method::POST,
        };
        sent(value, &shape, told.is_none(), |body, media_type, passed| {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
            let answer = match body {
                Sent::Whole(bytes) => self.client.send(&method, &url, &headers, bytes),
                Sent::Parts(body) => self.client.send(&method, &url, &headers, body),
            };
            self.done(answer?, verb, at, passed)
        })
    }

    /// Returns the result of a change, or the error.
    fn done(&self, answer: Answer, verb: Verb, at: &[String], passed: bool) -> Result<(StatusCode, HeaderMap)> {
        if !answer.status.is_success() {
            return Err(refused(answer, &self.base, verb, at, passed));
        }
        answer.body.pass_over();
        Ok((answer.status, answer.headers))
    }
}

/// Returns the shape at a reference within a value of a shape.
fn within(shape: &Shape, at: &[String]) -> Result<Shape> {
    let mut own = shape.clone();
    for (index, name) in at.iter().enumerate() {
        own = match own.inner() {
            Shape::List(item) => (**item).clone(),
            Shape::Map(_, value) => (**value).clone(),
            Shape::Record(record) => {
                let record = record.get();
                let field = record.index_of(name).map(|field| record.fields()[field].shape().clone());
                field.ok_or_else(|| Fault::NotFound.about(&at[..=index]))?
            }
            Shape::Any | Shape::Union(_) => Shape::Any,
            _ => return Err(Fault::NotFound.about(&at[..=index])),
        };
    }
    Ok(own)
}

impl fmt::Debug for Remote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.describe())
    }
}

impl Store for Remote {
    fn describe(&self) -> Node {
        Node::new("remote").with(self.base.to_string())
    }

    fn get(&self, at: &[String], query: &Query, sink: &mut dyn Sink) -> Result<()> {
        let (answer, format, shape) = self.value(at, query, None)?;
        self.tell(answer, format, shape.as_ref(), sink)
    }

    fn shape(&self, at: &[String]) -> Result<Shape> {
        if let Some(shape) = self.told_shape(at)? {
            return Ok(shape);
        }
        let url = self.base.url(at, "")?;
        let headers = HeaderMap::from_iter([(shaped::SHAPE, HeaderValue::from_static("?"))]);
        let answer = self.client.ask(&Method::OPTIONS, &url, &headers)?;
        if answer.status == StatusCode::NOT_FOUND {
            return Err(refused(answer, &self.base, Verb::Get, at, false));
        }
        let shape = shaped::said(&answer.headers).unwrap_or(Shape::Any);
        answer.body.pass_over();
        Ok(shape)
    }

    fn put(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Put> {
        let (status, _) = self.change(Verb::Put, at, "", value, when)?;
        Ok(if status == StatusCode::CREATED { Put::Created } else { Put::Replaced })
    }

    fn patch(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<()> {
        self.change(Verb::Patch, at, "", value, when).map(drop)
    }

    fn post(&self, at: &[String], value: &mut dyn Body) -> Result<Reference> {
        self.post_if(at, value, &When::Always)
    }

    fn delete(&self, at: &[String], when: &When) -> Result<()> {
        let url = self.base.url(at, "")?;
        let mut headers = self.headers(None);
        self.tags.say(when, &mut headers);
        let answer = self.client.send(&Method::DELETE, &url, &headers, ())?;
        self.done(answer, Verb::Delete, at, false).map(drop)
    }

    fn change_each(&self, at: &[String], query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        if !query.is_filter() {
            return Err(Fault::BadQuery.because("what is changed is chosen by conditions and nothing else"));
        }
        let (verb, query) = (each.verb(), query.to_string());
        let (_, headers) = match each {
            BulkChange::Patch(value) => self.change(verb, at, &query, value, when)?,
            BulkChange::Delete => {
                let url = self.base.url(at, &query)?;
                let mut headers = self.headers(None);
                self.tags.say(when, &mut headers);
                let answer = self.client.send(&Method::DELETE, &url, &headers, ())?;
                self.done(answer, verb, at, false)?
            }
        };
        let count = headers.get(COUNT).and_then(|count| count.to_str().ok()?.parse().ok());
        count.ok_or_else(|| Error::new(ErrorKind::Store, "the server does not say how many it has changed"))
    }

    fn post_if(&self, at: &[String], value: &mut dyn Body, when: &When) -> Result<Reference> {
        let (_, headers) = self.change(Verb::Post, at, "", value, when)?;
        let location = headers.get(LOCATION).and_then(|location| location.to_str().ok());
        // A `Location` that is missing or on another server: return the list's reference.
        Ok(location.and_then(|location| self.base.located(location)).unwrap_or_else(|| at.into()))
    }

    fn children(&self, at: &[String], each: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
        let unknown =
            || Error::new(ErrorKind::Store, "the server does not say what is within").in_place(self.base.to_string());
        let Some(Value::List(names)) = self.aside(at, "children", "children")? else { return Err(unknown()) };
        names.iter().try_for_each(|name| match name {
            Value::Text(name) => each(name),
            _ => Err(unknown()),
        })
    }

    fn count(&self, at: &[String], query: &Query) -> Result<Option<u64>> {
        let and = if query.is_all() { "" } else { "&" };
        match self.aside(at, &format!("count{and}{query}"), "count") {
            Ok(Some(Value::Int(count))) => Ok(count.to_string().parse().ok()),
            Ok(_) => Ok(None),
            Err(error) if query.is_all() && fault_of(&error) == Some(Fault::BadQuery) => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn key(&self, at: &[String]) -> Vec<String> {
        let Ok(Shape::List(item)) = self.shape(at) else { return Vec::new() };
        let Shape::Record(record) = &*item else { return Vec::new() };
        let record = record.get();
        let is_key =
            |field: &&demat_core::Field| field.notes().iter().any(|(place, note)| place == "sql" && note == "key");
        record.fields().iter().filter(is_key).map(|field| field.key().to_string()).collect()
    }

    fn allows(&self, at: &[String]) -> Verbs {
        let Ok(url) = self.base.url(at, "") else { return Verbs::NONE };
        let Ok(answer) = self.client.ask(&Method::OPTIONS, &url, &HeaderMap::new()) else { return Verbs::ALL };
        let allowed = answer.headers.get(ALLOW).and_then(|allowed| allowed.to_str().ok());
        let verbs = match allowed {
            Some(allowed) => {
                let named = |verb: &Verb| allowed.split(',').any(|name| name.trim().eq_ignore_ascii_case(verb.name()));
                Verb::ALL.into_iter().filter(named).fold(Verbs::NONE, Verbs::and)
            }
            None if answer.status == StatusCode::NOT_FOUND => Verbs::NONE,
            // Unknown: the server will refuse what it does not allow.
            None => Verbs::ALL,
        };
        answer.body.pass_over();
        verbs
    }

    fn version(&self, at: &[String]) -> Result<Option<Version>> {
        let url = self.base.url(at, "")?;
        let mut headers = self.headers(None);
        // So that the server need not build a value that `HEAD` does not return.
        headers.insert(IF_NONE_MATCH, HeaderValue::from_static("*"));
        let answer = self.client.ask(&Method::HEAD, &url, &headers)?;
        match answer.status {
            StatusCode::NOT_MODIFIED | StatusCode::OK => Ok(self.tags.version(&answer.headers)),
            _ => Err(refused(answer, &self.base, Verb::Get, at, false)),
        }
    }

    fn encoded(&self, at: &[String], query: &Query, format: Format, limit: usize) -> Result<Option<Bytes>> {
        if !self.passes(format) {
            return representation(format, limit, |sink| self.get(at, query, sink));
        }
        let (answer, own, shape) = self.value(at, query, Some(format))?;
        if own != format {
            return representation(format, limit, |sink| self.tell(answer, own, shape.as_ref(), sink));
        }
        if answer.body.len.is_some_and(|len| len > limit as u64) && answer.headers.get("content-encoding").is_none() {
            return Ok(None);
        }
        // One byte more shows that the limit is exceeded.
        let mut bytes = Vec::new();
        let reader = answer.body.bytes(self.options.max_body)?;
        let read = reader.take((limit as u64).saturating_add(1)).read_to_end(&mut bytes);
        read.map_err(|error| demat_place::lift(Error::from(error)))?;
        Ok((bytes.len() <= limit).then(|| bytes.into()))
    }

    fn read(&self, at: &[String], query: &Query, format: Format, to: &mut (dyn Write + Send)) -> Result<()> {
        if self.passes(format) {
            let (answer, own, shape) = self.value(at, query, Some(format))?;
            if own == format {
                let copied = std::io::copy(&mut answer.body.bytes(u64::MAX)?, to);
                return copied.map(drop).map_err(|error| demat_place::lift(Error::from(error)));
            }
            let mut sink = demat_place::sink(format, &WriteOptions::of(format), to)?;
            return self.tell(answer, own, shape.as_ref(), &mut *sink);
        }
        let mut sink = demat_place::sink(format, &WriteOptions::of(format), to)?;
        self.get(at, query, &mut *sink)
    }

    fn watch(&self, at: &[String], watcher: Watcher) -> Option<Watch> {
        let client = self.client.patient(&self.base, &self.options, events::SILENCE).ok()?;
        events::watch(client, self.base.clone(), at, watcher)
    }
}
