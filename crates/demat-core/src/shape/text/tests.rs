//! Tests of the text form: its meaning, its errors and their positions, and that every shape round-trips.

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
