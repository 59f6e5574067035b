use demat_core::{Error, ErrorKind, Result};
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

    /// Whether bytes that were drained can be [overwritten](Self::patch).
    fn can_patch(&self) -> bool {
        false
    }

    /// Whether it wants the bytes of each commit, however few they are, since somebody waits for them.
    fn is_prompt(&self) -> bool {
        false
    }

    /// Overwrites bytes that were drained. `back` is the distance of the first of them from the end of the drained
    /// bytes.
    ///
    /// # Errors
    /// If the drain [can't](Self::can_patch), or if the writer fails.
    fn patch(&mut self, back: u64, bytes: &[u8]) -> Result<()> {
        let _ = (back, bytes);
        Err(Error::new(ErrorKind::Internal, "what was written can't be overwritten here"))
    }

    /// Takes the last bytes.
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
    fn can_patch(&self) -> bool {
        (**self).can_patch()
    }
    fn is_prompt(&self) -> bool {
        (**self).is_prompt()
    }
    fn patch(&mut self, back: u64, bytes: &[u8]) -> Result<()> {
        (**self).patch(back, bytes)
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
    /// The number of drained bytes.
    drained: u64,
    /// The number of nested pauses. While there is one, nothing is drained.
    paused: u32,
    /// The number of final bytes from which it is worth calling the drain.
    worth: usize,
    drain: D,
}

/// The usual number of final bytes from which it is worth calling the drain.
const WORTH_WRITING: usize = 64 * 1024;

impl<D: Drain> Output<D> {
    /// Returns an empty output that reuses the buffer's memory.
    pub fn new(mut buffer: Vec<u8>, drain: D) -> Self {
        buffer.clear();
        let worth = if drain.is_prompt() { 1 } else { WORTH_WRITING };
        Self { buffer, committed: 0, drained: 0, paused: 0, worth, drain }
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
        if self.is_worth_writing() {
            let len = self.buffer.len();
            self.drain.drain(&mut self.buffer)?;
            self.drained += (len - self.buffer.len()) as u64;
        }
        self.committed = self.buffer.len();
        Ok(())
    }

    /// Whether a commit drains.
    #[inline]
    pub(crate) fn is_worth_writing(&self) -> bool {
        self.buffer.len() >= self.worth && self.paused == 0
    }

    /// Whether somebody waits for the bytes of each commit.
    pub(crate) fn is_prompt(&self) -> bool {
        self.worth == 1
    }

    /// Returns whether drained bytes can be overwritten.
    pub(crate) fn can_patch(&self) -> bool {
        self.drain.can_patch()
    }

    /// Returns the offset in the whole output for an index of the buffer.
    pub(crate) fn offset_of(&self, at: usize) -> u64 {
        self.drained + at as u64
    }

    /// Overwrites bytes at an offset of the whole output, in the buffer or drained.
    ///
    /// # Errors
    /// As [`Drain::patch`].
    pub(crate) fn patch(&mut self, offset: u64, bytes: &[u8]) -> Result<()> {
        let back = self.drained.saturating_sub(offset);
        let (left, kept) = bytes.split_at(bytes.len().min(usize::try_from(back).unwrap_or(usize::MAX)));
        if !left.is_empty() {
            self.drain.patch(back, left)?;
        }
        let at = usize::try_from(offset.saturating_sub(self.drained)).unwrap_or(usize::MAX);
        if let Some(place) = at.checked_add(kept.len()).and_then(|end| self.buffer.get_mut(at..end)) {
            place.copy_from_slice(kept);
        }
        Ok(())
    }

    /// Commits what was written, but keeps it in the buffer.
    ///
    /// # Errors
    /// Never; it returns a `Result` like [`commit`](Self::commit).
    pub fn hold(&mut self) -> Result<()> {
        self.committed = self.buffer.len();
        Ok(())
    }

    /// Keeps all bytes in the buffer until [`resume`](Self::resume), so that the caller can remove them.
    pub(crate) fn pause(&mut self) {
        self.paused += 1;
    }

    /// Ends a pause.
    pub(crate) fn resume(&mut self) {
        self.paused = self.paused.saturating_sub(1);
    }

    /// Whether the caller may still remove bytes, by positions that it knows.
    pub(crate) fn is_paused(&self) -> bool {
        self.paused > 0
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
