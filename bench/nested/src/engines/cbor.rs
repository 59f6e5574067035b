//! CBOR: Demat, ciborium, and minicbor with and without names.

use super::{DEMAT, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::{for_minicbor, for_serde, own};
use demat::cbor::{self, CborSink, WriteOptions};
use serde::Serialize as _;

/// The engines.
pub fn engines() -> Result<Vec<Engine>> {
    let about = |name| About::new("CBOR", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            own::record(),
            |bytes| Ok(cbor::decode::<own::Record>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(CborSink, WriteOptions::default(), record, buffer),
        )?,
        Engine::new(
            about("ciborium"),
            for_serde::record(),
            |bytes| Ok(ciborium::from_reader(&*bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                ciborium::into_writer(record, &mut *buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("minicbor-serde"),
            for_serde::record(),
            |bytes| Ok(minicbor_serde::from_slice(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                record.serialize(&mut minicbor_serde::Serializer::new(&mut *buffer))?;
                Ok(buffer)
            },
        )?,
        // Its own derive writes arrays.
        Engine::new(
            about("minicbor").own_document(),
            for_minicbor::record(),
            |bytes| Ok(minicbor::decode(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                minicbor::encode(record, &mut *buffer)?;
                Ok(buffer)
            },
        )?,
    ])
}
