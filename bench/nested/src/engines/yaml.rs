//! YAML: Demat and serde-saphyr.

use super::{DEMAT, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::{for_serde, own};
use demat::yaml::{self, WriteOptions, YamlSink};

/// The engines.
pub fn engines() -> Result<Vec<Engine>> {
    let about = |name| About::new("YAML", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            own::record(),
            |bytes| Ok(yaml::decode::<own::Record>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(YamlSink, WriteOptions::default(), record, buffer),
        )?,
        Engine::new(
            about("serde-saphyr"),
            for_serde::record(),
            |bytes| Ok(serde_saphyr::from_slice(bytes)?),
            |record, buffer: &mut String| {
                buffer.clear();
                serde_saphyr::to_fmt_writer(buffer, record)?;
                Ok(buffer.as_bytes())
            },
        )?,
    ])
}
