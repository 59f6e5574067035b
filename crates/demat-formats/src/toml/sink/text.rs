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
    // All bytes are looked at, which the compiler does by vectors.
    #[allow(clippy::needless_bitwise_bool, reason = "a branch for each would keep it from that")]
    let is_plain = |byte: &u8| (*byte >= 0x20) & (*byte != 0x7f) & (*byte != b'"') & (*byte != b'\\');
    if text.as_bytes().iter().fold(true, |all, byte| all & is_plain(byte)) {
        out.reserve(text.len() + 2);
        out.push(b'"');
        out.extend_from_slice(text.as_bytes());
        out.push(b'"');
        return;
    }
    let form = TomlStringBuilder::new(text);
    let form = form.as_basic_pretty().or_else(|| form.as_literal()).unwrap_or_else(|| form.as_basic());
    let _ = form.write_toml_value(&mut Bytes(out)); // writing to a Vec cannot fail
}

/// Writes a key, without quotes if possible.
pub(super) fn write_key(out: &mut Vec<u8>, key: &str) {
    let is_bare = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    if !key.is_empty() && key.as_bytes().iter().all(is_bare) {
        out.extend_from_slice(key.as_bytes());
        return;
    }
    let _ = TomlKeyBuilder::new(key).as_default().write_toml_key(&mut Bytes(out)); // as above
}
