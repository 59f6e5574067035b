//! Functions that answer.

use bytes::Bytes;
use demat_core::{Result, Value};
use demat_place::Format;
use http::{Method, StatusCode};

/// What is asked of a function.
#[derive(Debug)]
pub struct Call {
    /// What is to be done.
    pub method: Method,
    /// What the names with a colon in the route stand for.
    pub names: Vec<(String, String)>,
    /// The query, its names and values decoded.
    pub query: Vec<(String, String)>,
    /// What was sent, and its format.
    pub body: Option<(Format, Bytes)>,
    /// The format that is wanted.
    pub wanted: Format,
}

/// What a function answers.
#[derive(Debug)]
pub struct Answer {
    /// How it went.
    pub status: StatusCode,
    /// The media type and the bytes, if there is something to say.
    pub body: Option<(String, Bytes)>,
}

/// What a function takes from the query.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// What it is called.
    pub name: String,
    /// Whether it must be there.
    pub required: bool,
    /// What it is read as, as JSON Schema.
    pub schema: Value,
}

/// A function that answers; it may take its time.
pub trait Handler: Send + Sync {
    /// Answers.
    ///
    /// # Errors
    /// What is told to the one who asks, by the kind of the error.
    fn answer(&self, call: Call) -> Result<Answer>;

    /// The methods that it answers.
    fn methods(&self) -> Vec<Method>;

    /// What it takes from the query.
    fn parameters(&self) -> Vec<Parameter> {
        Vec::new()
    }

    /// What it is, in a line.
    fn about(&self) -> String {
        String::new()
    }
}
