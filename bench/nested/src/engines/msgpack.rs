//! MessagePack: Demat, rmp-serde with names, and msgpacker.

use super::{DEMAT, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::{for_msgpacker, for_serde, own};
use demat::msgpack::{self, MsgpackSink, WriteOptions};
use msgpacker::{Packable as _, Unpackable as _};

/// The engines.
pub fn engines() -> Result<Vec<Engine>> {
    let about = |name| About::new("MessagePack", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            own::record(),
            |bytes| Ok(msgpack::decode::<own::Record>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(MsgpackSink, WriteOptions::default(), record, buffer),
        )?,
        Engine::new(
            about("rmp-serde"),
            for_serde::record(),
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
            for_msgpacker::record(),
            |bytes| for_msgpacker::Record::unpack(bytes).map_err(|error| error.to_string().into()),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                record.pack(buffer);
                Ok(buffer)
            },
        )?,
    ])
}
