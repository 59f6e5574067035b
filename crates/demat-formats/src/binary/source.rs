//! Methods that the sources of MessagePack and CBOR share.
//!
//! Both sources have the fields `input`, `options`, `at`, `start`, `stack` and `open`. As macros, the methods cost no
//! indirection where every value passes.

/// Methods of the source itself. `$open` is an open container of `find_end`.
macro_rules! shared_inherent {
    ($source:ident, $open:ty) => {
        impl<'a> $source<'a> {
            /// Returns a source of a whole document.
            pub fn new(bytes: &'a [u8]) -> Self {
                Self::over(Part::whole(bytes), ReadOptions::default())
            }

            /// Returns a source over a part of a document.
            pub fn over(part: Part<'a>, options: ReadOptions) -> Self {
                Self::with(part, options, Stack::new())
            }

            /// Returns a source that can be reset to marks of an earlier source with the same frames.
            pub(super) fn continued(part: Part<'a>, options: ReadOptions, frames: &'a mut Vec<Frame>) -> Self {
                Self::with(part, options, Stack::continued(frames))
            }

            /// Whether the source is at the start of the document.
            fn at_start(&self) -> bool {
                self.stack.depth() == 0 && self.input.is_start(self.at)
            }

            /// Steps into a container whose children begin at `at`.
            fn enter(&mut self, at: usize, within: Within, left: Left) -> Result<()> {
                if self.stack.depth() >= self.options.depth as usize {
                    return Err(self.input.too_deep(self.at, self.options.depth));
                }
                self.stack.enter(within, left);
                self.at = at;
                Ok(())
            }

            /// Returns where the value at `at` ends.
            fn end_of(&mut self, mut at: usize) -> Result<usize> {
                let mut open: Vec<$open> = core::mem::take(&mut self.open);
                open.clear();
                let ended = self.find_end(&mut at, &mut open);
                self.open = open;
                ended.map(|()| at)
            }

            /// Skips the value at the current position, never a sequence.
            pub(super) fn pass_one(&mut self) -> Result<()> {
                self.start = self.at;
                self.at = self.end_of(self.at)?;
                Ok(())
            }

            /// Skips the value or the sequence at the current position.
            fn pass(&mut self) -> Result<()> {
                self.start = self.at;
                if !self.is_sequence()? {
                    return self.pass_one();
                }
                self.list()?;
                while self.item()? {
                    self.pass_one()?;
                }
                Ok(())
            }
        }
    };
}

/// Methods of the trait `Source`.
macro_rules! shared_methods {
    () => {
        #[inline]
        fn item(&mut self) -> Result<bool> {
            self.next_child()
        }

        #[inline]
        fn entry(&mut self) -> Result<bool> {
            self.next_child()
        }

        #[inline]
        fn value(&mut self) -> Result<()> {
            Ok(())
        }

        fn mark(&self) -> Mark {
            Mark { offset: self.at, state: self.stack.state() }
        }

        fn reset(&mut self, mark: Mark) {
            (self.at, self.start) = (mark.offset, mark.offset);
            self.stack.restore(mark.state);
        }

        fn position(&self) -> Position {
            self.input.position_of(self.start)
        }

        fn end(&mut self) -> Result<()> {
            self.input.end(self.at)
        }

        fn repeated(&mut self, key: &str) -> Result<()> {
            match self.options.repeated_keys {
                RepeatedKeys::LastWins => Ok(()),
                RepeatedKeys::Refuse => Err(self.input.repeated(self.start, key)),
            }
        }
    };
}

pub(crate) use {shared_inherent, shared_methods};
