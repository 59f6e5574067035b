//! SNBT, the text form of NBT. Commands and data packs of Minecraft use it: `{id: "minecraft:stone", Count: 64b}`.
//!
//! [`Snbt`] reads by converting text to [NBT](crate::nbt), and [`SnbtSink`] writes by converting NBT to text. So values
//! map as in NBT. The conversion keeps all tags, except the item tag of an empty list.
//!
//! | | |
//! |---|---|
//! | numbers | `1b`, `1s`, `1`, `1L`, `1.0f`, `1.0d`, in either case; a number with a point or an exponent and without a letter is a double; one that does not fit is refused |
//! | text | between `"` or `'`, or bare if it has only letters, digits and `_-.+` and is not a number; written between `"` |
//! | escapes | `\\`, `\"`, `\'`, `\n`, `\t`, `\b`, `\f`, `\r`, `\s`, `\x41`, `\u0041`, `\U00000041`; only `\\` and `\"` are written |
//! | `true`, `false` | `1b`, `0b` |
//! | arrays | `[B; 1b]`, `[I; 1]`, `[L; 1L]`; items without a letter are also read |
//! | lists of several tags | refused |
//! | `NaNd`, `Infinityd`, `-Infinityf` | numbers, as Minecraft writes them |
//! | a comma before the end | read |
//!
//! Both hold the whole document in memory, as text and as NBT.

mod codec;
mod number;
mod parse;
mod print;
mod sink;
#[cfg(test)]
mod tests;

pub use codec::{ABOUT, Snbt, SnbtCodec};
pub(crate) use print::print;
pub use sink::SnbtSink;
