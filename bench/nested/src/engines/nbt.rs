//! NBT: Demat, fastnbt and `quartz_nbt`.

use super::{DEMAT, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::{for_fastnbt, for_quartz_nbt, own};
use demat::nbt::{self, NbtSink, WriteOptions};
use quartz_nbt::io::Flavor;

/// The engines.
pub fn engines() -> Result<Vec<Engine>> {
    let about = |name| About::new("NBT", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            own::record(),
            |bytes| Ok(nbt::decode::<own::Record>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(NbtSink, WriteOptions::default(), record, buffer, begin),
        )?,
        Engine::new(
            about("fastnbt"),
            for_fastnbt::record(),
            |bytes| Ok(fastnbt::from_bytes(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                fastnbt::to_writer(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("quartz_nbt"),
            for_quartz_nbt::record(),
            |bytes| Ok(quartz_nbt::serde::deserialize_from_buffer(bytes)?.0),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                quartz_nbt::serde::serialize_into(buffer, record, None, Flavor::Uncompressed)?;
                Ok(buffer)
            },
        )?,
    ])
}
