//! TOML: Demat and toml.

use super::{DEMAT, DEMAT_FRESH, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::{for_serde, own};
use demat::toml::{self, TomlSink, WriteOptions};

/// The engines.
pub fn engines() -> Result<Vec<Engine>> {
    let about = |name| About::new("TOML", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            own::record(),
            |bytes| Ok(toml::decode::<own::Record>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(TomlSink, WriteOptions::default(), record, buffer),
        )?,
        Engine::new(
            about(DEMAT_FRESH).package(DEMAT).fresh(),
            own::record(),
            |bytes| Ok(toml::decode::<own::Record>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                *buffer = toml::encode(record)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("toml").fresh(),
            for_serde::record(),
            |bytes| Ok(::toml::from_slice(bytes)?),
            |record, buffer: &mut String| {
                *buffer = ::toml::to_string(record)?;
                Ok(buffer.as_bytes())
            },
        )?,
    ])
}
