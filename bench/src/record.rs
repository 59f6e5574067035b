//! The types that jobs decode into, shared by every serde engine.
//!
//! An engine whose derive is not serde's may put it on these types as well, or keep equal types in its own file.

use std::fmt;

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};

/// One record of the `records` files, its text owned.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, demat::Encode, demat::Decode)]
pub struct Owned {
    /// Counts 1, 2, 3 …
    pub hi: i64,
    /// Twice `hi`.
    pub there: i64,
    /// Always the word "comment".
    pub comment: String,
}

/// One record of the `records` files, its text borrowed from the input.
#[derive(Debug, Clone, PartialEq, Deserialize, demat::Decode)]
pub struct Borrowed<'a> {
    /// Counts 1, 2, 3 …
    pub hi: i64,
    /// Twice `hi`.
    pub there: i64,
    /// Always the word "comment".
    pub comment: &'a str,
}

/// The one field that the sum jobs want; whatever else a record holds is skipped.
#[derive(Debug, Clone, Copy, Deserialize, demat::Decode)]
pub struct Wanted {
    /// The number to sum.
    pub hi: i64,
}

/// A list of [`Wanted`] that is summed while it is read.
///
/// It is the best that serde can do: collecting into a `Vec` first would charge the peers for memory nobody asked for.
#[derive(Debug, Clone, Copy)]
pub struct Total(pub i64);

impl<'de> Deserialize<'de> for Total {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Summing;
        impl<'de> Visitor<'de> for Summing {
            type Value = Total;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a list of records with a field `hi`")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Total, A::Error> {
                let mut total = 0;
                while let Some(Wanted { hi }) = list.next_element()? {
                    total += hi;
                }
                Ok(Total(total))
            }
        }
        deserializer.deserialize_seq(Summing)
    }
}

/// One row of a GTFS `stop_times` table, its texts owned.
#[derive(Debug, Clone, Deserialize, demat::Decode)]
pub struct Stop {
    /// Which journey.
    pub trip_id: String,
    /// `HH:MM:SS`, past 24 hours after midnight.
    pub arrival_time: String,
    /// `HH:MM:SS`, past 24 hours after midnight.
    pub departure_time: String,
    /// Which stop.
    pub stop_id: String,
    /// The stop's place in the journey.
    pub stop_sequence: i64,
    /// Mostly empty, sometimes quoted.
    pub stop_headsign: String,
    /// 0 or 1.
    pub pickup_type: i64,
    /// 0 or 1.
    pub drop_off_type: i64,
    /// Kilometres from the first stop.
    pub shape_dist_traveled: f64,
}

/// One row of a GTFS `stop_times` table, its texts borrowed from the record.
#[derive(Debug, Clone, Deserialize, demat::Decode)]
pub struct StopRef<'a> {
    /// Which journey.
    pub trip_id: &'a str,
    /// `HH:MM:SS`, past 24 hours after midnight.
    pub arrival_time: &'a str,
    /// `HH:MM:SS`, past 24 hours after midnight.
    pub departure_time: &'a str,
    /// Which stop.
    pub stop_id: &'a str,
    /// The stop's place in the journey.
    pub stop_sequence: i64,
    /// Mostly empty, sometimes quoted.
    pub stop_headsign: &'a str,
    /// 0 or 1.
    pub pickup_type: i64,
    /// 0 or 1.
    pub drop_off_type: i64,
    /// Kilometres from the first stop.
    pub shape_dist_traveled: f64,
}
