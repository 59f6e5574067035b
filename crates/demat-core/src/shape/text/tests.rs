//! What the text means, what is refused and where, and that every shape comes back from its text.

mod errors;
mod examples;
mod hostile;
mod random;

use crate::{Error, Shape};

fn parse(text: &str) -> Shape {
    text.parse().unwrap_or_else(|error| panic!("`{text}`: {error}"))
}

fn refuse(text: &str) -> Error {
    match text.parse::<Shape>() {
        Ok(shape) => panic!("`{text}` was read as `{shape}`"),
        Err(error) => error,
    }
}
