//! Integers that are not 0.

use crate::{Decode, Encode, Error, ErrorKind, Result, Shape, Shaped, Sink, Source};
use core::num::NonZero;

macro_rules! non_zero {
    ($($int:ty)*) => {$(
        impl Shaped for NonZero<$int> {
            const SHAPE: &'static Shape = <$int>::SHAPE;
        }

        impl Encode for NonZero<$int> {
            #[inline]
            fn encode<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<()> {
                self.get().encode(sink)
            }
        }

        impl<'a> Decode<'a> for NonZero<$int> {
            #[inline]
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                let int = <$int>::decode(source)?;
                Self::new(int).ok_or_else(|| {
                    Error::mismatch(ErrorKind::Constraint, "an int other than 0", "0").at(source.position())
                })
            }
        }
    )*};
}

non_zero! { i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize }
