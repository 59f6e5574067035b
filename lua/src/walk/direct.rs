use super::Out;
use crate::tape::not_utf8;
use demat_core::{Result, Sink};
use demat_formats::scan::ascii_short;

/// A sink that a walker writes to directly.
#[derive(Debug)]
pub(crate) struct Direct<'k, K: ?Sized, const COUNTS: bool>(pub(crate) &'k mut K);

/// Returns the bytes as text.
#[inline(always)]
pub(crate) fn utf8(bytes: &[u8]) -> Result<&str> {
    match ascii_short(bytes) {
        Some(text) => Ok(text),
        None => core::str::from_utf8(bytes).map_err(|_| not_utf8()),
    }
}

impl<K: Sink + ?Sized, const COUNTS: bool> Out for Direct<'_, K, COUNTS> {
    const COUNTS: bool = COUNTS;

    #[inline(always)]
    fn null(&mut self) -> Result<()> {
        self.0.null()
    }
    #[inline(always)]
    fn bool(&mut self, value: bool) -> Result<()> {
        self.0.bool(value)
    }
    #[inline(always)]
    fn int(&mut self, value: i64) -> Result<()> {
        self.0.i64(value)
    }
    #[inline(always)]
    fn float(&mut self, value: f64) -> Result<()> {
        self.0.float(value)
    }
    #[inline(always)]
    fn text(&mut self, value: &[u8]) -> Result<()> {
        self.0.text(utf8(value)?)
    }
    fn begin_list(&mut self, len: usize) -> Result<()> {
        self.0.begin_list(Some(len))
    }
    #[inline(always)]
    fn item(&mut self, _: usize) -> Result<()> {
        self.0.item()
    }
    fn end_list(&mut self) -> Result<()> {
        self.0.end_list()
    }
    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.0.begin_map(len)
    }
    #[inline(always)]
    fn key(&mut self, key: &[u8]) -> Result<()> {
        self.0.key(utf8(key)?)
    }
    fn other_key(&mut self, write: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        self.0.entry()?;
        write(self)?;
        self.0.value()
    }
    fn end_map(&mut self) -> Result<()> {
        self.0.end_map()
    }
}
