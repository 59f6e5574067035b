//! TOML: Demat and toml.

use super::{DEMAT, DEMAT_FRESH, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::toml::{self, TomlSink, WriteOptions};

/// The engines.
pub fn engines<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("TOML", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(toml::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(R, TomlSink, WriteOptions::default(), record, buffer),
        )?,
        Engine::new(
            about(DEMAT_FRESH).package(DEMAT).fresh(),
            R::own(),
            |bytes| Ok(toml::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                *buffer = toml::encode(record)?;
                Ok(buffer)
            },
        )?,
        Engine::new(
            about("toml").fresh(),
            R::serde(),
            |bytes| Ok(::toml::from_slice(bytes)?),
            |record, buffer: &mut String| {
                *buffer = ::toml::to_string(record)?;
                Ok(buffer.as_bytes())
            },
        )?,
    ])
}
