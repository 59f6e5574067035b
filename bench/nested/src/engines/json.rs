//! JSON: Demat, `serde_json`, sonic-rs and simd-json.

use super::DEMAT;
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::json;

/// The engines.
pub fn engines<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("JSON", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(json::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                json::encode_into(record, buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("serde_json"),
            R::serde(),
            |bytes| Ok(serde_json::from_slice(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                serde_json::to_writer(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("sonic-rs"),
            R::serde(),
            |bytes| Ok(sonic_rs::from_slice(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                sonic_rs::to_writer(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("simd-json").in_place(),
            R::serde(),
            |bytes| Ok(simd_json::serde::from_slice(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                simd_json::serde::to_writer(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
    ])
}
