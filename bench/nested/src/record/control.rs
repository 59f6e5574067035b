//! The control: a wide record with optional fields, a map, dates, a record in it, and long texts.
//!
//! What is fast with the nested record alone is no claim about a library. So the same jobs are done with this one.

use super::Records;
use std::collections::BTreeMap;

/// The control.
pub struct Control;

impl Records for Control {
    const NAME: &'static str = "control";
    const IS_SHARED: bool = false;

    type Own = own::Record;
    type Serde = for_serde::Record;
    type Plain = plain::Record;
    type Prost = for_prost::Record;
    type Msgpacker = for_msgpacker::Record;
    type Minicbor = for_minicbor::Record;
    type Fastnbt = for_serde::Record;
    type QuartzNbt = for_serde::Record;
    type Bincode = for_bincode::Record;
    type Bitcode = for_bitcode::Record;

    super::makers! { own for_serde plain for_prost for_msgpacker for_minicbor for_serde for_serde for_bincode for_bitcode }
}

const WIDE: [i64; 8] = [0, -1, 17, 4_096, -70_000, 8_123_456_789, i64::MAX, i64::MIN];
const TAGS: [&str; 4] = ["urgent", "home", "a longer tag than most", "\u{fc}ber"];
const SCORES: [(&str, i64); 3] = [("first", 12), ("second", 3_000), ("third", -5)];
const DATE: &str = "2024-02-29";
const INSTANT: &str = "2024-02-29T12:34:56Z";
/// The same in days and seconds since 1970, for libraries without dates.
const DAYS: i32 = 19_782;
const SECONDS: i64 = 1_709_210_096;

/// Some 2,000 bytes of ASCII. No text ends with a space, since serde-xml-rs drops it.
fn body() -> String {
    "It was a bright cold day in April, and the clocks were striking thirteen.,".repeat(27)
}

/// Some 300 bytes of other characters and quotes.
fn summary() -> String {
    "\"Gr\u{fc}\u{df}e\" \u{2014} \u{65e5}\u{672c}\u{8a9e} \u{1f600}.".repeat(9)
}

fn tags() -> Vec<String> {
    TAGS.map(str::to_owned).into()
}

fn scores() -> BTreeMap<String, i64> {
    SCORES.map(|(name, score)| (name.to_owned(), score)).into()
}

/// Defines the types and `record()`, with the attributes of a library for optional fields and for the map, and with
/// its types of dates.
macro_rules! types {
    (
        derive($($derive:path),*), optional($($optional:tt)*), map($($map:tt)*), date($date:ty = $day:expr),
        instant($instant:ty = $at:expr)
    ) => {
        /// A wide record.
        #[derive(Debug, Clone, PartialEq, $($derive),*)]
        pub struct Record {
            id: i64,
            name: String,
            $($optional)*
            title: Option<String>,
            $($optional)*
            note: Option<String>,
            price: f64,
            $($optional)*
            ratio: Option<f64>,
            active: bool,
            $($optional)*
            parent: Option<i64>,
            count: i32,
            level: i16,
            created: $date,
            changed: $instant,
            tags: Vec<String>,
            $($map)*
            scores: BTreeMap<String, i64>,
            author: Author,
            body: String,
            summary: String,
            zero: i64,
            one: i64,
            two: i64,
            three: i64,
            four: i64,
            five: i64,
            six: i64,
            seven: i64,
        }

        #[derive(Debug, Clone, PartialEq, $($derive),*)]
        pub struct Author {
            name: String,
            email: String,
            $($optional)*
            age: Option<i32>,
        }

        record! { date($day), instant($at), std::convert::identity }
    };
}

/// Defines `record()`. Messages in messages are optional to prost, so it passes `Some`.
macro_rules! record {
    (date($day:expr), instant($at:expr), $author:path) => {
        /// The record.
        pub fn record() -> Record {
            let [zero, one, two, three, four, five, six, seven] = super::WIDE;
            Record {
                id: 1_234_567,
                name: "A record of many fields".to_owned(),
                title: Some("Its title, which is a little longer than its name".to_owned()),
                note: None,
                price: 19.99,
                ratio: Some(0.125),
                active: true,
                parent: None,
                count: 300,
                level: 16,
                created: $day,
                changed: $at,
                tags: super::tags(),
                scores: super::scores(),
                author: $author(Author { name: "Ada".to_owned(), email: "ada@example.org".to_owned(), age: Some(36) }),
                body: super::body(),
                summary: super::summary(),
                zero,
                one,
                two,
                three,
                four,
                five,
                six,
                seven,
            }
        }
    };
}

pub mod own {
    //! Demat's types, for all formats.

    use demat::scalar::{Date, Instant};
    use demat::{Decode, Encode};
    use std::collections::BTreeMap;

    types! {
        derive(Encode, Decode), optional(#[demat(skip_if = "Option::is_none")]), map(),
        date(Date = Date::parse(super::DATE).expect("a date")),
        instant(Instant = Instant::parse(super::INSTANT).expect("an instant"))
    }
}

pub mod for_serde {
    //! The types for libraries that use serde, whose formats leave absent fields out.

    use chrono::{DateTime, NaiveDate, Utc};
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    types! {
        derive(Serialize, Deserialize),
        optional(#[serde(skip_serializing_if = "Option::is_none", default)]), map(),
        date(NaiveDate = super::DATE.parse().expect("a date")),
        instant(DateTime<Utc> = super::INSTANT.parse().expect("an instant"))
    }
}

pub mod plain {
    //! The types for libraries that use serde, and write all fields.

    use chrono::{DateTime, NaiveDate, Utc};
    use serde::{Deserialize, Serialize};
    use std::collections::BTreeMap;

    types! {
        derive(Serialize, Deserialize), optional(), map(),
        date(NaiveDate = super::DATE.parse().expect("a date")),
        instant(DateTime<Utc> = super::INSTANT.parse().expect("an instant"))
    }
}

pub mod for_msgpacker {
    //! The types of msgpacker, which has no dates.

    use msgpacker::MsgPacker;
    use std::collections::BTreeMap;

    types! {
        derive(MsgPacker), optional(), map(#[msgpacker(map)]),
        date(i32 = super::DAYS), instant(i64 = super::SECONDS)
    }
}

pub mod for_bincode {
    //! The types of bincode, which has no dates.

    use bincode::{Decode, Encode};
    use std::collections::BTreeMap;

    types! {
        derive(Encode, Decode), optional(), map(),
        date(i32 = super::DAYS), instant(i64 = super::SECONDS)
    }
}

pub mod for_bitcode {
    //! The types of bitcode, which has no dates.

    use bitcode::{Decode, Encode};
    use std::collections::BTreeMap;

    types! {
        derive(Encode, Decode), optional(), map(),
        date(i32 = super::DAYS), instant(i64 = super::SECONDS)
    }
}

pub mod for_prost {
    //! The types of prost. Its dates are text, as Demat writes them.

    use prost_types::Timestamp;
    use std::collections::BTreeMap;

    /// A wide record.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Record {
        #[prost(int64, tag = "1")]
        id: i64,
        #[prost(string, tag = "2")]
        name: String,
        #[prost(string, optional, tag = "3")]
        title: Option<String>,
        #[prost(string, optional, tag = "4")]
        note: Option<String>,
        #[prost(double, tag = "5")]
        price: f64,
        #[prost(double, optional, tag = "6")]
        ratio: Option<f64>,
        #[prost(bool, tag = "7")]
        active: bool,
        #[prost(int64, optional, tag = "8")]
        parent: Option<i64>,
        #[prost(int32, tag = "9")]
        count: i32,
        #[prost(int32, tag = "10")]
        level: i32,
        #[prost(string, tag = "11")]
        created: String,
        #[prost(message, optional, tag = "12")]
        changed: Option<Timestamp>,
        #[prost(string, repeated, tag = "13")]
        tags: Vec<String>,
        #[prost(btree_map = "string, int64", tag = "14")]
        scores: BTreeMap<String, i64>,
        #[prost(message, optional, tag = "15")]
        author: Option<Author>,
        #[prost(string, tag = "16")]
        body: String,
        #[prost(string, tag = "17")]
        summary: String,
        #[prost(int64, tag = "18")]
        zero: i64,
        #[prost(int64, tag = "19")]
        one: i64,
        #[prost(int64, tag = "20")]
        two: i64,
        #[prost(int64, tag = "21")]
        three: i64,
        #[prost(int64, tag = "22")]
        four: i64,
        #[prost(int64, tag = "23")]
        five: i64,
        #[prost(int64, tag = "24")]
        six: i64,
        #[prost(int64, tag = "25")]
        seven: i64,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    struct Author {
        #[prost(string, tag = "1")]
        name: String,
        #[prost(string, tag = "2")]
        email: String,
        #[prost(int32, optional, tag = "3")]
        age: Option<i32>,
    }

    record! {
        date(super::DATE.to_owned()), instant(Some(Timestamp { seconds: super::SECONDS, nanos: 0 })), Some
    }
}

pub mod for_minicbor {
    //! The types of minicbor, which writes records as arrays by default, and has no dates.

    use minicbor::{Decode, Encode};
    use std::collections::BTreeMap;

    /// A wide record.
    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    pub struct Record {
        #[n(0)]
        id: i64,
        #[n(1)]
        name: String,
        #[n(2)]
        title: Option<String>,
        #[n(3)]
        note: Option<String>,
        #[n(4)]
        price: f64,
        #[n(5)]
        ratio: Option<f64>,
        #[n(6)]
        active: bool,
        #[n(7)]
        parent: Option<i64>,
        #[n(8)]
        count: i32,
        #[n(9)]
        level: i16,
        #[n(10)]
        created: i32,
        #[n(11)]
        changed: i64,
        #[n(12)]
        tags: Vec<String>,
        #[n(13)]
        scores: BTreeMap<String, i64>,
        #[n(14)]
        author: Author,
        #[n(15)]
        body: String,
        #[n(16)]
        summary: String,
        #[n(17)]
        zero: i64,
        #[n(18)]
        one: i64,
        #[n(19)]
        two: i64,
        #[n(20)]
        three: i64,
        #[n(21)]
        four: i64,
        #[n(22)]
        five: i64,
        #[n(23)]
        six: i64,
        #[n(24)]
        seven: i64,
    }

    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    struct Author {
        #[n(0)]
        name: String,
        #[n(1)]
        email: String,
        #[n(2)]
        age: Option<i32>,
    }

    record! { date(super::DAYS), instant(super::SECONDS), std::convert::identity }
}
