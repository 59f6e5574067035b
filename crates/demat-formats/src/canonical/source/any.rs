//! `google.protobuf.Any`: messages with their type.

use super::{CanonicalSource, ReadOptions};
use crate::canonical::Mapping;
use crate::json::JsonSource;
use crate::proto::ProtoSink;
use crate::{Keep, Output};
use demat_core::{Error, Kind, Result, Sink, Source, copy_any};
use std::sync::Arc;

/// The maximum nesting depth of an `Any` within an `Any`.
const DEEPEST: u32 = 50;

impl<'a, S: Source<'a>> CanonicalSource<'a, S> {
    /// Reads a message with its type. Returns the type URL and the message in the wire format.
    #[cold]
    pub(super) fn read_any(&mut self) -> Result<(String, Vec<u8>)> {
        if self.inner.peek()? != Kind::Map {
            return Err(self.inner.mismatch("record"));
        }
        if self.depth >= DEEPEST {
            return Err(Error::limit("the depth of `Any` in `Any`", DEEPEST).at(self.inner.position()));
        }
        let span = self.inner.span()?;
        let (url, value) = look(&span)?;
        let Some(url) = url else {
            if is_empty(&span)? {
                return Ok((String::new(), Vec::new()));
            }
            return Err(self.refused("the type of the message, as `@type`", "a record without"));
        };
        let mapping = self.mapping.message(&url).map_err(|error| error.at(self.inner.position()))?;
        let bytes = match (mapping.is_special(), value) {
            (true, Some(value)) => message(mapping, value, self.options, false, self.depth + 1)?,
            (true, None) => return Err(self.refused("the message, as `value`", "a record without")),
            (false, _) => message(mapping, &span, self.options, true, self.depth + 1)?,
        };
        Ok((url, bytes))
    }
}

/// Converts a message from canonical JSON to the wire format.
fn message(mapping: Arc<Mapping>, json: &[u8], options: ReadOptions, typed: bool, depth: u32) -> Result<Vec<u8>> {
    let shape = mapping.shape().clone();
    let mut source = CanonicalSource::new(JsonSource::new(json), mapping, options);
    source.typed = typed;
    source.depth = depth;
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    sink.begin(&shape)?;
    copy_any(&mut source, &shape, &mut sink)?;
    source.end()?;
    sink.finish()?;
    Ok(sink.into_output().into_parts().0)
}

/// Returns the type, and the text of the member `value`.
fn look(json: &[u8]) -> Result<(Option<String>, Option<&[u8]>)> {
    let mut source = JsonSource::new(json);
    let (mut url, mut value) = (None, None);
    source.map()?;
    while source.entry()? {
        let key = source.text()?;
        let (is_url, is_value) = (&*key == "@type", &*key == "value");
        source.value()?;
        if is_url {
            let twice = url.replace(source.text()?.to_string()).is_some();
            if twice {
                return Err(Error::expected("one `@type`", "another").at(source.position()));
            }
        } else if is_value {
            let end = source.offset();
            source.skip()?;
            value = json.get(end..source.offset());
        } else {
            source.skip()?;
        }
    }
    Ok((url, value))
}

fn is_empty(json: &[u8]) -> Result<bool> {
    let mut source = JsonSource::new(json);
    source.map()?;
    source.entry().map(|more| !more)
}
