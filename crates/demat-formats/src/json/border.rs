//! Record boundaries: where a record of a list may begin.

use super::Json;
use crate::stream::Bordered;
use demat_core::Record;

/// The number of bytes in which to search for a key of the record.
const FAR: usize = 1 << 20;

impl Bordered for Json {
    fn anew(&self) -> Self {
        *self
    }

    /// Finds the end of a record that a comma follows, where the next record begins with one of the keys.
    fn border(&self, bytes: &[u8], from: usize, record: &Record) -> Option<usize> {
        let far = bytes.len().min(from.saturating_add(FAR));
        let mut at = from;
        while at < far {
            at += bytes.get(at..far)?.iter().position(|byte| *byte == b'}')? + 1;
            if begins_record(&bytes[at..], record) {
                return Some(at);
            }
        }
        None
    }
}

fn begins_record(bytes: &[u8], record: &Record) -> bool {
    fn pass(bytes: &[u8], byte: u8) -> Option<&[u8]> {
        bytes.trim_ascii_start().strip_prefix(&[byte])
    }
    let key = pass(bytes, b',').and_then(|rest| pass(rest, b'{')).and_then(|rest| pass(rest, b'"'));
    let Some(key) = key else { return false };
    record
        .fields()
        .iter()
        .any(|field| key.strip_prefix(field.key().as_bytes()).is_some_and(|rest| rest.starts_with(b"\"")))
}
