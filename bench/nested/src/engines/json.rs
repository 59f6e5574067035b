//! JSON: Demat, `serde_json`, sonic-rs and simd-json, typed and not.

use super::DEMAT;
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::json;
use simd_json::prelude::Writable as _;

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

/// The same documents without their types: as each library's value of any kind, whose parts are all owned.
pub fn untyped<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("JSON, untyped", name);
    let mut bytes = json::encode(&R::own())?;
    Ok(vec![
        Engine::new(
            about(DEMAT),
            json::decode::<demat::Value>(&bytes)?,
            |bytes| Ok(json::decode::<demat::Value>(bytes)?),
            |value, buffer: &mut Vec<u8>| {
                json::encode_into(value, buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("sonic-rs"),
            sonic_rs::from_slice::<sonic_rs::Value>(&bytes)?,
            |bytes| Ok(sonic_rs::from_slice::<sonic_rs::Value>(bytes)?),
            |value, buffer: &mut Vec<u8>| {
                buffer.clear();
                sonic_rs::to_writer(&mut *buffer, value)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("simd-json").in_place(),
            simd_json::to_owned_value(&mut bytes)?,
            |bytes| Ok(simd_json::to_owned_value(bytes)?),
            |value: &simd_json::OwnedValue, buffer: &mut Vec<u8>| {
                buffer.clear();
                value.write(buffer)?;
                Ok(buffer)
            },
        )?,
    ])
}
