//! SQLite as a source, a sink and a store of Demat.
//!
//! Tables come from shapes, and shapes from tables; rows go in by prepared statements, and whole tables as pages that are
//! built from the bottom up; they come out by statements, and whole tables by reading their pages.

pub mod build;
mod cell;
mod format;
pub mod scan;

pub use cell::Cell;
