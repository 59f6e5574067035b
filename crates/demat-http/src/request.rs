//! Functions as request handlers.

use bytes::Bytes;
use demat_core::{Result, Value};
use demat_place::Format;
use http::{Method, StatusCode};

/// A call of a function.
#[derive(Debug)]
pub struct Call {
    /// The method.
    pub method: Method,
    /// The values of the route's names that begin with a colon.
    pub names: Vec<(String, String)>,
    /// The query with decoded names and values.
    pub query: Vec<(String, String)>,
    /// The request body and its format.
    pub body: Option<(Format, Bytes)>,
    /// The format that the client prefers.
    pub wanted: Format,
}

/// The answer of a function.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The media type and the bytes, if there is a body.
    pub body: Option<(String, Bytes)>,
}

/// A query parameter of a function.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Whether it is required.
    pub required: bool,
    /// Its type, as a JSON Schema.
    pub schema: Value,
}

/// A function that answers requests. It may block.
pub trait Handler: Send + Sync {
    /// Answers a call.
    ///
    /// # Errors
    /// The error that the client gets; its kind determines the status.
    fn answer(&self, call: Call) -> Result<Answer>;

    /// The supported methods.
    fn methods(&self) -> Vec<Method>;

    /// The query parameters.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// A description of one line.
    fn about(&self) -> String {
        String::new()
    }
}
