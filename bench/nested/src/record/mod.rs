//! The records, as the type of each library, declared as its users would declare it.
//!
//! The types of a record are made from the same constants, so a library that reads its own record back has the same
//! values as all others.

mod control;
mod nested;

pub use control::Control;
pub use nested::Nested;

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt::Debug;

/// What can be compared with the expected answer.
pub trait Answer: PartialEq + Debug + 'static {}

impl<T: PartialEq + Debug + 'static> Answer for T {}

/// A record in the types of all libraries.
pub trait Records {
    /// The name of the record.
    const NAME: &'static str;
    /// Whether the engines say which of them write the same document. Otherwise it is tried out.
    const IS_SHARED: bool;

    /// Demat's.
    type Own: demat::Encode + for<'a> demat::Decode<'a> + Answer;
    /// For serde, and formats that leave absent fields out.
    type Serde: Serialize + DeserializeOwned + Answer;
    /// For serde, and formats without names.
    type Plain: Serialize + DeserializeOwned + Answer;
    /// For prost.
    type Prost: prost::Message + Default + Answer;
    /// For msgpacker.
    type Msgpacker: msgpacker::Packable + msgpacker::Unpackable<Error: Debug> + Answer;
    /// For minicbor.
    type Minicbor: minicbor::Encode<()> + for<'b> minicbor::Decode<'b, ()> + Answer;
    /// For fastnbt.
    type Fastnbt: Serialize + DeserializeOwned + Answer;
    /// For `quartz_nbt`.
    type QuartzNbt: Serialize + DeserializeOwned + Answer;
    /// For bincode.
    type Bincode: bincode::Encode + bincode::Decode<()> + Answer;
    /// For bitcode.
    type Bitcode: bitcode::Encode + bitcode::DecodeOwned + Answer;

    /// The record for Demat.
    fn own() -> Self::Own;
    /// The record for serde.
    fn serde() -> Self::Serde;
    /// The record for formats without names.
    fn plain() -> Self::Plain;
    /// The record for prost.
    fn prost() -> Self::Prost;
    /// The record for msgpacker.
    fn msgpacker() -> Self::Msgpacker;
    /// The record for minicbor.
    fn minicbor() -> Self::Minicbor;
    /// The record for fastnbt.
    fn fastnbt() -> Self::Fastnbt;
    /// The record for `quartz_nbt`.
    fn quartz_nbt() -> Self::QuartzNbt;
    /// The record for bincode.
    fn bincode() -> Self::Bincode;
    /// The record for bitcode.
    fn bitcode() -> Self::Bitcode;
}

/// Defines the functions of [`Records`] from the modules' functions `record`, in the trait's order.
macro_rules! makers {
    ($own:ident $serde:ident $plain:ident $prost:ident $msgpacker:ident $minicbor:ident $fastnbt:ident
     $quartz_nbt:ident $bincode:ident $bitcode:ident) => {
        fn own() -> Self::Own {
            $own::record()
        }
        fn serde() -> Self::Serde {
            $serde::record()
        }
        fn plain() -> Self::Plain {
            $plain::record()
        }
        fn prost() -> Self::Prost {
            $prost::record()
        }
        fn msgpacker() -> Self::Msgpacker {
            $msgpacker::record()
        }
        fn minicbor() -> Self::Minicbor {
            $minicbor::record()
        }
        fn fastnbt() -> Self::Fastnbt {
            $fastnbt::record()
        }
        fn quartz_nbt() -> Self::QuartzNbt {
            $quartz_nbt::record()
        }
        fn bincode() -> Self::Bincode {
            $bincode::record()
        }
        fn bitcode() -> Self::Bitcode {
            $bitcode::record()
        }
    };
}
use makers;
