//! Layers over a table that do nothing of their own answer as the table alone does.

#[path = "../../demat-store/tests/model/mod.rs"]
mod model;
mod table_model;

use model::transparent::{TRANSPARENT, check_written_back};
use model::{check, steps};
use proptest::prelude::*;
use table_model::TABLE;

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn over_a_table(steps in steps()) {
        check(&TABLE, &TRANSPARENT, true, &steps)?;
    }

    #[test]
    fn written_back_over_a_table(steps in steps()) {
        check_written_back(&TABLE, &steps)?;
    }
}
