//! Parsing TOML: converts the events of the parser to a tape.

mod builder;
mod fault;
mod index;
mod scalar;
mod table;

use super::{INLINE_DEPTH, ReadOptions};
use crate::whole::{Tape, at_byte, utf8};
use builder::Builder;
use demat_core::{Error, Result};
use toml_parser::parser::{RecursionGuard, ValidateWhitespace, parse_document};
use toml_parser::{ParseError, Source};

/// Parses a document.
pub(super) fn parse(bytes: &[u8], options: ReadOptions) -> Result<Tape> {
    let source = Source::new(utf8(bytes)?);
    let mut tokens = Vec::with_capacity(bytes.len() / 4 + 8);
    tokens.extend(source.lex());
    let mut builder = Builder::new(source, options.depth);
    let mut first: Option<ParseError> = None;
    {
        let mut checked = ValidateWhitespace::new(&mut builder, source);
        let mut guarded = RecursionGuard::new(&mut checked, INLINE_DEPTH);
        parse_document(&tokens, &mut guarded, &mut first);
    }
    let is_first = |at: usize| first.as_ref().and_then(ParseError::unexpected).is_none_or(|span| at <= span.start());
    if let Some((at, limit)) = builder.too_deep().filter(|(at, _)| is_first(*at)) {
        return Err(Error::limit("the depth of nesting", limit).at(at_byte(bytes, at)));
    }
    match first {
        Some(error) => Err(fault::syntax(&error, source.input())),
        None => builder.finish(),
    }
}
