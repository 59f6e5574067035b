//! Parses default values.

use super::lex::Token;
use super::parse::Parser;
use super::value::{fits, typed};
use crate::scalar::{Decimal, Int};
use crate::{Result, Shape, Value};
use std::borrow::Cow;

static ANY: Shape = Shape::Any;

impl Parser<'_> {
    /// Parses a value of this shape.
    pub(super) fn literal(&mut self, shape: &Shape) -> Result<Value> {
        let at = self.at;
        let found = self.next.describe();
        let value = self.value(shape.inner())?;
        match value.filter(|value| fits(value, shape)) {
            Some(value) => Ok(value),
            None => Err(self.wrong(at, shape.name(), found)),
        }
    }

    /// Returns `None` if the literal is no value of the shape.
    fn value(&mut self, shape: &Shape) -> Result<Option<Value>> {
        match self.next.clone() {
            Token::Sign('[') => self.items(shape).map(Some),
            Token::Sign('{') => self.entries(shape).map(Some),
            Token::Number(digits) => self.advance().map(|_| number(digits, shape)),
            Token::Quoted(_) => {
                let text = self.name("text")?;
                // Text literals have several meanings; the shape decides.
                Ok(typed(shape.name(), &text).or(Some(Value::Text(Cow::Owned(text)))))
            }
            Token::Word(word) => {
                self.advance()?;
                match word {
                    "null" => return Ok(Some(Value::Null)),
                    "true" => return Ok(Some(Value::Bool(true))),
                    "false" => return Ok(Some(Value::Bool(false))),
                    _ => {}
                }
                match self.advance_if(|token| matches!(token, Token::Quoted(_)))? {
                    Some(Token::Quoted(text)) if word == "text" => Ok(Some(Value::Text(Cow::Owned(text.into_owned())))),
                    Some(Token::Quoted(text)) => Ok(literal_of(word, &text)),
                    _ => Ok(None),
                }
            }
            _ => Err(self.unexpected("a value")),
        }
    }

    fn items(&mut self, shape: &Shape) -> Result<Value> {
        self.enter('[', "`[`")?;
        let mut items = Vec::new();
        let mut more = self.any(']')?;
        while more {
            let item = match shape {
                Shape::List(item) => item,
                Shape::Tuple(shapes) => shapes.get(items.len()).map_or(&ANY, |shape| shape),
                _ => &ANY,
            };
            items.push(self.literal(item)?);
            more = self.another(']', "`,` or `]`")?;
        }
        Ok(Value::List(items))
    }

    fn entries(&mut self, shape: &Shape) -> Result<Value> {
        self.enter('{', "`{`")?;
        let (key, value) = match shape {
            Shape::Map(key, value) => (&**key, &**value),
            _ => (&ANY, &ANY),
        };
        let mut entries = Vec::new();
        let mut more = self.any('}')?;
        while more {
            let key = self.literal(key)?;
            self.expect(':', "`:`")?;
            entries.push((key, self.literal(value)?));
            more = self.another('}', "`,` or `}`")?;
        }
        Ok(Value::Map(entries))
    }
}

/// Parses a number by the shape.
fn number(digits: &str, shape: &Shape) -> Option<Value> {
    let decimal = Decimal::parse(digits)?;
    match shape {
        Shape::Decimal => return Some(Value::Decimal(decimal.into_owned())),
        Shape::Float(_) => {}
        _ => {
            if let Some(int) = Int::from_digits(digits) {
                return Some(Value::Int(int.into_owned()));
            }
        }
    }
    let float = decimal.to_f64();
    float.is_finite().then_some(Value::Float(float))
}

/// Parses a kind followed by text. Every kind of scalar has this form.
fn literal_of(kind: &str, text: &str) -> Option<Value> {
    match kind {
        "int" => Int::from_digits(text).map(|int| Value::Int(int.into_owned())),
        "float" => text.parse().ok().map(Value::Float),
        "decimal" => Decimal::parse(text).map(|decimal| Value::Decimal(decimal.into_owned())),
        _ => typed(kind, text),
    }
}
