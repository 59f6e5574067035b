//! A sink for bytes.

use demat_core::scalar::Int;
use demat_core::{Error, Result, Sink};

/// A sink that accepts one value: bytes, or text as its UTF-8. It refuses everything else.
#[derive(Debug, Default)]
pub(crate) struct BytesSink {
    bytes: Option<Vec<u8>>,
}

impl BytesSink {
    /// Returns the bytes that a function writes.
    pub(crate) fn told(tell: impl FnOnce(&mut dyn Sink) -> Result<()>) -> Result<Vec<u8>> {
        let mut own = Self::default();
        tell(&mut own)?;
        own.bytes.ok_or_else(|| Error::expected("bytes", "nothing"))
    }
}

#[cold]
fn refused(found: &'static str) -> Result<()> {
    Err(Error::expected("bytes", found))
}

impl Sink for BytesSink {
    fn bytes(&mut self, value: &[u8]) -> Result<()> {
        self.bytes = Some(value.to_vec());
        Ok(())
    }
    fn text(&mut self, value: &str) -> Result<()> {
        self.bytes(value.as_bytes())
    }
    fn null(&mut self) -> Result<()> {
        refused("null")
    }
    fn bool(&mut self, _: bool) -> Result<()> {
        refused("bool")
    }
    fn int(&mut self, _: &Int<'_>) -> Result<()> {
        refused("int")
    }
    fn float(&mut self, _: f64) -> Result<()> {
        refused("float")
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        refused("list")
    }
    fn item(&mut self) -> Result<()> {
        refused("list")
    }
    fn end_list(&mut self) -> Result<()> {
        refused("list")
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        refused("record")
    }
    fn entry(&mut self) -> Result<()> {
        refused("record")
    }
    fn value(&mut self) -> Result<()> {
        refused("record")
    }
    fn end_map(&mut self) -> Result<()> {
        refused("record")
    }
    fn commit(&mut self) -> Result<()> {
        Ok(())
    }
    fn rollback(&mut self) -> Result<()> {
        self.bytes = None;
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}
