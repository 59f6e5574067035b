//! Conversions from each of Rust's integer types to an [`Int`] in its smallest variant. They never fail.

use super::Int;
use std::borrow::Cow;

impl From<i64> for Int<'_> {
    #[inline]
    fn from(value: i64) -> Self {
        Int::I64(value)
    }
}

impl From<u64> for Int<'_> {
    #[inline]
    fn from(value: u64) -> Self {
        i64::try_from(value).map_or(Int::U64(value), Int::I64)
    }
}

impl From<isize> for Int<'_> {
    #[inline]
    fn from(value: isize) -> Self {
        Int::I64(value as i64) // no wider than 64 bits on any target of Rust
    }
}

impl From<usize> for Int<'_> {
    #[inline]
    fn from(value: usize) -> Self {
        Int::from(value as u64) // as above
    }
}

macro_rules! from_narrow {
    ($($narrow:ty)*) => {$(
        impl From<$narrow> for Int<'_> {
            #[inline]
            fn from(value: $narrow) -> Self {
                Int::I64(value.into())
            }
        }
    )*};
}

from_narrow!(i8 i16 i32 u8 u16 u32);

macro_rules! from_wide {
    ($($wide:ty)*) => {$(
        impl From<$wide> for Int<'_> {
            fn from(value: $wide) -> Self {
                if let Ok(small) = i64::try_from(value) {
                    Int::I64(small)
                } else if let Ok(small) = u64::try_from(value) {
                    Int::U64(small)
                } else {
                    Int::Big(Cow::Owned(value.to_string()))
                }
            }
        }
    )*};
}

from_wide!(i128 u128);
