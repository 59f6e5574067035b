//! Slices and texts in `Box`, `Rc` and `Arc`.

use crate::{Decode, Result, Shaped, Source};
use std::rc::Rc;
use std::sync::Arc;

macro_rules! boxed {
    ($($pointer:ident)*) => {$(
        impl<'a> Decode<'a> for $pointer<str> {
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                source.text().map(|text| Self::from(&*text))
            }
        }

        impl<'a, T: Decode<'a>> Decode<'a> for $pointer<[T]>
        where
            [T]: Shaped,
        {
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                Vec::<T>::decode(source).map(Self::from)
            }
        }
    )*};
}

boxed! { Box Rc Arc }
