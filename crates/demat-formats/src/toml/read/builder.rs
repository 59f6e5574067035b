use super::super::INLINE_DEPTH;
use super::scalar;
use super::table::{Id, Key, ROOT, Refused, Tables};
use crate::whole::{Content, Tape};
use demat_core::Result;
use std::borrow::Cow;
use toml_parser::decoder::{Encoding, ScalarKind};
use toml_parser::parser::EventReceiver;
use toml_parser::{ErrorSink, ParseError, Raw, Source, Span};

/// Builds the tables of a document from the parser's events.
///
/// The parser continues after an error. Its events may then be in any order, and the document is discarded.
#[derive(Debug)]
pub(super) struct Builder<'i> {
    source: Source<'i>,
    tables: Tables<'i>,
    /// The table that the last header opened.
    current: Id,
    /// The header that is being parsed: whether it is of an array of tables, and its offset.
    header: Option<(bool, usize)>,
    /// The keys in front of the next value, or in the header.
    keys: Vec<Key>,
    /// The open arrays and inline tables. The index is `None` if the value was refused.
    open: Vec<(Kind, Option<Id>)>,
    /// The first failure that is not an error of the parser: a depth limit, or a document that is too long.
    failed: Option<Failed>,
    limit: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Array,
    Table,
}

#[derive(Debug)]
enum Failed {
    /// The offset at which the depth exceeds the limit, and the limit.
    Depth(usize, u32),
    Other(demat_core::Error),
}

impl<'i> Builder<'i> {
    pub(super) fn new(source: Source<'i>, limit: u32) -> Self {
        let (keys, open) = (Vec::new(), Vec::new());
        let tables = Tables::new(source.input(), limit);
        Self { source, tables, current: ROOT, header: None, keys, open, failed: None, limit }
    }

    /// Returns the offset at which the depth exceeds the limit, and the limit.
    pub(super) fn too_deep(&self) -> Option<(usize, u32)> {
        if let Some(Failed::Depth(at, limit)) = self.failed { Some((at, limit)) } else { None }
    }

    /// Returns the document.
    pub(super) fn finish(self) -> Result<Tape> {
        if let Some(Failed::Other(error)) = self.failed {
            return Err(error);
        }
        self.tables.flatten()
    }

    fn raw(&self, span: Span, encoding: Option<Encoding>) -> Raw<'i> {
        let text = self.source.input().get(span.start()..span.end()).unwrap_or_default();
        Raw::new_unchecked(text, encoding, span)
    }

    /// Records a failure that the parser does not detect. The first one counts.
    fn fails(&mut self, failed: Failed) {
        self.failed.get_or_insert(failed);
    }

    /// Reports why a key is refused.
    #[cold]
    fn refuse(&mut self, refused: Refused, key: Key, error: &mut dyn ErrorSink) {
        let message = match refused {
            Refused::Depth => return self.fails(Failed::Depth(key.begin, self.limit)),
            Refused::Repeated => format!("the key `{}` stands here again", self.tables.text(key)),
            Refused::Closed => format!("the value of `{}` can't be extended here", self.tables.text(key)),
        };
        error.report_error(ParseError::new(message).with_unexpected(Span::new_unchecked(key.begin, key.end)));
    }

    /// Adds a value to the current table or array. Returns its index.
    fn place(&mut self, content: Content, span: Span, error: &mut dyn ErrorSink) -> Option<Id> {
        let bytes = (span.start(), span.end());
        let table = match self.open.last() {
            Some((_, None)) => return None,
            Some((Kind::Array, Some(array))) => {
                let pushed = self.tables.push(*array, content, bytes);
                return pushed.inspect_err(|_| self.fails(Failed::Depth(bytes.0, self.limit))).ok();
            }
            Some((Kind::Table, Some(table))) => *table,
            None => self.current,
        };
        let mut path = core::mem::take(&mut self.keys);
        // Without a key, the parser has already reported an error.
        let last = path.pop()?;
        let placed = match self.tables.insert(table, &path, last, content, bytes) {
            Ok(id) => Some(id),
            Err((refused, index)) => {
                self.refuse(refused, path.get(index).copied().unwrap_or(last), error);
                None
            }
        };
        self.reuse(path);
        placed
    }

    /// Keeps the memory of a path that was followed for the next one.
    fn reuse(&mut self, mut path: Vec<Key>) {
        path.clear();
        self.keys = path;
    }

    /// Opens an array or an inline table. Returns whether to parse its content.
    fn opened(&mut self, kind: Kind, span: Span, error: &mut dyn ErrorSink) -> bool {
        let content = if kind == Kind::Array { Content::List } else { Content::Map };
        let placed = if self.open.len() < INLINE_DEPTH as usize {
            self.place(content, span, error)
        } else {
            self.fails(Failed::Depth(span.start(), INLINE_DEPTH));
            None
        };
        self.open.push((kind, placed));
        placed.is_some()
    }

    fn closed(&mut self, span: Span) {
        if let Some((_, Some(id))) = self.open.pop() {
            self.tables.ends(id, span.end());
        }
        self.keys.clear();
    }

    fn header_ends(&mut self, span: Span, error: &mut dyn ErrorSink) {
        let Some((array, begin)) = self.header.take() else { return };
        let mut path = core::mem::take(&mut self.keys);
        let Some(last) = path.pop() else { return };
        match self.tables.header(&path, last, array, (begin, span.end())) {
            Ok(table) => self.current = table,
            Err((refused, index)) => self.refuse(refused, path.get(index).copied().unwrap_or(last), error),
        }
        self.reuse(path);
    }

    fn header_begins(&mut self, array: bool, span: Span) {
        self.open.clear();
        self.keys.clear();
        self.header = Some((array, span.start()));
    }

    /// Converts a scalar.
    fn content(
        &mut self,
        span: Span,
        encoding: Option<Encoding>,
        error: &mut dyn ErrorSink,
    ) -> Result<Option<Content>> {
        let raw = self.raw(span, encoding);
        if encoding.is_none()
            && let Some(plain) = scalar::plain(raw.as_str())
        {
            let as_written = Tape::of_input(span.start(), span.end())?;
            return Ok(Some(match plain {
                scalar::Plain::Int => Content::Int(as_written),
                scalar::Plain::Float => Content::Float(as_written),
            }));
        }
        let mut decoded = Cow::Borrowed("");
        let as_written = Tape::of_input(span.start(), span.end());
        let mut refuse = |message: &'static str| {
            error.report_error(ParseError::new(message).with_unexpected(span));
            Ok(None)
        };
        let mut broken: Option<ParseError> = None;
        let kind = raw.decode_scalar(&mut decoded, &mut broken);
        if let Some(broken) = broken {
            error.report_error(broken);
            return Ok(None);
        }
        Ok(Some(match kind {
            ScalarKind::String => Content::Text(self.tables.tape.slice(&decoded, self.source.input())?),
            ScalarKind::Boolean(value) => Content::Bool(value),
            ScalarKind::Integer(radix) if scalar::fits(&decoded, radix.value()) => Content::Int(as_written?),
            ScalarKind::Integer(_) => return refuse("an int of more than 64 bits"),
            ScalarKind::Float if decoded.parse::<f64>().is_ok() => Content::Float(as_written?),
            ScalarKind::Float => return refuse("invalid float"),
            ScalarKind::DateTime => match scalar::date_time(&decoded) {
                Some(content) => content,
                None => return refuse("no date or time that there is"),
            },
        }))
    }
}

impl EventReceiver for Builder<'_> {
    fn std_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.header_begins(false, span);
    }

    fn std_table_close(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.header_ends(span, error);
    }

    fn array_table_open(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.header_begins(true, span);
    }

    fn array_table_close(&mut self, span: Span, error: &mut dyn ErrorSink) {
        self.header_ends(span, error);
    }

    fn inline_table_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        self.opened(Kind::Table, span, error)
    }

    fn inline_table_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.closed(span);
    }

    fn array_open(&mut self, span: Span, error: &mut dyn ErrorSink) -> bool {
        self.opened(Kind::Array, span, error)
    }

    fn array_close(&mut self, span: Span, _: &mut dyn ErrorSink) {
        self.closed(span);
    }

    fn simple_key(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        let mut text = Cow::Borrowed("");
        self.raw(span, encoding).decode_key(&mut text, error);
        match self.tables.tape.slice(&text, self.source.input()) {
            Ok(slice) => self.keys.push(Key { slice, begin: span.start(), end: span.end() }),
            Err(error) => self.fails(Failed::Other(error)),
        }
    }

    fn scalar(&mut self, span: Span, encoding: Option<Encoding>, error: &mut dyn ErrorSink) {
        match self.content(span, encoding, error) {
            Ok(Some(content)) => {
                self.place(content, span, error);
            }
            Ok(None) => self.keys.clear(),
            Err(error) => self.fails(Failed::Other(error)),
        }
    }
}
