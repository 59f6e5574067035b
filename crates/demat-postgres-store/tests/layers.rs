//! Layers over a table of a server that do nothing of their own answer as the table alone does.

#[path = "../../demat-store/tests/model/mod.rs"]
mod model;
#[allow(dead_code, unreachable_pub)] // each crate uses what it needs
#[path = "../../demat-postgres/src/tests/server.rs"]
mod server;
mod table_model;

use demat_postgres::{Address, Connection};
use model::transparent::{TRANSPARENT, check_written_back};
use model::{Run, steps};
use proptest::prelude::*;
use table_model::TABLE;

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn over_a_table(steps in steps()) {
        if server::schema().is_none() {
            return Ok(());
        }
        for (name, layered) in TRANSPARENT {
            let (mut alone, mut over) = (Run::new((TABLE.new)(), &TABLE), Run::new(layered((TABLE.new)()), &TABLE));
            // The snapshot of the server changes with the transactions of either.
            (alone.exact, over.exact) = (false, false);
            for step in &steps {
                prop_assert_eq!(over.step(&TABLE, step), alone.step(&TABLE, step), "{} {:?}", name, step);
            }
        }
    }

    #[test]
    fn written_back_over_a_table(steps in steps()) {
        if server::schema().is_none() {
            return Ok(());
        }
        check_written_back(&TABLE, &steps)?;
    }
}
