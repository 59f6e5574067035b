//! Fast paths: decode and encode values of common types directly.
//!
//! The source and the sink of a format support all of it, and keep the state for that. Most values do not need it. So a
//! format may have a second source and sink that support only what is common. For a type that is known at compile
//! time, little more than the copying of bytes is left of them. At anything else, errors included, they give up. Then
//! the general source or sink starts again from the beginning and reports any error.

mod by_shape;
mod given_up;

pub(crate) use by_shape::ByShape;
pub(crate) use given_up::GivenUp;

use demat_core::{Decode, Encode, Error, Ref, Result, Shape, Signal, Sink, Source};

/// A source or sink of a fast path.
pub(crate) trait Direct {
    /// Whether it gave up because of the type, and not because of the value.
    fn is_odd(&self) -> bool;
}

/// Decodes a whole document by the fast path. Returns `None` if the general source has to read it.
#[inline(always)]
pub(crate) fn decode<'a, T: Decode<'a>, S: Source<'a> + Direct>(mut source: S, given_up: &GivenUp) -> Option<T> {
    if given_up.has(T::SHAPE) {
        return None;
    }
    if let Ok(value) = T::decode(&mut source)
        && source.end().is_ok()
    {
        return Some(value);
    }
    if source.is_odd() {
        given_up.add(T::SHAPE);
    }
    None
}

/// Encodes a value by the fast path. Returns whether it did; if not, the general sink has to write the value.
#[inline(always)]
pub(crate) fn encode<T: Encode + ?Sized, K: Sink + Direct>(value: &T, mut sink: K, given_up: &GivenUp) -> bool {
    if given_up.has(T::SHAPE) {
        return false;
    }
    let is_written = value.encode(&mut sink).and_then(|()| sink.finish()).is_ok();
    if is_written && !sink.is_odd() {
        return true;
    }
    if sink.is_odd() {
        given_up.add(T::SHAPE);
    }
    false
}

/// Returns the error that makes the caller fall back to the general path. Users never see it.
#[cold]
#[inline(never)]
pub(crate) fn give_up<T>() -> Result<T> {
    Err(Error::signalled(Signal::Incomplete))
}

/// Returns a shape that is a constant.
#[inline(always)]
pub(crate) fn fixed(shape: &Ref<Shape>) -> Option<&'static Shape> {
    match shape {
        Ref::Static(shape) => Some(shape),
        Ref::Shared(_) => None,
    }
}
