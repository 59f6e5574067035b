//! Whole tables read as pages: many times as fast as by statements.

mod damage;
mod fetch;
mod overflow;
mod row;
mod scanner;
mod source;
#[cfg(test)]
pub(crate) mod tests;
mod walk;

pub use row::Row;
pub use scanner::Scan;
