//! The **text** form of shapes: short enough to type at a command line, and exact enough to be the canonical notation.
//!
//! ```
//! use demat_core::Shape;
//! let shape: Shape = "id: int, done: bool = false, title: text, tags: [text]?".parse()?;
//! assert_eq!(shape.to_string(), "id:int, done:bool = false, title:text, tags:[text]?");
//! # Ok::<(), demat_core::Error>(())
//! ```
//!
//! | write | for |
//! |---|---|
//! | `int`, `text`, `date`, … | a kind; with a width: `int8`, `uint64`, `float32` |
//! | `T?` | an optional value |
//! | `[T]` | a list |
//! | `(T, U)`, `(T,)`, `()` | a tuple; `(T)` is `T` |
//! | `map(K, V)` | a map |
//! | `{a: T, b: U}` | a record; without braces at the top |
//! | `Task{a: T}`, then `Task` | a record with a name, and a reference to it: from inside (recursion) or later |
//! | `enum(open, done = 5)` | one of these names; numbers count up from the one before, starting at 0 |
//! | <code>T &#124; U</code> | an untagged union: the first variant that fits |
//! | `union(a: T, b)` | a union tagged by its one key; `b` has no content |
//! | `union[kind](a: {x: int}, b)` | tagged by the field `kind` of its records, which need not be written out |
//! | `union[kind, value](a: T, b)` | tagged by one field, with the content in another |
//! | `enum Name(…)`, `union Name[…](…)` | the same with a name |
//!
//! A field is `name "key" | alias @7 ?: T = default`. All parts but the name and the type are optional: the external
//! name (default: the name), aliases for reading, the number (default: the position, from 1), and `?` for an optional
//! or `!` for a required field. By default, a field is optional if it has a default or may be null. As the last of the
//! fields, `!` forbids unknown fields. A map for unknown fields is written `...rest: map(text, any)`, or `...rest` for
//! short. Names that are not a letter or `_` followed by letters, digits, `_` and `-` are quoted as in JSON; so are
//! names of types that equal a word of the table.
//!
//! Notes come last, each for one place: `id: int #sql:key, title: text #sql:"type VARCHAR(220)"`.
//!
//! A default is a JSON literal that is read by the field's shape: `= "2026-02-03"` for a date is a date. If the shape
//! does not determine the kind (`any`), a kind before the literal does: `= date "2026-02-03"`.
//!
//! # Grammar
//!
//! ```text
//! text    = fields | shape                               (* fields where a `:` stands outside of all brackets *)
//! shape   = single { "|" single }
//! single  = simple [ "?" ]
//! simple  = kind | list | tuple | map | record | enum | union | name
//! kind    = "any" | "null" | "bool" | "int" [ width ] | "uint" width | "float" | "float32" | "float64" | "text"
//!         | "bytes" | "decimal" | "date" | "time" | "datetime" | "instant" | "duration" | "uuid"
//! width   = digits                                       (* bits, directly behind; 0 to 65535 *)
//! list    = "[" shape "]"
//! tuple   = "(" [ shape { "," shape } [ "," ] ] ")"      (* one shape without a comma is itself *)
//! map     = "map" "(" shape "," shape ")"
//! record  = [ name ] "{" fields "}"
//! fields  = [ field { "," field } [ "," ] ] [ "!" ]
//! field   = [ "..." ] name [ quoted ] { "|" name } [ "@" number ] [ "?" | "!" ] ":" shape [ "=" literal ]
//!           { "#" name ":" name }
//!         | "..." name
//! enum    = "enum" [ name ] "(" [ choice { "," choice } [ "," ] ] ")"
//! choice  = name [ "=" number ]
//! union   = "union" [ name ] [ tag ] "(" [ variant { "," variant } [ "," ] ] ")"
//! tag     = "[" [ name [ "," name ] ] "]"                (* by a field, by a pair; empty: untagged *)
//! variant = name [ "@" number ] [ ":" shape ]            (* the shape is needed where there is no tag *)
//!           { "#" name ":" name }
//! literal = "null" | "true" | "false" | number | quoted | kind quoted
//!         | "[" [ literal { "," literal } [ "," ] ] "]"
//!         | "{" [ literal ":" literal { "," literal ":" literal } [ "," ] ] "}"
//! name    = word | quoted
//! word    = ( letter | "_" ) { letter | digit | "_" | "-" }
//! quoted  = (* a string of RFC 8259 *)
//! number  = (* a number of RFC 8259 *)
//! ```
//!
//! Whitespace and line breaks may come between any two tokens. Brackets nest up to 256 levels. [`FromStr`] reads the
//! output of [`Display`] back as an equal shape, with three exceptions:
//!
//! - An option of an option is printed as one option.
//! - A default that does not fit its field's shape is printed, but refused when read.
//! - Links refer to names: of two nested types with the same name, a link means the inner one.

mod draft;
mod lex;
mod literal;
mod parse;
mod print;
mod print_literal;
mod scope;
#[cfg(test)]
mod tests;
mod union;
mod value;
mod word;

use super::Shape;
use crate::Error;
use core::fmt::{self, Display};
use core::str::FromStr;

impl FromStr for Shape {
    type Err = Error;

    /// Parses a shape's text; `src/shape/text/mod.rs` has the grammar.
    ///
    /// # Errors
    /// [`Syntax`](crate::ErrorKind::Syntax) with line and column, what was expected and what was found;
    /// [`Constraint`](crate::ErrorKind::Constraint) for two fields with the same name or number;
    /// [`Limit`](crate::ErrorKind::Limit) if brackets nest deeper than 256 levels.
    ///
    /// ```
    /// let error = "id: int, when: dat".parse::<demat_core::Shape>().unwrap_err();
    /// assert_eq!(error.position().column, Some(16));
    /// assert_eq!(error.found(), Some("dat"));
    /// ```
    fn from_str(text: &str) -> Result<Self, Error> {
        parse::Parser::new(text)?.whole()
    }
}

impl Display for Shape {
    /// Writes the shape's text, on one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        print::Printer::new(f).whole(self)
    }
}
