//! Layers without a function of their own answer like the store alone.

mod model;

use model::transparent::{TRANSPARENT, check_written_back};
use model::{MEMORY, check, steps};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn over_memory(steps in steps()) {
        check(&MEMORY, &TRANSPARENT, true, &steps)?;
    }

    #[test]
    fn written_back_over_memory(steps in steps()) {
        check_written_back(&MEMORY, &steps)?;
    }
}
