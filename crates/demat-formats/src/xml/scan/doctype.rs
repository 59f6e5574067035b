//! Document type declarations: checks their syntax, and collects the entities that the internal subset declares.

use super::super::view::{Entities, Place};
use super::{Scanner, chars};
use crate::stream::Part;
use demat_core::{Error, ErrorKind, Result};

/// How deep groups of a content model may nest.
const GROUPS: usize = 256;

/// How deep parameter entities may refer to each other.
const PARAMETERS: usize = 16;

/// Reads through a declaration.
struct Subset<'a, 'e> {
    scanner: Scanner<'a>,
    at: usize,
    /// Where declared entities are added; `None` if references to them are errors.
    entities: Option<&'e mut Entities>,
    /// The number of parameter entities around.
    level: usize,
}

impl Scanner<'_> {
    /// Returns the end of the document type declaration that begins there.
    pub(super) fn doctype(&self, at: usize, entities: Option<&mut Entities>) -> Result<usize> {
        let mut subset = Subset { scanner: *self, at: at + 9, entities, level: 0 };
        subset.declaration()?;
        Ok(subset.at)
    }
}

impl Subset<'_, '_> {
    fn declaration(&mut self) -> Result<()> {
        self.spaced()?;
        self.name("the name of the root element")?;
        if self.space() {
            self.external(false)?;
            self.space();
        }
        if self.eat("[")? {
            self.internal()?;
            self.space();
        }
        self.expect(">")
    }

    fn get(&self) -> Option<u8> {
        self.scanner.get(self.at)
    }

    /// Skips a text, if the input continues with it.
    fn eat(&mut self, what: &'static str) -> Result<bool> {
        let found = self.scanner.is_at(self.at, what)?;
        self.at += if found { what.len() } else { 0 };
        Ok(found)
    }

    fn expect(&mut self, what: &'static str) -> Result<()> {
        if self.eat(what)? { Ok(()) } else { Err(self.unexpected(format!("`{what}`"))) }
    }

    #[cold]
    fn unexpected(&self, expected: impl Into<std::borrow::Cow<'static, str>>) -> Error {
        self.scanner.unexpected(self.at, expected)
    }

    /// Skips white space. Returns whether there was any.
    fn space(&mut self) -> bool {
        let begin = self.at;
        self.at = self.scanner.space(begin);
        self.at > begin
    }

    fn spaced(&mut self) -> Result<()> {
        if self.space() { Ok(()) } else { Err(self.unexpected("a space")) }
    }

    fn name(&mut self, expected: &'static str) -> Result<(usize, usize)> {
        let begin = self.at;
        self.at = self.scanner.name(begin, expected)?;
        Ok((begin, self.at))
    }

    /// A name without a colon.
    fn plain_name(&mut self, expected: &'static str) -> Result<(usize, usize)> {
        let (begin, end) = self.name(expected)?;
        if self.scanner.namespaces && self.scanner.slice(begin, end).contains(&b':') {
            return Err(self.scanner.wrong(begin, "a name without a colon is expected here"));
        }
        Ok((begin, end))
    }

    /// Skips a name token: characters of names, of which any may be the first.
    fn token(&mut self) -> Result<()> {
        let begin = self.at;
        while let Some((char, size)) = chars::first(self.scanner.rest(self.at)) {
            if !chars::is_in_name(char) {
                break;
            }
            self.at += size;
        }
        if self.at == begin { Err(self.unexpected("a name token")) } else { Ok(()) }
    }

    /// Skips a literal in quotes, and returns the range of its content.
    fn literal(&mut self, expected: &'static str) -> Result<(usize, usize)> {
        let Some(quote @ (b'"' | b'\'')) = self.get() else { return Err(self.unexpected(expected)) };
        let begin = self.at + 1;
        let Some(len) = memchr::memchr(quote, self.scanner.rest(begin)) else {
            return Err(self.scanner.ended("the quote at the end of a literal"));
        };
        self.scanner.check_chars(begin, begin + len)?;
        self.at = begin + len + 1;
        Ok((begin, begin + len))
    }

    /// `SYSTEM "…"` or `PUBLIC "…" "…"`; of a notation, the second may be left out.
    fn external(&mut self, notation: bool) -> Result<bool> {
        if self.eat("SYSTEM")? {
            self.spaced()?;
            self.literal("a system identifier in quotes")?;
            return Ok(true);
        }
        if !self.eat("PUBLIC")? {
            return Ok(false);
        }
        self.spaced()?;
        let (begin, end) = self.literal("a public identifier in quotes")?;
        let content = self.scanner.slice(begin, end);
        let is_public = |byte: &u8| byte.is_ascii_alphanumeric() || b" \r\n-'()+,./:=?;!*#@$_%".contains(byte);
        if let Some(bad) = content.iter().position(|byte| !is_public(byte)) {
            return Err(self.scanner.unexpected(begin + bad, "a character of public identifiers"));
        }
        let spaced = self.space();
        if notation && !matches!(self.get(), Some(b'"' | b'\'')) {
            return Ok(true);
        }
        if !spaced {
            return Err(self.unexpected("a space"));
        }
        self.literal("a system identifier in quotes")?;
        Ok(true)
    }

    /// Reads the declarations between the brackets, or all in a parameter entity.
    fn internal(&mut self) -> Result<()> {
        loop {
            self.space();
            if self.level > 0 && self.get().is_none() {
                return Ok(());
            }
            if self.level == 0 && self.eat("]")? {
                return Ok(());
            }
            if self.eat("%")? {
                let (begin, end) = self.name("the name of a parameter entity")?;
                self.expect(";")?;
                self.parameter(begin, end)?;
            } else if self.scanner.is_at(self.at, "<!--")? {
                self.at = self.scanner.comment(self.at)?;
            } else if self.scanner.is_at(self.at, "<?")? {
                self.at = self.scanner.instruction(self.at)?;
            } else if self.eat("<!ELEMENT")? {
                self.element()?;
            } else if self.eat("<!ATTLIST")? {
                self.attributes()?;
            } else if self.eat("<!ENTITY")? {
                self.entity()?;
            } else if self.eat("<!NOTATION")? {
                self.notation()?;
            } else {
                return Err(self.unexpected("a declaration or `]`"));
            }
        }
    }

    /// Reads the declarations of a parameter entity, if it is declared with its text.
    fn parameter(&mut self, begin: usize, end: usize) -> Result<()> {
        let (scanner, level) = (self.scanner, self.level + 1);
        let Some(entities) = self.entities.as_deref_mut() else { return Ok(()) };
        let position = scanner.position(begin);
        let name = scanner.slice(begin, end);
        let text = entities.parameter(name, end as u64).map_err(|fault| fault.error().at(position))?;
        let Some(text) = text else { return Ok(()) };
        if level > PARAMETERS {
            let what = "the depth of references to parameter entities";
            return Err(Error::limit(what, PARAMETERS).at(position));
        }
        let scanner = Scanner { part: Part::whole(&text), namespaces: scanner.namespaces, view: None };
        let mut inner = Subset { scanner, at: 0, entities: Some(entities), level };
        inner.internal().map_err(|error| {
            if error.kind() == ErrorKind::Limit {
                return error;
            }
            let name = String::from_utf8_lossy(name);
            self.scanner.wrong(begin, format!("the parameter entity `%{name};` is not well-formed: {error}"))
        })
    }

    /// Checks the default of an attribute, which may refer to entities that are declared before.
    fn default_value(&mut self, begin: usize, end: usize) -> Result<()> {
        let scanner = self.scanner;
        let Some(entities) = self.entities.as_deref_mut() else {
            return scanner.attribute_value(begin, end).map(drop);
        };
        let mut at = begin;
        let mut out = Vec::new();
        while let Some(found) = memchr::memchr(b'&', scanner.slice(at, end)) {
            let from = at + found;
            scanner.attribute_value(at, from)?;
            let len = memchr::memchr(b';', scanner.slice(from, end)).unwrap_or(0);
            let name = scanner.slice(from + 1, from + len);
            if entities.has(name) {
                out.clear();
                let expanded = entities.expand(name, Place::Attribute, end as u64, &mut out);
                expanded.map_err(|fault| fault.error().at(scanner.position(from)))?;
                at = from + len + 1;
            } else {
                at = scanner.reference(from, end)?;
            }
        }
        scanner.attribute_value(at, end).map(drop)
    }

    fn close(&mut self) -> Result<()> {
        self.space();
        self.expect(">")
    }

    fn element(&mut self) -> Result<()> {
        self.spaced()?;
        self.name("the name of an element")?;
        self.spaced()?;
        if !self.eat("EMPTY")? && !self.eat("ANY")? {
            self.expect("(")?;
            self.space();
            if self.eat("#PCDATA")? { self.mixed()? } else { self.model()? }
        }
        self.close()
    }

    /// Skips the rest of a model that begins with `(#PCDATA`.
    fn mixed(&mut self) -> Result<()> {
        let mut names = false;
        loop {
            self.space();
            if self.eat("|")? {
                self.space();
                self.name("the name of an element")?;
                names = true;
            } else {
                self.expect(")")?;
                return if names { self.expect("*") } else { self.eat("*").map(drop) };
            }
        }
    }

    /// Skips the groups of a content model after the first parenthesis.
    fn model(&mut self) -> Result<()> {
        // The separator of each open group, once it is known.
        let mut open: Vec<Option<u8>> = vec![None];
        loop {
            self.space();
            if self.eat("(")? {
                if open.len() >= GROUPS {
                    return Err(Error::limit("the depth of a content model", GROUPS).at(self.scanner.position(self.at)));
                }
                open.push(None);
                continue;
            }
            self.name("the name of an element, or `(`")?;
            self.occurrence();
            loop {
                self.space();
                let Some(group) = open.last_mut() else { return Ok(()) };
                match self.scanner.get(self.at) {
                    Some(between @ (b'|' | b',')) if group.is_none_or(|own| own == between) => {
                        *group = Some(between);
                        self.at += 1;
                        break;
                    }
                    Some(b')') => {
                        self.at += 1;
                        open.pop();
                        self.occurrence();
                        if open.is_empty() {
                            return Ok(());
                        }
                    }
                    _ => return Err(self.unexpected("`)`, or the separator of the group")),
                }
            }
        }
    }

    fn occurrence(&mut self) {
        if matches!(self.get(), Some(b'?' | b'*' | b'+')) {
            self.at += 1;
        }
    }

    fn attributes(&mut self) -> Result<()> {
        self.spaced()?;
        self.name("the name of an element")?;
        loop {
            let spaced = self.space();
            if self.eat(">")? {
                return Ok(());
            }
            if !spaced {
                return Err(self.unexpected("a space or `>`"));
            }
            self.name("the name of an attribute")?;
            self.spaced()?;
            self.attribute_type()?;
            self.spaced()?;
            if self.eat("#REQUIRED")? || self.eat("#IMPLIED")? {
                continue;
            }
            if self.eat("#FIXED")? {
                self.spaced()?;
            }
            let (begin, end) = self.literal("`#REQUIRED`, `#IMPLIED`, `#FIXED` or a value in quotes")?;
            self.default_value(begin, end)?;
        }
    }

    fn attribute_type(&mut self) -> Result<()> {
        // The longer names come first.
        let names = ["CDATA", "IDREFS", "IDREF", "ID", "ENTITY", "ENTITIES", "NMTOKENS", "NMTOKEN"];
        for name in names {
            if self.eat(name)? {
                return Ok(());
            }
        }
        let notation = self.eat("NOTATION")?;
        if notation {
            self.spaced()?;
        }
        if !self.eat("(")? {
            return Err(self.unexpected("the type of an attribute"));
        }
        loop {
            self.space();
            if notation {
                self.plain_name("the name of a notation")?;
            } else {
                self.token()?;
            }
            self.space();
            if !self.eat("|")? {
                return self.expect(")");
            }
        }
    }

    /// Checks the syntax of references.
    fn references(&self, begin: usize, end: usize) -> Result<()> {
        let scanner = self.scanner;
        let mut at = begin;
        while let Some(found) = memchr::memchr(b'&', scanner.slice(at, end)) {
            let name = at + found + 1;
            let inside = scanner.slice(name, end);
            let len = inside.iter().position(|byte| *byte == b';').unwrap_or(0);
            let own = &inside[..len];
            if len > 0 && chars::name_len(own) == len {
                at = name + len + 1;
            } else {
                at = scanner.reference(name - 1, end)?;
            }
        }
        Ok(())
    }

    fn entity(&mut self) -> Result<()> {
        self.spaced()?;
        let parameter = self.eat("%")?;
        if parameter {
            self.spaced()?;
        }
        let (begin, end) = self.plain_name("the name of an entity")?;
        let name = self.scanner.slice(begin, end);
        self.spaced()?;
        let mut value = None;
        if matches!(self.get(), Some(b'"' | b'\'')) {
            let (open, close) = self.literal("the value of an entity")?;
            if let Some(percent) = memchr::memchr(b'%', self.scanner.slice(open, close)) {
                let message = "a parameter entity can't be referred to inside of a declaration here";
                return Err(self.scanner.wrong(open + percent, message));
            }
            self.references(open, close)?;
            value = Some(self.scanner.slice(open, close));
        } else {
            if !self.external(false)? {
                return Err(self.unexpected("a value in quotes, `SYSTEM` or `PUBLIC`"));
            }
            let spaced = self.space();
            if !parameter && self.eat("NDATA")? {
                if !spaced {
                    return Err(self.unexpected("a space before `NDATA`"));
                }
                self.spaced()?;
                self.plain_name("the name of a notation")?;
                self.space();
            }
        }
        match &mut self.entities {
            Some(entities) if parameter => entities.declare_parameter(name, value),
            Some(entities) => entities.declare(name, value),
            None => {}
        }
        self.close()
    }

    fn notation(&mut self) -> Result<()> {
        self.spaced()?;
        self.plain_name("the name of a notation")?;
        self.spaced()?;
        if !self.external(true)? {
            return Err(self.unexpected("`SYSTEM` or `PUBLIC`"));
        }
        self.close()
    }
}
