//! MessagePack: Demat, rmp-serde with names, and msgpacker.

use super::DEMAT;
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::msgpack;
use msgpacker::{Packable as _, Unpackable as _};

/// The engines.
pub fn engines<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("MessagePack", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(msgpack::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                msgpack::encode_into(record, buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("rmp-serde"),
            R::serde(),
            |bytes| Ok(rmp_serde::from_slice(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                rmp_serde::encode::write_named(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
        // It writes the fields one behind the other, without names.
        Engine::new(
            about("msgpacker").own_document(),
            R::msgpacker(),
            |bytes| R::Msgpacker::unpack(bytes).map_err(|error| format!("{error:?}").into()),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                record.pack(buffer);
                Ok(buffer)
            },
        )?,
    ])
}
