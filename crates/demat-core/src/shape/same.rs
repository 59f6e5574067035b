//! Equality of parts that a shape shares.

use std::cell::RefCell;
use std::collections::HashSet;

/// Pairs of parts, by address, that the current comparison found equal.
#[derive(Default)]
struct Pairs {
    depth: usize,
    equal: HashSet<(usize, usize)>,
}

thread_local! {
    static PAIRS: RefCell<Pairs> = RefCell::default();
}

/// Guard that ends one level of a comparison. When the outermost ends, it clears the pairs, as the addresses may become
/// invalid.
struct Inside;

impl Drop for Inside {
    fn drop(&mut self) {
        PAIRS.with_borrow_mut(|pairs| {
            pairs.depth -= 1;
            if pairs.depth == 0 {
                pairs.equal.clear();
            }
        });
    }
}

/// Returns whether two parts are equal. Each pair is compared once per comparison. So shapes with shared parts take
/// linear time, although their expanded form may be exponentially large.
pub(super) fn same<T: PartialEq>(one: &T, other: &T) -> bool {
    if core::ptr::eq(one, other) {
        return true;
    }
    let pair = (core::ptr::from_ref(one).addr(), core::ptr::from_ref(other).addr());
    let known = PAIRS.with_borrow_mut(|pairs| {
        let known = pairs.equal.contains(&pair);
        pairs.depth += usize::from(!known);
        known
    });
    if known {
        return true;
    }
    let _inside = Inside;
    let equal = one == other;
    if equal {
        // Only equal pairs are stored: the first difference ends the whole comparison.
        PAIRS.with_borrow_mut(|pairs| pairs.equal.insert(pair));
    }
    equal
}
