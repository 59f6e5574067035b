//! What a job answers: a short text that must equal the one its definition gives.
//!
//! Answers are fingerprints of values, not of some engine's output, and `answers.py` computes the same ones with
//! Python's own parsers. So no engine here is the judge of another.

use serde_json::Value;

use crate::record::{Borrowed, Owned, Stop, StopRef};

/// `bytes=… crc=…` of a whole output.
pub fn bytes(output: &[u8]) -> String {
    format!("bytes={} crc={:08x}", output.len(), crc32fast::hash(output))
}

/// `sum=…`.
pub fn sum(total: i64) -> String {
    format!("sum={total}")
}

/// `rows=… crc=…` over every bit of every field, in order. Taken outside the timed part.
pub fn rows<'a>(rows: impl Iterator<Item = Borrowed<'a>>) -> String {
    let mut hasher = crc32fast::Hasher::new();
    let mut count = 0_u64;
    let mut packed = Vec::new();
    for row in rows {
        packed.clear();
        packed.extend_from_slice(&row.hi.to_le_bytes());
        packed.extend_from_slice(&row.there.to_le_bytes());
        packed.extend_from_slice(&(row.comment.len() as u64).to_le_bytes());
        packed.extend_from_slice(row.comment.as_bytes());
        hasher.update(&packed);
        count += 1;
    }
    format!("rows={count} crc={:08x}", hasher.finalize())
}

/// [`rows`] of owned records.
pub fn owned(list: &[Owned]) -> String {
    rows(list.iter().map(|row| Borrowed { hi: row.hi, there: row.there, comment: &row.comment }))
}

/// [`rows`] of borrowed records.
pub fn borrowed(list: &[Borrowed<'_>]) -> String {
    rows(list.iter().cloned())
}

/// `nodes=… crc=…` of an untyped document, given as JSON text that an engine wrote.
///
/// Texts may differ in the order of keys and the spelling of floats and still say the same, so the document is walked
/// with its keys sorted and its floats as bits.
pub fn document(json: &[u8]) -> Result<String, serde_json::Error> {
    let root: Value = serde_json::from_slice(json)?;
    let mut walk = Walk { hasher: crc32fast::Hasher::new(), nodes: 0 };
    walk.value(&root);
    Ok(format!("nodes={} crc={:08x}", walk.nodes, walk.hasher.finalize()))
}

struct Walk {
    hasher: crc32fast::Hasher,
    nodes: u64,
}

impl Walk {
    fn value(&mut self, value: &Value) {
        self.nodes += 1;
        match value {
            Value::Null => self.hasher.update(b"n"),
            Value::Bool(true) => self.hasher.update(b"t"),
            Value::Bool(false) => self.hasher.update(b"f"),
            Value::Number(number) => {
                if let Some(int) = number.as_i64() {
                    self.hasher.update(b"i");
                    self.hasher.update(&int.to_le_bytes());
                } else {
                    let float = number.as_f64().unwrap_or(f64::NAN);
                    self.hasher.update(b"d");
                    self.hasher.update(&float.to_bits().to_le_bytes());
                }
            }
            Value::String(text) => self.text(text),
            Value::Array(items) => {
                self.hasher.update(b"[");
                for item in items {
                    self.value(item);
                }
                self.hasher.update(b"]");
            }
            // serde_json keeps its maps sorted by key as long as nobody turns on `preserve_order`; a test holds it to it.
            Value::Object(fields) => {
                self.hasher.update(b"{");
                for (key, value) in fields {
                    self.text(key);
                    self.value(value);
                }
                self.hasher.update(b"}");
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.hasher.update(b"s");
        self.hasher.update(&(text.len() as u64).to_le_bytes());
        self.hasher.update(text.as_bytes());
    }
}

/// A running fingerprint of rows that are visited and dropped, cheap enough to stand inside the timed part.
///
/// It looks at each number whole, and at each text's length, first and last byte; one multiplication a row depends on
/// the row before, so the order counts too. Every engine pays the same for it: a few nanoseconds a row.
#[derive(Debug, Default)]
pub struct Tally {
    rows: u64,
    state: u64,
}

const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl Tally {
    /// Takes in one row: its fields as words, in the order of the header.
    #[inline]
    pub fn row<const N: usize>(&mut self, fields: [u64; N]) {
        let mut word = 0_u64;
        let mut weight = 1_u64;
        for field in fields {
            word = word.wrapping_add(field.wrapping_mul(weight));
            weight = weight.wrapping_mul(31);
        }
        self.state = (self.state ^ word).wrapping_mul(SPREAD);
        self.state ^= self.state >> 32;
        self.rows += 1;
    }

    /// One `stop_times` row.
    #[inline]
    pub fn stop(&mut self, stop: &StopRef<'_>) {
        self.row([
            text(stop.trip_id),
            text(stop.arrival_time),
            text(stop.departure_time),
            text(stop.stop_id),
            stop.stop_sequence.cast_unsigned(),
            text(stop.stop_headsign),
            stop.pickup_type.cast_unsigned(),
            stop.drop_off_type.cast_unsigned(),
            stop.shape_dist_traveled.to_bits(),
        ]);
    }

    /// One `stop_times` row, owned.
    #[inline]
    pub fn stop_owned(&mut self, stop: &Stop) {
        self.stop(&StopRef {
            trip_id: &stop.trip_id,
            arrival_time: &stop.arrival_time,
            departure_time: &stop.departure_time,
            stop_id: &stop.stop_id,
            stop_sequence: stop.stop_sequence,
            stop_headsign: &stop.stop_headsign,
            pickup_type: stop.pickup_type,
            drop_off_type: stop.drop_off_type,
            shape_dist_traveled: stop.shape_dist_traveled,
        });
    }

    /// One row of the `records` files.
    #[inline]
    pub fn record(&mut self, hi: i64, there: i64, comment: &str) {
        self.row([hi.cast_unsigned(), there.cast_unsigned(), text(comment)]);
    }

    /// `rows=… tally=…`.
    pub fn answer(&self) -> String {
        format!("rows={} tally={:016x}", self.rows, self.state)
    }
}

/// A text as one word: its length, first and last byte.
#[inline]
fn text(text: &str) -> u64 {
    match text.as_bytes() {
        [] => 0,
        [only] => 1 | u64::from(*only) << 32 | u64::from(*only) << 40,
        [first, .., last] => text.len() as u64 | u64::from(*first) << 32 | u64::from(*last) << 40,
    }
}

/// What a job that only splits records answers: `rows=… fields=… bytes=…`, the bytes unquoted.
#[derive(Debug, Default)]
pub struct Split {
    /// Records without the header.
    pub rows: u64,
    /// Cells in them.
    pub fields: u64,
    /// Bytes in the cells, quotes and delimiters off.
    pub bytes: u64,
}

impl Split {
    /// The answer's text.
    pub fn answer(&self) -> String {
        format!("rows={} fields={} bytes={}", self.rows, self.fields, self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::{Tally, document};

    #[test]
    fn documents_compare_by_value() {
        let one = document(br#"{"a":1.50,"b":[null,"x"]}"#).unwrap();
        assert_eq!(one, document(br#"{"b":[null,"x"],"a":15e-1}"#).unwrap());
        assert_ne!(one, document(br#"{"b":["x",null],"a":1.5}"#).unwrap());
        assert_ne!(one, document(br#"{"b":[null,"x"],"a":1.5000000000000002}"#).unwrap());
    }

    #[test]
    fn a_tally_sees_order_and_edges() {
        let of = |rows: &[(i64, &str)]| {
            let mut tally = Tally::default();
            for (hi, comment) in rows {
                tally.record(*hi, 0, comment);
            }
            tally.answer()
        };
        assert_ne!(of(&[(1, "a"), (2, "b")]), of(&[(2, "b"), (1, "a")]));
        assert_ne!(of(&[(1, "ab")]), of(&[(1, "ac")]));
        assert_ne!(of(&[(1, "")]), of(&[(1, "a")]));
    }
}
