//! The engines, one file a format. The first engine of a format is Demat's.

mod cbor;
mod json;
mod msgpack;
mod nbt;
mod plist;
mod proto;
mod raw;
mod toml;
mod xml;
mod yaml;

use crate::engine::{Engine, Result};
use crate::record::Records;

/// The name of Demat's engines, and of those that make a new buffer for each write.
pub const DEMAT: &str = "demat";
/// Writes as the peers do that cannot reuse a buffer.
pub const DEMAT_FRESH: &str = "demat, new buffer";

/// All engines by format.
///
/// # Errors
/// If an engine does not read what it wrote.
pub fn all<R: Records>() -> Result<Vec<Vec<Engine>>> {
    Ok(vec![
        proto::engines::<R>()?,
        json::engines::<R>()?,
        json::untyped::<R>()?,
        msgpack::engines::<R>()?,
        cbor::engines::<R>()?,
        xml::engines::<R>()?,
        nbt::engines::<R>()?,
        plist::xml::<R>()?,
        plist::binary::<R>()?,
        raw::engines::<R>()?,
        toml::engines::<R>()?,
        yaml::engines::<R>()?,
    ])
}

/// Encodes a record with a sink into a buffer that is reused, as `encode` of its format does into a new one.
macro_rules! write_reused {
    ($records:ident, $sink:ident, $options:expr, $record:expr, $buffer:expr) => {{
        use demat::{Encode as _, Sink as _};
        let output = demat::formats::Output::new(std::mem::take($buffer), demat::formats::Keep);
        let mut sink = $sink::new(output, $options);
        $record.encode(&mut sink)?;
        sink.finish()?;
        *$buffer = sink.into_output().into_parts().0;
        Ok(&*$buffer)
    }};
}
use write_reused;
