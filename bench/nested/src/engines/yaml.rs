//! YAML: Demat and serde-saphyr.

use super::{DEMAT, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::yaml::{self, WriteOptions, YamlSink};

/// The engines.
pub fn engines<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("YAML", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(yaml::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(R, YamlSink, WriteOptions::default(), record, buffer),
        )?,
        Engine::new(
            about("serde-saphyr"),
            R::serde(),
            |bytes| Ok(serde_saphyr::from_slice(bytes)?),
            |record, buffer: &mut String| {
                buffer.clear();
                serde_saphyr::to_fmt_writer(buffer, record)?;
                Ok(buffer.as_bytes())
            },
        )?,
    ])
}
