//! Migrations: existing tables follow the shapes of their rows.
//!
//! A plan is made and tried in a database in memory that has the same schema, and no rows. The rows that are there are
//! only read, to see whether they fit. Then all steps are taken in one transaction.

mod apply;
mod changes;
mod copy;
mod definition;
mod plan;
mod rebuild;
mod rename;
mod rule;
mod scratch;
#[cfg(test)]
mod tests;
pub(crate) mod token;

pub use apply::Migration;
pub use plan::{Allow, Loss, Step};
