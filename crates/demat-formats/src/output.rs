use demat_core::Result;
use std::io::Write;

/// The destination of a sink's final bytes.
pub trait Drain {
    /// Moves bytes out of the front of the buffer, or leaves them there.
    ///
    /// # Errors
    /// If the writer fails.
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()>;

    /// Flushes the writer, after everything was drained.
    ///
    /// # Errors
    /// If the writer fails.
    fn flush(&mut self) -> Result<()>;

    /// Writes the last bytes.
    ///
    /// # Errors
    /// If the writer fails.
    fn finish(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.drain(buffer)?;
        self.flush()
    }
}

impl<D: Drain + ?Sized> Drain for Box<D> {
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        (**self).drain(buffer)
    }
    fn flush(&mut self) -> Result<()> {
        (**self).flush()
    }
    fn finish(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        (**self).finish(buffer)
    }
}

/// Keeps everything in memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct Keep;

impl Drain for Keep {
    #[inline]
    fn drain(&mut self, _: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

/// Writes to a writer.
#[derive(Debug)]
pub struct To<W>(pub W);

impl<W: Write> Drain for To<W> {
    #[inline(never)]
    fn drain(&mut self, buffer: &mut Vec<u8>) -> Result<()> {
        self.0.write_all(buffer)?;
        buffer.clear();
        Ok(())
    }
    fn flush(&mut self) -> Result<()> {
        Ok(self.0.flush()?)
    }
}

impl<W: Write> Write for To<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }
    fn flush(&mut self) -> std::io::Result<()> {
        self.0.flush()
    }
}

/// The bytes that a sink has written: final ones first, then those that a rollback would remove.
#[derive(Debug)]
pub struct Output<D> {
    /// The bytes. Sinks append to it.
    pub buffer: Vec<u8>,
    committed: usize,
    /// The number of nested pauses. While there is one, nothing is drained.
    paused: u32,
    drain: D,
}

/// The number of final bytes from which it is worth calling the writer.
const WORTH_WRITING: usize = 64 * 1024;

impl<D: Drain> Output<D> {
    /// Returns an empty output that reuses the buffer's memory.
    pub fn new(mut buffer: Vec<u8>, drain: D) -> Self {
        buffer.clear();
        Self { buffer, committed: 0, paused: 0, drain }
    }

    /// The number of bytes in the buffer that are final.
    pub(crate) fn committed(&self) -> usize {
        self.committed
    }

    /// Makes all bytes final, and drains them if there are enough.
    ///
    /// # Errors
    /// If the writer fails.
    #[inline]
    pub fn commit(&mut self) -> Result<()> {
        if self.buffer.len() >= WORTH_WRITING && self.paused == 0 {
            self.drain.drain(&mut self.buffer)?;
        }
        self.committed = self.buffer.len();
        Ok(())
    }

    /// Makes all bytes final, but does not drain them.
    ///
    /// # Errors
    /// Never; it returns a `Result` like [`commit`](Self::commit).
    pub fn hold(&mut self) -> Result<()> {
        self.committed = self.buffer.len();
        Ok(())
    }

    /// Keeps all bytes in the buffer until [`resume`](Self::resume), as the caller may take them back.
    pub(crate) fn pause(&mut self) {
        self.paused += 1;
    }

    /// Ends a pause.
    pub(crate) fn resume(&mut self) {
        self.paused = self.paused.saturating_sub(1);
    }

    /// Truncates the buffer to a length that it had during the pause.
    pub(crate) fn take_back(&mut self, len: usize) {
        self.buffer.truncate(len);
        self.committed = self.committed.min(len);
    }

    /// Removes a range of the buffer. Valid during a pause, as nothing was drained since.
    pub(crate) fn take_out(&mut self, from: usize, to: usize) {
        self.buffer.drain(from..to);
        self.committed = self.committed.min(self.buffer.len());
    }

    /// Removes the bytes that are not final.
    pub fn rollback(&mut self) {
        self.buffer.truncate(self.committed);
    }

    /// Writes all bytes.
    ///
    /// # Errors
    /// If the writer fails.
    pub fn finish(&mut self) -> Result<()> {
        self.drain.finish(&mut self.buffer)?;
        self.committed = self.buffer.len();
        Ok(())
    }

    /// Returns the bytes and the drain.
    pub fn into_parts(self) -> (Vec<u8>, D) {
        (self.buffer, self.drain)
    }
}
