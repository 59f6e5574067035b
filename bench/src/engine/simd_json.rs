//! `simd-json`: parses in place, so it gets a copy of the input that is made outside the timed part.

use simd_json::OwnedValue;

use super::Engine;
use crate::answer;
use crate::record::{Borrowed, Owned, Total};
use crate::run::{Result, Run};

/// The engine.
pub static SIMD_JSON: Engine = Engine {
    name: "simd-json",
    jobs: &[
        ("json/decode-owned", decode_owned),
        ("json/decode-borrowed", decode_borrowed),
        ("json/sum", sum),
        ("json/value-decode", value_decode),
        ("json/value-copy", value_copy),
    ],
};

fn decode_owned(run: &mut Run<'_>) -> Result<String> {
    let mut bytes = run.bytes().to_vec();
    let rows: Vec<Owned> = run.time(|| simd_json::serde::from_slice(&mut bytes))?;
    Ok(answer::owned(&rows))
}

fn decode_borrowed(run: &mut Run<'_>) -> Result<String> {
    let mut bytes = run.bytes().to_vec();
    let rows: Vec<Borrowed> = run.time(|| simd_json::serde::from_slice(&mut bytes))?;
    Ok(answer::borrowed(&rows))
}

fn sum(run: &mut Run<'_>) -> Result<String> {
    let mut bytes = run.bytes().to_vec();
    let Total(total) = run.time(|| simd_json::serde::from_slice(&mut bytes))?;
    Ok(answer::sum(total))
}

fn value_decode(run: &mut Run<'_>) -> Result<String> {
    let mut bytes = run.bytes().to_vec();
    let value: OwnedValue = run.time(|| simd_json::to_owned_value(&mut bytes))?;
    Ok(answer::document(&simd_json::serde::to_vec(&value)?)?)
}

/// Its borrowed values: a copy need not own its texts.
fn value_copy(run: &mut Run<'_>) -> Result<String> {
    let mut bytes = run.bytes().to_vec();
    let out = run.time(|| {
        let value = simd_json::to_borrowed_value(&mut bytes)?;
        simd_json::serde::to_vec(&value)
    })?;
    Ok(answer::document(&out)?)
}
