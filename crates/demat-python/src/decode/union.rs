//! Decodes unions: by their tag, or as the first type that fits.

use super::{Behind, Engine};
use crate::object::Object;
use crate::plan::{ArrayForm, Clock, Node, TagValue, UnionNode, Variant, Zone, is_same};
use demat_core::excerpt;
use demat_core::{Error, ErrorKind, Kind, Mark, Result, Source};

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
        let mark = self.source.mark();
        let kind = self.source.peek()?;
        let program = self.program;
        // The text of a cell or a key may represent any kind.
        let cell = kind == Kind::Text && (self.manner.model.is_text() || union.keyed);
        let fits = |variant: &&'e Variant| cell || program.accepts(&variant.node, kind);
        let mut fitting: Vec<&'e Variant> = union.variants.iter().filter(fits).collect();
        if union.keyed {
            fitting.sort_by_key(|variant| breadth(&variant.node));
        } else {
            fitting.sort_by_key(|variant| !exactly(&variant.node, kind));
        }
        let has_parts = matches!(kind, Kind::List | Kind::Map);
        if let [only] = fitting[..] {
            return match self.value(&only.node) {
                Err(error) if (!self.strict || self.manner.times.is_some()) && !has_parts => {
                    let error = self.forgive(error)?;
                    self.lax_union(union, mark, kind)?.ok_or(error)
                }
                done => done,
            };
        }
        let found = match kind {
            _ if has_parts => self.tried(union, &fitting, mark)?,
            // If a value strictly fits any of the types, no lax conversion to another one is tried.
            _ if cell && !self.strict => {
                self.strict = true;
                let found = self.first_of(&fitting, mark);
                self.strict = false;
                match found? {
                    Some(found) => Some(found),
                    None => self.first_of(&fitting, mark)?,
                }
            }
            _ => self.first_of(&fitting, mark)?,
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
    fn first_of(&mut self, variants: &[&'e Variant], mark: Mark) -> Result<Option<Object>> {
        for variant in variants {
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
    fn first_exact(&mut self, variants: &[&'e Variant], mark: Mark) -> Result<Option<Object>> {
        let records = variants.iter().take_while(|variant| matches!(variant.node, Node::Record(_) | Node::Map(_)));
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
    fn tried(&mut self, union: &'e UnionNode, variants: &[&'e Variant], mark: Mark) -> Result<Option<Object>> {
        let tries = self.tries.get_or_insert_with(Box::default);
        if let Some(known) = tries.get(union, mark) {
            return Ok(known.map(|(value, end)| {
                self.source.reset(end);
                value
            }));
        }
        tries.begin();
        let found = match self.first_exact(variants, mark) {
            Ok(None) => self.first_of(variants, mark),
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
        let program = self.program;
        let others: Vec<&'e Variant> = union.variants.iter().filter(|v| !program.accepts(&v.node, kind)).collect();
        self.first_of(&others, mark)
    }
}

#[cold]
fn refusal(error: Error, names: &str) -> Error {
    if error.kind() == ErrorKind::Type { error.expecting(names.to_string()) } else { error }
}

/// Returns whether the node is of exactly this kind, rather than a type that also accepts it. So are the ints of an
/// enum: before `int`, they are tried first.
fn exactly(node: &Node, kind: Kind) -> bool {
    match (node, kind) {
        (Node::Int, Kind::Int) | (Node::Float, Kind::Float) | (Node::Bool, Kind::Bool) | (Node::None, Kind::Null) => {
            true
        }
        (Node::Enum(node), Kind::Int) => node.any_int,
        _ => false,
    }
}

/// Ranks key types by how many texts they accept. The narrowest is tried first.
fn breadth(node: &Node) -> u8 {
    match node {
        Node::Optional(inner) => breadth(inner),
        Node::Checked(checked) => breadth(&checked.0),
        Node::Hook(hook) => breadth(&hook.read),
        Node::Bool | Node::None | Node::Enum(_) | Node::Literal(_) => 0,
        Node::Int | Node::Flag(_) => 1,
        Node::Float | Node::Decimal => 2,
        Node::Str | Node::Any | Node::Raw => 4,
        _ => 3,
    }
}

impl crate::plan::Program {
    /// Returns whether a value of this kind could be the node's.
    fn accepts(&self, node: &Node, kind: Kind) -> bool {
        match node {
            Node::Any | Node::Raw => true,
            Node::Named(index) => self.accepts(&self.aliases[*index], kind),
            Node::None => kind == Kind::Null,
            Node::Bool => kind == Kind::Bool,
            Node::Int | Node::Flag(_) => kind == Kind::Int,
            Node::Float => matches!(kind, Kind::Int | Kind::Float | Kind::Decimal),
            Node::Str => kind == Kind::Text,
            // As rows, both forms of lists have names.
            Node::Record(index) => match self.records[*index].form {
                ArrayForm::Named => kind == Kind::Map,
                ArrayForm::Either | ArrayForm::List => matches!(kind, Kind::Map | Kind::List),
            },
            Node::Optional(inner) => kind == Kind::Null || self.accepts(inner, kind),
            Node::List(_) | Node::Tuple(_) => kind == Kind::List,
            Node::Map(_) => kind == Kind::Map,
            Node::Bytes(_) => matches!(kind, Kind::Bytes | Kind::Text),
            Node::Decimal => matches!(kind, Kind::Int | Kind::Float | Kind::Decimal | Kind::Text),
            Node::Datetime(Clock { times: Some(times), .. })
                if kind == Kind::Date || matches!(kind, Kind::Int | Kind::Float) && times.unit().is_some() =>
            {
                true
            }
            Node::Datetime(clock) => match clock.zone {
                Zone::Either => matches!(kind, Kind::DateTime | Kind::Instant | Kind::Text),
                Zone::Aware => matches!(kind, Kind::Instant | Kind::Text),
                Zone::Naive => matches!(kind, Kind::DateTime | Kind::Text),
            },
            Node::Date => matches!(kind, Kind::Date | Kind::Text),
            Node::Time(_) => matches!(kind, Kind::Time | Kind::Text),
            Node::Timedelta => matches!(kind, Kind::Duration | Kind::Text),
            Node::Uuid => matches!(kind, Kind::Uuid | Kind::Text | Kind::Bytes),
            Node::Enum(node) => match kind {
                Kind::Text => node.any_text,
                Kind::Int => node.any_int,
                _ => false,
            },
            Node::Literal(node) => match kind {
                Kind::Null => node.none,
                Kind::Bool => node.bools != [false; 2],
                Kind::Text | Kind::Int => true,
                _ => false,
            },
            Node::Union(union) => match union.tag {
                Some(_) => kind == Kind::Map || union.listed && kind == Kind::List,
                None => union.variants.iter().any(|variant| self.accepts(&variant.node, kind)),
            },
            Node::Hook(hook) => self.accepts(&hook.read, kind),
            Node::Checked(checked) => self.accepts(&checked.0, kind),
        }
    }
}
