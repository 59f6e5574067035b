//! Region files (`.mca`), in which Minecraft Java Edition keeps the chunks of a world: each chunk is a record.
//!
//! [`Region`] reads; [`RegionSink`] writes. A record has the fields `x` and `z` (0 to 31, the chunk's place in the
//! region), `timestamp` (when it was saved, in seconds since 1970) and `chunk`, which is [NBT](crate::nbt) of the
//! Java variant. The records come in the order of the header: by `z`, then `x`.
//!
//! | | |
//! |---|---|
//! | compression | gzip, zlib and none are read; zlib is written; LZ4 and chunks in `.mcc` files are refused |
//! | memory | the file as it stands, and one unpacked chunk |
//! | a bad chunk | an error of its record; who leaves bad records out gets the others |
//!
//! The header comes first and points anywhere in the file, so a region is read when all of it is there.

mod chunk;
mod codec;
mod header;
mod sink;
mod source;
#[cfg(test)]
mod tests;

pub use codec::{ABOUT, Region, RegionCodec};
pub use sink::RegionSink;
pub use source::RegionSource;
