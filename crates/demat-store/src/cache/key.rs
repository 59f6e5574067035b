//! The keys of cache entries.

use crate::query::Query;
use demat_place::Format;

/// Returns the key of a request: for a value, or for its bytes in a format. Different requests have different keys.
pub(super) fn key(at: &[String], query: &Query, format: Option<Format>) -> Box<[u8]> {
    let names: usize = at.iter().map(|name| name.len() + 4).sum();
    let mut key = Vec::with_capacity(names + 12);
    part(&mut key, format.map_or("", Format::name));
    all(&mut key, at);
    if !query.is_all() {
        asked(&mut key, query);
    }
    key.into_boxed_slice()
}

/// Appends a text after its length, so that keys are unambiguous.
fn part(key: &mut Vec<u8>, text: &str) {
    number(key, text.len());
    key.extend_from_slice(text.as_bytes());
}

fn number(key: &mut Vec<u8>, number: usize) {
    // No text of a request exceeds 4 GiB.
    key.extend_from_slice(&(number as u32).to_le_bytes());
}

fn all(key: &mut Vec<u8>, texts: &[String]) {
    number(key, texts.len());
    for text in texts {
        part(key, text);
    }
}

fn asked(key: &mut Vec<u8>, query: &Query) {
    let Query { fields, filter, predicate, order, limit, offset, search, after, until } = query;
    key.push(u8::from(fields.is_some()));
    all(key, fields.as_deref().unwrap_or_default());
    number(key, filter.len());
    for condition in filter {
        part(key, &condition.field);
        key.push(condition.test as u8);
        all(key, &condition.values);
    }
    key.push(u8::from(predicate.is_some()));
    part(key, &predicate.as_ref().map(ToString::to_string).unwrap_or_default());
    number(key, order.len());
    for order in order {
        part(key, &order.field);
        key.push(u8::from(order.descends));
    }
    for text in [search, after, until] {
        key.push(u8::from(text.is_some()));
        part(key, text.as_deref().unwrap_or_default());
    }
    for bound in [limit, offset] {
        key.push(u8::from(bound.is_some()));
        key.extend_from_slice(&bound.unwrap_or(0).to_le_bytes());
    }
}
