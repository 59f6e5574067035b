//! How to give a type to Demat: by deriving.
//!
//! The examples read and write JSON. With any other format they are the same: types know no format, and formats know no
//! type.
//!
//! # A record
//!
//! A struct with named fields is a *record*. Each field has a name and a number: text formats write the name, binary
//! ones the number, and both come from the type.
//!
//! ```
//! use demat::{Decode, Encode, json};
//!
//! #[derive(Debug, PartialEq, Encode, Decode)]
//! struct Task {
//!     title: String,
//!     done: bool,
//!     due: Option<u64>,
//! }
//!
//! let task: Task = json::decode(br#"{"title": "sleep", "done": false}"#)?;
//! assert_eq!(task, Task { title: "sleep".to_string(), done: false, due: None });
//! assert_eq!(json::encode(&task)?, br#"{"title":"sleep","done":false,"due":null}"#);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! Decoding is strict. A missing field is an error, unless it is an `Option` or has a default. A value of another kind
//! is an error, too. Each error has its position. The decoder ignores fields that the record does not have;
//! `#[demat(deny_unknown)]` makes them errors. If a field is repeated, the last one wins.
//!
//! ```
//! # use demat::{Decode, json};
//! # #[derive(Debug, Decode)]
//! # struct Task { title: String, done: bool }
//! let error = json::decode::<Vec<Task>>(br#"[{"title": "sleep", "done": "no"}]"#).unwrap_err();
//! assert_eq!(error.to_string(), "expected `bool`, found `text` \"no\" at `$[0].done` (line 1, column 29)");
//! ```
//!
//! # Other names
//!
//! The outside seldom writes names as Rust does. `rename_all` changes all of them, `rename` one; `alias` adds a name
//! that is read and never written. Numbers are positions from 1: give them yourself before you move fields about in a
//! type that a binary format has been written with.
//!
//! ```
//! use demat::{Decode, Encode, json};
//!
//! #[derive(Encode, Decode)]
//! #[demat(rename_all = "camelCase")]
//! struct User {
//!     first_name: String,
//!     #[demat(rename = "mail", alias = "e-mail", number = 7)]
//!     mail_address: String,
//! }
//!
//! let user: User = json::decode(br#"{"firstName": "Ada", "e-mail": "ada@example.org"}"#)?;
//! assert_eq!(json::encode(&user)?, br#"{"firstName":"Ada","mail":"ada@example.org"}"#);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! # Fields that need not be there
//!
//! ```
//! use demat::{Decode, Encode, json};
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
//! let server: Server = json::decode(b"{}")?;
//! assert_eq!(json::encode(&server)?, br#"{"host":"localhost","port":8080,"limit":4294967295}"#);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! # Dates and times
//!
//! [`scalar`](crate::scalar) has the kinds that Rust's own types do not have. A [`DateTime`](crate::scalar::DateTime) has
//! no offset from UTC; of an [`Instant`](crate::scalar::Instant) the offset is kept where it is known.
//!
//! ```
//! use demat::scalar::{DateTime, Instant};
//! use demat::{Decode, Encode, Shaped, json};
//!
//! #[derive(Encode, Decode)]
//! struct Meeting {
//!     starts: DateTime,
//!     planned: Instant,
//! }
//!
//! assert_eq!(Meeting::SHAPE.to_string(), "Meeting{starts:datetime, planned:instant}");
//! let text = br#"{"starts":"2024-05-06T07:08:09","planned":"2024-01-01T12:00:00+01:00"}"#;
//! let meeting: Meeting = json::decode(text)?;
//! assert_eq!(json::encode(&meeting)?, text);
//! let error = json::decode::<Meeting>(br#"{"starts": "2024-05-06T07:08:09Z"}"#).err().unwrap();
//! assert_eq!(
//!     error.reason(),
//!     "expected `datetime` as YYYY-MM-DDTHH:MM:SS, found `2024-05-06T07:08:09Z`, which has an offset"
//! );
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
//! use demat::{Decode, json};
//! use std::borrow::Cow;
//!
//! #[derive(Debug, Decode)]
//! struct Line<'a> {
//!     level: &'a str,
//!     message: Cow<'a, str>,
//! }
//!
//! let line: Line<'_> = json::decode(br#"{"level": "info", "message": "up"}"#)?;
//! assert!(matches!((line.level, line.message), ("info", Cow::Borrowed("up"))));
//! let line: Line<'_> = json::decode(br#"{"level": "info", "message": "up\n"}"#)?;
//! assert!(matches!(line.message, Cow::Owned(_)));
//! assert!(json::decode::<Line<'_>>(br#"{"level": "info\n", "message": "up"}"#).is_err());
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! # One of several
//!
//! An enum whose variants have no content is a set of names:
//!
//! ```
//! use demat::{Decode, Encode, json};
//!
//! #[derive(Debug, PartialEq, Encode, Decode)]
//! #[demat(rename_all = "lowercase")]
//! enum Level {
//!     Info,
//!     Error,
//! }
//!
//! assert_eq!(json::decode::<Level>(br#""info""#)?, Level::Info);
//! let error = json::decode::<Level>(br#""loud""#).unwrap_err();
//! assert_eq!(error.reason(), "expected `info` or `error`, found `loud`");
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! Any other is a *union*. How a value says which variant it is, is up to you:
//!
//! ```
//! use demat::{Decode, Encode, json};
//!
//! #[derive(Encode, Decode)]
//! enum ByKey {
//!     Circle { radius: u8 },
//!     Empty,
//! }
//! assert_eq!(json::encode(&ByKey::Circle { radius: 1 })?, br#"{"Circle":{"radius":1}}"#);
//! assert_eq!(json::encode(&ByKey::Empty)?, br#""Empty""#);
//!
//! #[derive(Encode, Decode)]
//! #[demat(tag = "kind")]
//! enum ByField {
//!     Circle { radius: u8 },
//!     Empty,
//! }
//! assert_eq!(json::encode(&ByField::Circle { radius: 1 })?, br#"{"kind":"Circle","radius":1}"#);
//! assert_eq!(json::encode(&ByField::Empty)?, br#"{"kind":"Empty"}"#);
//!
//! #[derive(Encode, Decode)]
//! #[demat(tag = "kind", content = "value")]
//! enum ByPair {
//!     Circle { radius: u8 },
//!     Empty,
//! }
//! assert_eq!(json::encode(&ByPair::Circle { radius: 1 })?, br#"{"kind":"Circle","value":{"radius":1}}"#);
//! assert_eq!(json::encode(&ByPair::Empty)?, br#"{"kind":"Empty"}"#);
//!
//! #[derive(Encode, Decode)]
//! #[demat(untagged)]
//! enum ByFit {
//!     Circle { radius: u8 },
//!     Empty,
//! }
//! assert_eq!(json::encode(&ByFit::Circle { radius: 1 })?, br#"{"radius":1}"#);
//! assert_eq!(json::encode(&ByFit::Empty)?, b"null");
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
//! use demat::{Decode, Encode, Value, json};
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
//! let query: Query = json::decode(br#"{"words": "red shoes", "limit": 10, "language": "en"}"#)?;
//! assert_eq!((query.page.limit, query.page.offset), (10, 0));
//! assert_eq!(json::encode(&query)?, br#"{"words":"red shoes","limit":10,"offset":0,"language":"en"}"#);
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
//! use demat::{Decode, Encode, json};
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
//!         let text = source.text()?;
//!         let parsed = text.parse().map_err(|_| Error::other_text("an IPv4 address", &text));
//!         parsed.map_err(|error| error.at(source.position()))
//!     }
//! }
//!
//! #[derive(Encode, Decode)]
//! struct Host {
//!     #[demat(with = "address")]
//!     ip: Ipv4Addr,
//! }
//!
//! let host: Host = json::decode(br#"{"ip": "127.0.0.1"}"#)?;
//! assert_eq!(host.ip, Ipv4Addr::LOCALHOST);
//! assert_eq!(json::encode(&host)?, br#"{"ip":"127.0.0.1"}"#);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! # Without decoding
//!
//! `Decode` gives a type its shape. One that is only ever encoded derives [`Shaped`](crate::Shaped) for that:
//!
//! ```
//! use demat::{Encode, Shaped, json};
//!
//! #[derive(Shaped, Encode)]
//! struct Answer<'a> {
//!     text: &'a str,
//! }
//!
//! assert_eq!(json::encode(&Answer { text: "42" })?, br#"{"text":"42"}"#);
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! # Without a type
//!
//! [`Value`](crate::Value) holds whatever there is. A type can be decoded from one, and encoded into one.
//!
//! ```
//! use demat::{Value, json};
//!
//! let value: Value = json::decode(br#"{"points": [[0, 1], [2, 3]]}"#)?;
//! let points: Vec<(u8, u8)> = value.get("points").unwrap_or(&Value::Null).to()?;
//! assert_eq!(points, [(0, 1), (2, 3)]);
//! assert_eq!(&Value::of(&points)?, value.get("points").unwrap());
//! # Ok::<(), demat::Error>(())
//! ```
//!
//! All attributes stand with [the derive of `Decode`](macro@crate::Decode).
