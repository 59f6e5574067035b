//! Scalars: XML has only text, so each is parsed as the type that the caller requests.

use super::super::scan::chars::is_space;
use super::super::tape::Flags;
use super::slot::Slot;
use super::{XmlSource, frame};
use demat_core::excerpt;
use demat_core::scalar::{DateTime, Int, base64};
use demat_core::{Enum, Error, ErrorKind, Kind, Result};
use std::borrow::Cow;

fn trim(text: &str) -> &str {
    text.trim_matches(|char| u8::try_from(char).is_ok_and(is_space))
}

impl<'a> XmlSource<'a> {
    /// Returns the kind of the current value, as far as XML shows it.
    pub(super) fn kind(&mut self) -> Result<Kind> {
        self.index()?;
        self.see()?;
        let slot = self.slot;
        if matches!(slot, Slot::Attribute(_) | Slot::Text(_)) && self.is_null()? {
            return Ok(Kind::Null);
        }
        Ok(match slot {
            Slot::Unit => self.kind_of(0)?,
            Slot::Element(node) => self.kind_of(node)?,
            Slot::Field(node) => {
                let own = self.node(node)?;
                let flags = own.flags;
                let several = own.again != 0 || flags.has(Flags::NO_ITEMS) || flags.has(Flags::ITEM);
                if several || self.is_wrapped() { Kind::List } else { self.kind_of(node)? }
            }
            Slot::Named(_) => Kind::Map,
            Slot::Mixed(_) | Slot::Choice(_) | Slot::NoList => Kind::List,
            Slot::NoValue => Kind::Null,
            Slot::Nothing | Slot::After | Slot::Document => {
                return Err(self.scanner.unexpected(self.at, "a value"));
            }
            _ => Kind::Text,
        })
    }

    /// Returns the kind of an element that is one value.
    fn kind_of(&self, node: u32) -> Result<Kind> {
        let flags = self.flags(node)?;
        Ok(if self.is_null_element(node)? {
            Kind::Null
        } else if flags.has(Flags::ATTRIBUTES) || flags.has(Flags::CHILDREN) {
            Kind::Map
        } else {
            Kind::Text
        })
    }

    fn is_null_element(&self, node: u32) -> Result<bool> {
        let flags = self.flags(node)?;
        if flags.has(Flags::NIL) {
            return Ok(!flags.has(Flags::OTHERS));
        }
        let full = [Flags::TEXT, Flags::CHILDREN, Flags::ATTRIBUTES, Flags::NO_ITEMS];
        Ok(self.options.empty_null && !full.iter().any(|flag| flags.has(*flag)))
    }

    /// Whether the current value is a field with its items in one element.
    pub(super) fn is_wrapped(&self) -> bool {
        let layout = self.state.frames.last().and_then(|frame| frame.layout.as_ref());
        let field = layout.and_then(|layout| layout.fields.get(self.current as usize));
        field.is_some_and(|field| field.wrapped.is_some())
    }

    /// Whether the current value is null. Consumes nothing.
    pub(super) fn is_null(&mut self) -> Result<bool> {
        if matches!(self.slot, Slot::Document | Slot::Unit) {
            // A value other than null need not be in the window as a whole.
            self.find_root()?;
            if !self.options.empty_null && !self.unit_is_nil()? {
                return Ok(false);
            }
            self.index()?;
        }
        self.see()?;
        match self.slot {
            Slot::Unit => self.is_null_element(0),
            Slot::Element(node) => self.is_null_element(node),
            Slot::Field(node) => {
                let own = self.node(node)?;
                let several = own.again != 0 || own.flags.has(Flags::ITEM);
                Ok(!several && self.is_null_element(node)?)
            }
            Slot::NoValue => Ok(true),
            Slot::Attribute(node) => {
                let own = self.node(node)?;
                Ok(self.options.empty_null && own.range().is_empty())
            }
            Slot::Text(node) => {
                let flags = self.flags(node)?;
                Ok(flags.has(Flags::NIL) || (self.options.empty_null && !flags.has(Flags::TEXT)))
            }
            _ => Ok(false),
        }
    }

    /// Parses the current text as a scalar, without the white space around it.
    pub(super) fn parsed<T>(&mut self, expected: &'static str, parse: impl FnOnce(&str) -> Option<T>) -> Result<T> {
        let found = self.text_here(expected)?;
        let text = trim(found.unwrap_or(&self.scratch));
        match parse(text) {
            Some(value) => {
                self.took();
                Ok(value)
            }
            None => Err(self.other_text(expected, text)),
        }
    }

    pub(super) fn read_bool(&mut self) -> Result<bool> {
        self.parsed("bool", |text| match text {
            "true" | "1" => Some(true),
            "false" | "0" => Some(false),
            _ => None,
        })
    }

    /// Parses an integer. A plus and leading zeros are allowed.
    pub(super) fn read_int(&mut self) -> Result<Int<'a>> {
        self.parsed("int", |text| {
            // It parses what is allowed here, and nothing else.
            if let Ok(small) = text.parse::<i64>() {
                return Some(Int::I64(small));
            }
            let (sign, digits) = match text.as_bytes().first()? {
                b'-' => ("-", &text[1..]),
                b'+' => ("", &text[1..]),
                _ => ("", text),
            };
            if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                return None;
            }
            match digits.trim_start_matches('0') {
                "" => Some(Int::I64(0)),
                digits if sign.is_empty() => Int::from_digits(digits).map(Int::into_owned),
                digits => Int::from_digits(&format!("{sign}{digits}")).map(Int::into_owned),
            }
        })
    }

    /// Parses a float as XML Schema allows: also with a plus, without digits on one side of the point, and by name.
    pub(super) fn read_float<T>(&mut self, expected: &'static str, parse: fn(&[u8]) -> Option<T>) -> Result<T>
    where
        T: core::str::FromStr + Float,
    {
        self.parsed(expected, |text| {
            let own = text.strip_prefix('+').unwrap_or(text);
            if let Some(value) = parse(own.as_bytes()) {
                return Some(value).filter(T::is_finite);
            }
            match text {
                "NaN" => return Some(T::NAN),
                "INF" | "+INF" => return Some(T::INFINITY),
                "-INF" => return Some(T::NEG_INFINITY),
                _ => {}
            }
            let is_number = own.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
            own.parse::<T>().ok().filter(|value| is_number && value.is_finite())
        })
    }

    pub(super) fn read_bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        self.parsed("`bytes` in base64", |text| {
            if text.bytes().any(is_space) {
                let text: String = text.chars().filter(|char| !char.is_ascii_whitespace()).collect();
                return base64::decode(&text).map(Cow::Owned);
            }
            base64::decode(text).map(Cow::Owned)
        })
    }

    pub(super) fn read_date_time(&mut self) -> Result<DateTime> {
        let found = self.text_here("`datetime` as YYYY-MM-DDTHH:MM:SS")?;
        let text = trim(found.unwrap_or(&self.scratch));
        match DateTime::parse(text) {
            Some(at) => {
                self.took();
                Ok(at)
            }
            None => Err(Error::no_date_time(text).at(self.position_at(self.start))),
        }
    }

    pub(super) fn read_variant(&mut self, names: &Enum) -> Result<usize> {
        let found = self.text_here("text")?;
        let text = found.unwrap_or(&self.scratch);
        if let Some(index) = names.index_of(text).or_else(|| names.index_of(trim(text))) {
            self.took();
            return Ok(index);
        }
        let error = Error::mismatch(ErrorKind::Constraint, names.names(), excerpt::name(text));
        Err(error.at(self.position_at(self.start)))
    }

    /// Skips the current value, which is indexed.
    pub(super) fn pass_over(&mut self) -> Result<()> {
        match self.slot {
            Slot::Document | Slot::Nothing | Slot::After => return Err(super::astray()),
            Slot::Field(node) => {
                let (field, wrapped) = (self.current, self.is_wrapped());
                if field != frame::NONE && !wrapped && self.is_list_field(field)? {
                    self.gather(field, node)?;
                }
            }
            _ => {}
        }
        self.took();
        Ok(())
    }

    /// Returns the bytes of the current value.
    pub(super) fn span_here(&self) -> Result<Cow<'a, [u8]>> {
        let bytes = |begin, end| self.scanner.slice(self.at + begin, self.at + end);
        let all = |node: u32| self.node(node).map(|node| bytes(node.begin(), node.end()));
        Ok(match self.slot {
            Slot::Unit => Cow::Borrowed(all(0)?),
            Slot::Field(first) if self.node(first)?.again != 0 => {
                let (mut spans, mut node) = (Vec::new(), first);
                while node != 0 {
                    spans.extend_from_slice(all(node)?);
                    node = self.node(node)?.again;
                }
                Cow::Owned(spans)
            }
            slot => match slot.packed() {
                (4..=12 | 14, node) => Cow::Borrowed(all(node)?),
                _ => Cow::Borrowed(&[]),
            },
        })
    }
}

/// The constants of both float types.
pub(super) trait Float: Copy {
    const NAN: Self;
    const INFINITY: Self;
    const NEG_INFINITY: Self;
    fn is_finite(&self) -> bool;
}

macro_rules! impl_float {
    ($($float:ty),*) => {
        $(impl Float for $float {
            const NAN: Self = <$float>::NAN;
            const INFINITY: Self = <$float>::INFINITY;
            const NEG_INFINITY: Self = <$float>::NEG_INFINITY;
            fn is_finite(&self) -> bool {
                <$float>::is_finite(*self)
            }
        })*
    };
}

impl_float!(f32, f64);
