//! Where the text sinks' bytes go.

use crate::Target;
use demat_core::Result;
use demat_formats::Drain;

/// Bytes on their way into a target, which outlives the sink that makes them.
#[derive(Debug)]
pub(crate) struct Written<'t>(pub(crate) &'t mut Target);

impl Drain for Written<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.0.write(buffer)?;
        buffer.clear();
        Ok(())
    }

    /// The target is finished by whoever has it.
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}
