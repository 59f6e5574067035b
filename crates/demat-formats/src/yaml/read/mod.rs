//! Parsing YAML: converts the events of the parser to a tape.

mod builder;
mod fault;
mod key;
mod scalar;
mod timestamp;

pub(super) use timestamp::timestamp;

use super::ReadOptions;
use crate::whole::{Tape, utf8};
use builder::Builder;
use demat_core::{Result, interrupt};
use granit_parser::{Parser, StrInput};

/// Parses a stream of documents.
pub(super) fn parse(bytes: &[u8], options: ReadOptions) -> Result<Tape> {
    let text = utf8(bytes)?;
    let mut parser = parser(text, options);
    let mut builder = Builder::new(text, options)?;
    let mut events = 0_u32;
    while let Some(event) = parser.next_event() {
        events = events.wrapping_add(1);
        if events.is_multiple_of(4096) {
            interrupt::check()?;
        }
        let (event, span) =
            event.map_err(|error| fault::syntax(&error, text, options.depth, reads_leniently(text, options)))?;
        builder.event(event, &span)?;
    }
    builder.finish()
}

fn parser(text: &str, options: ReadOptions) -> Parser<'_, StrInput<'_>> {
    let limit = options.depth as usize;
    let mut rules = granit_parser::options! {
        strict_indentation: !options.lenient_indentation,
        flow_nesting_limit: limit,
        block_nesting_limit: limit,
    };
    rules.set_emit_comments(false);
    Parser::new_from_str_with_options(text, rules)
}

/// Whether a text that was refused is well-formed for a reader that takes too little indentation.
#[cold]
fn reads_leniently(text: &str, options: ReadOptions) -> bool {
    if options.lenient_indentation {
        return false;
    }
    let mut parser = parser(text, ReadOptions { lenient_indentation: true, ..options });
    std::iter::from_fn(|| parser.next_event()).all(|event| event.is_ok())
}
