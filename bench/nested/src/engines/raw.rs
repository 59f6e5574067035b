//! Binary without names: Demat's own format, bincode, postcard and bitcode. None reads the others' documents.

use super::DEMAT;
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use bincode::config;
use demat::raw;

/// The engines.
pub fn engines<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("raw", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(raw::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                raw::encode_into(record, buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("bincode").own_document(),
            R::bincode(),
            |bytes| Ok(bincode::decode_from_slice(bytes, config::standard())?.0),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                bincode::encode_into_std_write(record, buffer, config::standard())?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("postcard").own_document(),
            R::plain(),
            |bytes| Ok(postcard::from_bytes(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                *buffer = postcard::to_extend(record, std::mem::take(buffer))?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("bitcode").own_document(),
            R::bitcode(),
            |bytes| Ok(bitcode::decode(bytes)?),
            |record, buffer: &mut bitcode::Buffer| Ok(buffer.encode(record)),
        )?,
    ])
}
