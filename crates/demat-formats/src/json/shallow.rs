//! Types whose values can't nest too deep, so that their sink need not count.

use crate::direct::ByShape;
use demat_core::Shape;

/// The most lists, maps, records and unions in such a shape. A value nests at most two levels for each, and the sink
/// that counts allows 1,024.
const MOST: usize = 500;

/// Whether the values of a shape nest less deep than a sink allows: the shape is not recursive, and has no part of any
/// kind.
#[inline]
pub(super) fn is_shallow(shape: &'static Shape) -> bool {
    static KEPT: ByShape<bool> = ByShape::new();
    KEPT.get(shape, |shape| Walk::default().ends(shape))
}

/// A walk through a shape, which visits each record and union once.
#[derive(Default)]
struct Walk {
    /// The records and unions around the current shape.
    around: Vec<usize>,
    /// Those that were left.
    left: Vec<usize>,
    /// The number of shapes that nest.
    nesting: usize,
}

impl Walk {
    /// Whether the walk comes to an end in all parts of a shape.
    fn ends(&mut self, shape: &Shape) -> bool {
        match shape {
            Shape::Any => false,
            Shape::Option(inner) => self.ends(inner),
            Shape::List(item) => self.counts() && self.ends(item),
            Shape::Tuple(items) => self.counts() && items.iter().all(|item| self.ends(item)),
            Shape::Map(key, value) => self.counts() && self.ends(key) && self.ends(value),
            Shape::Record(record) => {
                let record = record.get();
                let fields = record.fields();
                self.within(fields.as_ptr().addr(), |walk| fields.iter().all(|field| walk.ends(field.shape())))
            }
            Shape::Union(union) => {
                let union = union.get();
                let variants = union.variants();
                self.within(variants.as_ptr().addr(), |walk| variants.iter().all(|variant| walk.ends(variant.shape())))
            }
            _ => true,
        }
    }

    /// Counts a shape that nests. Returns false if there are too many.
    fn counts(&mut self) -> bool {
        self.nesting += 1;
        self.nesting <= MOST
    }

    fn within(&mut self, address: usize, walk: impl FnOnce(&mut Self) -> bool) -> bool {
        if self.around.contains(&address) {
            return false;
        }
        if self.left.contains(&address) {
            return true;
        }
        if !self.counts() {
            return false;
        }
        self.around.push(address);
        let ends = walk(self);
        self.around.pop();
        self.left.push(address);
        ends
    }
}
