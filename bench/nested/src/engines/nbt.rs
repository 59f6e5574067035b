//! NBT: Demat, fastnbt and `quartz_nbt`.

use super::DEMAT;
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::nbt;
use quartz_nbt::io::Flavor;

/// The engines.
pub fn engines<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("NBT", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(nbt::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                nbt::encode_into(record, buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("fastnbt"),
            R::fastnbt(),
            |bytes| Ok(fastnbt::from_bytes(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                fastnbt::to_writer(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("quartz_nbt"),
            R::quartz_nbt(),
            |bytes| Ok(quartz_nbt::serde::deserialize_from_buffer(bytes)?.0),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                quartz_nbt::serde::serialize_into(buffer, record, None, Flavor::Uncompressed)?;
                Ok(buffer)
            },
        )?,
    ])
}
