//! Binary without names: Demat's own format, bincode, postcard and bitcode. None reads the others' documents.

use super::{DEMAT, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::{for_bincode, for_bitcode, for_serde, own};
use bincode::config;
use demat::raw::{self, RawSink, WriteOptions};

/// The engines.
pub fn engines() -> Result<Vec<Engine>> {
    let about = |name| About::new("raw", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            own::record(),
            |bytes| Ok(raw::decode::<own::Record>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(RawSink, WriteOptions::default(), record, buffer, begin),
        )?,
        Engine::new(
            about("bincode").own_document(),
            for_bincode::record(),
            |bytes| Ok(bincode::decode_from_slice(bytes, config::standard())?.0),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                bincode::encode_into_std_write(record, buffer, config::standard())?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("postcard").own_document(),
            for_serde::record(),
            |bytes| Ok(postcard::from_bytes(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                *buffer = postcard::to_extend(record, std::mem::take(buffer))?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("bitcode").own_document(),
            for_bitcode::record(),
            |bytes| Ok(bitcode::decode(bytes)?),
            |record, buffer: &mut bitcode::Buffer| Ok(buffer.encode(record)),
        )?,
    ])
}
