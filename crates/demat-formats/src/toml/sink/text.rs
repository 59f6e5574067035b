//! Quoted text and keys. The crate `toml_writer` writes them.

use core::fmt;
use toml_writer::{TomlKeyBuilder, TomlStringBuilder, WriteTomlKey, WriteTomlValue};

/// A writer to a buffer.
struct Bytes<'o>(&'o mut Vec<u8>);

impl fmt::Write for Bytes<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// Writes text on one line, in double quotes, or in single quotes if that saves escapes.
pub(super) fn write_text(out: &mut Vec<u8>, text: &str) {
    let form = TomlStringBuilder::new(text);
    let form = form.as_basic_pretty().or_else(|| form.as_literal()).unwrap_or_else(|| form.as_basic());
    let _ = form.write_toml_value(&mut Bytes(out)); // writing to a Vec cannot fail
}

/// Writes a key, without quotes if possible.
pub(super) fn write_key(out: &mut Vec<u8>, key: &str) {
    let _ = TomlKeyBuilder::new(key).as_default().write_toml_key(&mut Bytes(out)); // as above
}
