//! Destinations of the sinks' bytes.

use crate::Target;
use crate::lift::lower;
use demat_core::Result;
use demat_formats::Drain;
use std::io;

/// Writes the bytes of a sink to a target, which outlives the sink.
#[derive(Debug)]
pub(crate) struct Written<'t>(pub(crate) &'t mut Target);

impl Drain for Written<'_> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.0.gather(buffer)?;
        buffer.clear();
        Ok(())
    }

    /// The target's owner finishes it.
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn can_patch(&self) -> bool {
        self.0.can_patch()
    }

    fn is_prompt(&self) -> bool {
        self.0.is_prompt()
    }

    fn patch(&mut self, back: u64, bytes: &[u8]) -> Result<()> {
        self.0.patch(back, bytes)
    }
}

impl io::Write for Written<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(lower)?;
        Ok(bytes.len())
    }

    /// The target's owner finishes it.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
