//! A source over a value that can end early, as a window does, or be deeper than a value in memory may be.

use crate::scalar::Int;
use crate::{Error, Kind, Mark, Position, Result, Signal, Source, Text, Value};
use std::borrow::Cow;

#[derive(Debug, Clone)]
enum Event {
    Scalar(Value),
    List,
    Map,
    End,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Tape {
    events: Vec<Event>,
    at: usize,
    last: Cow<'static, str>,
}

impl Tape {
    pub(super) fn new(value: &Value) -> Self {
        let mut tape = Self::default();
        tape.add(value);
        tape
    }

    fn add(&mut self, value: &Value) {
        match value {
            Value::List(items) => {
                self.events.push(Event::List);
                for item in items {
                    self.add(item);
                }
                self.events.push(Event::End);
            }
            Value::Map(entries) => {
                self.events.push(Event::Map);
                for (key, value) in entries {
                    self.add(key);
                    self.add(value);
                }
                self.events.push(Event::End);
            }
            scalar => self.events.push(Event::Scalar(scalar.clone())),
        }
    }

    /// Returns a number of nested lists.
    pub(super) fn nest(levels: usize) -> Self {
        let events = [vec![Event::List; levels], vec![Event::End; levels]].concat();
        Self { events, ..Self::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.events.len()
    }

    /// Returns a window that ends before this event.
    pub(super) fn cut(mut self, at: usize) -> Self {
        self.events.truncate(at);
        self
    }

    fn here(&self) -> Result<&Event> {
        self.events.get(self.at).ok_or_else(|| Error::signalled(Signal::Incomplete))
    }

    fn scalar(&mut self) -> Result<Value> {
        let value = match self.here()? {
            Event::Scalar(value) => value.clone(),
            _ => return Err(Error::expected("scalar", "another")),
        };
        self.at += 1;
        Ok(value)
    }

    fn child(&mut self) -> Result<bool> {
        let ends = matches!(self.here()?, Event::End);
        self.at += usize::from(ends);
        Ok(!ends)
    }
}

impl<'a> Source<'a> for Tape {
    fn peek(&mut self) -> Result<Kind> {
        Ok(match self.here()? {
            Event::List => Kind::List,
            Event::Map => Kind::Map,
            Event::End => return Err(Error::expected("value", "end")),
            Event::Scalar(value) => value.kind(),
        })
    }
    fn null(&mut self) -> Result<bool> {
        let null = matches!(self.here()?, Event::Scalar(Value::Null));
        self.at += usize::from(null);
        Ok(null)
    }
    fn bool(&mut self) -> Result<bool> {
        match self.scalar()? {
            Value::Bool(value) => Ok(value),
            _ => Err(Error::expected("bool", "another")),
        }
    }
    fn int(&mut self) -> Result<Int<'a>> {
        match self.scalar()? {
            Value::Int(value) => Ok(value),
            _ => Err(Error::expected("int", "another")),
        }
    }
    fn float(&mut self) -> Result<f64> {
        match self.scalar()? {
            Value::Float(value) => Ok(value),
            Value::Int(value) => Ok(value.to_f64()),
            _ => Err(Error::expected("float", "another")),
        }
    }
    fn text(&mut self) -> Result<Text<'a, '_>> {
        match self.scalar()? {
            Value::Text(text) => self.last = text,
            _ => return Err(Error::expected("text", "another")),
        }
        Ok(Text::Scratch(&self.last))
    }
    fn list(&mut self) -> Result<Option<usize>> {
        let list = matches!(self.here()?, Event::List);
        self.at += 1;
        if list { Ok(None) } else { Err(Error::expected("list", "another")) }
    }
    fn item(&mut self) -> Result<bool> {
        self.child()
    }
    fn map(&mut self) -> Result<Option<usize>> {
        let map = matches!(self.here()?, Event::Map);
        self.at += 1;
        if map { Ok(None) } else { Err(Error::expected("record", "another")) }
    }
    fn entry(&mut self) -> Result<bool> {
        self.child()
    }
    fn value(&mut self) -> Result<()> {
        self.here().map(drop)
    }
    fn skip(&mut self) -> Result<()> {
        let mut depth = 0;
        loop {
            match self.here()? {
                Event::List | Event::Map => depth += 1,
                Event::End => depth -= 1,
                Event::Scalar(_) => {}
            }
            self.at += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }
    fn span(&mut self) -> Result<Cow<'a, [u8]>> {
        self.skip().map(|()| Cow::Borrowed(&[][..]))
    }
    fn mark(&self) -> Mark {
        Mark { offset: self.at, ..Mark::default() }
    }
    fn reset(&mut self, mark: Mark) {
        self.at = mark.offset;
    }
    fn position(&self) -> Position {
        Position::default()
    }
    fn end(&mut self) -> Result<()> {
        Ok(())
    }
    fn repeated(&mut self, _: &str) -> Result<()> {
        Ok(())
    }
    fn mismatch(&mut self, expected: &'static str) -> Error {
        Error::expected(expected, "another")
    }
}
