//! A sink that writes to several sinks.

use crate::{Basic, Error, ErrorKind, Record, Result, Sink, forward};
use core::fmt;

/// A sink that passes each part on to several sinks: one pass over a source fills them all.
///
/// The first error of any of them is the error of all. A [`rollback`](Sink::rollback) then undoes in each what it had
/// taken since the last [`commit`](Sink::commit), so that all have the same values; except where a sink refuses the
/// commit itself after others agreed: then the rollback fails, too, and the copy has to end.
///
/// ```
/// use demat_core::{Encode, Sink, Tee, ValueSink};
/// let (mut one, mut other) = (ValueSink::default(), ValueSink::default());
/// let mut tee = Tee::new([&mut one as &mut dyn Sink, &mut other]);
/// vec![1, 2].encode(&mut tee)?;
/// drop(tee);
/// assert_eq!(one.whole(), other.whole());
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct Tee<'s> {
    sinks: Vec<Box<dyn Sink + 's>>,
    /// Why a sink refused to commit what others had committed.
    parted: Option<String>,
}

impl<'s> Tee<'s> {
    /// Creates a sink over others.
    pub fn new<S: Sink + 's>(sinks: impl IntoIterator<Item = S>) -> Self {
        let boxed = |sink| -> Box<dyn Sink + 's> { Box::new(sink) };
        Self { sinks: sinks.into_iter().map(boxed).collect(), parted: None }
    }

    #[inline]
    fn each(&mut self, mut write: impl FnMut(&mut dyn Sink) -> Result<()>) -> Result<()> {
        self.sinks.iter_mut().try_for_each(|sink| write(&mut **sink))
    }
}

/// What only some formats take (`as_is`, `int_bytes`) is left to the parts, which all take.
impl Sink for Tee<'_> {
    forward! { self by each; scalars containers keys finish begin stated begin_list_of empty_list empty_map }

    fn field_run(&mut self, record: &Record, first: usize, values: &[Basic<'_>]) -> Result<(), (usize, Error)> {
        self.sinks.iter_mut().try_for_each(|sink| sink.field_run(record, first, values))
    }

    fn item_run(&mut self, values: &[Basic<'_>]) -> Result<(), (usize, Error)> {
        self.sinks.iter_mut().try_for_each(|sink| sink.item_run(values))
    }

    fn commit(&mut self) -> Result<()> {
        for (index, sink) in self.sinks.iter_mut().enumerate() {
            if let Err(error) = sink.commit() {
                if index > 0 {
                    self.parted = Some(error.to_string());
                }
                return Err(error);
            }
        }
        Ok(())
    }

    fn rollback(&mut self) -> Result<()> {
        if let Some(reason) = &self.parted {
            let message = format!("a value was refused that other places had already taken: {reason}");
            return Err(Error::new(ErrorKind::Store, message));
        }
        self.each(|sink| sink.rollback())
    }
}

impl fmt::Debug for Tee<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tee").field("sinks", &self.sinks.len()).finish_non_exhaustive()
    }
}
