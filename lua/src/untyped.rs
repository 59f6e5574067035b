//! Reads a document without a shape.
//!
//! The copier of the contract notes the keys of each map, since a sink can't take back the first value of a key that
//! repeats. A table can: the last value wins when it is built. So a document of keys that are all different is read
//! without any of that.

use crate::tape::TapeSink;
use demat_core::{Error, ErrorKind, Result, Sink, Source, Token};

/// Where an error is.
enum Fault {
    /// Between the children of the innermost list or map, or at a key.
    Between(Error),
    /// Within a child.
    Child(Error),
}

/// Writes a source's value to a tape.
pub(crate) fn read_any<'a, S: Source<'a>>(source: &mut S, sink: &mut TapeSink<'_>) -> Result<()> {
    match read(source, sink) {
        Ok(()) => source.end(),
        Err(Fault::Between(error)) => Err(sink.traced(error, true)),
        Err(Fault::Child(error)) => Err(sink.traced(error, false)),
    }
}

#[inline(always)]
fn read<'a, S: Source<'a>>(source: &mut S, sink: &mut TapeSink<'_>) -> core::result::Result<(), Fault> {
    // Whether each of the open ones is a map.
    let mut open: Vec<bool> = Vec::new();
    loop {
        match source.take().map_err(Fault::Child)? {
            Token::List(_) => {
                sink.begin_list(None).map_err(Fault::Child)?;
                open.push(false);
            }
            Token::Map(_) => {
                sink.begin_map(None).map_err(Fault::Child)?;
                open.push(true);
            }
            scalar => tell(scalar, sink).map_err(Fault::Child)?,
        }
        loop {
            match open.last() {
                None => return Ok(()),
                Some(false) => {
                    if source.item().map_err(Fault::Between)? {
                        sink.item().map_err(Fault::Between)?;
                        break;
                    }
                    sink.end_list().map_err(Fault::Between)?;
                }
                Some(true) => {
                    if let Some(key) = source.key().map_err(Fault::Between)? {
                        sink.entry().map_err(Fault::Between)?;
                        if let Token::List(_) | Token::Map(_) = key {
                            return Err(Fault::Between(Error::mismatch(
                                ErrorKind::Encode,
                                "a scalar as key",
                                "a table",
                            )));
                        }
                        tell(key, sink).map_err(Fault::Between)?;
                        source.value().map_err(Fault::Between)?;
                        break;
                    }
                    sink.end_map().map_err(Fault::Between)?;
                }
            }
            open.pop();
        }
    }
}

/// Writes a scalar.
#[inline(always)]
fn tell(token: Token<'_, '_>, sink: &mut TapeSink<'_>) -> Result<()> {
    match token {
        Token::Text(text) => sink.text(&text),
        Token::I64(value) => sink.i64(value),
        Token::Float(value) => sink.float(value),
        Token::Bool(value) => sink.bool(value),
        Token::Null => sink.null(),
        other => tell_rare(other, sink),
    }
}

#[inline(never)]
fn tell_rare(token: Token<'_, '_>, sink: &mut TapeSink<'_>) -> Result<()> {
    match token {
        Token::Int(value) => sink.int(&value),
        Token::Bytes(value) => sink.bytes(&value),
        Token::Decimal(value) => sink.decimal(&value),
        Token::Date(value) => sink.date(value),
        Token::Time(value) => sink.time(value),
        Token::DateTime(value) => sink.date_time(value),
        Token::Instant(at, offset) => sink.instant(at, offset),
        Token::Duration(value) => sink.duration(value),
        Token::Uuid(value) => sink.uuid(value),
        // The caller has taken the others.
        _ => Ok(()),
    }
}
