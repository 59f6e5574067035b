//! The parser: recursive descent with one token of look-ahead. Its recursion is as deep as brackets nest.

use super::draft::{Draft, Drafts};
use super::lex::{Lexer, Token, has_fields};
use super::scope::{Named, Scope};
use super::word::kind;
use crate::{Enum, Error, Note, Record, RecordRef, Ref, Result, Shape, Tag, Union, UnionRef, Unknown, Variant};
use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

/// The maximum nesting of brackets.
pub(super) const DEPTH: usize = 256;

#[derive(Debug)]
pub(super) struct Parser<'t> {
    lexer: Lexer<'t>,
    text: &'t str,
    /// The offset of the next token.
    pub(super) at: usize,
    pub(super) next: Token<'t>,
    depth: usize,
    pub(super) scope: Scope,
}

/// The tag field of a union, and the name of the variant that is being parsed.
pub(super) type TagOf<'s> = (&'s str, &'s str);

impl<'t> Parser<'t> {
    pub(super) fn new(text: &'t str) -> Result<Self> {
        let mut lexer = Lexer::new(text);
        let (at, next) = lexer.next()?;
        Ok(Self { lexer, text, at, next, depth: 0, scope: Scope::default() })
    }

    /// Parses all of the text.
    pub(super) fn whole(mut self) -> Result<Shape> {
        let shape = if has_fields(self.text) { self.record("", None, false)? } else { self.shape()? };
        if self.next == Token::End { Ok(shape) } else { Err(self.unexpected("end of the shape")) }
    }

    pub(super) fn advance(&mut self) -> Result<Token<'t>> {
        let (at, next) = self.lexer.next()?;
        self.at = at;
        Ok(core::mem::replace(&mut self.next, next))
    }

    /// Takes this sign if it is next. Returns whether it was.
    pub(super) fn takes(&mut self, sign: char) -> Result<bool> {
        let there = self.next == Token::Sign(sign);
        if there {
            self.advance()?;
        }
        Ok(there)
    }

    pub(super) fn expect(&mut self, sign: char, expected: &'static str) -> Result<()> {
        if self.takes(sign)? { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// Takes an opening bracket and counts the level.
    pub(super) fn enter(&mut self, bracket: char, expected: &'static str) -> Result<()> {
        if self.depth == DEPTH && self.next == Token::Sign(bracket) {
            return Err(Error::limit("the nesting of the shape", DEPTH).at(self.lexer.position(self.at)));
        }
        self.depth += 1;
        self.expect(bracket, expected)
    }

    /// After an element: takes the comma, or the closing bracket. Returns whether another element may follow.
    pub(super) fn another(&mut self, bracket: char, expected: &'static str) -> Result<bool> {
        let comma = self.takes(',')?;
        if self.takes(bracket)? {
            self.depth -= 1;
            return Ok(false);
        }
        if comma { Ok(true) } else { Err(self.unexpected(expected)) }
    }

    /// After an opening bracket: returns whether there is a first element.
    pub(super) fn any(&mut self, bracket: char) -> Result<bool> {
        let none = self.takes(bracket)?;
        self.depth -= usize::from(none);
        Ok(!none)
    }

    #[cold]
    pub(super) fn unexpected(&self, expected: impl Into<Cow<'static, str>>) -> Error {
        self.lexer.error(self.at, expected, self.next.describe())
    }

    #[cold]
    pub(super) fn wrong(&self, at: usize, expected: impl Into<Cow<'static, str>>, found: impl Into<String>) -> Error {
        self.lexer.error(at, expected, found)
    }

    pub(super) fn name(&mut self, expected: &'static str) -> Result<String> {
        match self.advance_if(|token| matches!(token, Token::Word(_) | Token::Quoted(_)))? {
            Some(Token::Word(name)) => Ok(name.to_string()),
            Some(Token::Quoted(name)) => Ok(name.into_owned()),
            _ => Err(self.unexpected(expected)),
        }
    }

    pub(super) fn advance_if(&mut self, wanted: impl Fn(&Token<'t>) -> bool) -> Result<Option<Token<'t>>> {
        if wanted(&self.next) { self.advance().map(Some) } else { Ok(None) }
    }

    /// Parses an integer of this type.
    pub(super) fn number<N: core::str::FromStr>(&mut self, expected: &'static str) -> Result<N> {
        let at = self.at;
        match self.advance_if(|token| matches!(token, Token::Number(_)))? {
            Some(Token::Number(digits)) => digits.parse().map_err(|_| self.wrong(at, expected, digits)),
            _ => Err(self.unexpected(expected)),
        }
    }

    pub(super) fn shape(&mut self) -> Result<Shape> {
        let first = self.single()?;
        if self.next == Token::Sign('|') { self.alternatives(first) } else { Ok(first) }
    }

    /// Parses an operand of `|`.
    pub(super) fn single(&mut self) -> Result<Shape> {
        let simple = self.simple()?;
        if !self.takes('?')? {
            return Ok(simple);
        }
        // A second option would add nothing.
        Ok(if matches!(simple, Shape::Option(_)) { simple } else { Shape::Option(Ref::new(simple)) })
    }

    fn simple(&mut self) -> Result<Shape> {
        match self.next {
            Token::Word(word) => match kind(word) {
                Some(kind) => self.advance().map(|_| kind),
                None => match word {
                    "map" => self.map(),
                    "enum" => self.choices(),
                    "union" => self.union(),
                    _ => self.named(None),
                },
            },
            Token::Quoted(_) => self.named(None),
            Token::Sign('[') => self.list(),
            Token::Sign('(') => self.tuple(),
            Token::Sign('{') => self.record("", None, true),
            _ => Err(self.unexpected("a shape")),
        }
    }

    fn list(&mut self) -> Result<Shape> {
        self.enter('[', "`[`")?;
        let item = self.shape()?;
        self.depth -= 1;
        self.expect(']', "`]`")?;
        Ok(item.list())
    }

    fn tuple(&mut self) -> Result<Shape> {
        self.enter('(', "`(`")?;
        let mut items = Vec::new();
        let mut comma = false;
        while !self.takes(')')? {
            if !items.is_empty() && !comma {
                return Err(self.unexpected("`,` or `)`"));
            }
            items.push(self.shape()?);
            comma = self.takes(',')?;
        }
        self.depth -= 1;
        if items.len() == 1 && !comma {
            return Ok(items.swap_remove(0));
        }
        Ok(Shape::Tuple(Ref::Shared(items.into_iter().map(Ref::new).collect())))
    }

    fn map(&mut self) -> Result<Shape> {
        self.advance()?;
        self.enter('(', "`(`")?;
        let key = self.shape()?;
        self.expect(',', "`,`")?;
        let value = self.shape()?;
        self.depth -= 1;
        self.expect(')', "`)`")?;
        Ok(Shape::Map(Ref::new(key), Ref::new(value)))
    }

    fn choices(&mut self) -> Result<Shape> {
        self.advance()?;
        let name = if self.next == Token::Sign('(') { String::new() } else { self.name("a name or `(`")? };
        self.enter('(', "`(`")?;
        let mut choices = Vec::new();
        let mut names = HashSet::new();
        let mut next = Some(0i64);
        let mut more = self.any(')')?;
        while more {
            let at = self.at;
            let choice = self.name("a name")?;
            if !names.insert(choice.clone()) {
                return Err(self.wrong(at, "a new name", choice));
            }
            let number = match (self.takes('=')?, next) {
                (true, _) => self.number("a whole number of 64 bits")?,
                (false, Some(number)) => number,
                (false, None) => return Err(self.unexpected("`=`")),
            };
            next = number.checked_add(1);
            choices.push((Cow::Owned(choice), number));
            more = self.another(')', "`,` or `)`")?;
        }
        let names = Ref::new(Enum::new(name.clone(), choices));
        self.scope.define(&name, Named::Enum(names.clone()));
        Ok(Shape::Enum(names))
    }

    /// Parses a name: of a record that is defined here, or of a type that was defined before.
    pub(super) fn named(&mut self, tag: Option<TagOf<'_>>) -> Result<Shape> {
        let at = self.at;
        let name = self.name("a name")?;
        if self.next == Token::Sign('{') {
            return self.record(&name, tag, true);
        }
        let Some(named) = self.scope.find(&name) else {
            return Err(self.wrong(at, "a kind, or the name of a type around or before it", name));
        };
        Ok(named.shape())
    }

    /// Parses a record's fields, in braces or to the end of the text.
    pub(super) fn record(&mut self, name: &str, tag: Option<TagOf<'_>>, braces: bool) -> Result<Shape> {
        let start = self.at;
        let mut failure = None;
        let record = Arc::new_cyclic(|link| {
            let link = RecordRef::Link(Cow::Owned(name.to_string()), link.clone());
            self.scope.open(name, Named::Record(link));
            self.fields(name, tag, braces, start).unwrap_or_else(|error| {
                failure = Some(error);
                Record::fixed("", &[], &[], Unknown::Ignore)
            })
        });
        if let Some(error) = failure {
            return Err(error);
        }
        if let Some(at) = self.scope.close(Some(&record)) {
            return Err(self.wrong(at, "a record that has the tag", name));
        }
        let record = RecordRef::Shared(record);
        self.scope.define(name, Named::Record(record.clone()));
        Ok(Shape::Record(record))
    }

    fn fields(&mut self, name: &str, tag: Option<TagOf<'_>>, braces: bool, start: usize) -> Result<Record> {
        let mut drafts = Drafts::default();
        if braces {
            self.enter('{', "`{`")?;
        }
        loop {
            if self.next == Token::Sign('!') {
                self.advance()?;
                drafts.forbid = true;
            } else if !self.ends(braces) && self.field(&mut drafts)? {
                continue;
            }
            break;
        }
        if !self.ends(braces) {
            return Err(self.unexpected(if braces { "`,` or `}`" } else { "`,`" }));
        }
        if braces {
            self.depth -= 1;
            self.advance()?;
        }
        if let Some((tag, variant)) = tag {
            drafts.add_tag(tag, variant);
        }
        drafts.record(name).map_err(|error| error.at(self.lexer.position(start)))
    }

    fn ends(&self, braces: bool) -> bool {
        if braces { self.next == Token::Sign('}') } else { self.next == Token::End }
    }

    /// Parses a field and the comma after it. Returns whether there was a comma.
    fn field(&mut self, drafts: &mut Drafts) -> Result<bool> {
        let at = self.at;
        let rest = self.next == Token::Dots;
        if rest {
            self.advance()?;
            if drafts.keep.is_some() || drafts.forbid {
                return Err(self.wrong(at, "one field for the rest", "..."));
            }
            drafts.keep = Some(drafts.fields.len());
        }
        let name = self.name("a field")?;
        let key = match self.advance_if(|token| matches!(token, Token::Quoted(_)))? {
            Some(Token::Quoted(key)) => Some(key.into_owned()),
            _ => None,
        };
        let mut aliases = Vec::new();
        while self.takes('|')? {
            aliases.push(Cow::Owned(self.name("a name")?));
        }
        let number = if self.takes('@')? { Some(self.number("a number of 32 bits")?) } else { None };
        let required = if self.takes('?')? {
            Some(false)
        } else if self.takes('!')? {
            Some(true)
        } else {
            None
        };
        let shape = if self.takes(':')? {
            self.shape()?
        } else if rest {
            Shape::Map(Ref::Static(&Shape::Text), Ref::Static(&Shape::Any))
        } else {
            return Err(self.unexpected("`:`"));
        };
        let default = if self.takes('=')? { Some(self.literal(&shape)?) } else { None };
        let notes = self.notes()?;
        drafts.fields.push(Draft { name, key, aliases, number, required, shape, default, notes });
        self.takes(',')
    }

    /// Parses the notes for places.
    pub(super) fn notes(&mut self) -> Result<Vec<Note>> {
        let mut notes = Vec::new();
        while self.takes('#')? {
            let place = self.name("the name of a place")?;
            self.expect(':', "`:`")?;
            notes.push((Cow::Owned(place), Cow::Owned(self.name("a note")?)));
        }
        Ok(notes)
    }

    /// Makes a union of the variants that `read` parses. Recursive ones link to it.
    pub(super) fn union_of(
        &mut self,
        name: &str,
        tag: Tag,
        read: impl FnOnce(&mut Self, &Tag) -> Result<Vec<Variant>>,
    ) -> Result<Shape> {
        let mut failure = None;
        let union = Arc::new_cyclic(|link| {
            let link = UnionRef::Link(Cow::Owned(name.to_string()), link.clone());
            self.scope.open(name, Named::Union(link));
            let variants = read(self, &tag).unwrap_or_else(|error| {
                failure = Some(error);
                Vec::new()
            });
            Union::new(name.to_string(), variants, tag)
        });
        if let Some(error) = failure {
            return Err(error);
        }
        self.scope.close(None);
        let union = UnionRef::Shared(union);
        self.scope.define(name, Named::Union(union.clone()));
        Ok(Shape::Union(union))
    }
}
