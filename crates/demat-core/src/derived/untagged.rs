use crate::{Error, Kind, Result, Signal, Source, Union};
use std::cell::Cell;

/// The maximum depth of unions within unions whose variants are tried. Trials multiply, so this many levels cost at
/// most about 2^8 readings.
const MOST_TRIALS: u8 = 8;

thread_local! {
    /// The number of nested trials on this thread.
    static TRIALS: Cell<u8> = const { Cell::new(0) };
}

/// Guard of a trial: its drop always decrements the count.
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

/// Decodes the variant of an untagged union: the only one that accepts the value's kind, or the first of several that
/// can decode it. Text that no variant accepts may stand for any kind, as in a table's cell: then all are tried.
///
/// # Errors
/// If no variant fits: the error of the last one that was tried, if one accepts the kind. If the window ends, that error
/// at once.
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
    let is_accepted = union.variants().iter().any(|variant| variant.shape().accepts(kind));
    let fits = |index: &usize| !is_accepted || union.variants()[*index].shape().accepts(kind);
    let mut fitting = (0..union.variants().len()).filter(fits);
    let none = |source: &mut S| source.mismatch("any").expecting(union.names());
    let Some(mut index) = fitting.next().filter(|_| is_accepted || kind == Kind::Text) else {
        return Err(none(source));
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
            (Err(error), None) if is_accepted => return Err(error),
            (Err(_), None) => {
                source.reset(mark);
                return Err(none(source));
            }
            (Err(_), Some(next)) => index = next,
        }
        source.reset(mark);
    }
}
