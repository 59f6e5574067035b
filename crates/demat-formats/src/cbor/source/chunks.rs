//! Reads text and bytes, in one piece or in chunks.

use super::super::head::{BREAK, Head, Length, head};
use super::CborSource;
use demat_core::scalar::Uuid;
use demat_core::{Error, Result};
use std::borrow::Cow;

impl<'a> CborSource<'a> {
    /// Reads bytes whose head ends at `at`. Returns them and their end.
    pub(super) fn bytes_at(&self, at: usize, len: Length) -> Result<(Cow<'a, [u8]>, usize)> {
        let Some(len) = len else {
            let mut whole = Vec::new();
            let end = self.chunks_of_bytes(at, |chunk| whole.extend_from_slice(chunk))?;
            return Ok((Cow::Owned(whole), end));
        };
        let content = self.input.content(at, len, "bytes")?;
        Ok((Cow::Borrowed(content), at + content.len()))
    }

    /// Reads text whose head ends at `at`. Returns it and its end.
    pub(super) fn text_at(&self, at: usize, len: Length) -> Result<(Cow<'a, str>, usize)> {
        let Some(len) = len else {
            let mut whole = String::new();
            let end = self.chunks_of_text(at, |chunk| whole.push_str(chunk))?;
            return Ok((Cow::Owned(whole), end));
        };
        let text = self.input.text(at, len)?;
        Ok((Cow::Borrowed(text), at + text.len()))
    }

    /// Reads a UUID from bytes whose head ends at `at`. Returns it and their end.
    pub(super) fn uuid_at(&self, at: usize, len: Length) -> Result<(Uuid, usize)> {
        let (content, end) = self.bytes_at(at, len)?;
        let Ok(uuid) = <[u8; 16]>::try_from(&*content) else {
            let found = format!("bytes of length {}", content.len());
            return Err(Error::expected("`uuid` of 16 bytes", found).at(self.input.position_of(self.start)));
        };
        Ok((Uuid(uuid), end))
    }

    /// Reads chunks of text up to a break, and returns its end. Each chunk must be valid UTF-8.
    pub(super) fn chunks_of_text(&self, mut at: usize, mut take: impl FnMut(&'a str)) -> Result<usize> {
        while self.input.byte(at) != Some(BREAK) {
            match head(self.input.bytes(), at) {
                Ok((Head::Text(Some(len)), content)) => {
                    let chunk = self.input.text(content, len)?;
                    take(chunk);
                    at = content + chunk.len();
                }
                Ok(_) => return Err(self.no_chunk(at, "a piece of text or a break")),
                Err(fault) => return Err(self.no_head(at, fault)),
            }
        }
        Ok(at + 1)
    }

    /// Reads chunks of bytes up to a break, and returns its end.
    pub(super) fn chunks_of_bytes(&self, mut at: usize, mut take: impl FnMut(&'a [u8])) -> Result<usize> {
        while self.input.byte(at) != Some(BREAK) {
            match head(self.input.bytes(), at) {
                Ok((Head::Bytes(Some(len)), content)) => {
                    let chunk = self.input.content(content, len, "bytes")?;
                    take(chunk);
                    at = content + chunk.len();
                }
                Ok(_) => return Err(self.no_chunk(at, "a piece of the bytes or a break")),
                Err(fault) => return Err(self.no_head(at, fault)),
            }
        }
        Ok(at + 1)
    }

    #[cold]
    fn no_chunk(&self, at: usize, expected: &'static str) -> Error {
        let byte = self.input.byte(at).unwrap_or_default();
        self.input.unexpected(at, expected, format!("byte 0x{byte:02x}"))
    }
}
