//! Layers over a collection that do nothing of their own answer as the collection alone does.

mod collection_model;
#[path = "../../demat-store/tests/model/mod.rs"]
mod model;

use collection_model::COLLECTION;
use model::transparent::{TRANSPARENT, check_written_back};
use model::{check, steps};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn over_a_collection(steps in steps()) {
        check(&COLLECTION, &TRANSPARENT, true, &steps)?;
    }

    #[test]
    fn written_back_over_a_collection(steps in steps()) {
        check_written_back(&COLLECTION, &steps)?;
    }
}
