//! XML: Demat, quick-xml and serde-xml-rs.

use super::{DEMAT, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::xml::{self, WriteOptions, XmlSink};

/// The engines.
pub fn engines<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("XML", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(xml::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(R, XmlSink, WriteOptions::default(), record, buffer),
        )?,
        Engine::new(
            about("quick-xml"),
            R::serde(),
            |bytes| Ok(quick_xml::de::from_str(std::str::from_utf8(bytes)?)?),
            |record, buffer: &mut String| {
                buffer.clear();
                quick_xml::se::to_writer(&mut *buffer, record)?;
                Ok(buffer.as_bytes())
            },
        )?,
        Engine::new(
            about("serde-xml-rs"),
            R::serde(),
            |bytes| Ok(serde_xml_rs::from_reader(&*bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                serde_xml_rs::to_writer(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
    ])
}
