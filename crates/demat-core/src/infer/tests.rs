//! Tests of shape inference: the rule, case by case, and properties for any sample.

mod cells;
mod items;
mod laws;
mod rule;
mod tape;

use super::{Inference, InferenceOptions};
use crate::{Shape, Value, ValueSource};

/// Parses a value from its literal.
fn value(literal: &str) -> Value {
    let shape: Shape = format!("value: any = {literal}").parse().unwrap_or_else(|error| panic!("{literal}: {error}"));
    let Shape::Record(record) = shape else { panic!("a record") };
    record.get().fields()[0].default().expect("a default").clone()
}

fn options() -> InferenceOptions {
    InferenceOptions { forbid: false, ..InferenceOptions::default() }
}

/// Returns the shape of these values, observed one by one.
fn shape_with(options: InferenceOptions, literals: &[&str]) -> String {
    let mut inference = Inference::new(options);
    for literal in literals {
        inference.observe(&mut ValueSource::new(&value(literal))).unwrap_or_else(|error| panic!("{literal}: {error}"));
    }
    inference.shape().to_string()
}

fn shape(literals: &[&str]) -> String {
    shape_with(options(), literals)
}
