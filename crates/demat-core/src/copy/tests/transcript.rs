use crate::scalar::{Decimal, Int};
use crate::{Record, Result, Sink, Union};

/// A sink that records its calls, in JSON notation where possible, with the ends of records and variants. It also
/// checks the order of the calls.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    text: String,
    open: Vec<char>,
    committed: (usize, Vec<char>),
    /// Commits and rollbacks so far.
    pub(super) commits: usize,
    pub(super) rollbacks: usize,
    finished: bool,
}

impl Transcript {
    /// Returns the transcript, after the end.
    pub(super) fn whole(self) -> String {
        assert!(self.finished && self.open.is_empty(), "not ended: {}", self.text);
        assert_eq!(self.text.len(), self.committed.0, "not all was committed: {}", self.text);
        self.text
    }

    fn put(&mut self, text: impl std::fmt::Display) -> Result<()> {
        assert!(!self.finished);
        self.text.push_str(&text.to_string());
        Ok(())
    }

    fn begin(&mut self, open: &str, close: char) -> Result<()> {
        self.open.push(close);
        self.put(open)
    }

    fn end(&mut self, close: char) -> Result<()> {
        assert_eq!(self.open.pop(), Some(close), "after {}", self.text);
        self.put(close)
    }
}

impl Sink for Transcript {
    fn null(&mut self) -> Result<()> {
        self.put("null")
    }
    fn bool(&mut self, value: bool) -> Result<()> {
        self.put(value)
    }
    fn int(&mut self, value: &Int<'_>) -> Result<()> {
        self.put(value)
    }
    fn float(&mut self, value: f64) -> Result<()> {
        self.put(format!("{value:?}"))
    }
    fn decimal(&mut self, value: &Decimal<'_>) -> Result<()> {
        self.put(format!("d{value}"))
    }
    fn text(&mut self, value: &str) -> Result<()> {
        self.put(format!("{value:?}"))
    }
    fn begin_list(&mut self, _: Option<usize>) -> Result<()> {
        self.begin("[", ']')
    }
    fn item(&mut self) -> Result<()> {
        assert_eq!(self.open.last(), Some(&']'));
        self.put(",")
    }
    fn end_list(&mut self) -> Result<()> {
        self.end(']')
    }
    fn begin_map(&mut self, _: Option<usize>) -> Result<()> {
        self.begin("{", '}')
    }
    fn entry(&mut self) -> Result<()> {
        assert_eq!(self.open.last(), Some(&'}'));
        self.put(",")
    }
    fn value(&mut self) -> Result<()> {
        self.put(":")
    }
    fn end_map(&mut self) -> Result<()> {
        self.end('}')
    }
    fn begin_record(&mut self, _: &Record) -> Result<()> {
        self.begin("(", ')')
    }
    fn field(&mut self, record: &Record, index: usize) -> Result<()> {
        assert_eq!(self.open.last(), Some(&')'));
        self.put(format!(",{}=", record.fields()[index].key()))
    }
    fn rest(&mut self, _: &Record, key: &str) -> Result<()> {
        self.put(format!(",+{key}="))
    }
    fn end_record(&mut self, _: &Record) -> Result<()> {
        self.end(')')
    }
    fn begin_variant(&mut self, union: &Union, index: usize) -> Result<()> {
        self.begin(&format!("<{} ", union.variants()[index].name()), '>')
    }
    fn end_variant(&mut self, _: &Union, _: usize) -> Result<()> {
        self.end('>')
    }
    fn commit(&mut self) -> Result<()> {
        self.committed = (self.text.len(), self.open.clone());
        self.commits += 1;
        Ok(())
    }
    fn rollback(&mut self) -> Result<()> {
        self.text.truncate(self.committed.0);
        self.open = self.committed.1.clone();
        self.rollbacks += 1;
        Ok(())
    }
    fn finish(&mut self) -> Result<()> {
        self.finished = true;
        Ok(())
    }
}
