//! XML: Demat, quick-xml and serde-xml-rs.

use super::{DEMAT, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::{for_serde, own};
use demat::xml::{self, WriteOptions, XmlSink};

/// The engines.
pub fn engines() -> Result<Vec<Engine>> {
    let about = |name| About::new("XML", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            own::record(),
            |bytes| Ok(xml::decode::<own::Record>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(XmlSink, WriteOptions::default(), record, buffer),
        )?,
        Engine::new(
            about("quick-xml"),
            for_serde::record(),
            |bytes| Ok(quick_xml::de::from_str(std::str::from_utf8(bytes)?)?),
            |record, buffer: &mut String| {
                buffer.clear();
                quick_xml::se::to_writer(&mut *buffer, record)?;
                Ok(buffer.as_bytes())
            },
        )?,
        Engine::new(
            about("serde-xml-rs"),
            for_serde::record(),
            |bytes| Ok(serde_xml_rs::from_reader(&*bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                serde_xml_rs::to_writer(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
    ])
}
