//! Messages whose fields are collected first, and then written as one text or as another message.

use super::CanonicalSink;
use super::frame::Special;
use crate::canonical::mapping::{Known, Mapping};
use crate::canonical::names::json_path;
use crate::json::{JsonSink, JsonSource, WriteOptions};
use crate::proto::ProtoSource;
use crate::{Keep, Output};
use demat_core::{Error, ErrorKind, Result, Shape, Sink, Source, copy_any};
use std::sync::Arc;

/// The maximum nesting depth of an `Any` within an `Any`.
const DEEPEST: u32 = 50;

impl<S: Sink> CanonicalSink<S> {
    /// Takes the special destination of the next value. Returns `None` if the value goes to the output.
    fn special(&mut self) -> Option<Special> {
        let special = self.cursor.special;
        if !matches!(special, Some(Special::Part(Known::FieldMask, _))) {
            self.cursor.special = None;
        }
        special
    }

    #[cold]
    pub(super) fn gather_int(&mut self, value: i64) -> Result<()> {
        match self.special() {
            Some(Special::Part(Known::Timestamp | Known::Duration, part @ (0 | 1))) => {
                self.cursor.parts[part] = value;
                Ok(())
            }
            _ => Err(misfit("int")),
        }
    }

    #[cold]
    pub(super) fn gather_text(&mut self, value: &str) -> Result<()> {
        match self.special() {
            Some(Special::Part(Known::Any, 0)) => {
                value.clone_into(&mut self.cursor.text);
                Ok(())
            }
            Some(Special::Part(Known::FieldMask, 0)) => {
                if !self.cursor.text.is_empty() {
                    self.cursor.text.push(',');
                }
                json_path(value, &mut self.cursor.text).ok_or_else(|| {
                    let expected = "a path that its form in JSON leads back to";
                    Error::mismatch(ErrorKind::Encode, expected, format!("`{value}`"))
                })
            }
            _ => Err(misfit("text")),
        }
    }

    #[cold]
    pub(super) fn gather_bytes(&mut self, value: &[u8]) -> Result<()> {
        match self.special() {
            Some(Special::Unknown) => Ok(()),
            Some(Special::Part(Known::Any, 1)) => {
                self.cursor.bytes.clear();
                self.cursor.bytes.extend_from_slice(value);
                Ok(())
            }
            _ => Err(misfit("bytes")),
        }
    }

    /// Writes the message from its collected fields.
    #[cold]
    pub(super) fn tell_gathered(&mut self, known: Known) -> Result<()> {
        self.cursor.special = None;
        let [seconds, nanos] = self.cursor.parts;
        match known {
            Known::Timestamp => self.write_timestamp(seconds, nanos),
            Known::Duration => self.write_duration(seconds, nanos),
            Known::FieldMask => {
                let text = core::mem::take(&mut self.cursor.text);
                self.lead()?;
                self.inner.text(&text)
            }
            _ => self.tell_any(),
        }
    }

    /// Writes an `Any` as an object: its type, and the fields of the message in it.
    fn tell_any(&mut self) -> Result<()> {
        let (url, bytes) = (core::mem::take(&mut self.cursor.text), core::mem::take(&mut self.cursor.bytes));
        if url.is_empty() && bytes.is_empty() {
            self.lead()?;
            self.inner.begin_map(Some(0))?;
            return self.inner.end_map();
        }
        if self.depth >= DEEPEST {
            return Err(Error::limit("the depth of `Any` in `Any`", DEEPEST));
        }
        let mapping = self.mapping.message(&url).map_err(|error| Error::new(ErrorKind::Encode, error.to_string()))?;
        let special = mapping.is_special();
        let json = message(mapping, &bytes, self.depth + 1)?;
        self.lead()?;
        self.inner.begin_map(None)?;
        self.inner.key("@type")?;
        self.inner.text(&url)?;
        let mut source = JsonSource::new(&json);
        if special {
            self.inner.key("value")?;
            Tee { inner: &mut self.inner, outermost: false, depth: 0 }.copy(&mut source)?;
        } else {
            Tee { inner: &mut self.inner, outermost: true, depth: 0 }.copy(&mut source)?;
        }
        self.inner.end_map()
    }
}

/// Converts a message from the wire format to canonical JSON.
fn message(mapping: Arc<Mapping>, bytes: &[u8], depth: u32) -> Result<Vec<u8>> {
    let json = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let shape = mapping.shape().clone();
    let mut sink = CanonicalSink { depth, ..CanonicalSink::new(json, mapping) };
    let mut source = ProtoSource::new(bytes);
    sink.begin(&shape)?;
    copy_any(&mut source, &shape, &mut sink)?;
    source.end()?;
    sink.finish()?;
    Ok(sink.into_inner().into_output().into_parts().0)
}

/// Copies JSON into a sink as part of a larger value. If `outermost` is set, it leaves out the braces of the outermost
/// object, so that only the fields are written.
struct Tee<'s, S> {
    inner: &'s mut S,
    outermost: bool,
    depth: u32,
}

impl<S: Sink> Tee<'_, S> {
    fn copy(mut self, source: &mut JsonSource<'_>) -> Result<()> {
        copy_any(source, &Shape::Any, &mut self)?;
        source.end()
    }
}

impl<S: Sink> Sink for Tee<'_, S> {
    fn null(&mut self) -> Result<()> {
        self.inner.null()
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        self.inner.bool(value)
    }
    fn int(&mut self, value: &demat_core::scalar::Int<'_>) -> Result<()> {
        self.inner.int(value)
    }
    fn float(&mut self, value: f64) -> Result<()> {
        self.inner.float(value)
    }
    fn text(&mut self, value: &str) -> Result<()> {
        self.inner.text(value)
    }
    fn begin_list(&mut self, len: Option<usize>) -> Result<()> {
        self.depth += 1;
        self.inner.begin_list(len)
    }
    fn item(&mut self) -> Result<()> {
        self.inner.item()
    }
    fn end_list(&mut self) -> Result<()> {
        self.depth -= 1;
        self.inner.end_list()
    }
    fn begin_map(&mut self, len: Option<usize>) -> Result<()> {
        self.depth += 1;
        if self.outermost && self.depth == 1 { Ok(()) } else { self.inner.begin_map(len) }
    }
    fn entry(&mut self) -> Result<()> {
        self.inner.entry()
    }
    fn value(&mut self) -> Result<()> {
        self.inner.value()
    }
    fn end_map(&mut self) -> Result<()> {
        self.depth -= 1;
        if self.outermost && self.depth == 0 { Ok(()) } else { self.inner.end_map() }
    }
    /// The enclosing value decides when output becomes final.
    fn commit(&mut self) -> Result<()> {
        Ok(())
    }
    /// The copied JSON was made here and has no repeated keys, so nothing is ever rolled back.
    fn rollback(&mut self) -> Result<()> {
        Err(Error::new(ErrorKind::Encode, "a part can't be taken back"))
    }
    fn finish(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cold]
fn misfit(told: &'static str) -> Error {
    Error::mismatch(ErrorKind::Encode, "what the message has", told)
}
