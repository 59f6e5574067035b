//! How to give a type to Demat: by deriving.
//!
//! # A record
//!
//! A struct with named fields is a *record*. Each field has a name and a number: text formats write the name, binary
//! ones the number, and both come from the type.
//!
//! ```
//! use demat::{Decode, Encode, Value};
//!
//! #[derive(Debug, PartialEq, Encode, Decode)]
//! struct Task {
//!     title: String,
//!     done: bool,
//!     due: Option<u64>,
//! }
//!
//! let task = Task { title: "sleep".to_string(), done: false, due: None };
//! let value = Value::of(&task)?;
//! assert_eq!(value.get("title"), Some(&Value::Text("sleep".into())));
//! assert_eq!(value.to::<Task>()?, task);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! [`Value`](crate::Value) stands for a place here, since it needs no format: [`Value::of`](crate::Value::of) encodes
//! into one, and [`Value::to`](crate::Value::to) decodes from one. With a file or a socket it goes the same way.
//!
//! Decoding is strict. What is missing is an error, unless the field is an `Option` or has a default; what is of
//! another kind is one, too; and each error says where it is. Fields that the record does not have are passed over,
//! and of a field that is there twice the last one counts.
//!
//! ```
//! # use demat::{Decode, Value};
//! # #[derive(Debug, Decode)]
//! # struct Task { title: String, done: bool }
//! let text = |text: &'static str| Value::Text(text.into());
//! let tasks = Value::List(vec![Value::Map(vec![(text("title"), text("sleep")), (text("done"), text("no"))])]);
//! let error = tasks.to::<Vec<Task>>().unwrap_err();
//! assert_eq!(error.to_string(), "expected `bool`, found `text` at `$[0].done`");
//! ```
//!
//! # Other names
//!
//! The outside seldom writes names as Rust does. `rename_all` changes all of them, `rename` one; `alias` adds a name
//! that is read and never written. Numbers are positions from 1: give them yourself before you move fields about in a
//! type that a binary format has been written with.
//!
//! ```
//! use demat::{Decode, Encode, Value};
//!
//! #[derive(Encode, Decode)]
//! #[demat(rename_all = "camelCase")]
//! struct User {
//!     first_name: String,
//!     #[demat(rename = "mail", alias = "e-mail", number = 7)]
//!     mail_address: String,
//! }
//!
//! let user = User { first_name: "Ada".to_string(), mail_address: "ada@example.org".to_string() };
//! let Value::Map(entries) = Value::of(&user)? else { unreachable!() };
//! assert_eq!(entries[0].0, Value::Text("firstName".into()));
//! assert_eq!(entries[1].0, Value::Text("mail".into()));
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! # Fields that need not be there
//!
//! ```
//! use demat::{Decode, Encode, Value};
//!
//! fn port() -> u16 {
//!     8080
//! }
//!
//! #[derive(Debug, PartialEq, Encode, Decode)]
//! struct Server {
//!     #[demat(default = "localhost")]
//!     host: String,
//!     #[demat(default = port)] // a name in lower case is a function that is called
//!     port: u16,
//!     #[demat(default = u32::MAX)]
//!     limit: u32,
//!     #[demat(default, skip_if = "Vec::is_empty")]
//!     names: Vec<String>,
//!     #[demat(skip)]
//!     requests: u64,
//! }
//!
//! let server: Server = Value::Map(vec![]).to()?;
//! assert_eq!((server.host.as_str(), server.port, server.limit, server.requests), ("localhost", 8080, u32::MAX, 0));
//! assert_eq!(Value::of(&server)?.get("names"), None);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! # Borrowing
//!
//! A field of type `&str` borrows from the input and copies nothing. That cannot be done where the input writes the
//! text in another way than it is, as JSON does with `"\n"`, and is an error there; `Cow<str>` borrows where it can and
//! owns where it must.
//!
//! ```
//! use demat::{Decode, Value};
//! use std::borrow::Cow;
//!
//! #[derive(Decode)]
//! struct Line<'a> {
//!     level: &'a str,
//!     message: Cow<'a, str>,
//! }
//!
//! let text = |text: &'static str| Value::Text(text.into());
//! let value = Value::Map(vec![(text("level"), text("info")), (text("message"), text("up"))]);
//! let line: Line<'_> = value.to()?;
//! assert!(matches!((line.level, line.message), ("info", Cow::Borrowed("up"))));
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! # One of several
//!
//! An enum whose variants have no content is a set of names; any other is a *union*. How a value says which variant it
//! is, is up to you:
//!
//! ```
//! use demat::{Decode, Encode, Value};
//!
//! #[derive(Encode, Decode)]
//! enum ByKey {
//!     Circle { radius: f64 },
//!     Empty,
//! }
//!
//! #[derive(Encode, Decode)]
//! #[demat(tag = "kind")]
//! enum ByField {
//!     Circle { radius: f64 },
//!     Empty,
//! }
//!
//! #[derive(Encode, Decode)]
//! #[demat(tag = "kind", content = "value")]
//! enum ByPair {
//!     Circle { radius: f64 },
//!     Empty,
//! }
//!
//! #[derive(Encode, Decode)]
//! #[demat(untagged)]
//! enum ByFit {
//!     Circle { radius: f64 },
//!     Empty,
//! }
//!
//! let text = |text: &'static str| Value::Text(text.into());
//! let radius = || (text("radius"), Value::Float(1.0));
//! // {"Circle": {"radius": 1.0}} and "Empty"
//! let by_key = Value::Map(vec![(text("Circle"), Value::Map(vec![radius()]))]);
//! assert_eq!(Value::of(&ByKey::Circle { radius: 1.0 })?, by_key);
//! assert_eq!(Value::of(&ByKey::Empty)?, text("Empty"));
//! // {"kind": "Circle", "radius": 1.0}
//! let by_field = Value::Map(vec![(text("kind"), text("Circle")), radius()]);
//! assert_eq!(Value::of(&ByField::Circle { radius: 1.0 })?, by_field);
//! // {"kind": "Circle", "value": {"radius": 1.0}}
//! let by_pair = Value::Map(vec![(text("kind"), text("Circle")), (text("value"), Value::Map(vec![radius()]))]);
//! assert_eq!(Value::of(&ByPair::Circle { radius: 1.0 })?, by_pair);
//! // {"radius": 1.0} and null
//! assert_eq!(Value::of(&ByFit::Circle { radius: 1.0 })?, Value::Map(vec![radius()]));
//! assert_eq!(Value::of(&ByFit::Empty)?, Value::Null);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! Prefer a tag: to tell variants apart by what fits, the value may have to be read once for each.
//!
//! # Records in records
//!
//! `flatten` puts the fields of another record in place of one field, and a flattened map keeps the fields that nobody
//! knows, so that they are there again when the record is written.
//!
//! ```
//! use demat::{Decode, Encode, Value};
//! use std::collections::BTreeMap;
//!
//! #[derive(Encode, Decode)]
//! struct Page {
//!     limit: u32,
//!     #[demat(default)]
//!     offset: u32,
//! }
//!
//! #[derive(Encode, Decode)]
//! struct Query {
//!     words: String,
//!     #[demat(flatten)]
//!     page: Page,
//!     #[demat(flatten)]
//!     more: BTreeMap<String, Value>,
//! }
//!
//! let text = |text: &'static str| Value::Text(text.into());
//! let value = Value::Map(vec![
//!     (text("words"), text("red shoes")),
//!     (text("limit"), Value::Int(10.into())),
//!     (text("language"), text("en")),
//! ]);
//! let query: Query = value.to()?;
//! assert_eq!((query.page.limit, query.page.offset), (10, 0));
//! assert_eq!(query.more["language"], text("en"));
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! Two fields of one name do not compile, flattened or not:
//!
//! ```compile_fail
//! # use demat::Decode;
//! # #[derive(Decode)]
//! # struct Page { limit: u32 }
//! #[derive(Decode)]
//! struct Query {
//!     limit: u8,
//!     #[demat(flatten)]
//!     page: Page, // has a `limit`, too
//! }
//! ```
//!
//! # Types of other crates
//!
//! A type that is not yours has no shape. Say in a module how it is moved, and as what, and name that on the field:
//!
//! ```
//! use demat::{Decode, Encode, Value};
//! use std::net::Ipv4Addr;
//!
//! mod address {
//!     use demat::{Error, Result, Shape, Sink, Source};
//!     use std::net::Ipv4Addr;
//!
//!     pub const SHAPE: Shape = Shape::Text;
//!
//!     pub fn encode<K: Sink + ?Sized>(value: &Ipv4Addr, sink: &mut K) -> Result<()> {
//!         sink.text(&value.to_string())
//!     }
//!
//!     pub fn decode<'a, S: Source<'a> + ?Sized>(source: &mut S) -> Result<Ipv4Addr> {
//!         let parsed = source.text()?.parse();
//!         parsed.map_err(|_| Error::expected("an IPv4 address", "other text").at(source.position()))
//!     }
//! }
//!
//! #[derive(Encode, Decode)]
//! struct Host {
//!     #[demat(with = "address")]
//!     ip: Ipv4Addr,
//! }
//!
//! let value = Value::of(&Host { ip: Ipv4Addr::LOCALHOST })?;
//! assert_eq!(value.get("ip"), Some(&Value::Text("127.0.0.1".into())));
//! assert_eq!(value.to::<Host>()?.ip, Ipv4Addr::LOCALHOST);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! # Without decoding
//!
//! `Decode` gives a type its shape. One that is only ever encoded derives [`Shaped`](crate::Shaped) for that:
//! `#[derive(Shaped, Encode)]`.
//!
//! All attributes stand with [the derive of `Decode`](macro@crate::Decode).
