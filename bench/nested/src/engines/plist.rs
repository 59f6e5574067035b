//! Property lists, XML and binary: Demat and plist.

use super::{DEMAT, write_reused};
use crate::engine::{About, Engine, Result};
use crate::record::Records;
use demat::plist::{self, PlistSink, Variant, WriteOptions};

/// The engines of XML.
pub fn xml<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("plist, XML", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(plist::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| write_reused!(R, PlistSink, WriteOptions::default(), record, buffer),
        )?,
        Engine::new(
            about("plist"),
            R::serde(),
            |bytes| Ok(::plist::from_bytes(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                ::plist::to_writer_xml(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
    ])
}

/// The engines of the binary form.
pub fn binary<R: Records>() -> Result<Vec<Engine>> {
    let about = |name| About::new("plist, binary", name);
    Ok(vec![
        Engine::new(
            about(DEMAT),
            R::own(),
            |bytes| Ok(plist::decode::<R::Own>(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                let options = WriteOptions { variant: Variant::Binary, ..WriteOptions::default() };
                write_reused!(R, PlistSink, options, record, buffer)
            },
        )?,
        Engine::new(
            about("plist"),
            R::serde(),
            |bytes| Ok(::plist::from_bytes(bytes)?),
            |record, buffer: &mut Vec<u8>| {
                buffer.clear();
                ::plist::to_writer_binary(&mut *buffer, record)?;
                Ok(buffer)
            },
        )?,
    ])
}
