//! The structs of the kinds, field by field those of `zoo/kinds/*.py`.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::cells::{Cell, Row};
use super::engines::{decoded_rows, json};
use super::{Asked, Measured};
use crate::run::Result;

/// A struct that every engine can make and write.
macro_rules! record {
    ($name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        #[derive(Debug, Serialize, Deserialize, demat::Encode, demat::Decode)]
        struct $name {
            $($field: $type),*
        }
    };
}

/// A struct whose fields are cells of a table.
macro_rules! row {
    ($name:ident { $($field:ident: $type:ty),* $(,)? }) => {
        record!($name { $($field: $type),* });

        impl Row for $name {
            fn of<'a>(mut cells: impl Iterator<Item = &'a str>) -> Option<Self> {
                let made = Self { $($field: <$type as Cell>::parse(cells.next()?)?),* };
                cells.next().is_none().then_some(made)
            }
        }
    };
}

row!(Comment { hi: i64, there: i64, comment: String });
row!(Text { id: i64, name: String, text: String });
row!(Quoted { id: i64, name: String, note: String });
row!(Ints { a: i64, b: i64, c: i64, d: i64, e: i64 });
row!(Floats { a: f64, b: f64, c: f64, d: f64 });
row!(Price { id: i64, price: f64, tax: f64, discount: f64 });
row!(Flags { a: bool, b: bool, c: bool, count: Option<i64>, ratio: Option<f64>, name: Option<String> });
row!(Optional16 {
    id: i64,
    int_0: Option<i64>,
    float_0: Option<f64>,
    text_0: Option<String>,
    bool_0: Option<bool>,
    int_1: Option<i64>,
    float_1: Option<f64>,
    text_1: Option<String>,
    bool_1: Option<bool>,
    int_2: Option<i64>,
    float_2: Option<f64>,
    text_2: Option<String>,
    bool_2: Option<bool>,
    int_3: Option<i64>,
    float_3: Option<f64>,
    text_3: Option<String>,
    bool_3: Option<bool>,
});
record!(Wide {
    field_00: i64,
    field_01: String,
    field_02: f64,
    field_03: bool,
    field_04: i64,
    field_05: String,
    field_06: i64,
    field_07: String,
    field_08: f64,
    field_09: bool,
    field_10: i64,
    field_11: String,
    field_12: i64,
    field_13: String,
    field_14: f64,
    field_15: bool,
    field_16: i64,
    field_17: String,
    field_18: i64,
    field_19: String,
    field_20: f64,
    field_21: bool,
    field_22: i64,
    field_23: String,
    field_24: i64,
    field_25: String,
    field_26: f64,
    field_27: bool,
    field_28: i64,
    field_29: String,
});
record!(Point { lat: f64, lon: f64 });
record!(Address { street: String, number: i64, point: Point });
record!(Person { name: String, age: i64, address: Address });
record!(Parcel { id: i64, sender: Person, receiver: Person });
record!(Link { value: i64, next: Option<Box<Link>> });
record!(IntList { id: i64, values: Vec<i64> });
record!(FloatList { id: i64, values: Vec<f64> });
record!(TextList { id: i64, values: Vec<String> });
record!(Counts { id: i64, counts: HashMap<String, i64> });

#[derive(Debug, Serialize, Deserialize, demat::Encode, demat::Decode)]
#[serde(tag = "kind", rename_all = "lowercase")]
#[demat(tag = "kind", rename_all = "lowercase")]
enum Figure {
    Circle { radius: f64, label: String },
    Square { side: i64 },
    Route { points: Vec<i64>, closed: bool },
}

#[derive(Debug, Serialize, Deserialize, demat::Encode, demat::Decode)]
#[serde(rename_all = "lowercase")]
#[demat(rename_all = "lowercase")]
enum Colour {
    Red,
    Green,
    Blue,
    Purple,
}

#[derive(Debug, Serialize, Deserialize, demat::Encode, demat::Decode)]
#[serde(rename_all = "lowercase")]
#[demat(rename_all = "lowercase")]
enum State {
    Open,
    Paid,
    Shipped,
    Cancelled,
}

impl Cell for Colour {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "red" => Self::Red,
            "green" => Self::Green,
            "blue" => Self::Blue,
            "purple" => Self::Purple,
            _ => return None,
        })
    }
}

impl Cell for State {
    fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "open" => Self::Open,
            "paid" => Self::Paid,
            "shipped" => Self::Shipped,
            "cancelled" => Self::Cancelled,
            _ => return None,
        })
    }
}

// The level is a number, which serde's derive makes no enum of.
row!(Order { id: i64, colour: Colour, level: i64, state: State });

/// One cell of the matrix.
pub fn measured(kind: &str, asked: &Asked<'_>) -> Result<Measured> {
    if asked.job == "csv-decode" {
        return match kind {
            "records" => decoded_rows::<Comment>(asked),
            "short-texts" | "long-texts" | "non-ascii" => decoded_rows::<Text>(asked),
            "quoted" => decoded_rows::<Quoted>(asked),
            "ints" => decoded_rows::<Ints>(asked),
            "floats" => decoded_rows::<Floats>(asked),
            "prices" => decoded_rows::<Price>(asked),
            "bools" => decoded_rows::<Flags>(asked),
            "mostly-null" => decoded_rows::<Optional16>(asked),
            "enums" => decoded_rows::<Order>(asked),
            _ => Err(format!("no rows of {kind}").into()),
        };
    }
    match kind {
        "records" => json::<Comment>(asked),
        "short-texts" | "long-texts" | "escaped-texts" | "unicode-escapes" | "non-ascii" => json::<Text>(asked),
        "ints" => json::<Ints>(asked),
        "floats" => json::<Floats>(asked),
        "prices" => json::<Price>(asked),
        "bools" => json::<Flags>(asked),
        "mostly-null" | "sparse" => json::<Optional16>(asked),
        "wide-ordered" | "wide-shuffled" => json::<Wide>(asked),
        "nested" | "pretty" => json::<Parcel>(asked),
        "deep" => json::<Link>(asked),
        "int-lists" => json::<IntList>(asked),
        "float-lists" => json::<FloatList>(asked),
        "text-lists" => json::<TextList>(asked),
        "dicts" => json::<Counts>(asked),
        "unions" => json::<Figure>(asked),
        "enums" => json::<Order>(asked),
        _ => Err(format!("no structs of {kind}").into()),
    }
}
