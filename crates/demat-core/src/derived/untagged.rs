use crate::{Error, Result, Signal, Source, Union};
use std::cell::Cell;

/// Trying the variants of unions within unions multiplies; so many levels cost what 2^8 readings would at the worst.
const MOST_TRIALS: u8 = 8;

thread_local! {
    /// How many trials the decoding on this thread is inside of.
    static TRIALS: Cell<u8> = const { Cell::new(0) };
}

/// A trial that is going on; the end of it is counted whatever happens.
struct Trial;

impl Trial {
    fn begin() -> Result<Self> {
        let depth = TRIALS.get();
        if depth == MOST_TRIALS {
            return Err(Error::limit("the depth of untagged unions that only trying can tell apart", MOST_TRIALS));
        }
        TRIALS.set(depth + 1);
        Ok(Self)
    }
}

impl Drop for Trial {
    fn drop(&mut self) {
        TRIALS.set(TRIALS.get() - 1);
    }
}

/// Decodes the only variant of an untagged union that is of the value's kind, or the first of these that the value
/// can be decoded as.
///
/// # Errors
/// Where none fits; the refusal of the last one that was tried. A source that has run out of window says so at once.
pub fn decode_untagged<'a, S: Source<'a> + ?Sized, T>(
    source: &mut S,
    union: &'static Union,
    mut decode: impl FnMut(&mut S, usize) -> Result<T>,
) -> Result<T> {
    if source.tells_variants() {
        let index = source.choose(union)?;
        let value = decode(source, index)?;
        source.chosen(union, index, true)?;
        return Ok(value);
    }
    let kind = source.peek()?;
    let fits = |index: &usize| union.variants()[*index].shape().accepts(kind);
    let mut fitting = (0..union.variants().len()).filter(fits);
    let Some(mut index) = fitting.next() else {
        return Err(Error::expected(union.names(), kind.name()).at(source.position()));
    };
    let mut others = fitting.peekable();
    if others.peek().is_none() {
        return decode(source, index);
    }
    let mark = source.mark();
    loop {
        let trial = Trial::begin().map_err(|error| error.at(source.position()))?;
        let outcome = decode(source, index);
        drop(trial);
        match (outcome, others.next()) {
            (Ok(value), _) => return Ok(value),
            (Err(error), _) if error.signal() == Some(Signal::Incomplete) => return Err(error),
            (Err(error), None) => return Err(error),
            (Err(_), Some(next)) => index = next,
        }
        source.reset(mark);
    }
}
