//! Sets and queues of the standard library: lists in every format. Of equal items of a set one is kept.

use crate::shape::Ref;
use crate::{Decode, Encode, Result, Shape, Shaped, Sink, Source, decode_list};
use core::hash::{BuildHasher, Hash};
use std::collections::{BTreeSet, HashSet, VecDeque};

macro_rules! lists {
    ($($list:ident<Item $(: $($bound:path),+)?; $($hasher:ident: $($hasher_bound:path),+)?> |$items:ident| $built:expr;)*) => {$(
        impl<Item: Shaped $(, $hasher)?> Shaped for $list<Item $(, $hasher)?> {
            const SHAPE: &'static Shape = &Shape::List(Ref::Static(Item::SHAPE));
        }

        impl<Item: Encode $(, $hasher)?> Encode for $list<Item $(, $hasher)?> {
            fn encode<S: Sink + ?Sized>(&self, sink: &mut S) -> Result<()> {
                sink.begin_list_of(Item::SHAPE, Some(self.len()))?;
                for (index, item) in self.iter().enumerate() {
                    sink.item()?;
                    item.encode(sink).map_err(|error| error.within_item(index))?;
                }
                sink.end_list()
            }
        }

        impl<'a, Item: Decode<'a> $($(+ $bound)+)? $(, $hasher: $($hasher_bound +)+)?> Decode<'a> for $list<Item $(, $hasher)?> {
            fn decode<S: Source<'a> + ?Sized>(source: &mut S) -> Result<Self> {
                let mut $items = Vec::new();
                decode_list(source, &mut $items)?;
                Ok($built)
            }
        }
    )*};
}

lists! {
    BTreeSet<Item: Ord;> |items| items.into_iter().collect();
    HashSet<Item: Eq, Hash; Hasher: BuildHasher, Default> |items| items.into_iter().collect();
    VecDeque<Item;> |items| Self::from(items);
}
