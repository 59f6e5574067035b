//! Protocol Buffers: Demat and prost.

use super::DEMAT;
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::proto;
use prost::Message as _;

/// The engines.
pub fn engines<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("protobuf", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(proto::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                proto::encode_into(record, buffer)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("prost"),
            R::prost(),
            |bytes| Ok(R::Prost::decode(&*bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                record.encode(buffer)?;
                Ok(buffer)
            },
        )?,
    ])
}
