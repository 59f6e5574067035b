//! Random values of the types.
#![allow(unreachable_pub, dead_code)] // each test uses a part of it

use super::types::{Colour, Either, Other, Pair, Usual};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

pub fn pairs() -> impl Strategy<Value = Pair> {
    let leaf = (any::<i64>(), option::of(".{0,9}")).prop_map(|(x, y)| Pair { x, y, z: Vec::new() });
    leaf.prop_recursive(4, 16, 3, |inner| {
        (0..3_i64, option::of(".{0,200}"), vec(inner, 0..3)).prop_map(|(x, y, z)| Pair { x, y, z })
    })
}

/// Numbers of any length, small ones more often than not.
pub fn numbers() -> impl Strategy<Value = i64> {
    (any::<i64>(), 0..64_u32).prop_map(|(number, shift)| number >> shift)
}

#[allow(clippy::many_single_char_names)] // the fields have such names
pub fn usual() -> impl Strategy<Value = Usual<'static>> {
    let colours = prop_oneof![Just(Colour::Red), Just(Colour::Green), Just(Colour::Blue)];
    let scalars = (any::<bool>(), numbers(), numbers(), numbers(), any::<f32>(), any::<f64>(), ".{0,40}", colours);
    let lists = (
        vec(numbers(), 0..20),
        vec(any::<i8>(), 0..4),
        vec(any::<f64>(), 0..30),
        vec(".{0,9}", 0..4),
        vec(pairs(), 0..3),
        vec(any::<u8>(), 0..200),
    );
    let leaf = (scalars, lists, option::of(any::<i16>()), pairs()).prop_map(|(scalars, lists, l, t)| {
        let ((a, b, c, d, g, h, i, k), (n, o, p, q, r, j)) = (scalars, lists);
        let n = n.into_iter().map(|number| number.cast_unsigned() as u32).collect();
        let (e, s, u) = (b.cast_unsigned(), c.cast_unsigned() as u8, i128::from(d & i64::MAX));
        Usual {
            a,
            b: b as i32,
            c,
            d: d.cast_unsigned() as u32,
            e,
            f: b,
            g,
            h,
            i,
            j: j.into(),
            k,
            l,
            m: None,
            n,
            o,
            p,
            q,
            r,
            s,
            t,
            u,
        }
    });
    leaf.prop_recursive(2, 3, 1, |inner| {
        (inner.clone(), option::of(inner)).prop_map(|(outer, m)| Usual { m: m.map(Box::new), ..outer })
    })
}

pub fn other() -> impl Strategy<Value = Other> {
    let either = prop_oneof![".{0,9}".prop_map(Either::Text), pairs().prop_map(Either::Pair)];
    let maps = btree_map(".{0,3}", any::<i32>(), 0..3);
    (any::<u32>(), maps, option::of(either), vec(pairs(), 0..3), option::of(pairs()))
        .prop_map(|(a, b, c, d, e)| Other { a, b, c, d, e })
}
