//! The parser: from text to a [`Tape`](super::tape::Tape), by the grammar alone. The shape comes into play later.

mod draft;
mod lexer;
mod literal;
mod name;
mod parser;

pub(super) use parser::parse;
