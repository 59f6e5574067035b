//! Whole tables read as pages: many times as fast as by statements.

mod ahead;
mod damage;
mod fetch;
mod hold;
mod overflow;
mod row;
mod rows;
mod scanner;
mod selected;
mod source;
#[cfg(test)]
pub(crate) mod tests;
mod walk;

pub use row::Row;
pub use scanner::Scan;
pub use selected::Selected;
