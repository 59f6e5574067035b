//! Region files (`.mca`), which hold the chunks of a world in Minecraft Java Edition. Each chunk is a record.
//!
//! [`Region`] reads and [`RegionSink`] writes. A record has the fields `x` and `z` (0 to 31, the position of the chunk
//! in the region), `timestamp` (when it was saved, in seconds since 1970) and `chunk`, which is [NBT](crate::nbt) of
//! the Java variant. Records are in the order of the header: by `z`, then by `x`.
//!
//! | | |
//! |---|---|
//! | compression | gzip, zlib and none are read; zlib is written; LZ4 and chunks in `.mcc` files are refused |
//! | memory | the file, and one unpacked chunk |
//! | a bad chunk | an error of its record; a caller that skips invalid records reads the others |
//!
//! The header points to any offset of the file, so a region is read when the whole file is in memory.

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
