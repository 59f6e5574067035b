//! Where records may begin.

use super::messages;
use demat_core::Record;
use demat_formats::csv::Csv;
use demat_formats::json::Json;
use demat_formats::ndjson::Ndjson;
use demat_formats::proto::Proto;
use demat_formats::stream::Windowed;

/// A format in whose text a place can be guessed where a record ends, so that two threads can read it.
pub trait Bordered: Windowed + Send + Sync {
    /// Whether it is messages of Protocol Buffers, each behind its length.
    const MESSAGES: bool = false;

    /// The same format, which remembers nothing yet.
    #[must_use]
    fn anew(&self) -> Self;

    /// The first byte from `from` on where a source may stand between two records. It is a guess: whoever uses it sees to
    /// it that whoever reads what is before it comes by, and drops it otherwise.
    fn border(&self, bytes: &[u8], from: usize, record: &Record) -> Option<usize>;
}

/// So far a key of the record is looked for.
const FAR: usize = 1 << 20;

impl Bordered for Json {
    fn anew(&self) -> Self {
        *self
    }

    /// Behind the bracket of a record, if a comma follows, and the start of a record that has one of the keys.
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

impl Bordered for Ndjson {
    fn anew(&self) -> Self {
        *self
    }

    fn border(&self, bytes: &[u8], from: usize, _: &Record) -> Option<usize> {
        after_line(bytes, from)
    }
}

impl Bordered for Csv {
    fn anew(&self) -> Self {
        // The dialect was checked when this one was made.
        Self::new(self.dialect()).unwrap_or_default()
    }

    /// It may stand in quotes, where it is none.
    fn border(&self, bytes: &[u8], from: usize, _: &Record) -> Option<usize> {
        after_line(bytes, from)
    }
}

impl Bordered for Proto {
    const MESSAGES: bool = true;

    fn anew(&self) -> Self {
        *self
    }

    /// Nothing in the bytes of a message tells where it begins; but what is a row of messages from one byte on is none from
    /// another, or hardly ever.
    fn border(&self, bytes: &[u8], from: usize, _: &Record) -> Option<usize> {
        messages::begin(bytes, from)
    }
}

/// Behind the end of a line that is not blank.
fn after_line(bytes: &[u8], from: usize) -> Option<usize> {
    let mut begin = bytes.get(..from)?.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    loop {
        let end = begin + bytes.get(begin..)?.iter().position(|byte| *byte == b'\n')?;
        if end >= from && !bytes[begin..end].trim_ascii().is_empty() {
            return Some(end + 1);
        }
        begin = end + 1;
    }
}
