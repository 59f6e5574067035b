//! Scalars.

use super::TxtpbSource;
use super::any::Said;
use super::frame::{Part, State};
use crate::proto::{Form, address};
use crate::txtpb::number;
use crate::txtpb::tape::{Content, Node};
use core::str::FromStr;
use demat_core::derived::text_as;
use demat_core::scalar::{Duration, Instant, Int, Offset, Uuid, base64};
use demat_core::{Error, Kind, Result, Text};
use std::borrow::Cow;

/// From here on, binary64 does not represent all ints.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl<'a> TxtpbSource<'a> {
    /// Returns the node of the next scalar, and the index of the node behind it. `None` if the value is absent.
    fn leaf(&mut self) -> Result<Option<(Node, usize)>> {
        let node = self.here()?;
        if self.state.absent {
            return Ok(None);
        }
        if self.state.form() == Form::Any {
            let Said { at, after, .. } = self.said()?;
            let inner = self.node(at).unwrap_or(node);
            return Ok(Some((inner, after)));
        }
        Ok(Some((node, self.at + node.len as usize)))
    }

    /// Leaves a scalar.
    pub(super) fn done(&mut self, after: usize) {
        if !core::mem::take(&mut self.state.absent) {
            self.at = after;
        }
    }

    /// Returns the kind of the next value.
    pub(super) fn kind(&mut self) -> Result<Kind> {
        let node = self.here()?;
        match self.state.part {
            Part::Url => return Ok(Kind::Text),
            Part::Bytes => return Ok(Kind::Bytes),
            Part::None => {}
        }
        let form = self.state.form();
        if self.state.absent {
            return Ok(kind_of(form));
        }
        // The form is that of the items, also where the next value is their list.
        if form == Form::Any && !matches!(node.content, Content::Values { .. }) {
            let said = self.said()?;
            let float = match self.node(said.at).map(|node| node.content) {
                Some(Content::Number { text, negative }) => number::float::<f64>(self.ascii(text), negative),
                _ => None,
            };
            return Ok(if float.is_some_and(is_whole) { Kind::Int } else { said.kind });
        }
        Ok(match node.content {
            Content::Values { .. } if self.state.key == Form::None => Kind::List,
            Content::Message | Content::Values { .. } => Kind::Map,
            Content::Number { .. } if matches!(form, Form::Float | Form::Double) => Kind::Float,
            Content::Number { text, .. } if number::is_int(self.ascii(text)) => Kind::Int,
            Content::Number { .. } => Kind::Float,
            Content::Word { .. } if form != Form::None => kind_of(form),
            Content::Word { text, .. } if bool_of(self.ascii(text)).is_some() => Kind::Bool,
            Content::Text(_) if form == Form::Bytes => Kind::Bytes,
            Content::Word { .. } | Content::Text(_) => Kind::Text,
            Content::Key(_) | Content::End | Content::EndValues => return Err(self.other_kind(node, "a value")),
        })
    }

    pub(super) fn read_null(&mut self) -> Result<bool> {
        let form = self.state.form();
        if self.state.absent {
            let null = matches!(form, Form::Any | Form::Null);
            self.state.absent &= !null;
            return Ok(null);
        }
        if matches!(self.here()?.content, Content::Values { .. }) {
            return Ok(false);
        }
        let after = match form {
            Form::Any => {
                let said = self.said()?;
                if said.kind != Kind::Null {
                    return Ok(false);
                }
                Some(said.after)
            }
            Form::Null => {
                let node = self.here()?;
                self.is_null(node).then_some(self.at + 1)
            }
            _ => return Ok(false),
        };
        if let Some(after) = after {
            self.done(after);
            return Ok(true);
        }
        let node = self.here()?;
        Err(self.other_kind(node, "`NULL_VALUE`"))
    }

    /// Whether the node is the only name of `google.protobuf.NullValue`, or its number.
    pub(super) fn is_null(&self, node: Node) -> bool {
        match node.content {
            Content::Word { text, negative: false } => self.ascii(text) == "NULL_VALUE",
            Content::Number { text, negative } => number::int(self.ascii(text), negative) == Some(Int::I64(0)),
            _ => false,
        }
    }

    pub(super) fn read_bool(&mut self) -> Result<bool> {
        let Some((node, after)) = self.leaf()? else {
            self.done(self.at);
            return Ok(false);
        };
        let value = match node.content {
            Content::Word { text, negative: false } => bool_of(self.ascii(text)),
            Content::Number { text, negative } => match number::int(self.ascii(text), negative) {
                Some(Int::I64(0)) if !negative => Some(false),
                Some(Int::I64(1)) => Some(true),
                _ => None,
            },
            _ => None,
        };
        let value = value.ok_or_else(|| self.other_kind(node, "bool"))?;
        self.done(after);
        Ok(value)
    }

    pub(super) fn read_int(&mut self) -> Result<Int<'a>> {
        let Some((node, after)) = self.leaf()? else {
            self.done(self.at);
            return Ok(Int::I64(0));
        };
        let form = self.state.form();
        let Content::Number { text, negative } = node.content else { return Err(self.other_kind(node, "int")) };
        let text = self.ascii(text);
        let value = if form == Form::Any {
            #[allow(clippy::cast_possible_truncation)] // it is whole and small enough
            number::float::<f64>(text, negative).filter(|float| is_whole(*float)).map(|float| Int::I64(float as i64))
        } else if number::is_int(text) {
            let (width, fits): (_, fn(&Int<'_>) -> bool) = match form {
                Form::Int32 | Form::Sint32 | Form::Sfixed32 | Form::Enum => {
                    ("int32", |int| int.to_i64().is_some_and(|int| i32::try_from(int).is_ok()))
                }
                Form::Uint32 | Form::Fixed32 => {
                    ("uint32", |int| int.to_u64().is_some_and(|int| u32::try_from(int).is_ok()))
                }
                Form::Uint64 | Form::Fixed64 => ("uint64", |int| int.to_u64().is_some()),
                Form::Int64 | Form::Sint64 | Form::Sfixed64 => ("int64", |int| int.to_i64().is_some()),
                _ => ("int64", |_| true),
            };
            let value = number::int(text, negative).filter(fits);
            // Minus zero is no unsigned int, either.
            if value.is_none() || (negative && width.starts_with('u')) {
                return Err(self.refused(width, format!("`{}`", self.ascii_of(node))));
            }
            value
        } else {
            None
        };
        let value = value.ok_or_else(|| self.other_kind(node, "int"))?;
        self.done(after);
        Ok(value)
    }

    /// The text of a number with its sign.
    fn ascii_of(&self, node: Node) -> String {
        match node.content {
            Content::Number { text, negative } => {
                format!("{}{}", if negative { "-" } else { "" }, self.ascii(text))
            }
            _ => String::new(),
        }
    }

    /// Reads a number as binary64. One of a field of binary32 is rounded to that first, as on the wire.
    pub(super) fn read_f64(&mut self) -> Result<f64> {
        if self.state.form() == Form::Float {
            return self.read_float(|value| value as f32).map(f64::from);
        }
        self.read_float(|value| value)
    }

    pub(super) fn read_float<F: FromStr + Default>(&mut self, of: fn(f64) -> F) -> Result<F> {
        let Some((node, after)) = self.leaf()? else {
            self.done(self.at);
            return Ok(F::default());
        };
        let value = match node.content {
            Content::Number { text, negative } => number::float(self.ascii(text), negative),
            Content::Word { text, negative } => number::special(self.ascii(text), negative).map(of),
            _ => None,
        };
        let value = value.ok_or_else(|| self.other_kind(node, "float"))?;
        self.done(after);
        Ok(value)
    }

    pub(super) fn read_text(&mut self) -> Result<Text<'a, '_>> {
        if let Some((url, _)) = self.take_part() {
            self.scratch = url;
            return Ok(Text::Scratch(&self.scratch));
        }
        let Some((node, after)) = self.leaf()? else {
            self.done(self.at);
            return Ok(Text::Input(""));
        };
        let form = self.state.form();
        if matches!(form, Form::Ipv4 | Form::Ip | Form::IpPort) {
            self.scratch = self.address(node, form)?;
            self.done(after);
            return Ok(Text::Scratch(&self.scratch));
        }
        let slice = match node.content {
            Content::Text(slice) => slice,
            // Copies compare the keys of a map as text before they read them.
            Content::Word { text, negative: false } if self.state.in_key && form == Form::Enum => text,
            _ => return Err(self.other_kind(node, "text")),
        };
        if core::str::from_utf8(self.slice(slice)).is_err() {
            return Err(self.refused("text in UTF-8", "other bytes"));
        }
        self.done(after);
        if slice.own {
            return Ok(Text::Scratch(core::str::from_utf8(self.slice(slice)).unwrap_or_default()));
        }
        Ok(Text::Input(core::str::from_utf8(slice.of(self.part.bytes, &[])).unwrap_or_default()))
    }

    /// Returns the text of a network address.
    fn address(&self, node: Node, form: Form) -> Result<String> {
        let text = match node.content {
            Content::Number { text, negative } if form == Form::Ipv4 => {
                let number = number::int(self.ascii(text), negative).and_then(|int| int.to_u64());
                let number = number.and_then(|number| u32::try_from(number).ok());
                number.and_then(|number| address::to_text(form, &number.to_le_bytes()))
            }
            Content::Text(slice) if form != Form::Ipv4 => address::to_text(form, self.slice(slice)),
            _ => return Err(self.other_kind(node, address::name(form))),
        };
        text.ok_or_else(|| Error::expected(address::name(form), "other bytes").at(self.place()))
    }

    pub(super) fn read_bytes(&mut self) -> Result<Cow<'a, [u8]>> {
        if let Some((_, bytes)) = self.take_part() {
            return Ok(Cow::Owned(bytes));
        }
        if matches!(self.state.form(), Form::Text | Form::Any) {
            return text_as(self, "bytes", "`bytes` in base64", base64::decode).map(Cow::Owned);
        }
        let Some((node, after)) = self.leaf()? else {
            self.done(self.at);
            return Ok(Cow::Borrowed(&[]));
        };
        let Content::Text(slice) = node.content else { return Err(self.other_kind(node, "bytes")) };
        self.done(after);
        if slice.own {
            return Ok(Cow::Owned(self.slice(slice).to_vec()));
        }
        Ok(Cow::Borrowed(slice.of(self.part.bytes, &[])))
    }

    pub(super) fn read_uuid(&mut self) -> Result<Uuid> {
        if self.state.form() == Form::Bytes {
            let bytes = self.read_bytes()?;
            let uuid = <[u8; 16]>::try_from(&*bytes).ok().map(Uuid);
            return uuid.ok_or_else(|| Error::expected("uuid", format!("{} bytes", bytes.len())).at(self.place()));
        }
        text_as(self, "uuid", "uuid", Uuid::parse)
    }

    pub(super) fn read_instant(&mut self) -> Result<Instant> {
        if self.state.form() != Form::Timestamp {
            return text_as(self, "instant", "`instant` as RFC 3339", Instant::parse);
        }
        let (seconds, nanos) = self.seconds()?;
        let instant = u32::try_from(nanos).ok().and_then(|nanos| Instant::from_unix(seconds, nanos, Offset::UTC));
        instant.ok_or_else(|| self.refused("an instant", format!("{seconds} seconds and {nanos} nanoseconds")))
    }

    pub(super) fn read_duration(&mut self) -> Result<Duration> {
        if self.state.form() != Form::Duration {
            return text_as(self, "duration", "`duration` as ISO 8601", Duration::parse);
        }
        let (seconds, nanos) = self.seconds()?;
        let in_range = nanos.unsigned_abs() < 1_000_000_000 && seconds.signum() * nanos.signum() >= 0;
        let total = i128::from(seconds) * 1_000_000_000 + i128::from(nanos);
        let duration = Duration::from_nanos(total).filter(|_| in_range);
        duration.ok_or_else(|| self.refused("a duration", format!("{seconds} seconds and {nanos} nanoseconds")))
    }

    /// Reads a message of seconds and nanoseconds.
    fn seconds(&mut self) -> Result<(i64, i64)> {
        let node = self.here()?;
        if core::mem::take(&mut self.state.absent) {
            return Ok((0, 0));
        }
        if !matches!(node.content, Content::Message) {
            return Err(self.other_kind(node, "a message of `seconds` and `nanos`"));
        }
        let (begin, state) = (self.at, self.state);
        let mut parts = [0; 2];
        let mut key = begin + 1;
        while let Some(Content::Key(_)) = self.node(key).map(|node| node.content) {
            self.start = key;
            let (index, form) = match self.key_at(key) {
                "seconds" => (0, Form::Int64),
                "nanos" => (1, Form::Int32),
                _ if self.options.ignore_unknown => {
                    key = self.after_field(key);
                    continue;
                }
                name => return Err(self.unknown_field(name, None)),
            };
            self.single(key)?;
            self.state = State { form, ..State::START };
            let value = self.read_int()?.to_i64().filter(|value| index == 0 || i32::try_from(*value).is_ok());
            parts[index] = value.ok_or_else(|| self.refused("an int of seconds or nanoseconds", "a larger one"))?;
            key = self.after_field(key);
        }
        (self.start, self.state) = (begin, state);
        self.at = begin + node.len as usize;
        Ok((parts[0], parts[1]))
    }

    /// Skips the next value. Returns its node unless it is absent.
    pub(super) fn skip_value(&mut self) -> Result<Option<Node>> {
        let node = self.here()?;
        if self.state.part != Part::None {
            self.state.part = Part::None;
            return Ok(None);
        }
        if core::mem::take(&mut self.state.absent) {
            return Ok(None);
        }
        if matches!(node.content, Content::End | Content::EndValues | Content::Key(_)) {
            return Err(self.other_kind(node, "a value"));
        }
        self.at += node.len as usize;
        Ok(Some(node))
    }
}

/// Whether a float is read as an int where no shape says more.
fn is_whole(number: f64) -> bool {
    number.trunc().to_bits() == number.to_bits()
        && number.abs() <= EXACT
        && (number != 0.0 || number.is_sign_positive())
}

fn bool_of(word: &str) -> Option<bool> {
    match word {
        "true" | "True" | "t" => Some(true),
        "false" | "False" | "f" => Some(false),
        _ => None,
    }
}

/// The kind of values of a form.
fn kind_of(form: Form) -> Kind {
    match form {
        Form::Bool => Kind::Bool,
        Form::Float | Form::Double => Kind::Float,
        Form::Text | Form::Enum | Form::Ipv4 | Form::Ip | Form::IpPort | Form::None => Kind::Text,
        Form::Bytes => Kind::Bytes,
        Form::Timestamp => Kind::Instant,
        Form::Duration => Kind::Duration,
        Form::Message | Form::Group | Form::Union => Kind::Map,
        Form::Any | Form::Null => Kind::Null,
        _ => Kind::Int,
    }
}
