//! Functions as request handlers.

use crate::form::{Field, FieldValue};
use bytes::Bytes;
use core::net::IpAddr;
use demat_core::{Result, Value};
use demat_place::Format;
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri};

/// A call of a function.
#[derive(Debug)]
pub struct Call {
    /// The method.
    pub method: Method,
    /// The path and the query as they were sent.
    pub target: Uri,
    /// The headers.
    pub headers: HeaderMap,
    /// The address that the connection comes from.
    pub from: IpAddr,
    /// The roles of the request's token; empty if the server has no tokens.
    pub roles: Vec<String>,
    /// The values of the route's names that begin with a colon.
    pub names: Vec<(String, String)>,
    /// The query with decoded names and values.
    pub query: Vec<(String, String)>,
    /// The request body.
    pub body: Option<Sent>,
    /// The format that the client prefers, of those that the function answers in.
    pub wanted: Format,
}

/// A request body.
#[derive(Debug)]
pub enum Sent {
    /// A value in a format.
    Value(Format, Bytes),
    /// Bytes of any media type.
    Bytes(Bytes),
    /// The fields of a form, in their order, with their names.
    Form(Vec<(String, FieldValue)>),
}

/// The answer of a function.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The media type and the bytes, if there is a body.
    pub body: Option<(String, Bytes)>,
    /// Further headers.
    pub headers: Vec<(HeaderName, HeaderValue)>,
}

/// What a function takes, and its description. The server refuses other requests, so the function does not see them.
#[derive(Debug, Clone)]
pub struct Operation {
    /// The Operation Object of `OpenAPI`. The server adds security and its own errors.
    pub description: Value,
    /// The names of the query, and whether each may be there several times.
    pub query: Vec<(String, bool)>,
    /// The headers that pages of other origins may send, besides the usual ones.
    pub headers: Vec<String>,
    /// The body.
    pub body: Takes,
    /// The formats of answers. If there is none, all are.
    pub formats: Vec<Format>,
    /// Whether the function may choose another media type. Then `Accept` chooses among the formats, and refuses nothing.
    pub is_open: bool,
}

impl Default for Operation {
    /// Takes nothing, and answers in every format.
    fn default() -> Self {
        let description = Value::Map(Vec::new());
        Self {
            description,
            query: Vec::new(),
            headers: Vec::new(),
            body: Takes::Nothing,
            formats: Vec::new(),
            is_open: false,
        }
    }
}

/// The request bodies that a function takes.
#[derive(Debug, Clone, Default)]
pub enum Takes {
    /// None.
    #[default]
    Nothing,
    /// A value in one of these formats.
    Value(Vec<Format>),
    /// Bytes of any media type, except those that HTML forms send.
    Bytes,
    /// A form with these fields.
    Form(Vec<Field>),
}

/// A function that answers requests. It may block.
///
/// ```
/// use demat_http::{Answer, Call, Handler, Operation};
/// use http::{Method, StatusCode};
/// struct Hello(Operation);
/// impl Handler for Hello {
///     fn answer(&self, call: Call) -> demat_core::Result<Answer> {
///         let text = format!("hello, {}", call.from);
///         Ok(Answer { status: StatusCode::OK, body: Some(("text/plain".into(), text.into())), headers: Vec::new() })
///     }
///     fn methods(&self) -> Vec<Method> {
///         vec![Method::GET]
///     }
///     fn operation(&self) -> &Operation {
///         &self.0
///     }
/// }
/// ```
pub trait Handler: Send + Sync {
    /// Answers a call.
    ///
    /// # Errors
    /// The error that the client gets; its kind determines the status.
    fn answer(&self, call: Call) -> Result<Answer>;

    /// The supported methods.
    fn methods(&self) -> Vec<Method>;

    /// What the function takes.
    fn operation(&self) -> &Operation;
}
