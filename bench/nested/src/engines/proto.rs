//! Protocol Buffers: Demat and prost.

use super::DEMAT;
use crate::engine::{About, Engine, Result};
use crate::record::{for_prost, own};
use demat::proto;
use prost::Message as _;

/// The engines.
pub fn engines() -> Result<Vec<Engine>> {
    let about = |name| About::new("protobuf", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            own::record(),
            |bytes| Ok(proto::decode::<own::Record>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                proto::encode_into(record, buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("prost"),
            for_prost::record(),
            |bytes| Ok(for_prost::Record::decode(&*bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                record.encode(buffer)?;
                Ok(buffer)
            },
        )?,
    ])
}
