//! CBOR: Demat, ciborium, and minicbor with and without names.

use super::DEMAT;
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::cbor;
use serde::Serialize as _;

/// The engines.
pub fn engines<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("CBOR", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(cbor::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                cbor::encode_into(record, buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("ciborium"),
            R::serde(),
            |bytes| Ok(ciborium::from_reader(&*bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                ciborium::into_writer(record, &mut *buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("minicbor-serde"),
            R::serde(),
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
            R::minicbor(),
            |bytes| Ok(minicbor::decode(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                minicbor::encode(record, &mut *buffer)?;
                Ok(buffer)
            },
        )?,
    ])
}
