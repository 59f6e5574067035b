//! Decodes unions: by their tag, or as the first type that fits.

use super::{Behind, Engine, text};
use crate::object::Object;
use crate::plan::{Fits, Node, TagValue, UnionNode, is_same};
use demat_core::excerpt;
use demat_core::{Error, ErrorKind, Kind, Mark, Result, Source, Token};
use pyo3::ffi;

impl<'e, 'a, S: Source<'a>, const ALL: bool> Engine<'e, 'a, S, ALL> {
    #[inline(never)]
    pub(super) fn union(&mut self, union: &'e UnionNode) -> Result<Object> {
        self.descend()?;
        if self.source.tells_variants() {
            return self.numbered(union);
        }
        match &union.tag {
            Some(tag) => self.tagged(union, tag),
            None => self.untagged(union),
        }
    }

    /// Decodes the variant with the source's number.
    fn numbered(&mut self, union: &'e UnionNode) -> Result<Object> {
        let index = self.source.choose(&union.numbered)?;
        let value = self.value(&union.variants[index].node)?;
        self.source.chosen(&union.numbered, index, false)?;
        Ok(value)
    }

    /// Decodes the variant that the tag names. If the tag is the first field, the record goes on behind it; otherwise
    /// the record is read once more from its start.
    fn tagged(&mut self, union: &'e UnionNode, tag: &'e str) -> Result<Object> {
        let mark = self.source.mark();
        if union.listed && self.stands_as_list()? {
            let index = self.choose_by_item(union)?;
            self.source.reset(mark);
            return self.value(&union.variants[index].node);
        }
        let (index, is_first) = self.choose(union, tag)?;
        let variant = &union.variants[index];
        if is_first
            && let (Node::Record(record), Some(field)) = (&variant.node, &variant.tag_field)
            && self.source.goes_on_as_record()
        {
            self.behind = Some(Behind { mark, field });
            return self.record(*record);
        }
        self.source.reset(mark);
        self.value(&variant.node)
    }

    /// Returns the index of the variant that the tag names, and whether the tag is the first field.
    fn choose(&mut self, union: &'e UnionNode, tag: &'e str) -> Result<(usize, bool)> {
        if let Err(error) = self.source.map() {
            return Err(self.none_of(union, error));
        }
        let within = |error: Error| error.within_field(tag.to_string());
        if self.source.key_is(tag, &union.pattern) {
            return Ok((self.named_variant(union).map_err(within)?, true));
        }
        while self.source.entry()? {
            let is_tag = *self.source.text()? == *tag;
            self.source.value()?;
            if is_tag {
                return Ok((self.named_variant(union).map_err(within)?, false));
            }
            self.source.skip()?;
        }
        Err(Error::missing(tag).at(self.source.position()))
    }

    /// Returns the index of the variant that the first item of a list names.
    fn choose_by_item(&mut self, union: &'e UnionNode) -> Result<usize> {
        if let Err(error) = self.source.list() {
            return Err(self.none_of(union, error));
        }
        if !self.source.item()? {
            let error = Error::mismatch(ErrorKind::Constraint, union.names(), "an empty list");
            return Err(error.at(self.source.position()));
        }
        self.named_variant(union).map_err(|error| error.within_item(0))
    }

    /// Changes an error about a value that is no record to name the union's types.
    #[cold]
    fn none_of(&self, union: &UnionNode, error: Error) -> Error {
        let names: Vec<String> = union.variants.iter().map(|variant| variant.node.named(self.program)).collect();
        refusal(error, &names.join(" or "))
    }

    /// Reads the name of a variant; returns the variant's index.
    fn named_variant(&mut self, union: &'e UnionNode) -> Result<usize> {
        let names = || union.variants.iter().map(|variant| variant.name.as_ref());
        let ints = names().flatten().all(|name| matches!(name, TagValue::Int(_)));
        let other = names().position(|name| name.is_none());
        let found = if ints {
            let int = self.source.i64()?;
            match names().position(|name| name == Some(&TagValue::Int(int))) {
                Some(index) => return Ok(index),
                None => int.to_string(),
            }
        } else {
            let text = self.source.text()?;
            match names().position(|name| matches!(name, Some(TagValue::Text(own)) if is_same(own, &text))) {
                Some(index) => return Ok(index),
                None => excerpt::name(&text),
            }
        };
        let error = || Error::mismatch(ErrorKind::Constraint, union.names(), found);
        other.ok_or_else(|| error().at(self.source.position()))
    }

    /// Decodes the value as the first variant that fits. Variants of exactly the value's kind are tried first.
    fn untagged(&mut self, union: &'e UnionNode) -> Result<Object> {
        let fits = union.fits(self.program);
        // The text of a cell may represent any kind.
        if fits.has_plain() && !self.manner.model.is_text() {
            let mark = self.source.mark();
            if let Some(value) = self.plain(fits)? {
                return Ok(value);
            }
            self.source.reset(mark);
        }
        self.first_fit(union, fits)
    }

    /// Takes the value, if it is a scalar whose kind alone says that it is a variant's. What it refuses is tried by the
    /// slower way, which has the errors.
    #[inline(always)]
    fn plain(&mut self, fits: &'e Fits) -> Result<Option<Object>> {
        let Ok(token) = self.source.take() else { return Ok(None) };
        if !fits.is_plain(token.kind()) {
            return Ok(None);
        }
        let object = match token {
            Token::Text(text) => text::value_object(&text),
            Token::I64(int) => return self.small_int(int).map(Some),
            // SAFETY: the GIL is held.
            Token::Float(float) => unsafe { ffi::PyFloat_FromDouble(float) },
            Token::Bool(bool) => return Ok(Some(Object::bool(bool))),
            Token::Null => return Ok(Some(Object::none())),
            _ => return Ok(None), // a large int
        };
        self.made(object).map(Some)
    }

    /// Decodes the value as the first of the variants that fit its kind.
    fn first_fit(&mut self, union: &'e UnionNode, fits: &'e Fits) -> Result<Object> {
        let mark = self.source.mark();
        let kind = self.source.peek()?;
        let program = self.program;
        // The text of a cell or a key may represent any kind.
        let cell = kind == Kind::Text && (self.manner.model.is_text() || union.keyed);
        let fitting = if cell { fits.of_cell() } else { fits.of(kind) };
        let has_parts = matches!(kind, Kind::List | Kind::Map);
        if let [only] = *fitting {
            return match self.value(&union.variants[only].node) {
                Err(error) if (!self.strict || self.manner.times.is_some()) && !has_parts => {
                    let error = self.forgive(error)?;
                    self.lax_union(union, mark, kind)?.ok_or(error)
                }
                done => done,
            };
        }
        let found = match kind {
            _ if has_parts => self.tried(union, fitting, mark)?,
            // If a value strictly fits any of the types, no lax conversion to another one is tried.
            _ if cell && !self.strict => {
                self.strict = true;
                let found = self.first_of(union, fitting, mark);
                self.strict = false;
                match found? {
                    Some(found) => Some(found),
                    None => self.first_of(union, fitting, mark)?,
                }
            }
            _ => self.first_of(union, fitting, mark)?,
        };
        if let Some(value) = found {
            return Ok(value);
        }
        if (!self.strict || self.manner.times.is_some())
            && !has_parts
            && let Some(value) = self.lax_union(union, mark, kind)?
        {
            return Ok(value);
        }
        self.source.reset(mark);
        let names: Vec<String> = union.variants.iter().map(|v| v.node.named(program)).collect();
        if fitting.is_empty() {
            return Err(refusal(self.source.mismatch("any"), &names.join(" or ")));
        }
        if union.keyed || cell {
            let found = excerpt::name(&self.source.text()?);
            return Err(Error::expected(names.join(" or "), found).at(self.source.position()));
        }
        let container = match kind {
            Kind::Map => "a `dict` that is none of them",
            Kind::List => "a `list` that is none of them",
            _ => return Err(refusal(self.source.mismatch("any"), &names.join(" or "))),
        };
        self.source.peek()?;
        Err(Error::expected(names.join(" or "), container).at(self.source.position()))
    }

    /// Decodes the value as the first of these variants that fits.
    fn first_of(&mut self, union: &'e UnionNode, variants: &[usize], mark: Mark) -> Result<Option<Object>> {
        for variant in variants.iter().map(|index| &union.variants[*index]) {
            if let Some(value) = self.fits(mark, |engine| engine.value(&variant.node))? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Decodes the value at a mark; `None` if it is of another type.
    fn fits(&mut self, mark: Mark, decode: impl FnOnce(&mut Self) -> Result<Object>) -> Result<Option<Object>> {
        self.source.reset(mark);
        let gathered = self.errors.len();
        let tried = decode(self);
        let clean = self.errors.len() == gathered;
        self.errors.truncate(gathered);
        self.causes.retain(|(index, _)| *index < gathered);
        match tried {
            Ok(value) => Ok(clean.then_some(value)),
            Err(error) => self.forgive(error).map(|_| None),
        }
    }

    /// Decodes a value with parts as the first record or dict that fits and ignores no field, if these variants begin with
    /// several of them: of two that have a field in common, the other one would be lost.
    fn first_exact(&mut self, union: &'e UnionNode, variants: &[usize], mark: Mark) -> Result<Option<Object>> {
        let variants = variants.iter().map(|index| &union.variants[*index]);
        let records = variants.take_while(|variant| matches!(variant.node, Node::Record(_) | Node::Map(_)));
        if records.clone().count() < 2 {
            return Ok(None);
        }
        for variant in records {
            let found = match variant.exact {
                Some(record) => self.fits(mark, |engine| engine.record(record))?,
                None => self.fits(mark, |engine| engine.value(&variant.node))?,
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// As [`first_of`](Self::first_of), memoized: the value has parts, which may contain more such unions.
    #[inline(never)]
    fn tried(&mut self, union: &'e UnionNode, variants: &[usize], mark: Mark) -> Result<Option<Object>> {
        let tries = self.tries.get_or_insert_with(Box::default);
        if let Some(known) = tries.get(union, mark) {
            return Ok(known.map(|(value, end)| {
                self.source.reset(end);
                value
            }));
        }
        tries.begin();
        let found = match self.first_exact(union, variants, mark) {
            Ok(None) => self.first_of(union, variants, mark),
            found => found,
        };
        let Some(tries) = &mut self.tries else { return found };
        let over = tries.end();
        if let Ok(found) = &found {
            let end = self.source.mark();
            tries.set(union, mark, found.as_ref().map(|value| (value, end)));
        }
        drop(over);
        found
    }

    /// Returns an error that only says that the value does not fit a type; fails with any other one.
    pub(super) fn forgive(&mut self, error: Error) -> Result<Error> {
        let own = self.raised.as_ref().is_some_and(|raised| !crate::error::is_about_the_value(self.py, raised));
        if own || !matches!(error.kind(), ErrorKind::Type | ErrorKind::Constraint) {
            return Err(error);
        }
        self.raised = None;
        Ok(error)
    }

    /// For a union with no fitting variant: decodes the value as the first variant that accepts it by a lax conversion.
    #[cold]
    fn lax_union(&mut self, union: &'e UnionNode, mark: Mark, kind: Kind) -> Result<Option<Object>> {
        let fitting = union.fits(self.program).of(kind);
        let others: Vec<usize> = (0..union.variants.len()).filter(|index| !fitting.contains(index)).collect();
        self.first_of(union, &others, mark)
    }
}

#[cold]
fn refusal(error: Error, names: &str) -> Error {
    if error.kind() == ErrorKind::Type { error.expecting(names.to_string()) } else { error }
}
