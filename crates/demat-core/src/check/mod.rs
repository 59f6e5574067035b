//! Constraints on values beyond their shape: the `check` notes of a shape's fields, compiled once.
//!
//! A note is a keyword and its argument:
//!
//! | note | requires |
//! |---|---|
//! | `ge B`, `gt B`, `le B`, `lt B` | a bound of numbers, dates, times, datetimes, instants or durations |
//! | `multiple_of N` | a multiple of `N`, in decimal arithmetic |
//! | `min_length N`, `max_length N` | characters, bytes, items or entries |
//! | `pattern P` | text in which the regular expression matches somewhere; see [`Patterns`] |
//! | `tz aware` | an instant with an offset |
//! | `tz naive` | an instant without an offset; newer shapes use `datetime` for this |
//! | `one_of [1, "a"]` | one of these scalars, in JSON notation |
//! | `item R`, `key R`, `value R`, `at N R` | rule `R` for a list's items, a map's keys or values, a tuple's item `N` |

mod bound;
mod checked;
mod checks;
mod int_range;
mod multiple;
mod rule;
mod validated;
mod walk;

pub use checked::Checked;
pub use checks::{CheckOptions, Checks, Pattern, Patterns};
pub use int_range::IntRange;
pub use validated::{Validated, Validator};
