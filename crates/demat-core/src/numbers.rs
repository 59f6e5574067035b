//! Lists of numbers of one type, which sinks and sources can pass on at once.

use crate::{Encode, Error, Result, Sink};

/// Numbers of one type: the next items of a list that is written.
///
/// A sink whose format has a short form for them overrides [`Sink::number_items`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Numbers<'n> {
    /// Ints of 32 bits.
    I32(&'n [i32]),
    /// Ints of 64 bits.
    I64(&'n [i64]),
    /// Unsigned ints of 32 bits.
    U32(&'n [u32]),
    /// Unsigned ints of 64 bits.
    U64(&'n [u64]),
    /// Numbers of binary32.
    F32(&'n [f32]),
    /// Numbers of binary64.
    F64(&'n [f64]),
}

impl Numbers<'_> {
    /// Returns how many there are.
    ///
    /// ```
    /// assert_eq!(demat_core::Numbers::I64(&[7, 8]).len(), 2);
    /// ```
    #[inline]
    pub const fn len(&self) -> usize {
        match self {
            Self::I32(items) => items.len(),
            Self::I64(items) => items.len(),
            Self::U32(items) => items.len(),
            Self::U64(items) => items.len(),
            Self::F32(items) => items.len(),
            Self::F64(items) => items.len(),
        }
    }

    /// Returns whether there are none.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Writes them one by one, as items of the list that was begun last.
    ///
    /// # Errors
    /// Those of the sink, with the place of the number among these.
    #[inline]
    pub fn write_each<K: Sink + ?Sized>(self, sink: &mut K) -> Result<(), (usize, Error)> {
        match self {
            Self::I32(items) => write_each(items, sink),
            Self::I64(items) => write_each(items, sink),
            Self::U32(items) => write_each(items, sink),
            Self::U64(items) => write_each(items, sink),
            Self::F32(items) => write_each(items, sink),
            Self::F64(items) => write_each(items, sink),
        }
    }
}

#[inline]
fn write_each<T: Encode, K: Sink + ?Sized>(items: &[T], sink: &mut K) -> Result<(), (usize, Error)> {
    for (at, item) in items.iter().enumerate() {
        sink.item().and_then(|()| item.encode(sink)).map_err(|error| (at, error))?;
    }
    Ok(())
}

/// The vector to which a source appends numbers of one type: the next items of a list that is read.
///
/// A source whose format has a short form for them overrides [`Source::number_items`](crate::Source::number_items).
#[derive(Debug)]
pub enum NumbersInto<'n> {
    /// Ints of 32 bits.
    I32(&'n mut Vec<i32>),
    /// Ints of 64 bits.
    I64(&'n mut Vec<i64>),
    /// Unsigned ints of 32 bits.
    U32(&'n mut Vec<u32>),
    /// Unsigned ints of 64 bits.
    U64(&'n mut Vec<u64>),
    /// Numbers of binary32.
    F32(&'n mut Vec<f32>),
    /// Numbers of binary64.
    F64(&'n mut Vec<f64>),
}

#[cfg(test)]
mod tests {
    use super::Numbers;
    use crate::{Encode, Result, Sink, Value, ValueSink};

    #[test]
    fn each_number_is_an_item() {
        let all = [
            (Numbers::I32(&[-1, 2]), Value::of(&vec![-1, 2])),
            (Numbers::I64(&[i64::MIN]), Value::of(&vec![i64::MIN])),
            (Numbers::U32(&[3]), Value::of(&vec![3])),
            (Numbers::U64(&[u64::MAX]), Value::of(&vec![u64::MAX])),
            (Numbers::F32(&[0.5]), Value::of(&vec![0.5_f32])),
            (Numbers::F64(&[]), Value::of(&Vec::<f64>::new())),
        ];
        for (numbers, value) in all {
            let mut sink = ValueSink::default();
            sink.begin_list(None).unwrap();
            sink.number_items(numbers).unwrap();
            sink.end_list().unwrap();
            assert_eq!(sink.whole(), value.unwrap(), "{numbers:?}");
        }
    }

    /// Refuses negative ints.
    struct Unsigned;

    impl Sink for Unsigned {
        crate::forward! { self => crate::Nothing; null bool int float text containers marks }

        fn i64(&mut self, value: i64) -> Result<()> {
            if value < 0 { Err(crate::Error::expected("unsigned", "negative")) } else { Ok(()) }
        }
    }

    #[test]
    fn errors_have_their_places() {
        assert_eq!(Unsigned.number_items(Numbers::I64(&[1, 2, -3])).unwrap_err().0, 2);
        let error = vec![1, -2].encode(&mut Unsigned).unwrap_err();
        assert!(error.to_string().contains("$[1]"), "{error}");
    }
}
