//! Shapes as **text**: short enough to type at a command line, exact enough to be a shape's one written form.
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
//! | `int`, `text`, `date`, … | a kind; `int8`, `uint64`, `float32` with a width |
//! | `T?` | an optional value |
//! | `[T]` | a list |
//! | `(T, U)`, `(T,)`, `()` | a tuple; `(T)` is `T` |
//! | `map(K, V)` | a map |
//! | `{a: T, b: U}` | a record; at the top the braces are left out |
//! | `Task{a: T}`, then `Task` | a record with a name, and the same again: around this place (recursion) or before it |
//! | `enum(open, done = 5)` | one of these names; numbers count on from the one before, from 0 |
//! | <code>T &#124; U</code> | a union without a tag: the first that fits |
//! | `union(a: T, b)` | a union tagged by its one key; `b` has no content |
//! | `union[kind](a: {x: int}, b)` | tagged by the field `kind` of its records, which need not be written |
//! | `union[kind, value](a: T, b)` | tagged by one field, with the content in another |
//! | `enum Name(…)`, `union Name[…](…)` | with a name, as records have it |
//!
//! A field is `name "key" | alias @7 ?: T = default`: its name, then, where they are not the usual, the name that places
//! know it by, further names it is read by, its number (else its position, from 1), and `?` for a field that may be
//! missing or `!` for one that may not. Usual is that a field may be missing where it has a default or may be null.
//! The last of the fields can be `!`, which forbids all others; the map that keeps them is written `...rest: map(text, any)`,
//! or `...rest` for short. Names that are not a letter or `_` followed by letters, digits, `_` and `-` are quoted as
//! in JSON; so are the names of types that a word of the table already means.
//!
//! Behind all that can stand notes, for one place each: `id: int #sql:key, title: text #sql:"type VARCHAR(220)"`.
//!
//! A default is a literal of JSON, read as the field's shape says: `= "2026-02-03"` for a date is a date. Where the
//! shape leaves that open (`any`), a kind in front says it: `= date "2026-02-03"`.
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
//! Blanks and line breaks may stand between any two of these. Brackets nest up to 256 levels. What [`Display`] prints,
//! [`FromStr`] reads back as an equal shape, with three exceptions: an option of an option is printed as one; a
//! default that is not of its field's shape is printed but refused; and links go by name, so that of two types of
//! one name that stand within each other the inner one is meant.

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

    /// Reads a shape's text; `src/shape/text/mod.rs` has the grammar.
    ///
    /// # Errors
    /// [`Syntax`](crate::ErrorKind::Syntax) with line and column, what was expected and what was found;
    /// [`Constraint`](crate::ErrorKind::Constraint) for two fields of one name or number;
    /// [`Limit`](crate::ErrorKind::Limit) where brackets nest deeper than 256 levels.
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
