//! Access to values inside a document that stays undecoded.
//!
//! A [`Spot`] is the place of a value in a document. A source [opens](open) at it without a look at the bytes before
//! its container. [`Items`] finds the items of a list, [`last_of_key`] the value of a key, and [`way_to`] the path to a
//! spot. All are written once, for every format whose [values stand alone](crate::codec::About::values_stand_alone).
//!
//! A table is one, too: its rows are maps, or lists where there is no header. What is read of it begins with the header, and
//! jumps to the row.
//!
//! What is not passed on the way is not read, and so not checked.
//!
//! ```
//! use demat_core::Source;
//! use demat_formats::codec::ReadOptions;
//! use demat_formats::lookup::{self, Spot, Visit};
//! use demat_formats::Format;
//!
//! /// The spot of the value of the key `b`.
//! struct OfB;
//!
//! impl Visit for OfB {
//!     type Output = demat_core::Result<Option<Spot>>;
//!     fn visit<'s, S: Source<'s>>(self, mut source: S) -> Self::Output {
//!         source.map()?;
//!         let found = lookup::last_of_key(&mut source, "b")?;
//!         Ok(found.map(|mark| Spot::WHOLE.child(true, mark)))
//!     }
//! }
//!
//! let data = br#"{"a": [1, 2], "b": 3}"#;
//! let found = lookup::open_inside(Format::JSON, &ReadOptions::default(), Spot::WHOLE, data, OfB)??;
//! assert_eq!(found.map(|spot| (spot.start(), spot.level())), Some((18, 1)));
//! # Ok::<(), demat_core::Error>(())
//! ```

mod items;
mod key;
mod open;
mod spot;
#[cfg(test)]
mod tests;
mod way;

pub use items::Items;
pub use key::last_of_key;
pub(crate) use key::read_key;
pub use open::{Visit, open, open_inside, open_part};
pub use spot::Spot;
pub use way::{Step, way_to};
