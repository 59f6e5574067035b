//! Floats, in a form that YAML 1.1 also parses as floats.

use crate::text::{write_f32, write_f64};

pub(super) fn write_float(out: &mut Vec<u8>, value: f64) {
    if !word(out, value) {
        let from = out.len();
        write_f64(out, value);
        point(out, from);
    }
}

pub(super) fn write_float32(out: &mut Vec<u8>, value: f32) {
    if !word(out, value.into()) {
        let from = out.len();
        write_f32(out, value);
        point(out, from);
    }
}

/// Writes an infinity or NaN. Returns false for a finite number.
fn word(out: &mut Vec<u8>, value: f64) -> bool {
    out.extend_from_slice(match value {
        f64::INFINITY => b".inf",
        f64::NEG_INFINITY => b"-.inf",
        _ if value.is_nan() => b".nan",
        _ => return false,
    });
    true
}

/// Adds the point and the sign that YAML 1.1 demands of a number with an exponent.
fn point(out: &mut Vec<u8>, from: usize) {
    let Some(exponent) = out.iter().skip(from).position(|byte| *byte == b'e').map(|at| from + at) else { return };
    if out.get(exponent + 1).is_some_and(u8::is_ascii_digit) {
        out.insert(exponent + 1, b'+');
    }
    if !out.iter().skip(from).any(|byte| *byte == b'.') {
        out.splice(exponent..exponent, *b".0");
    }
}
