//! The nested record: a list of three messages, three doubles and ten longs.

use super::Records;

/// The nested record.
pub struct Nested;

impl Records for Nested {
    const NAME: &'static str = "nested";
    const IS_SHARED: bool = true;

    type Own = own::Record;
    type Serde = for_serde::Record;
    type Plain = for_serde::Record;
    type Prost = for_prost::Record;
    type Msgpacker = for_msgpacker::Record;
    type Minicbor = for_minicbor::Record;
    type Fastnbt = for_fastnbt::Record;
    type QuartzNbt = for_quartz_nbt::Record;
    type Bincode = for_bincode::Record;
    type Bitcode = for_bitcode::Record;

    super::makers! { own for_serde for_serde for_prost for_msgpacker for_minicbor for_fastnbt for_quartz_nbt for_bincode for_bitcode }
}

/// The id and the text of each message.
const MESSAGES: [(i32, &str); 3] =
    [(1_124_312_542, "This is a test of simple byte serialization for us all"), (0, ""), (-1, "ANother string")];

// The third has more digits than a double holds.
#[allow(clippy::excessive_precision)]
const DOUBLES: [f64; 3] = [1.0, -0.000_001, 1_000_000_000_000_000.010_101_0];

const LONGS: [i64; 10] = [1, 2, 3, 4, 5, -1, -2, -4, 1425, 0];

/// Defines `record()`: the record in the types of the surrounding module.
macro_rules! record {
    ($longs:expr) => {
        /// The record.
        pub fn record() -> Record {
            let messages = super::MESSAGES.map(|(id, text)| Message { id, text: text.to_owned() });
            Record { messages: messages.into(), doubles: super::DOUBLES.into(), longs: $longs(super::LONGS.to_vec()) }
        }
    };
}

pub mod own {
    //! Demat's types, for all formats.

    use demat::{Decode, Encode};

    /// A list of records beside two lists of numbers.
    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    pub struct Record {
        messages: Vec<Message>,
        doubles: Vec<f64>,
        longs: Vec<i64>,
    }

    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    pub struct Message {
        id: i32,
        text: String,
    }

    record!(Vec::from);
}

pub mod for_serde {
    //! The types for libraries that use serde.

    use serde::{Deserialize, Serialize};

    /// A list of records beside two lists of numbers.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Record {
        messages: Vec<Message>,
        doubles: Vec<f64>,
        longs: Vec<i64>,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Message {
        id: i32,
        text: String,
    }

    record!(Vec::from);
}

pub mod for_prost {
    //! The types of prost.

    /// A list of records beside two lists of numbers.
    #[derive(Clone, PartialEq, prost::Message)]
    pub struct Record {
        #[prost(message, repeated, tag = "1")]
        messages: Vec<Message>,
        #[prost(double, repeated, tag = "2")]
        doubles: Vec<f64>,
        #[prost(int64, repeated, tag = "3")]
        longs: Vec<i64>,
    }

    #[derive(Clone, PartialEq, prost::Message)]
    struct Message {
        #[prost(int32, tag = "1")]
        id: i32,
        #[prost(string, tag = "2")]
        text: String,
    }

    record!(Vec::from);
}

pub mod for_msgpacker {
    //! The types of msgpacker, which writes fields without names.

    use msgpacker::MsgPacker;

    /// A list of records beside two lists of numbers.
    #[derive(Debug, Clone, PartialEq, MsgPacker)]
    pub struct Record {
        messages: Vec<Message>,
        doubles: Vec<f64>,
        longs: Vec<i64>,
    }

    #[derive(Debug, Clone, PartialEq, MsgPacker)]
    pub struct Message {
        id: i32,
        text: String,
    }

    record!(Vec::from);
}

pub mod for_minicbor {
    //! The types of minicbor, which writes records as arrays by default.

    use minicbor::{Decode, Encode};

    /// A list of records beside two lists of numbers.
    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    pub struct Record {
        #[n(0)]
        messages: Vec<Message>,
        #[n(1)]
        doubles: Vec<f64>,
        #[n(2)]
        longs: Vec<i64>,
    }

    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    struct Message {
        #[n(0)]
        id: i32,
        #[n(1)]
        text: String,
    }

    record!(Vec::from);
}

pub mod for_fastnbt {
    //! The types of fastnbt, which has a type of its own for NBT's arrays.

    use fastnbt::LongArray;
    use serde::{Deserialize, Serialize};

    /// A list of records beside two lists of numbers.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Record {
        messages: Vec<Message>,
        doubles: Vec<f64>,
        longs: LongArray,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Message {
        id: i32,
        text: String,
    }

    record!(LongArray::new);
}

pub mod for_quartz_nbt {
    //! The types of `quartz_nbt`, which has a type of its own for NBT's arrays.

    use quartz_nbt::serde::Array;
    use serde::{Deserialize, Serialize};

    /// A list of records beside two lists of numbers.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    pub struct Record {
        messages: Vec<Message>,
        doubles: Vec<f64>,
        longs: Array<Vec<i64>>,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Message {
        id: i32,
        text: String,
    }

    record!(Array::from);
}

pub mod for_bincode {
    //! The types of bincode.

    use bincode::{Decode, Encode};

    /// A list of records beside two lists of numbers.
    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    pub struct Record {
        messages: Vec<Message>,
        doubles: Vec<f64>,
        longs: Vec<i64>,
    }

    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    struct Message {
        id: i32,
        text: String,
    }

    record!(Vec::from);
}

pub mod for_bitcode {
    //! The types of bitcode.

    use bitcode::{Decode, Encode};

    /// A list of records beside two lists of numbers.
    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    pub struct Record {
        messages: Vec<Message>,
        doubles: Vec<f64>,
        longs: Vec<i64>,
    }

    #[derive(Debug, Clone, PartialEq, Encode, Decode)]
    struct Message {
        id: i32,
        text: String,
    }

    record!(Vec::from);
}
