//! Skips values: as strict as decoding, without recursion.

use super::super::schema::Node;
use super::fault::astray;
use super::fields::Step;
use super::frame::{Frame, Within};
use super::stand::Stand;
use super::wire;
use super::{Found, RawSource};
use demat_core::scalar::Decimal;
use demat_core::{Error, FloatWidth, Mark, Result, Source};

impl RawSource<'_, '_> {
    /// Skips the value or key at the current position.
    pub(super) fn pass(&mut self) -> Result<()> {
        let base = self.depth;
        self.pass_one()?;
        while self.depth > base {
            if self.next_child()? {
                self.pass_one()?;
            }
        }
        Ok(())
    }

    /// Advances `mark` to the end of the next child of the container with `depth`, which `mark` stands in. After
    /// `Incomplete`, the search can continue in a longer part.
    pub(in super::super) fn find_end(&mut self, depth: usize, mark: &mut Mark) -> Result<()> {
        self.reset(*mark);
        loop {
            match self.stand {
                Stand::Value(_) | Stand::Null => self.pass_one()?,
                Stand::Key(_) => self.step_to_value()?,
                Stand::Start | Stand::Nothing => {
                    self.next_child()?;
                }
            }
            *mark = self.mark();
            if self.depth <= depth && self.stand == Stand::Nothing {
                return Ok(());
            }
        }
    }

    /// Steps to the next child of the innermost container, or out of it.
    fn next_child(&mut self) -> Result<bool> {
        let Some(frame) = self.top() else { return Err(astray()) };
        match frame.within {
            Within::List | Within::Tuple | Within::Single => self.next_item(),
            Within::Map | Within::Rest if frame.cursor.next == 1 => self.step_to_value().map(|()| true),
            Within::Map | Within::Rest => self.next_key(),
            Within::Record => match self.next_field()? {
                Step::Field(index) => self.stand_at_field(index).map(|()| true),
                Step::Rest | Step::End => Ok(false),
            },
            Within::Variant => {
                self.leave_variant();
                Ok(false)
            }
        }
    }

    /// Steps into options and variants. Then skips a scalar, or steps into a container.
    fn pass_one(&mut self) -> Result<()> {
        while let Some(id) = self.value_node()? {
            match self.known()?.node(id) {
                Node::Union(union) => {
                    let (index, end) = self.variant_index(union)?;
                    let (.., content) = union.variants[index];
                    self.at = end;
                    self.enter(Frame { within: Within::Variant, ..Frame::default() })?;
                    self.stand = Stand::Value(content);
                }
                Node::Option(inner) => {
                    let is_there = self.flag("0 for null, or 1")?;
                    self.at += 1;
                    self.stand = if is_there { Stand::Value(*inner) } else { Stand::Null };
                }
                _ => break,
            }
        }
        let node = match self.found()? {
            // The value of the field is next.
            Found::Key(_) => return Ok(()),
            Found::Null => {
                self.done(self.at);
                return Ok(());
            }
            Found::Node(node) => node,
        };
        let end = match node {
            Node::Bool => self.flag("a bool: 0 or 1").map(|_| self.at + 1)?,
            Node::Int(width) => self.number(*width)?.1,
            Node::Float(FloatWidth::F32) => self.array::<4>("a float of 4 bytes").map(|_| self.at + 4)?,
            Node::Float(FloatWidth::F64) => self.array::<8>("a float of 8 bytes").map(|_| self.at + 8)?,
            Node::Uuid => self.array::<16>("a uuid of 16 bytes").map(|_| self.at + 16)?,
            Node::Text => self.utf8()?.1,
            Node::Bytes => self.sized("bytes")?.1,
            Node::Enum(names) => self.index_of(names)?.1,
            Node::Decimal => {
                let (text, end) = self.utf8()?;
                if Decimal::parse(text).is_none() {
                    return Err(Error::other_text("decimal", text).at(self.position_of(self.start)));
                }
                end
            }
            Node::Date => return self.parts("a date in the years 1 to 9999", wire::read_date).map(drop),
            Node::Time => return self.parts("a time of a day", wire::read_time).map(drop),
            Node::DateTime => {
                return self.parts("a datetime in the years 1 to 9999", wire::read_date_time).map(drop);
            }
            Node::Instant => return self.parts("an instant in the years 1 to 9999", wire::read_instant).map(drop),
            Node::Duration => {
                return self.parts("a duration of 64 bits in seconds", wire::read_duration).map(drop);
            }
            Node::List(item) => return self.enter_items(*item).map(drop),
            Node::Tuple(_) => return self.enter_tuple(),
            Node::Map(key, value) => return self.enter_entries(Within::Map, *key, *value).map(drop),
            Node::Record(_) => return self.enter_record(),
            Node::Any | Node::Null | Node::Option(_) | Node::Union(_) => return Err(astray()),
        };
        self.done(end);
        Ok(())
    }
}
